import type { Flaw } from '../flaw.ts'

/*
 * What `JSON.parse` lets through although it can't be meant: duplicate keys, prototype keys, lone surrogates, digits that
 * a double cannot hold, endless nesting. It is looked for in the text, which is known to be valid JSON by then. No
 * recursion: a million brackets are only a refusal. For texts that are not valid, what was perhaps meant.
 */

export const maximumDepth = 16
/** Of an amount in a body or a query: what a double holds exactly. */
export const maximumSignificantDigits = 15
export const jsonLimits = { keysPerObject: 256, numberLength: 32 } as const

/** Which numbers a body may have: amounts of at most 15 digits, or whatever a double holds as it is written. */
export type NumberForm = 'amounts' | 'doubles'

/** What is wrong with the items of a list, by index; a field is named as seen from its item, `body` is all of it. */
export type ItemFlaws = ReadonlyMap<number, Flaw>

/** The significant digits of a decimal literal, which may have a sign; leading and trailing zeros do not count. */
export function significantDigits(token: string): number {
  return decimalOf(token).digits.length
}

export const reservedKeys: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype'])

/** A list whose items fail one by one, and where their flaws go. */
interface Items {
  readonly list: string
  readonly flaws: Map<number, Flaw>
}

/** An object or array that is open: the keys seen so far (null for an array) and the present position in it. */
interface Container {
  readonly keys: Set<string> | null
  key: string
  index: number
}

/** Strings, numbers, brackets and commas of a valid text; what stands between them can't be wrong. */
const tokens = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d[-+.\deE]*|[{}[\],]/g

/** The first flaw; of those in `items`, each item's first is kept there, and the rest of the item is skipped. */
export function findFlaw(text: string, numbers: NumberForm, items: Items | null): Flaw | null {
  const open: Container[] = []
  let expectsKey = false
  /** How many containers are open around an item that has a flaw. */
  let around = Number.POSITIVE_INFINITY
  for (const [token] of text.matchAll(tokens)) {
    if (token === '{' || token === '[')
      open.push({ keys: token === '{' ? new Set() : null, key: '', index: 0 })
    else if (token === '}' || token === ']') open.pop()
    if (open.length > around || (open.length === around && token !== ',')) continue
    around = Number.POSITIVE_INFINITY
    const flaw =
      expectsKey && token.startsWith('"') ? takeKey(open, token) : flawOfValue(open, token, numbers)
    const container = open.at(-1)
    if (token === ',' && container !== undefined) container.index += 1
    expectsKey = token === '{' || (token === ',' && container?.keys !== null)
    if (flaw === null) continue
    const depth = keepWithItem(open, flaw, items)
    if (depth === null) return flaw
    around = depth
  }
  return null
}

/** Where the flaw lies in an item, keeps it there and answers how many containers are open around the items. */
function keepWithItem(open: readonly Container[], flaw: Flaw, items: Items | null): number | null {
  if (items === null) return null
  const { list, flaws } = items
  const depth = list === '' ? 1 : 2
  const holder = open[depth - 1]
  if (holder === undefined || holder.keys !== null || (depth === 2 && open[0]?.key !== list)) return null
  const inItem = flaw.field.slice(pathOf(open.slice(0, depth)).length).replace(/^\./, '')
  flaws.set(holder.index, { ...flaw, field: inItem === '' ? 'body' : inItem })
  return depth
}

function takeKey(open: readonly Container[], token: string): Flaw | null {
  const container = open.at(-1)
  if (container === undefined || container.keys === null) return null
  const key = unquoted(token)
  if (halfSurrogatePair.test(key))
    return { field: pathOf(open.slice(0, -1)), reason: 'has a key with half a surrogate pair' }
  container.key = key
  if (reservedKeys.has(key)) return { field: pathOf(open), reason: 'is not an allowed key' }
  if (container.keys.has(key)) return { field: pathOf(open), reason: 'is given twice' }
  container.keys.add(key)
  if (container.keys.size <= jsonLimits.keysPerObject) return null
  return { field: pathOf(open.slice(0, -1)), reason: `has more than ${jsonLimits.keysPerObject} keys` }
}

function flawOfValue(open: readonly Container[], token: string, numbers: NumberForm): Flaw | null {
  switch (token[0]) {
    case '{':
    case '[':
      if (open.length <= maximumDepth) return null
      return { field: pathOf(open.slice(0, -1)), reason: `is nested deeper than ${maximumDepth} levels` }
    case '}':
    case ']':
    case ',':
      return null
    case '"':
      if (!halfSurrogatePair.test(unquoted(token))) return null
      return { field: pathOf(open), reason: 'has half a surrogate pair' }
    default:
      return flawOfNumber(open, token, numbers)
  }
}

