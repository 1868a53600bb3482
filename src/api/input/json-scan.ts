import { type InputProblem, inputProblem } from '../input-problem.ts'

/*
 * Finds what `JSON.parse` lets through although it cannot be meant: duplicate keys, prototype keys, lone surrogates,
 * digits that a double cannot hold, endless nesting. It scans the text, which is known to be valid JSON by then, and
 * does not recurse, so a million brackets are only a refusal. For texts that are not valid JSON it says what was
 * perhaps meant.
 */

/** How deep the values of a body may be nested. */
export const maximumDepth = 16
/** The most significant digits of an amount in a body or a query: every decimal with that many survives in a double. */
export const maximumSignificantDigits = 15
/** The most keys of an object, and the most characters of a number. */
export const jsonLimits = { keysPerObject: 256, numberLength: 32 } as const

/**
 * The numbers that a body may have: amounts of at most 15 digits, or everything that a double holds exactly as it is
 * written.
 */
export type NumberForm = 'amounts' | 'doubles'

/**
 * The problems of the items of a list, by index. A field is named as seen from its item; `body` is the item as a
 * whole.
 */
export type ItemProblems = ReadonlyMap<number, InputProblem>

/**
 * Counts the significant digits of a decimal literal, which may have a sign. Leading and trailing zeros do not count.
 */
export function significantDigits(token: string): number {
  return toDecimal(token).digits.length
}

/** Keys that reach an object's prototype, and are refused. */
export const reservedKeys: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype'])

/** A list whose items fail one by one: the field that holds it, and the problems found in its items. */
interface Items {
  readonly list: string
  readonly problems: Map<number, InputProblem>
}

/** An object or array that the scan is in: the keys seen so far (null for an array) and the present position in it. */
interface Container {
  readonly keys: Set<string> | null
  key: string
  index: number
}

/** Matches the strings, numbers, brackets and commas of a valid text. What stands between them cannot be wrong. */
const tokens = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d[-+.\deE]*|[{}[\],]/g

/**
 * Finds the first problem in a text. A problem inside an item of `items` is kept with that item, the rest of the item
 * is skipped, and the scan goes on.
 */
export function findProblem(text: string, numbers: NumberForm, items: Items | null): InputProblem | null {
  const open: Container[] = []
  let expectsKey = false
  /** How many containers are open around an item with a problem. */
  let around = Number.POSITIVE_INFINITY
  for (const [token] of text.matchAll(tokens)) {
    if (token === '{' || token === '[')
      open.push({ keys: token === '{' ? new Set() : null, key: '', index: 0 })
    else if (token === '}' || token === ']') open.pop()
    if (open.length > around || (open.length === around && token !== ',')) continue
    around = Number.POSITIVE_INFINITY
    const problem =
      expectsKey && token.startsWith('"') ? checkKey(open, token) : checkValue(open, token, numbers)
    const container = open.at(-1)
    if (token === ',' && container !== undefined) container.index += 1
    expectsKey = token === '{' || (token === ',' && container?.keys !== null)
    if (problem === null) continue
    const depth = keepWithItem(open, problem, items)
    if (depth === null) return problem
    around = depth
  }
  return null
}

/**
 * Keeps a problem that lies in an item with that item, and returns how many containers are open around the items;
 * null when it lies elsewhere.
 */
function keepWithItem(open: readonly Container[], problem: InputProblem, items: Items | null): number | null {
  if (items === null) return null
  const { list, problems } = items
  const depth = list === '' ? 1 : 2
  const holder = open[depth - 1]
  if (holder === undefined || holder.keys !== null || (depth === 2 && open[0]?.key !== list)) return null
  const inItem = problem.field.slice(formatPath(open.slice(0, depth)).length).replace(/^\./, '')
  problems.set(holder.index, { ...problem, field: inItem === '' ? 'body' : inItem })
  return depth
}

function checkKey(open: readonly Container[], token: string): InputProblem | null {
  const container = open.at(-1)
  if (container === undefined || container.keys === null) return null
  const key = unquote(token)
  if (halfSurrogatePair.test(key))
    return inputProblem(formatPath(open.slice(0, -1)), 'has a key with half a surrogate pair')
  container.key = key
  if (reservedKeys.has(key)) return inputProblem(formatPath(open), 'is not an allowed key')
  if (container.keys.has(key)) return inputProblem(formatPath(open), 'is given twice')
  container.keys.add(key)
  if (container.keys.size <= jsonLimits.keysPerObject) return null
  return inputProblem(formatPath(open.slice(0, -1)), `has more than ${jsonLimits.keysPerObject} keys`)
}

