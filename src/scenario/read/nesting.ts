/*
 * How deep a YAML text nests, found before the YAML library sees it: under Node 20 and 22 the library aborts the
 * whole process on a few thousand opened brackets, and no catch stops that. The scan need not be exact: it may take
 * text inside a block scalar for structure, which only makes it stricter.
 */

/** The offset at which the text first nests deeper than `maximum`, or -1. */
export function tooDeepAt(text: string, maximum: number): number {
  const columns: number[] = []
  let brackets = 0
  let offset = 0
  while (offset < text.length) {
    if (brackets === 0) {
      offset = openBlocks(text, offset, columns)
      if (columns.length > maximum) return offset
    }
    const line = scanLine(text, offset, brackets, maximum - columns.length)
    if (line.tooDeep) return line.offset
    brackets = line.brackets
    offset = line.offset
  }
  return -1
}

/**
 * Notes each block that begins in the line's indentation and its leading `-` and `?`; answers where the content begins.
 */
function openBlocks(text: string, lineStart: number, columns: number[]): number {
  let offset = lineStart
  for (;;) {
    while (text[offset] === ' ') offset++
    const column = offset - lineStart
    const character = text[offset]
    if (character === undefined || character === '\n' || character === '\r' || character === '#')
      return offset
    while (columns.length > 0 && column <= (columns.at(-1) ?? -1)) columns.pop()
    columns.push(column)
    const isIndicator = character === '-' || character === '?'
    if (!isIndicator || !isSpace(text[offset + 1])) return offset
    offset++
  }
}

interface LineScan {
  readonly offset: number
  readonly brackets: number
  readonly tooDeep: boolean
}

/** From the content to the first character of the next line, or to the bracket that is one too many. */
function scanLine(text: string, start: number, opened: number, maximum: number): LineScan {
  let brackets = opened
  let offset = start
  let startsToken = true
  while (offset < text.length) {
    const character = text[offset] ?? ''
    if (character === '\n') return { offset: offset + 1, brackets, tooDeep: false }
    if (character === '#' && (offset === start || isSpace(text[offset - 1]))) {
      offset = endOfLine(text, offset)
      continue
    }
    if (startsToken && (character === '"' || character === "'")) {
      offset = endOfQuoted(text, offset)
      startsToken = false
      continue
    }
    const isOpening: boolean = (character === '[' || character === '{') && (startsToken || brackets > 0)
    if (isOpening) {
      brackets++
      if (brackets > maximum) return { offset, brackets, tooDeep: true }
    } else if ((character === ']' || character === '}') && brackets > 0) brackets--
    startsToken = isOpening || startsNext(text, offset, brackets > 0, startsToken)
    offset++
  }
  return { offset, brackets, tooDeep: false }
}

const isSpace = (character: string | undefined): boolean =>
  character === ' ' ||
  character === '\t' ||
  character === '\n' ||
  character === '\r' ||
  character === undefined

/** Whether a new token can begin after the character; white space changes nothing. */
function startsNext(text: string, offset: number, isFlow: boolean, before: boolean): boolean {
  const character = text[offset]
  if (character === ' ' || character === '\t' || character === '\r') return before
  if (character === ':') return isFlow || isSpace(text[offset + 1])
  return isFlow && character === ','
}

function endOfLine(text: string, offset: number): number {
  const end = text.indexOf('\n', offset)
  return end === -1 ? text.length : end
}

function endOfQuoted(text: string, opening: number): number {
  const quote = text[opening]
  let offset = opening + 1
  while (offset < text.length) {
    if (quote === '"' && text[offset] === '\\') offset++
    else if (text[offset] === quote) {
      if (quote === '"' || text[offset + 1] !== "'") return offset + 1
      offset++
    }
    offset++
  }
  return text.length
}