function flawOfNumber(open: readonly Container[], token: string, numbers: NumberForm): Flaw | null {
  if (token.length <= maximumSignificantDigits && !/e/i.test(token)) return null
  if (token.length > jsonLimits.numberLength)
    return { field: pathOf(open), reason: `is a number of more than ${jsonLimits.numberLength} characters` }
  const decimal = decimalOf(token)
  const isEcho = isInMetadata(open)
  if (numbers === 'amounts' && !isEcho && decimal.digits.length > maximumSignificantDigits)
    return { field: pathOf(open), reason: `has more than ${maximumSignificantDigits} significant digits` }
  const value = Number(token)
  if (!Number.isFinite(value) || (value === 0 && decimal.digits !== ''))
    return { field: pathOf(open), reason: 'is out of the range of numbers' }
  const taken = decimalOf(String(value))
  if (taken.digits === decimal.digits && taken.exponent === decimal.exponent) return null
  const advice = isEcho ? ': send it as a string' : ''
  return { field: pathOf(open), reason: `would be taken as ${value}, which is another number${advice}` }
}

function isInMetadata(open: readonly Container[]): boolean {
  return open.some(({ key }, depth) => key === 'metadata' && depth < open.length - 1)
}

/** A number's digits without zeros at the ends, and the power of ten of the last; equal numbers have equal ones. */
interface Decimal {
  readonly digits: string
  readonly exponent: number
}

function decimalOf(token: string): Decimal {
  const [, whole = '', fraction = '', exponent = '0'] = decimalParts.exec(token) ?? []
  const digits = (whole + fraction).replace(/^0+/, '')
  const significant = digits.replace(/0+$/, '')
  if (significant === '') return { digits: '', exponent: 0 }
  const endingZeros = digits.length - significant.length
  return { digits: significant, exponent: Number(exponent) - fraction.length + endingZeros }
}

const decimalParts = /^-?([0-9]+)(?:\.([0-9]+))?(?:[eE]([+-]?[0-9]+))?$/

/** The string of a token that includes its quotes. */
function unquoted(token: string): string {
  return token.includes('\\') ? String(JSON.parse(token)) : token.slice(1, -1)
}

const halfSurrogatePair = /\p{Surrogate}/u

/** `orders[3].metadata.colour`; a field of an array body is `[3].price`. */
function pathOf(open: readonly Container[]): string {
  let path = ''
  for (const container of open) {
    if (container.keys === null) path += `[${container.index}]`
    else if (container.key !== '') path += path === '' ? container.key : `.${container.key}`
  }
  return path === '' ? 'body' : path
}

/** A longer text is not looked through for a hint. */
const longest = 65_536

interface Mistake {
  readonly pattern: RegExp
  readonly hint: (found: string) => string
}

/** What is usually wrong with a text that is no JSON, in words for the caller; null when nothing is recognised. */
export function jsonMistake(text: string): string | null {
  if (text.length > longest) return null
  if (/^\w+=[^{[]*$/.test(text)) return 'this is a form; send JSON'
  // The contents of strings are no mistakes, nor are those of one without an end, which is looked for only once.
  const bare = text.replace(/"(?:[^"\\]|\\.?)*(?:"|$)/gs, '""')
  for (const { pattern, hint } of mistakes) {
    const found = pattern.exec(bare)?.[0]
    if (found !== undefined) return hint(found)
  }
  const opened = bare.match(/[{[]/g)?.length ?? 0
  const closed = bare.match(/[}\]]/g)?.length ?? 0
  return opened > closed ? 'it ends before it is closed' : null
}

const mistakes: readonly Mistake[] = [
  { pattern: /'/, hint: () => 'JSON has double quotes only' },
  { pattern: /\/[/*]/, hint: () => 'JSON has no comments' },
  {
    pattern: /-?\b(?:NaN|Infinity|None|True|False|undefined)\b/,
    hint: (found) => `JSON has no ${found}`,
  },
  { pattern: /,\s*[}\]]/, hint: () => 'there is a comma before a closing bracket' },
  { pattern: /[{,]\s*[A-Za-z_$][\w$]*\s*:/, hint: () => 'keys need double quotes' },
  {
    pattern: /[-:[,\s](?:\.\d|0\d|\+)|\d\.(?!\d)|\d_\d|\b0x/,
    hint: () => 'a number is not written as in JSON',
  },
]
