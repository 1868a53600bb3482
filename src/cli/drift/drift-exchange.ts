import { errorTypes } from '../../api/error-types.ts'
import { decodePart } from '../../api/input/query-string.ts'
import { isClearlySound } from '../../api/input/read-body.ts'
import { isObject, parseJson } from '../../api/json.ts'
import type { OperationId } from '../../api/operations/operations.ts'
import type { ReadingKey } from '../../api/readings/readings.ts'

/** One request to a venue and its answer, from a recording. */
export interface Exchange {
  /** The index of the entry in the recording, from 0. */
  readonly entry: number
  /** The address of the venue, up to `/api/sdk`: services behind one host are told apart by their path. */
  readonly venue: string
  /** The key that the request was sent with; null where the recording does not show it, or only a placeholder. */
  readonly apiKey: string | null
  /** When the request was sent and its answer had come, by the recorder's clock; NaN where the recording does not say. */
  readonly startMillis: number
  readonly endMillis: number
  readonly method: string
  /** The path from `/api/sdk` on. */
  readonly path: string
  /** The query as it was sent, with its question mark, or empty. */
  readonly search: string
  readonly query: URLSearchParams
  readonly operation: OperationId | null
  readonly isWrongMethod: boolean
  /** The id or symbol in the path; '' when the path has none. */
  readonly parameter: string
  readonly requestHeaders: HeaderMap
  readonly requestText: string
  /** The JSON of the request's body; null where there is none. */
  readonly requestBody: unknown
  readonly status: number
  readonly headers: HeaderMap
  /** The response body as it was received; null where it was not recorded. `body` is the same without its envelope. */
  readonly raw: unknown
  readonly body: unknown
  /** This says whose answer it is: the venue's success, the venue's error, or not known to be the venue's. */
  readonly outcome: 'success' | 'error' | 'unknown'
}

/** Headers by lower-case name. A header that was sent twice has no one value, so it is left out. */
export type HeaderMap = ReadonlyMap<string, string>

/** The values of one reading that fit an exchange; all others are refuted. */
export interface Finding {
  readonly key: ReadingKey
  readonly fits: readonly string[]
}

export const toFinding = (key: ReadingKey, ...fits: readonly string[]): Finding => ({ key, fits })

export const isSuccess = ({ outcome }: Exchange): boolean => outcome === 'success'
export const isVenueError = ({ outcome }: Exchange): boolean => outcome === 'error'

/** Returns the field that an error names; undefined when it names none. */
export function refusedField({ outcome, raw }: Exchange): unknown {
  return outcome === 'error' ? asObject(asObject(raw)['details'])['field'] : undefined
}

/** Returns whether the venue refused a request with 400 because of one of these fields. */
export const isFieldRefused = (exchange: Exchange, ...fields: readonly string[]): boolean =>
  exchange.status === 400 && fields.some((field) => field === refusedField(exchange))

/**
 * Returns whether the venue refused a request because of the account's money or limits, after it had read it whole. A
 * violation of the trading pair, which may have the same type, names a field.
 */
export function isRiskRefusal(exchange: Exchange): boolean {
  if (!isVenueError(exchange) || refusedField(exchange) !== undefined) return false
  const { type = null } = findErrorType(exchange) ?? {}
  return type === 'INSUFFICIENT_BALANCE' || type === 'RISK_LIMIT_EXCEEDED'
}

/** Finds the type name of an error, and the place in which it stands; null where it has none. */
export function findErrorType({ raw }: Exchange): { readonly type: string; readonly place: string } | null {
  const error = asObject(raw)
  const places: readonly (readonly [place: string, value: unknown])[] = [
    ['details.type', asObject(error['details'])['type']],
    ['code', error['code']],
    ['errorCode', error['errorCode']],
    ['error', error['error']],
  ]
  return (
    places
      .flatMap(([place, value]) =>
        errorTypes.filter((type) => type === value).map((type) => ({ type, place })),
      )
      .at(0) ?? null
  )
}

/** Returns whether a value is an object with anything in it: an empty one shows nothing of a shape. */
export const isFilled = (value: JsonObject): boolean => Object.keys(value).length > 0

export type JsonObject = { readonly [key: string]: unknown }

export const asObject = (value: unknown): JsonObject => (isObject(value) ? value : {})

/** Lists the objects of an array: the value itself, or its member `key`. */
export function listItems(value: unknown, key: string): readonly JsonObject[] {
  const list = Array.isArray(value) ? value : asObject(value)[key]
  return Array.isArray(list) ? list.filter(isObject) : []
}

/**
 * Returns whether a field that an error names is surely one of the body: the request had no query, and its body was JSON in
 * which nothing can be wrong but words and amounts. Otherwise an error may be about a parameter of that name, or about the
 * text, such as a key that is given twice.
 */
export function isBodyAlone({ requestText, search }: Exchange): boolean {
  const value = parseJson(requestText)
  return search === '' && value !== null && value !== undefined && isClearlySound(requestText, value)
}

/**
 * Returns whether nothing is wrong with the form of a query: its parts are percent-encoded well, named, and given once.
 */
export function isSoundQuery({ search }: Exchange): boolean {
  const parts = search.replace(/^\?/, '').split('&')
  const names = parts.map((part) => decodePart(part.split('=', 1)[0] ?? ''))
  if (search === '') return true
  return (
    parts.every((part) => decodePart(part) !== null) &&
    names.every((name) => name !== null && name !== '') &&
    new Set(names).size === names.length
  )
}

/** Returns the number of a query parameter in plain digits; NaN for any other form, and where it is missing. */
export function readPlainNumber({ query }: Exchange, name: string): number {
  const values = query.getAll(name)
  const [text = ''] = values
  return values.length === 1 && /^(0|[1-9][0-9]{0,14})$/.test(text) ? Number(text) : Number.NaN
}
