import type { Place, WrittenText } from './tree.ts'

/** Whether the file has the text's own characters, white space apart: then every one of them has a place. */
export const isSpelledBy = (text: string, written: string): boolean =>
  text.replace(/\s+/g, '') === written.replace(/\s+/g, '')

/**
 * Where a character of the text stands in the file. Indentation and folding change white space alone, so the n-th
 * other character of the text is the n-th one of what is written.
 */
export function placeInWritten({ place, written }: WrittenText, text: string, offset: number): Place {
  let left = text.slice(0, offset).replace(/\s+/g, '').length
  const characters = written.trimEnd()
  let index = 0
  for (; index < characters.length; index += 1) {
    if (/\s/.test(characters[index] ?? '')) continue
    if (left === 0) break
    left -= 1
  }
  return placeAfter(place, characters.slice(0, index))
}

/** The place behind so much text. */
export function placeAfter(from: Place, text: string): Place {
  const lines = text.split('\n')
  const last = lines.at(-1) ?? ''
  const column = lines.length === 1 ? from.column + last.length : last.length + 1
  return { ...from, line: from.line + lines.length - 1, column }
}
