import { readFileSync, statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import type { ReadInclude } from '../../scenario/read/include.ts'
import { maximumTextLength, parseDocument } from '../../scenario/read/parse-document.ts'

/**
 * Reads the files that scenarios include. Names are relative to the file that includes them; `folder` is what the
 * names of the files themselves are relative to. `seen` gets the text of each.
 */
export function includesIn(
  folder: string,
  seen: (file: string, text: string) => void = () => {},
): ReadInclude {
  return (name, from) => {
    const file = join(dirname(from), name)
    const text = readText(resolve(folder, file))
    if (text === null) return { ok: false, reason: `cannot read ${file}: no such file, or none of text` }
    seen(file, text)
    return { ok: true, file, parsed: parseDocument(text, file) }
  }
}

/** Null for anything but a regular file of UTF-8 text, and for one that is far too large. */
function readText(path: string): string | null {
  try {
    const stats = statSync(path)
    if (!stats.isFile() || stats.size > maximumTextLength * 4) return null
    return new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(path))
  } catch {
    return null
  }
}
