import { parseDecimal, scaledToText } from '../numeric/decimal.ts'
import { endpoints } from './endpoints.ts'

export type QueryValue = string | number | readonly string[] | undefined

/**
 * The path and query of a request. Undefined values are left out; lists are joined by commas; numbers are written
 * without exponents.
 *
 * Throws a TypeError for an id or symbol that would lead to another endpoint: `cancel('batch')` would cancel every
 * order, and browsers read `..` as the folder above.
 */
export function targetOf(
  path: string,
  parameter: string | undefined,
  query: { readonly [name: string]: QueryValue } = {},
): string {
  const parts = Object.entries(query).flatMap(([name, value]) =>
    value === undefined ? [] : [`${encodeURIComponent(name)}=${valueText(value)}`],
  )
  const filled = parameter === undefined ? path : path.replace(/:\w+/, () => segmentOf(parameter))
  if (parameter !== undefined && fixedPaths.has(filled)) throw wrongSegment(parameter)
  return parts.length === 0 ? filled : `${filled}?${parts.join('&')}`
}

const fixedPaths: ReadonlySet<string> = new Set(Object.values(endpoints).map(({ path }) => path))

function segmentOf(parameter: string): string {
  if (typeof parameter !== 'string' || /^\.{0,2}$/.test(parameter)) throw wrongSegment(parameter)
  return encodeURIComponent(parameter)
}

function wrongSegment(parameter: unknown): TypeError {
  return new TypeError(`${JSON.stringify(parameter)} is neither an id nor a symbol`)
}

function valueText(value: string | number | readonly string[]): string {
  if (typeof value === 'string') return encodeURIComponent(value)
  if (typeof value === 'number') return plainText(value)
  return value.map(encodeURIComponent).join(',')
}

function plainText(value: number): string {
  const decimal = parseDecimal(String(value))
  return decimal === null ? String(value) : scaledToText(decimal.units, decimal.scale)
}
