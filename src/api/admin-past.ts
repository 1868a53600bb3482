import { oneOfWords, shapeTyped } from '../shape/shape.ts'
import { sequence } from './admin-answers.ts'
import * as common from './operations/common.ts'
import { describe, listOf, mapShape, object, orNull } from './wire-shapes.ts'

/*
 * The shapes of what the admin API answers of a world's past: its history, prices and equity, and the query parameters
 * that choose a moment or a span of it.
 */

const { boolean, integer, number, nullableText, text, timestamp } = common

export const moment = object({ sequence, at: describe(timestamp, 'the instant') })
export const momentNote = object({
  sequence,
  at: describe(timestamp, 'the instant'),
  text: describe(text, 'what was noted'),
})
export const noteList = object({
  notes: describe(listOf(momentNote), 'the notes on its moments, one on each, oldest moment first'),
})
export const historyItem = object({
  index: describe(integer, 'counts from 0'),
  sequence: describe(integer, 'the line of the journal that it is, or follows'),
  at: describe(timestamp, 'when it happened'),
  kind: describe(oneOfWords('command', 'change', 'event'), 'what it is'),
  type: describe(text, 'such as place-order, fault-added or order.filled'),
  account: describe(nullableText, 'whom it is about; null where there is none'),
  asset: describe(nullableText, 'what it is about; null where there is none'),
  refusal: describe(nullableText, 'why it was refused; null when it was not'),
  fields: describe(
    mapShape(shapeTyped<string | number | null>({ type: ['string', 'number', 'null'] })),
    'the fields of an event, or what a command asks for',
  ),
})
export const history = object({
  generation: describe(integer, 'changes when the past is another one, after a reset or a restore'),
  begins: describe(moment, 'where what is known begins'),
  reached: describe(moment, 'how far it is known'),
  next: describe(integer, 'what `from` is to be next'),
  isWhole: describe(boolean, 'whether these are all, up to the present'),
  items: describe(listOf(historyItem), 'what happened, oldest first'),
})
const priceRows = listOf(shapeTyped<readonly (number | null)[]>(listOf({ type: ['number', 'null'] })))
const pastFields = {
  isWhole: describe(boolean, 'whether the past is known up to the present'),
  reached: describe(moment, 'how far it is known; what came later is not listed yet'),
  begins: describe(moment, 'where the time of the moment begins: a restore or a reset takes a world back'),
  ends: describe(orNull(moment), 'where it was taken back next; null for the time that goes on'),
  stepMs: describe(
    integer,
    'length in milliseconds of the parts of which only extremes and ends are listed; 0 where every row is',
  ),
} as const
export const pastPrices = object({
  asset: describe(text, 'asset symbol'),
  ...pastFields,
  rows: describe(priceRows, 'instant in ms, line, mark, best bid, best ask (or null), when one has changed'),
  trades: describe(priceRows, 'instant in ms, line, price, quantity traded since the row before'),
  fills: describe(
    listOf(
      object({
        sequence,
        at: describe(timestamp, 'when it happened'),
        account: describe(text, 'whose it is'),
        side: common.side,
        price: describe(number, 'USD for one'),
        quantity: describe(number, 'how much'),
        id: describe(text, 'of its order or quote'),
      }),
    ),
    'every fill of clients, or of the account',
  ),
})
export const pastEquity = object({
  ...pastFields,
  rows: describe(
    priceRows,
    'instant in milliseconds, line, cash and positions in USD, when they have changed',
  ),
})

/* Query parameters. */
export const index = describe(
  shapeTyped<string>({ type: 'string', pattern: '^[0-9]{1,15}$' }),
  'the index of the first item',
)
export const pastSequence = describe(
  shapeTyped<string>({ type: 'string', pattern: '^[0-9]{1,15}$' }),
  'a moment of the past: behind which line of the journal',
)
export const pastInstant = describe(
  shapeTyped<string>({ type: 'string', format: 'date-or-time' }),
  'with a sequence: at which instant before the next line',
)
const instant = shapeTyped<string>({ type: 'string', format: 'date-or-time' })
export const spanStart = describe(instant, 'only from this instant on, and what held then')
export const spanEnd = describe(instant, 'only until this instant')
export const spans = describe(
  shapeTyped<string>({ type: 'string', pattern: '^[1-9][0-9]{0,3}$' }),
  'into how many parts the time is cut at most; 400 when left out',
)
