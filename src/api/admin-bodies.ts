import { oneOfWords, shapeTyped } from '../shape/shape.ts'
import { pastInstant, pastSequence } from './admin-past.ts'
import { clockModes, highestSpeed, longestAdvanceMillis } from './clock.ts'
import { longestNote, mostNotes } from './noted-moments.ts'
import { positiveNumber } from './operations/common.ts'
import { scopes } from './operations/operation.ts'
import type { ReadingOverrides } from './readings/readings.ts'
import { describe, listOf, mapShape, object, partial, textual } from './wire-shapes.ts'

/*
 * The shapes of the bodies that the admin API takes; `admin-answers.ts` has those of its answers. A field without a
 * description is documented with the description of the field of that name in the answer.
 */

/** A span of a world's time in milliseconds. */
const span = shapeTyped<number>({ type: 'integer', minimum: 0, maximum: longestAdvanceMillis })

export const clockBody = partial({
  mode: oneOfWords(...clockModes),
  speed: shapeTyped<number>({ type: 'number', exclusiveMinimum: 0, maximum: highestSpeed }),
  stepMs: span,
  maxMs: shapeTyped<number>({ type: 'integer', minimum: 1, maximum: longestAdvanceMillis }),
})

export const advanceBody = partial({
  byMs: describe(span, 'for so long, in milliseconds of the world'),
  to: textual('up to this instant, ISO 8601', { maxLength: 40 }),
  toNext: describe(shapeTyped<true>({ const: true }), 'up to what happens next by itself'),
  until: describe(
    partial(
      {
        event: textual('its type, such as order.filled'),
        match: describe(
          // A list of one word would have the same text as the word, and match nothing.
          mapShape(
            shapeTyped<string | number | boolean | null>({ type: ['string', 'number', 'boolean', 'null'] }),
          ),
          'what its fields must be; any value of those left out',
        ),
        maxMs: describe(span, 'for how long at most; a day when left out'),
      },
      ['event'],
    ),
    'up to the first event like this',
  ),
})

const seed = shapeTyped<string | number>({ type: ['string', 'integer'], minLength: 1, maxLength: 256 })

/**
 * The readings of a world: values by reading, where the key `preset` names a set of them; or the name of a set alone,
 * such as `@published-client`.
 */
export const readingsBody = shapeTyped<ReadingOverrides>({
  type: ['object', 'string'],
  additionalProperties: { type: ['string', 'number'] },
})

export const worldBody = partial({
  id: textual('its identifier; a number of its own when left out'),
  scenario: describe(
    shapeTyped<string | { readonly [name: string]: unknown }>({ type: ['string', 'object'] }),
    'the name of a shipped scenario, or one as an object; that of the default world when left out',
  ),
  seed,
  clock: clockBody,
  readings: describe(
    readingsBody,
    'how open points of the specification are read, by their keys, or a preset; else as the server was told',
  ),
  fromSnapshot: textual('the snapshot that it goes on from, in place of a scenario and a seed', {
    minLength: 1,
    maxLength: 200,
  }),
  ttlMs: describe(
    shapeTyped<number>({ type: 'integer', minimum: 1, maximum: Number.MAX_SAFE_INTEGER }),
    'it is deleted when nobody has asked it for so long, in milliseconds; never when left out',
  ),
  test: textual('the name of the test that it is for', { minLength: 1, maxLength: 1000 }),
})

export const journalBody = object(
  {
    journal: textual('its lines', { minLength: 1 }),
    notes: textual('what a runner kept beside the journal of a failed test'),
  },
  ['notes'],
)

export const resetBody = partial({ seed })

/** Any object: the checks of scenario files say what is wrong with the form of an account. */
export const accountForm = shapeTyped<{ readonly [name: string]: unknown }>({ type: 'object' })

export const accountChangeBody = partial({
  limits: describe(accountForm, 'the risk limits that change, in the words of a scenario'),
  fees: describe(accountForm, 'the rates that change, makerBps and takerBps'),
  type: oneOfWords('cash', 'margin'),
})

