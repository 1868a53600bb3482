import {
  isAlias,
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  type Node,
  type Pair,
  parseDocument as parseYaml,
  type Scalar as YamlScalar,
} from 'yaml'
import { joinPath, type Mistake, mistakeAt, type ReadTree, treeRead } from './mistake.ts'
import {
  broken,
  type Entry,
  isSpelledBy,
  maximumDepth,
  type Place,
  placeAfter,
  scalar,
  type Tree,
  type WrittenText,
} from './tree.ts'

/** Longest scenario text, in UTF-16 code units: 1 MiB of ASCII. */
export const maximumTextLength = 1024 * 1024

/** The most values in one document, so that memory and time stay bounded. */
const maximumValues = 200_000

/**
 * Reads YAML 1.2 (core schema) or JSON text into a tree of placed values. Refused, in this order: text too long,
 * nesting too deep, syntax errors and warnings, duplicate keys, aliases, tags, keys that are no plain text, numbers
 * that are not plain decimals (`.inf`, `.nan`, `0x1F`, `017`).
 */
export function parseDocument(text: string, file: string): ReadTree {
  const lines = new LineCounter()
  const start: Place = { file, line: 1, column: 1 }
  const placeOf = (offset: number): Place => {
    const { line, col } = lines.linePos(offset)
    return { file, line, column: col }
  }
  if (text.length > maximumTextLength) {
    return treeRead(broken(start), [mistakeAt(start, '', 'longer than 1 MiB')])
  }
  const deepOffset = tooDeepAt(text, maximumDepth)
  if (deepOffset !== -1) {
    const reason = `nested deeper than ${maximumDepth} levels`
    return treeRead(broken(start), [mistakeAt(placeAfter(start, text.slice(0, deepOffset)), '', reason)])
  }
  const document = parseYaml(text, {
    schema: 'core',
    merge: false,
    resolveKnownTags: false,
    // Found below, where their paths and first places are known.
    uniqueKeys: false,
    prettyErrors: false,
    lineCounter: lines,
  })
  const complaints = [...document.errors, ...document.warnings]
  const told = (it: (typeof complaints)[number]): Mistake =>
    mistakeAt(placeOf(it.pos[0]), '', syntaxReason(it.code, it.message))
  // After a real syntax error the rest is guesswork.
  const error = complaints.find((it) => it.code !== 'TAG_RESOLVE_FAILED')
  if (error !== undefined) return treeRead(broken(start), [told(complaints[0] ?? error)])
  const reader: Reader = {
    text,
    placeOf,
    problems: complaints.map(told),
    hasTagsTold: complaints.length > 0,
    valuesLeft: maximumValues,
  }
  const tree = readNode(reader, document.contents, start, '', 0)
  return treeRead(tree, reader.problems)
}

interface Reader {
  readonly text: string
  readonly placeOf: (offset: number) => Place
  readonly problems: Mistake[]
  readonly hasTagsTold: boolean
  valuesLeft: number
}

function readNode(reader: Reader, node: unknown, parentPlace: Place, path: string, depth: number): Tree {
  if (!isNode(node)) return scalar(parentPlace, null, '')
  const place = node.range ? reader.placeOf(node.range[0]) : parentPlace
  const refuse = (reason: string): Tree => {
    reader.problems.push(mistakeAt(place, path, reason))
    return broken(place)
  }
  if (reader.valuesLeft-- <= 0)
    return reader.valuesLeft === -1 ? refuse('too many values in one file') : broken(place)
  if (depth > maximumDepth) return refuse(`nested deeper than ${maximumDepth} levels`)
  if (isAlias(node)) return refuse('aliases (*name) are not allowed; write the value again')
  // Those that mean nothing to the parser have been told, where they stand.
  if (node.tag !== undefined)
    return reader.hasTagsTold ? broken(place) : refuse(`tags (${node.tag}) are not allowed`)
  if (isScalar(node)) return readScalar(reader.text, node, place, refuse)
  if (isSeq(node)) {
    const items = node.items.map((item, index) =>
      readNode(reader, item, place, joinPath(path, index), depth + 1),
    )
    return { kind: 'list', place, items }
  }
  if (!isMap(node)) return refuse('neither a value, a list nor a mapping')
  const mapping = { entries: new Map<string, Entry>(), place, path, depth }
  for (const pair of node.items) readPair(reader, pair, mapping)
  return { kind: 'mapping', place, entries: mapping.entries }
}

interface OpenMapping {
  readonly entries: Map<string, Entry>
  readonly place: Place
  readonly path: string
  readonly depth: number
}

