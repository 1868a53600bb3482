import {
  CST,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  Lexer,
  LineCounter,
  type Node,
  type Pair,
  parseDocument as parseYaml,
  type Scalar as YamlScalar,
} from 'yaml'
import { joinPath, type Mistake, mistakeAt, type ReadTree, toReadTree } from './mistake.ts'
import {
  advancePlace,
  brokenTree,
  type Entry,
  isSpelledBy,
  maximumDepth,
  type SourceLocation,
  scalar,
  type Tree,
  type WrittenText,
} from './tree.ts'

/** The longest scenario text, in UTF-16 code units: 1 MiB of ASCII. */
export const maximumTextLength = 1024 * 1024

/** The most values in one document, so that memory and time stay bounded. */
const maximumValues = 200_000

/**
 * Parses YAML 1.2 (core schema) or JSON text to a tree in which every value has its place. Refuses, in this order: a
 * text that is too long, nesting that is too deep, syntax errors and warnings, duplicate keys, aliases, tags, keys
 * that are not plain text, and numbers that are not plain decimals (`.inf`, `.nan`, `0x1F`, `017`).
 */
export function parseDocument(text: string, file: string): ReadTree {
  const lines = new LineCounter()
  const start: SourceLocation = { file, line: 1, column: 1 }
  const placeAt = (offset: number): SourceLocation => {
    const { line, col } = lines.linePos(offset)
    return { file, line, column: col }
  }
  if (text.length > maximumTextLength) {
    return toReadTree(brokenTree(start), [mistakeAt(start, '', 'longer than 1 MiB')])
  }
  const deepOffset = findTooDeepOffset(text, maximumDepth)
  if (deepOffset !== -1) {
    const reason = `nested deeper than ${maximumDepth} levels`
    return toReadTree(brokenTree(start), [
      mistakeAt(advancePlace(start, text.slice(0, deepOffset)), '', reason),
    ])
  }
  const document = parseYaml(text, {
    schema: 'core',
    merge: false,
    resolveKnownTags: false,
    // Duplicate keys are found below, where their paths and first places are known.
    uniqueKeys: false,
    prettyErrors: false,
    lineCounter: lines,
  })
  const complaints = [...document.errors, ...document.warnings]
  const toMistake = (it: (typeof complaints)[number]): Mistake =>
    mistakeAt(placeAt(it.pos[0]), '', syntaxReason(it.code, it.message))
  // After a syntax error, the rest of the tree is guesswork.
  const error = complaints.find((it) => it.code !== 'TAG_RESOLVE_FAILED')
  if (error !== undefined) return toReadTree(brokenTree(start), [toMistake(complaints[0] ?? error)])
  const reader: Reader = {
    text,
    placeAt,
    mistakes: complaints.map(toMistake),
    hasReportedTags: complaints.length > 0,
    valuesLeft: maximumValues,
  }
  const tree = readNode(reader, document.contents, start, '', 0)
  return toReadTree(tree, reader.mistakes)
}

interface Reader {
  readonly text: string
  readonly placeAt: (offset: number) => SourceLocation
  readonly mistakes: Mistake[]
  readonly hasReportedTags: boolean
  valuesLeft: number
}

function readNode(
  reader: Reader,
  node: unknown,
  parentPlace: SourceLocation,
  path: string,
  depth: number,
): Tree {
  if (!isNode(node)) return scalar(parentPlace, null, '')
  const place = node.range ? reader.placeAt(node.range[0]) : parentPlace
  const refuse = (reason: string): Tree => {
    reader.mistakes.push(mistakeAt(place, path, reason))
    return brokenTree(place)
  }
  if (reader.valuesLeft-- <= 0)
    return reader.valuesLeft === -1 ? refuse('too many values in one file') : brokenTree(place)
  if (depth > maximumDepth) return refuse(`nested deeper than ${maximumDepth} levels`)
  if (isAlias(node)) return refuse('aliases (*name) are not allowed; write the value again')
  // Tags that the parser cannot resolve have been reported at their places.
  if (node.tag !== undefined)
    return reader.hasReportedTags ? brokenTree(place) : refuse(`tags (${node.tag}) are not allowed`)
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
  readonly place: SourceLocation
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
    const at = keyRange ? reader.placeAt(keyRange[0]) : place
    reader.mistakes.push(mistakeAt(at, path, 'keys must be plain text'))
    return
  }
  const keyPlace = key.range ? reader.placeAt(key.range[0]) : place
  const name = typeof key.value === 'string' ? key.value : (key.source ?? String(key.value))
  if (name === '<<') {
    reader.mistakes.push(mistakeAt(keyPlace, path, 'merge keys (<<) are not allowed'))
    return
  }
  if (entries.has(name)) {
    if (isDigitsAfterComma(name, value)) return
    const { line } = entries.get(name)?.keyPlace ?? keyPlace
    reader.mistakes.push(
      mistakeAt(keyPlace, joinPath(path, name), `the key is there twice, first in line ${line}`),
    )
    return
  }
  if (isDigitsAfterComma(name, value)) {
    const reason = 'the digits of a number stand without commas, as in 1000000'
    reader.mistakes.push(mistakeAt(keyPlace, path, reason))
    entries.set(name, { keyPlace, value: brokenTree(keyPlace) })
    return
  }
  entries.set(name, {
    keyPlace,
    value: readNode(reader, value, keyPlace, joinPath(path, name), depth + 1),
  })
}

