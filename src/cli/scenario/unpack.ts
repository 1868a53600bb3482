import { createRequire } from 'node:module'
import { gunzipSync } from 'node:zlib'
import type AdmZip from 'adm-zip'

/** What a file holds after gzip or zip, or the file itself when it is neither; or why it cannot be read. */
export function unpack(bytes: Buffer, maximumBytes: number): Buffer | string {
  if (bytes[0] === 0x1f && bytes[1] === 0x8b) return gunzip(bytes, maximumBytes)
  if (bytes.length > 3 && bytes.readUInt32LE(0) === localSignature) return unzip(bytes, maximumBytes)
  return bytes
}

function gunzip(bytes: Buffer, maximumBytes: number): Buffer | string {
  try {
    return gunzipSync(bytes, { maxOutputLength: maximumBytes })
  } catch {
    return 'it is not a complete gzip file'
  }
}

const localSignature = 0x04034b50
const broken = 'it is not a complete zip file'

/** The one file of an archive, as exchanges publish them. */
function unzip(bytes: Buffer, maximumBytes: number): Buffer | string {
  // Read when there is a zip file: most who start otcsim have none.
  const Archive: typeof AdmZip = createRequire(import.meta.url)('adm-zip')
  try {
    const files = new Archive(bytes).getEntries().filter(({ isDirectory }) => !isDirectory)
    const [file] = files
    if (file === undefined) return 'the zip file is empty'
    if (files.length > 1)
      return `the zip file holds ${files.length} files; unpack it and name the ones to use`
    const { entryName, header } = file
    if (header.encrypted || (header.method !== 0 && header.method !== 8))
      return `${entryName} in the zip file is encrypted or packed in a way we do not know`
    // No more than that is unpacked.
    return header.size > maximumBytes ? broken : file.getData()
  } catch {
    return broken
  }
}