export const keyBody = partial(
  {
    scopes: listOf(oneOfWords(...scopes), { maxItems: 4 }),
    apiKey: textual('what X-API-Key will be; a name of its own when left out', {
      minLength: 1,
      maxLength: 128,
    }),
    apiSecret: textual('what requests will be signed with; one of its own when left out', {
      minLength: 1,
      maxLength: 256,
    }),
  },
  ['scopes'],
)

export const transferBody = object(
  {
    asset: shapeTyped<string>({ type: 'string' }),
    quantity: shapeTyped<number>({ type: 'number', exclusiveMinimum: 0 }),
    pendingMs: describe(span, 'how long it is under way, in milliseconds; settled at once when left out'),
  },
  ['pendingMs'],
)

const multiplier = shapeTyped<number>({ type: 'number', minimum: 0, maximum: 1000 })

/**
 * The liquidity settings of an asset. The body accepts what the operation answers, so a client can send back what it
 * has read.
 */
export const liquidityBody = partial({
  spreadX: multiplier,
  depthX: multiplier,
  refreshX: multiplier,
  oneSided: shapeTyped<'bids' | 'asks' | 'none' | null>({ enum: ['bids', 'asks', 'none', null] }),
  stale: shapeTyped<boolean>({ type: 'boolean' }),
  forMs: shapeTyped<number | null>({ type: ['integer', 'null'], minimum: 1, maximum: longestAdvanceMillis }),
})

export const pairBody = partial({
  status: oneOfWords('active', 'inactive'),
  minQuantity: positiveNumber,
  maxQuantity: positiveNumber,
  minPrice: positiveNumber,
  minNotional: shapeTyped<number>({ type: 'number', minimum: 0 }),
})

export const priceBody = partial({
  mid: describe(shapeTyped<number>({ type: 'number', exclusiveMinimum: 0 }), 'the price that it moves to'),
  percent: describe(
    shapeTyped<number>({ type: 'number', minimum: -99, maximum: 10_000 }),
    'in its place: by how much, in percent of the price now',
  ),
  overMs: describe(span, 'along a line of so many milliseconds; at once when left out'),
})

export const timelineBody = object({
  actions: describe(
    listOf(shapeTyped<{ readonly [name: string]: unknown }>({ type: 'object' }), {
      minItems: 1,
      maxItems: 10_000,
    }),
    'entries as in the timeline of a scenario; one without a time acts at once',
  ),
})

const amounts = {
  quantity: describe(positiveNumber, 'how much; all that remains when left out'),
  price: describe(positiveNumber, 'at which price; at its limit when left out'),
}
export const fillBody = partial(amounts)

export const quoteFillBody = partial({
  ...amounts,
  side: describe(
    oneOfWords('bid', 'ask', 'buy', 'sell'),
    'which side, a bid being a buy; both when left out, without amounts',
  ),
})

export const failureBody = object(
  {
    test: textual('its name', { minLength: 1, maxLength: 1000 }),
    message: textual('what the assertion said', { maxLength: 100_000 }),
  },
  ['message'],
)

export const explainBody = object(
  {
    method: textual('its method', { minLength: 1, maxLength: 32 }),
    path: textual('its path, with the query', { minLength: 1, maxLength: 16_384 }),
    headers: describe(
      mapShape(shapeTyped<string>({ type: 'string' })),
      'its headers, the signature among them',
    ),
    body: describe(
      shapeTyped<string | object>({ type: ['string', 'object', 'array'] }),
      'its body, as text or as JSON; none when left out',
    ),
  },
  ['headers', 'body'],
)

export const momentBody = partial({
  sequence: describe(shapeTyped<number>({ type: 'integer', minimum: 0 }), pastSequence.description),
  at: textual(pastInstant.description, { maxLength: 40 }),
})

export const notesBody = object({
  notes: describe(
    listOf(
      object({
        sequence: describe(shapeTyped<number>({ type: 'integer', minimum: 0 }), 'the line of the journal'),
        at: textual('the instant after that line, ISO 8601', { maxLength: 40 }),
        text: textual('what is noted; an empty text removes the note', { maxLength: longestNote }),
      }),
      { maxItems: mostNotes },
    ),
    'each replaces the note on its moment',
  ),
})
