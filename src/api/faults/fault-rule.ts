import type { RecordOf } from '../../shape/shape.ts'
import { oneOfWords, typed } from '../../shape/shape.ts'
import { partial } from '../wire-shapes.ts'

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
      /** A `*` matches any text. */
      path: typed<string>({ type: 'string', minLength: 1, maxLength: 1000 }),
      /** The value of X-API-Key. */
      key: word,
      account: word,
      asset: word,
      side: word,
      /** Only the rule's n-th match, counted from 1. */
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
      /** The latency itself, or the middle of what `jitterMs` spreads. */
      latencyMs: span,
      /** In either direction, uniformly. */
      jitterMs: span,
      distribution: oneOfWords('fixed', 'uniform', 'normal', 'lognormal'),
      minMs: span,
      maxMs: span,
      meanMs: span,
      deviationMs: span,
      p50Ms: span,
      p99Ms: span,
      /** `wall`: the answer takes that long. `world`: the world's clock moves on by that much instead. */
      clock: oneOfWords('wall', 'world'),
      timeoutMs: span,
      delayMs: span,
      bytes: whole,
      rateKbps: typed<number>({ type: 'number', exclusiveMinimum: 0, maximum: 100_000_000 }),
      /** Bytes. */
      averageSize: positive,
      sizeVariation: whole,
      status: typed<number>({ type: 'integer', minimum: 200, maximum: 599 }),
      type: word,
      /** JSON text, answered as it is. */
      body: typed<string>({ type: 'string', minLength: 2, maxLength: 16_384 }),
      /** Seconds. */
      retryAfter: typed<number>({ type: 'integer', minimum: 0, maximum: 86_400 }),
      skewMs: typed<number>({ type: 'integer', minimum: -longestMillis, maximum: longestMillis }),
      /** Of the order's quantity. */
      share: typed<number>({ type: 'number', minimum: 0, maximum: 1 }),
    }),
  },
  ['type'],
)

export type FaultForm = RecordOf<typeof faultSchema>

/** Design, section 16: attributes carry their unit. */
export type FaultAttributes = NonNullable<FaultForm['attributes']>
export type AttributeName = keyof FaultAttributes
