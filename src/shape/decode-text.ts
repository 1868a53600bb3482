/**
 * Decodes the bytes of a text file: UTF-8, or UTF-16 where a byte order mark says so, as spreadsheets and PowerShell
 * write it. The mark is left out. Returns null for bytes that are no text in that encoding.
 */
export function decodeText(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder(findUtf16(bytes) ?? 'utf-8', { fatal: true }).decode(bytes)
  } catch {
    return null
  }
}

/** Returns the kind of UTF-16 that the byte order mark of a file states; null for other files. */
export function findUtf16(bytes: Uint8Array): 'utf-16le' | 'utf-16be' | null {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le'
  return bytes[0] === 0xfe && bytes[1] === 0xff ? 'utf-16be' : null
}
