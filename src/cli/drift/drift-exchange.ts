import { isObject } from '../../api/json.ts'
import type { OperationId } from '../../api/operations/operations.ts'
import type { ReadingKey } from '../../api/readings/readings.ts'

/** One recorded exchange with the venue's interface. */
export interface Exchange {
  /** Its place in the recording, from 0. */
  readonly entry: number
  readonly startedAtMillis: number
  readonly operation: OperationId | null
  /** Whether the path exists with other methods. */
  readonly isWrongMethod: boolean
  /** The id or symbol in the path; '' where it has none. */
  readonly parameter: string
  readonly method: string
  readonly query: URLSearchParams
  readonly requestHeaders: ReadonlyMap<string, string>
  readonly requestBody: unknown
  readonly status: number
  readonly headers: ReadonlyMap<string, string>
  /** The body as it came, with its envelope if it has one. */
  readonly raw: unknown
  /** The body without the envelope. */
  readonly body: unknown
}

export interface Finding {
  readonly key: ReadingKey
  readonly fits: readonly string[]
}

export const say = (key: ReadingKey, ...fits: readonly string[]): Finding => ({ key, fits })

export const isSuccess = ({ status }: Exchange): boolean => status >= 200 && status < 300

export type JsonObject = { readonly [key: string]: unknown }

export const objectOf = (value: unknown): JsonObject => (isObject(value) ? value : {})

/** The objects of a list: the value itself, or what it has under the key. */
export function itemsIn(value: unknown, key: string): readonly JsonObject[] {
  const list = Array.isArray(value) ? value : objectOf(value)[key]
  return Array.isArray(list) ? list.filter(isObject) : []
}

/** What an exchange shows; nothing where it does not tell. */
export type Rule = (exchange: Exchange, memory: Memory) => readonly Finding[]

/** What earlier exchanges have shown. */
export interface Memory {
  readonly ended: Set<string>
  readonly clientIds: Map<string, string>
  /** Client ids of orders that failed a check of risk or balance. */
  readonly refused: Set<string>
  /** All assets, once they have been listed. */
  readonly assets: Set<string>
  /** Minimum quantities, by asset. */
  readonly minima: Map<string, number>
}

/** Whether an answer is in the envelope `{data, timestamp}`. */
export const isEnvelope = (body: unknown): body is { readonly data: unknown } =>
  isObject(body) && Object.keys(body).sort().join() === 'data,timestamp'

/** An answer without its envelope, if it has one. */
export const unwrapped = (body: unknown): unknown => (isEnvelope(body) ? body.data : body)