/**
 * Returns whether a key is a group of digits after a comma: YAML reads `{USD: 1,000,000}` as USD: 1 and the key 000 twice,
 * without a value.
 */
const isDigitsAfterComma = (name: string, value: unknown): boolean => value === null && /^\d{3}$/.test(name)

const plainNumber = /^-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?$/

function readScalar(
  file: string,
  node: YamlScalar,
  place: SourceLocation,
  refuse: (reason: string) => Tree,
): Tree {
  const { value, source = '' } = node
  if (typeof value === 'number') {
    if (plainNumber.test(source)) return scalar(place, value, source, place.column)
    return refuse(`${source} is not a plain decimal number; quote it if it is meant as text`)
  }
  if (typeof value !== 'string') return scalar(place, typeof value === 'boolean' ? value : null, source)
  const read = scalar(place, value, value, findTextColumn(node, value, place))
  const lines = read.textColumn > 0 ? null : findWrittenText(file, node, place)
  return lines !== null && isSpelledBy(value, lines.written) ? { ...read, lines } : read
}

/**
 * Returns a text that spans several lines as it is written: without its quotes, or without the line that announces a
 * block.
 */
function findWrittenText(
  file: string,
  { range, type }: YamlScalar,
  place: SourceLocation,
): WrittenText | null {
  if (!range) return null
  const whole = file.slice(range[0], range[1])
  if (type === 'PLAIN') return { place, written: whole }
  if (type === 'QUOTE_DOUBLE' || type === 'QUOTE_SINGLE')
    return { place: advancePlace(place, whole.slice(0, 1)), written: whole.slice(1, -1) }
  const start = whole.indexOf('\n') + 1
  return { place: advancePlace(place, whole.slice(0, start)), written: whole.slice(start) }
}

/** Returns the column at which a text begins; 0 unless it is on one line without escapes. */
function findTextColumn(node: YamlScalar, value: string, place: SourceLocation): number {
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
  return `cannot be read: ${plainReasons[code] ?? message + (hints[code] ?? '')}`
}

/** Reasons in plain words for errors that the parser words in its own terms, by the parser's code. */
const plainReasons: { readonly [code: string]: string | undefined } = {
  MULTILINE_IMPLICIT_KEY: 'expected "key: value", with a space after the colon',
  BLOCK_AS_IMPLICIT_KEY:
    'the keys of one mapping begin in the same column, and a text with ": " in it needs quotes',
}

const needsQuotes = ' (texts with [ ] { } , in them need quotes here)'
const hints: { readonly [code: string]: string | undefined } = {
  UNEXPECTED_TOKEN: needsQuotes,
  MISSING_CHAR: needsQuotes,
}

/**
 * Returns the offset at which the text first nests deeper than `maximum`, or -1. Only the lexer of the YAML library
 * is used, which does not recurse: composing a few thousand opened brackets aborts the whole process under Node 20
 * and 22, and no catch stops that.
 */
function findTooDeepOffset(text: string, maximum: number): number {
  /** The columns of the blocks that are open. */
  const columns: number[] = []
  let brackets = 0
  let offset = 0
  let lineStart = 0
  let beginsLine = true
  let isContent = false
  for (const token of new Lexer().lex(text)) {
    const type: CST.TokenType | null = isContent ? 'scalar' : CST.tokenType(token)
    const isMark = !isContent && markTokens.includes(type)
    isContent = !isContent && type === 'scalar'
    if (beginsLine && brackets === 0 && !whiteSpaceTokens.includes(type)) {
      const column = offset - lineStart
      while (columns.length > 0 && column <= (columns.at(-1) ?? 0)) columns.pop()
      columns.push(column)
      beginsLine = type === 'seq-item-ind' || type === 'explicit-key-ind'
    }
    if (type === 'flow-seq-start' || type === 'flow-map-start') brackets += 1
    else if (type === 'flow-seq-end' || type === 'flow-map-end') brackets -= 1
    if (columns.length + brackets > maximum) return offset
    if (!isMark) offset += token.length
    if (token.endsWith('\n')) {
      lineStart = offset
      beginsLine = true
    }
  }
  return -1
}

/** Tokens that announce the next one and are not in the text themselves. */
const markTokens: readonly unknown[] = ['doc-mode', 'flow-error-end', 'scalar']
const whiteSpaceTokens: readonly unknown[] = [
  'space',
  'newline',
  'comment',
  'byte-order-mark',
  'doc-mode',
  'doc-start',
]
