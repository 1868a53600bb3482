import { frozen, type Metadata } from '../../engine/metadata.ts'
import { flawed, type Read, read } from '../flaw.ts'

/** Design: at most 50 keys (the schema counts them) and 4 KiB as JSON in UTF-8. Null when none is given. */
export function readMetadata(metadata: Metadata | null | undefined): Read<Metadata | null> {
  if (metadata === null || metadata === undefined) return read(null)
  if (utf8Length(JSON.stringify(metadata)) > maximumBytes)
    return flawed('metadata', 'is larger than 4 KiB as JSON')
  return read(frozen(metadata))
}

const maximumBytes = 4096

/** Bytes of well-formed text; each half of a surrogate pair is two of its four. */
function utf8Length(text: string): number {
  let bytes = 0
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    bytes += code < 0x80 ? 1 : code < 0x800 || (code >= 0xd800 && code <= 0xdfff) ? 2 : 3
  }
  return bytes
}
