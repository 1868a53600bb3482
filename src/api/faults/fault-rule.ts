import type { RecordOf } from '../../shape/shape.ts'
import { oneOfWords, typed } from '../../shape/shape.ts'
import { partial } from '../../shape/wire-shapes.ts'
import type { FaultAttributes, FaultPhase, FaultType } from './fault-types.ts'

/** The longest delay of an answer, a day; and the highest count in a rule. */
export const longestMillis = 86_400_000
const span = typed<number>({ type: 'number', minimum: 0, maximum: longestMillis })
const whole = typed<number>({ type: 'integer', minimum: 0, maximum: 1_000_000_000 })
const positive = typed<number>({ type: 'integer', minimum: 1, maximum: 1_000_000_000 })
const word = typed<string>({ type: 'string', minLength: 1, maxLength: 128 })

/**
 * A fault rule as it is written: in `POST W/faults`, and under `fault:` in a scenario's timeline. Names of types,
 * assets and accounts are checked by `readFaultRule`, which suggests what was meant.
 * Design, sections 9 and 16.
 */
export const faultSchema = partial(
  {
    id: typed<string>({ type: 'string', minLength: 1, maxLength: 64 }),
    match: partial({
      method: word,
      path: typed<string>({ type: 'string', minLength: 1, maxLength: 1000 }),
      key: word,
      account: word,
      asset: word,
      side: word,
      nth: positive,
    }),
    type: word,
    phase: oneOfWords('before', 'after'),
    toxicity: typed<number>({ type: 'number', minimum: 0, maximum: 1 }),
    count: positive,
    skip: whole,
    every: positive,
    forMs: typed<number>({ type: 'integer', minimum: 1, maximum: 366 * 86_400_000 }),
    attributes: partial({
      latencyMs: span,
      jitterMs: span,
      distribution: oneOfWords('fixed', 'uniform', 'normal', 'lognormal'),
      minMs: span,
      maxMs: span,
      meanMs: span,
      deviationMs: span,
      p50Ms: span,
      p99Ms: span,
      clock: oneOfWords('wall', 'world'),
      timeoutMs: span,
      delayMs: span,
      bytes: whole,
      rateKbps: typed<number>({ type: 'number', exclusiveMinimum: 0, maximum: 100_000_000 }),
      averageSize: positive,
      sizeVariation: whole,
      status: typed<number>({ type: 'integer', minimum: 200, maximum: 599 }),
      type: word,
      body: typed<string>({ type: 'string', minLength: 2, maxLength: 16_384 }),
      retryAfter: typed<number>({ type: 'integer', minimum: 0, maximum: 86_400 }),
      skewMs: typed<number>({ type: 'integer', minimum: -longestMillis, maximum: longestMillis }),
      share: typed<number>({ type: 'number', minimum: 0, maximum: 1 }),
    }),
  },
  ['type'],
)

export type FaultForm = RecordOf<typeof faultSchema>

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
