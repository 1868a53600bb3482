import type { AttributeName, FaultAttributes } from './fault-rule.ts'

/*
 * What can go wrong on purpose, with the names that WireMock and Toxiproxy made known. Each type states where it
 * strikes, and which attributes it takes.
 */

/**
 * `delay`: when the answer comes. `wire`: no whole answer comes. `shape`: how the right answer travels. `answer`:
 * another answer comes. `body`: the right answer's body is flawed. `venue`: the venue acts, so that every later read
 * agrees with it. `lag`: reads are of the past. `clock`: what authentication takes the time to be.
 */
type FaultPlace = 'delay' | 'wire' | 'shape' | 'answer' | 'body' | 'venue' | 'lag' | 'clock'

interface FaultKind {
  readonly place: FaultPlace
  readonly takes: readonly AttributeName[]
  readonly needs: readonly AttributeName[]
}

const kind = (
  place: FaultPlace,
  takes: readonly AttributeName[] = [],
  needs: readonly AttributeName[] = [],
): FaultKind => ({ place, takes, needs })

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
  duplicate_fill_in_list: kind('body'),
  reordered_list: kind('body'),
  missing_optional_field: kind('body'),
  fill_before_cancel: kind('venue'),
  delayed_fill: kind('venue', ['delayMs'], ['delayMs']),
  partial_then_stall: kind('venue', ['share', 'delayMs']),
  stale_market_data: kind('lag', ['delayMs'], ['delayMs']),
  balance_lag: kind('lag', ['delayMs'], ['delayMs']),
  clock_skew: kind('clock', ['skewMs'], ['skewMs']),
} as const satisfies { readonly [name: string]: FaultKind }

export type FaultType = keyof typeof faultTypes

/** Whether a fault strikes before the operation is carried out, or after. */
type FaultPhase = 'before' | 'after'

export function isFaultType(name: string): name is FaultType {
  return Object.hasOwn(faultTypes, name)
}

/** A type's facts, without the narrow types of the table's literals. */
export function faultKind(type: FaultType): FaultKind {
  return faultTypes[type]
}

/** The phases in which a fault can strike, the usual one first. */
export function phasesOf(type: FaultType): readonly [FaultPhase, ...FaultPhase[]] {
  switch (faultKind(type).place) {
    case 'body':
    case 'shape':
      // These act on the right answer, so the operation has always been carried out.
      return ['after']
    case 'venue':
    case 'lag':
    case 'clock':
      return ['before']
    default:
      return ['before', 'after']
  }
}

/** Which requests a rule matches; null matches any. */
export interface FaultMatch {
  readonly method: string | null
  /** A `*` matches any text. */
  readonly path: string | null
  /** The value of X-API-Key. */
  readonly key: string | null
  readonly account: string | null
  readonly asset: string | null
  readonly side: 'buy' | 'sell' | null
  /** Only the rule's n-th match, counted from 1. */
  readonly nth: number | null
}

/** A rule with all defaults filled in, as plain data. */
export interface FaultRule {
  /** Null: the world assigns one. */
  readonly id: string | null
  readonly match: FaultMatch
  readonly type: FaultType
  /** `after`: the operation has been carried out when the fault strikes. */
  readonly phase: FaultPhase
  /** The share of due matches that it strikes. */
  readonly toxicity: number
  /** How often it strikes at most; null: without a bound. */
  readonly count: number | null
  /** How many matches it lets pass first. */
  readonly skip: number
  /** After that, it is due at every n-th match, starting with the first. */
  readonly every: number
  /** How long it is in force, in the world's time; null: until it is removed. */
  readonly forMillis: number | null
  readonly attributes: FaultAttributes
}
