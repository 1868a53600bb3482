import { oneOfWords, type RecordOf, shapeTyped } from '../../shape/shape.ts'
import { describe, partial } from '../wire-shapes.ts'
import { bodyFields } from './matches-body.ts'

/** The longest delay or skew of a fault: a day. */
export const longestMillis = 86_400_000
const highestCount = 1_000_000_000

const text = (maxLength: number, description: string, minLength = 1) =>
  describe(shapeTyped<string>({ type: 'string', minLength, maxLength }), description)
const word = (description: string) => text(128, description)
const integer = (minimum: number, maximum: number, description: string) =>
  describe(shapeTyped<number>({ type: 'integer', minimum, maximum }), description)
const number = (minimum: number, maximum: number, description: string) =>
  describe(shapeTyped<number>({ type: 'number', minimum, maximum }), description)
const span = (description: string) => number(0, longestMillis, description)
const whole = (description: string) => integer(0, highestCount, description)
const positive = (description: string) => integer(1, highestCount, description)

/**
 * A fault rule as people write it: in `POST W/faults`, and under `fault:` in the timeline of a scenario.
 * `readFaultRule` checks the names of types, assets and accounts and suggests what was meant. Spec: design, sections
 * 9 and 16.
 */
export const faultSchema = partial(
  {
    id: text(64, 'Names the rule in the admin API.'),
    match: describe(
      partial({
        method: word('The method.'),
        path: text(1000, 'The path; "*" matches any text.'),
        key: word('The API key.'),
        account: word('The account.'),
        asset: word('The asset that the request is about.'),
        side: word('The side that the request is about.'),
        body: bodyFields,
        nth: positive('Only the n-th request that matches, from 1.'),
      }),
      'Which requests: method, path (with "*"), key, account, asset, side, body, nth. All by default.',
    ),
    type: word('What goes wrong.'),
    phase: describe(
      oneOfWords('before', 'after'),
      'Whether it strikes before the operation, or after: then the order lands and the answer is lost.',
    ),
    toxicity: number(0, 1, 'The share of due requests that it strikes.'),
    count: positive('How often it strikes at most.'),
    skip: whole('Requests that it lets go first.'),
    every: positive('After that, it is due at every n-th match, starting with the first.'),
    forMs: integer(
      1,
      366 * 86_400_000,
      'For how long it is in force, in milliseconds; until it is removed when left out.',
    ),
    attributes: describe(
      partial({
        latencyMs: span('How late the answer is.'),
        jitterMs: span('How far it varies either way.'),
        distribution: describe(
          oneOfWords('fixed', 'uniform', 'normal', 'lognormal'),
          'How latencies are distributed.',
        ),
        minMs: span('The least of uniform.'),
        maxMs: span('The greatest of uniform.'),
        meanMs: span('The mean of normal.'),
        deviationMs: span('The standard deviation of normal.'),
        p50Ms: span('The median of lognormal.'),
        p99Ms: span('The 99th percentile of lognormal.'),
        clock: describe(oneOfWords('wall', 'world'), 'Whether real time passes, or that of the world.'),
        timeoutMs: span('How long the connection stays open; 0: for ever.'),
        delayMs: span('How long it is held back.'),
        bytes: whole('After this many bytes the connection ends.'),
        rateKbps: describe(
          shapeTyped<number>({ type: 'number', exclusiveMinimum: 0, maximum: 100_000_000 }),
          'Kilobits a second.',
        ),
        averageSize: positive('Mean bytes of a piece.'),
        sizeVariation: whole('How much the sizes of pieces vary.'),
        status: integer(200, 599, 'The status of the answer.'),
        type: word("The error type of the answer, by the specification's names."),
        body: text(16_384, 'JSON text, answered as it is, whatever the interface would have said.', 2),
        retryAfter: integer(0, 86_400, 'What Retry-After says, seconds.'),
        skewMs: integer(-longestMillis, longestMillis, 'How far ahead the clock is, milliseconds.'),
        share: number(0, 1, "Share of the order's quantity, 0 to 1."),
      }),
      'What the type takes, with its unit in the name.',
    ),
  },
  ['type'],
)

export type FaultForm = RecordOf<typeof faultSchema>

/** The attributes of a fault. Their names carry their units (design, section 16). */
export type FaultAttributes = NonNullable<FaultForm['attributes']>
export type AttributeName = keyof FaultAttributes
