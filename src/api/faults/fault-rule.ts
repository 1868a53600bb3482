import type { RecordOf } from '../../shape/shape.ts'
import { oneOfWords, typed } from '../../shape/shape.ts'
import { described, partial } from '../wire-shapes.ts'

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
    id: described(
      typed<string>({ type: 'string', minLength: 1, maxLength: 64 }),
      'Names the rule in the admin API.',
    ),
    match: described(
      partial({
        method: described(word, 'The method.'),
        path: described(
          typed<string>({ type: 'string', minLength: 1, maxLength: 1000 }),
          'The path; "*" matches any text.',
        ),
        key: described(word, 'The API key.'),
        account: described(word, 'The account.'),
        asset: described(word, 'The asset that the request is about.'),
        side: described(word, 'The side that the request is about.'),
        nth: described(positive, 'Only the n-th request that matches, from 1.'),
      }),
      'Which requests: method, path (with "*"), key, account, asset, side, nth. All by default.',
    ),
    type: described(word, 'What goes wrong.'),
    phase: described(
      oneOfWords('before', 'after'),
      'Whether it strikes before the operation, or after: then the order lands and the answer is lost.',
    ),
    toxicity: described(
      typed<number>({ type: 'number', minimum: 0, maximum: 1 }),
      'The share of due requests that it strikes.',
    ),
    count: described(positive, 'How often it strikes at most.'),
    skip: described(whole, 'Requests that it lets go first.'),
    every: described(positive, 'After that, it is due at every n-th match, starting with the first.'),
    forMs: described(
      typed<number>({ type: 'integer', minimum: 1, maximum: 366 * 86_400_000 }),
      'For how long it is in force, in milliseconds; until it is removed when left out.',
    ),
    attributes: described(
      partial({
        latencyMs: described(span, 'How late the answer is.'),
        jitterMs: described(span, 'How far it varies either way.'),
        distribution: described(
          oneOfWords('fixed', 'uniform', 'normal', 'lognormal'),
          'How latencies are distributed.',
        ),
        minMs: described(span, 'The least of uniform.'),
        maxMs: described(span, 'The greatest of uniform.'),
        meanMs: described(span, 'The mean of normal.'),
        deviationMs: described(span, 'The standard deviation of normal.'),
        p50Ms: described(span, 'The median of lognormal.'),
        p99Ms: described(span, 'The 99th percentile of lognormal.'),
        clock: described(oneOfWords('wall', 'world'), 'Whether real time passes, or that of the world.'),
        timeoutMs: described(span, 'How long the connection stays open; 0: for ever.'),
        delayMs: described(span, 'How long it is held back.'),
        bytes: described(whole, 'After this many bytes the connection ends.'),
        rateKbps: described(
          typed<number>({ type: 'number', exclusiveMinimum: 0, maximum: 100_000_000 }),
          'Kilobits a second.',
        ),
        averageSize: described(positive, 'Mean bytes of a piece.'),
        sizeVariation: described(whole, 'How much the sizes of pieces vary.'),
        status: described(
          typed<number>({ type: 'integer', minimum: 200, maximum: 599 }),
          'The status of the answer.',
        ),
        type: described(word, "The error type of the answer, by the specification's names."),
        body: described(
          typed<string>({ type: 'string', minLength: 2, maxLength: 16_384 }),
          'JSON text, answered as it is, whatever the interface would have said.',
        ),
        retryAfter: described(
          typed<number>({ type: 'integer', minimum: 0, maximum: 86_400 }),
          'What Retry-After says, seconds.',
        ),
        skewMs: described(
          typed<number>({ type: 'integer', minimum: -longestMillis, maximum: longestMillis }),
          'How far ahead the clock is, milliseconds.',
        ),
        share: described(
          typed<number>({ type: 'number', minimum: 0, maximum: 1 }),
          "Share of the order's quantity, 0 to 1.",
        ),
      }),
      'What the type takes, with its unit in the name.',
    ),
  },
  ['type'],
)

export type FaultForm = RecordOf<typeof faultSchema>

/** Design, section 16: attributes carry their unit. */
export type FaultAttributes = NonNullable<FaultForm['attributes']>
export type AttributeName = keyof FaultAttributes
