import { crc32, gunzipSync, inflateRawSync } from 'node:zlib'

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
const entrySignature = 0x02014b50
const endSignature = Buffer.from([0x50, 0x4b, 0x05, 0x06])
const broken = 'it is not a complete zip file'

/** The one file of an archive, as exchanges publish them: stored or deflated, no encryption, less than 4 GiB. */
function unzip(bytes: Buffer, maximumBytes: number): Buffer | string {
  const end = bytes.lastIndexOf(endSignature)
  if (end < 0 || end + 22 > bytes.length) return broken
  const files: Entry[] = []
  let at = bytes.readUInt32LE(end + 16)
  for (let count = bytes.readUInt16LE(end + 10); count > 0; count -= 1) {
    if (at + 46 > bytes.length || bytes.readUInt32LE(at) !== entrySignature) return broken
    const nameLength = bytes.readUInt16LE(at + 28)
    const name = bytes.toString('utf8', at + 46, at + 46 + nameLength)
    if (!name.endsWith('/')) files.push({ at, name })
    at += 46 + nameLength + bytes.readUInt16LE(at + 30) + bytes.readUInt16LE(at + 32)
  }
  const [file] = files
  if (file === undefined) return 'the zip file is empty'
  if (files.length > 1) return `the zip file holds ${files.length} files; unpack it and name the ones to use`
  return contentOf(bytes, file, maximumBytes)
}

interface Entry {
  /** Of its record in the directory. */
  readonly at: number
  readonly name: string
}

function contentOf(bytes: Buffer, { at, name }: Entry, maximumBytes: number): Buffer | string {
  const isEncrypted = (bytes.readUInt16LE(at + 8) & 1) === 1
  const method = bytes.readUInt16LE(at + 10)
  const local = bytes.readUInt32LE(at + 42)
  if (isEncrypted || (method !== 0 && method !== 8))
    return `${name} in the zip file is encrypted or packed in a way we do not know`
  if (local + 30 > bytes.length) return broken
  const begin = local + 30 + bytes.readUInt16LE(local + 26) + bytes.readUInt16LE(local + 28)
  const packed = bytes.subarray(begin, begin + bytes.readUInt32LE(at + 20))
  try {
    const content = method === 0 ? packed : inflateRawSync(packed, { maxOutputLength: maximumBytes })
    return crc32(content) === bytes.readUInt32LE(at + 16) ? content : broken
  } catch {
    return broken
  }
}