function checkValue(open: readonly Container[], token: string, numbers: NumberForm): InputProblem | null {
  switch (token[0]) {
    case '{':
    case '[':
      if (open.length <= maximumDepth) return null
      return inputProblem(formatPath(open.slice(0, -1)), `is nested deeper than ${maximumDepth} levels`)
    case '}':
    case ']':
    case ',':
      return null
    case '"':
      if (!halfSurrogatePair.test(unquote(token))) return null
      return inputProblem(formatPath(open), 'has half a surrogate pair')
    default:
      return checkNumber(open, token, numbers)
  }
}

function checkNumber(open: readonly Container[], token: string, numbers: NumberForm): InputProblem | null {
  if (token.length <= maximumSignificantDigits && !/e/i.test(token)) return null
  if (token.length > jsonLimits.numberLength)
    return inputProblem(formatPath(open), `is a number of more than ${jsonLimits.numberLength} characters`)
  const decimal = toDecimal(token)
  const isEcho = isInMetadata(open)
  if (numbers === 'amounts' && !isEcho && decimal.digits.length > maximumSignificantDigits)
    return inputProblem(formatPath(open), `has more than ${maximumSignificantDigits} significant digits`)
  const value = Number(token)
  if (!Number.isFinite(value) || (value === 0 && decimal.digits !== ''))
    return inputProblem(formatPath(open), 'is out of the range of numbers')
  const taken = toDecimal(String(value))
  if (taken.digits === decimal.digits && taken.exponent === decimal.exponent) return null
  const advice = isEcho ? ': send it as a string' : ''
  return inputProblem(formatPath(open), `would be taken as ${value}, which is another number${advice}`)
}

function isInMetadata(open: readonly Container[]): boolean {
  return open.some(({ key }, depth) => key === 'metadata' && depth < open.length - 1)
}

/**
 * A number as its digits without zeros at either end, and the power of ten of the last digit. Equal numbers have
 * equal decimals.
 */
interface Decimal {
  readonly digits: string
  readonly exponent: number
}

function toDecimal(token: string): Decimal {
  const [, whole = '', fraction = '', exponent = '0'] = decimalParts.exec(token) ?? []
  const digits = (whole + fraction).replace(/^0+/, '')
  const significant = digits.replace(/0+$/, '')
  if (significant === '') return { digits: '', exponent: 0 }
  const endingZeros = digits.length - significant.length
  return { digits: significant, exponent: Number(exponent) - fraction.length + endingZeros }
}

const decimalParts = /^-?([0-9]+)(?:\.([0-9]+))?(?:[eE]([+-]?[0-9]+))?$/

/** Returns the string of a token, which includes its quotes. */
function unquote(token: string): string {
  return token.includes('\\') ? String(JSON.parse(token)) : token.slice(1, -1)
}

const halfSurrogatePair = /\p{Surrogate}/u

/** Formats the path of the present position: `orders[3].metadata.colour`, or `[3].price` in a body that is a list. */
function formatPath(open: readonly Container[]): string {
  let path = ''
  for (const container of open) {
    if (container.keys === null) path += `[${container.index}]`
    else if (container.key !== '') path += path === '' ? container.key : `.${container.key}`
  }
  return path === '' ? 'body' : path
}

/** The longest text that is searched for a hint, in characters. */
const longestExplained = 65_536

interface JsonHint {
  readonly pattern: RegExp
  readonly hint: (found: string) => string
}

/** Explains to the caller what is probably wrong with a text that is not JSON; null when nothing is recognised. */
export function explainInvalidJson(text: string): string | null {
  if (text.length > longestExplained) return null
  if (/^\w+=[^{[]*$/.test(text)) return 'this is a form; send JSON'
  // The contents of strings are no mistakes. A string without an end is looked for only once.
  const bare = text.replace(/"(?:[^"\\]|\\.?)*(?:"|$)/gs, '""')
  for (const { pattern, hint } of jsonHints) {
    const found = pattern.exec(bare)?.[0]
    if (found !== undefined) return hint(found)
  }
  const opened = bare.match(/[{[]/g)?.length ?? 0
  const closed = bare.match(/[}\]]/g)?.length ?? 0
  return opened > closed ? 'it ends before it is closed' : null
}

const jsonHints: readonly JsonHint[] = [
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