function readPair(reader: Reader, { key, value }: Pair, { entries, place, path, depth }: OpenMapping): void {
  if (
    !isScalar(key) ||
    key.tag !== undefined ||
    (typeof key.value !== 'string' && typeof key.value !== 'number')
  ) {
    const keyRange = isNode(key) ? key.range : null
    const at = keyRange ? reader.placeOf(keyRange[0]) : place
    reader.problems.push(mistakeAt(at, path, 'keys must be plain text'))
    return
  }
  const keyPlace = key.range ? reader.placeOf(key.range[0]) : place
  const name = typeof key.value === 'string' ? key.value : (key.source ?? String(key.value))
  if (name === '<<') {
    reader.problems.push(mistakeAt(keyPlace, path, 'merge keys (<<) are not allowed'))
    return
  }
  if (entries.has(name)) {
    if (isDigitsAfterComma(name, value)) return
    const { line } = entries.get(name)?.keyPlace ?? keyPlace
    reader.problems.push(
      mistakeAt(keyPlace, joinPath(path, name), `the key is there twice, first in line ${line}`),
    )
    return
  }
  if (isDigitsAfterComma(name, value)) {
    const reason = 'the digits of a number stand without commas, as in 1000000'
    reader.problems.push(mistakeAt(keyPlace, path, reason))
    entries.set(name, { keyPlace, value: broken(keyPlace) })
    return
  }
  entries.set(name, {
    keyPlace,
    value: readNode(reader, value, keyPlace, joinPath(path, name), depth + 1),
  })
}

/** `{USD: 1,000,000}` is USD: 1 and twice a key 000 without a value. */
const isDigitsAfterComma = (name: string, value: unknown): boolean => value === null && /^\d{3}$/.test(name)

const plainNumber = /^-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?$/

function readScalar(file: string, node: YamlScalar, place: Place, refuse: (reason: string) => Tree): Tree {
  const { value, source = '' } = node
  if (typeof value === 'number') {
    if (plainNumber.test(source)) return scalar(place, value, source, place.column)
    return refuse(`${source} is not a plain decimal number; quote it if it is meant as text`)
  }
  if (typeof value !== 'string') return scalar(place, typeof value === 'boolean' ? value : null, source)
  const read = scalar(place, value, value, textColumnOf(node, value, place))
  const lines = read.textColumn > 0 ? null : linesOf(file, node, place)
  return lines !== null && isSpelledBy(value, lines.written) ? { ...read, lines } : read
}

/** What a text over several lines consists of: without its quotes, or the line that announces a block. */
function linesOf(file: string, { range, type }: YamlScalar, place: Place): WrittenText | null {
  if (!range) return null
  const whole = file.slice(range[0], range[1])
  if (type === 'PLAIN') return { place, written: whole }
  if (type === 'QUOTE_DOUBLE' || type === 'QUOTE_SINGLE')
    return { place: placeAfter(place, whole.slice(0, 1)), written: whole.slice(1, -1) }
  const start = whole.indexOf('\n') + 1
  return { place: placeAfter(place, whole.slice(0, start)), written: whole.slice(start) }
}

/** Where the text begins, if it is on one line without escapes. */
function textColumnOf(node: YamlScalar, value: string, place: Place): number {
  const [start, end] = node.range ?? [0, 0]
  const quotes = node.type === 'QUOTE_DOUBLE' || node.type === 'QUOTE_SINGLE' ? 1 : 0
  return end - start === value.length + 2 * quotes && !value.includes('\n') ? place.column + quotes : 0
}

function isNode(node: unknown): node is Node {
  return isScalar(node) || isSeq(node) || isMap(node) || isAlias(node)
}

function syntaxReason(code: string, message: string): string {
  if (code === 'TAG_RESOLVE_FAILED') return `tags are not allowed (${message})`
  if (code === 'MULTIPLE_DOCS') return 'one file holds one document; remove the second "---"'
  return `cannot be read: ${plainer[code] ?? message + (hints[code] ?? '')}`
}

/** What most often is behind a complaint in the words of a parser. */
const plainer: { readonly [code: string]: string | undefined } = {
  MULTILINE_IMPLICIT_KEY: 'expected "key: value", with a space after the colon',
  BLOCK_AS_IMPLICIT_KEY:
    'the keys of one mapping begin in the same column, and a text with ": " in it needs quotes',
}

const needsQuotes = ' (texts with [ ] { } , in them need quotes here)'
const hints: { readonly [code: string]: string | undefined } = {
  UNEXPECTED_TOKEN: needsQuotes,
  MISSING_CHAR: needsQuotes,
}

/*
 * How deep a YAML text nests, found before the YAML library sees it: under Node 20 and 22 the library aborts the
 * whole process on a few thousand opened brackets, and no catch stops that. The scan need not be exact: it may take
 * text inside a block scalar for structure, which only makes it stricter.
 */

/** The offset at which the text first nests deeper than `maximum`, or -1. */
function tooDeepAt(text: string, maximum: number): number {
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
