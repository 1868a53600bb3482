import { type OperationId, operationIds, routeOf } from '../routes/routes.ts'
import type { Schema } from '../schemas/infer.ts'

/*
 * What can go wrong on purpose, with the names that WireMock and Toxiproxy made known. Each type states where it
 * strikes, which attributes it takes, and which operations it is about.
 */

/**
 * `delay`: when the answer comes. `wire`: no whole answer comes. `shape`: how the right answer travels. `answer`:
 * another answer comes. `body`: the right answer's body is flawed. `venue`: the venue acts, so that every later read
 * agrees with it. `lag`: reads are of the past. `clock`: what authentication takes the time to be.
 */
export type FaultPlace = 'delay' | 'wire' | 'shape' | 'answer' | 'body' | 'venue' | 'lag' | 'clock'

interface FaultKind {
  readonly place: FaultPlace
  readonly takes: readonly AttributeName[]
  readonly needs: readonly AttributeName[]
  /** No other requests are counted by its rules; null: it is about any. */
  readonly about: readonly OperationId[] | null
}

const kind = (
  place: FaultPlace,
  takes: readonly AttributeName[] = [],
  needs: readonly AttributeName[] = [],
  about: readonly OperationId[] | null = null,
): FaultKind => ({ place, takes, needs, about })

/** Design, section 16: attributes carry their unit. */
export type AttributeName = keyof FaultAttributes

export interface FaultAttributes {
  /** The latency itself, or the middle of what `jitterMs` spreads. */
  readonly latencyMs?: number
  /** In either direction, uniformly. */
  readonly jitterMs?: number
  readonly distribution?: 'fixed' | 'uniform' | 'normal' | 'lognormal'
  readonly minMs?: number
  readonly maxMs?: number
  readonly meanMs?: number
  readonly deviationMs?: number
  readonly p50Ms?: number
  readonly p99Ms?: number
  /** `wall`: the answer takes that long. `world`: the world's clock moves on by that much instead. */
  readonly clock?: 'wall' | 'world'
  readonly timeoutMs?: number
  readonly delayMs?: number
  readonly bytes?: number
  /** Kilobits a second. */
  readonly rateKbps?: number
  /** Bytes. */
  readonly averageSize?: number
  readonly sizeVariation?: number
  readonly status?: number
  readonly type?: string
  /** JSON text, answered as it is. */
  readonly body?: string
  /** Seconds. */
  readonly retryAfter?: number
  readonly skewMs?: number
  /** Of the order's quantity, 0 to 1. */
  readonly share?: number
}

const cancelling: readonly OperationId[] = ['cancelOrder', 'cancelOrders']
const placing: readonly OperationId[] = [
  ...(['createOrder', 'createOrders', 'amendOrder', 'submitQuote', 'updateQuote', 'updateQuotes'] as const),
]
const marketReads = operationIds.filter((id) => routeOf(id).category === 'marketData')
const balanceReads: readonly OperationId[] = ['listBalances', 'getBalance', 'getAvailable', 'getSummary']

const lists = operationIds.filter((id) => hasList(routeOf(id).response))

export const faultTypes = {
  latency: kind('delay', [
    ...(['latencyMs', 'jitterMs', 'distribution', 'minMs', 'maxMs', 'meanMs', 'deviationMs'] as const),
    ...(['p50Ms', 'p99Ms', 'clock'] as const),
  ]),
  timeout: kind('wire', ['timeoutMs']),
  reset_peer: kind('wire', ['timeoutMs']),
  slow_close: kind('shape', ['delayMs'], ['delayMs']),
  slicer: kind('shape', ['averageSize', 'sizeVariation', 'delayMs'], ['averageSize']),
  limit_data: kind('shape', ['bytes'], ['bytes']),
  bandwidth: kind('shape', ['rateKbps'], ['rateKbps']),
  EMPTY_RESPONSE: kind('wire'),
  MALFORMED_RESPONSE_CHUNK: kind('wire'),
  RANDOM_DATA_THEN_CLOSE: kind('wire'),
  CONNECTION_RESET_BY_PEER: kind('wire'),
  http_error: kind('answer', ['status', 'type', 'retryAfter'], ['status']),
  canned_answer: kind('answer', ['status', 'body', 'retryAfter'], ['body']),
  rate_limit: kind('answer', ['retryAfter']),
  auth_expired: kind('answer'),
  html_502: kind('answer'),
  truncated_json: kind('body'),
  wrong_content_type: kind('body'),
  duplicate_fill_in_list: kind('body', [], [], lists),
  reordered_list: kind('body', [], [], lists),
  missing_optional_field: kind('body'),
  fill_before_cancel: kind('venue', [], [], cancelling),
  delayed_fill: kind('venue', ['delayMs'], ['delayMs'], placing),
  partial_then_stall: kind('venue', ['share', 'delayMs'], [], placing),
  stale_market_data: kind('lag', ['delayMs'], ['delayMs'], marketReads),
  balance_lag: kind('lag', ['delayMs'], ['delayMs'], balanceReads),
  clock_skew: kind('clock', ['skewMs'], ['skewMs']),
} as const satisfies { readonly [name: string]: FaultKind }

export type FaultType = keyof typeof faultTypes

export function isFaultType(name: string): name is FaultType {
  return Object.hasOwn(faultTypes, name)
}

/** A type's facts, without the narrow types of the table's literals. */
export function faultKind(type: FaultType): FaultKind {
  return faultTypes[type]
}

/** Whether a fault of a type can do anything to an operation; null: the request is for none. */
export function isAbout(type: FaultType, operation: OperationId | null): boolean {
  const { about } = faultKind(type)
  return about === null || (operation !== null && about.includes(operation))
}

/** Whether a list of objects is anywhere in what a schema describes. */
function hasList({ items, properties = {}, additionalProperties, anyOf = [] }: Schema): boolean {
  if (items !== undefined) return items.type !== 'string'
  const others = typeof additionalProperties === 'object' ? [additionalProperties] : []
  return [...Object.values(properties), ...others, ...anyOf].some(hasList)
}
