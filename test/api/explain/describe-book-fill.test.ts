import { expect, test } from 'vitest'
import { describeBookFill, describeQueuePlace } from '../../../src/api/explain/describe-book-fill.ts'
import { buy } from '../../../src/engine/codes.ts'
import { findBookFill } from '../../../src/engine/reports/book-fill.ts'
import { findQueuePlace } from '../../../src/engine/reports/queue-place.ts'
import { type BookRow, makeRecordedBook } from '../../../src/market/books/make-recorded-book.ts'
import { ann, coin, type RecordedOptions, RecordedVenue } from '../../engine/recorded/recorded-venue.ts'

/* Ticks are cents, steps thousandths. The first bid and ask stand at 0.99 and 1.01 with 0.01 COIN each. */

const at = Date.UTC(2026, 0, 5, 14)
const row = (
  after: number,
  kind: number,
  side: number,
  priceTicks: number,
  quantitySteps: number,
): BookRow => ({
  atMillis: at + after,
  ...{ kind, side, priceTicks, quantitySteps },
})
const opening = [row(0, 1, 0, 99, 10), row(0, 1, 1, 101, 10)]
const [depth, trade] = [1, 2]

const cases: readonly (readonly [string, readonly BookRow[], RecordedOptions, readonly string[]])[] = [
  [
    'a trade to whose turn it came, after trades and cancellations',
    [row(10, trade, 1, 99, 3), row(10, depth, 0, 99, 7), row(20, depth, 0, 99, 3), row(123, trade, 1, 99, 5)],
    {},
    [
      'filled by a recorded trade of 0.005 at 14:00:00.123; 0.01 was ahead of it at placing: trades took 0.006, 0.004 left without a trade (riskAverse), 0 left (row 6, book.csv line 8)',
    ],
  ],
  [
    'one order in two parts, each with its own sums',
    [row(10, depth, 0, 99, 4), row(20, trade, 1, 99, 6), row(30, depth, 0, 99, 1), row(40, trade, 1, 99, 9)],
    {},
    [
      'filled by a recorded trade of 0.006 at 14:00:00.020; 0.01 was ahead of it at placing: trades took 0.004, 0.006 left without a trade (riskAverse), 0 left (row 4, book.csv line 6)',
      'filled by a recorded trade of 0.009 at 14:00:00.040; 0.01 was ahead of it at placing: trades took 0.004, 0.006 left without a trade (riskAverse), 0 left (row 6, book.csv line 8)',
    ],
  ],
  [
    'a trade through its price',
    [row(10, trade, 1, 98, 2)],
    {},
    [
      'filled by a recorded trade of 0.002 that went through its price to 0.98 at 14:00:00.010; 0.01 was ahead of it at placing: trades took 0.01, 0 left without a trade (riskAverse), 0 left (row 3, book.csv line 5)',
    ],
  ],
  [
    'the other side, of which only what is shown fills it',
    [row(10, depth, 1, 99, 2)],
    {},
    [
      'filled because the other side of the recorded book came to its price (ask of 0.002 at 0.99) at 14:00:00.010; 0.01 was ahead of it at placing: trades took 0, 0.01 left without a trade (riskAverse), 0 left (row 3, book.csv line 5)',
    ],
  ],
  [
    'the other side, whatever is shown',
    [row(10, depth, 1, 98, 1)],
    { fills: 'whole' },
    [
      'filled because the other side of the recorded book came to its price (ask of 0.001 at 0.98) at 14:00:00.010, and whole, because fills are whole; 0.01 was ahead of it at placing: trades took 0, 0.01 left without a trade (riskAverse), 0 left (row 3, book.csv line 5)',
    ],
  ],
  [
    'a law by which it is first',
    [row(10, trade, 1, 99, 20)],
    { queue: { law: 'front', exponent: 1 } },
    [
      'filled by a recorded trade of 0.02 at 14:00:00.010; nothing was ahead of it, by the law front (row 3, book.csv line 5)',
    ],
  ],
]

test.each(cases)('describes a fill by %s', (_, rows, options, sentences) => {
  const place = (number: number) => ({ file: 'book.csv', line: number + 3 })
  const venue = new RecordedVenue(makeRecordedBook([...opening, ...rows], { place }), options)
  venue.place(ann, buy, 99, 9)
  venue.advanceTo(at + 1000)
  const { assets, fills } = venue.state
  const described = Array.from({ length: fills.count }, (_, fill) => {
    const cause = findBookFill(venue.state, fill)
    return cause === null ? '' : describeBookFill(cause, assets.tradedAsset(coin).pair)
  })
  expect(described).toEqual(sentences)
})

test('says so where nothing was ahead, and leaves out a place that is not known', () => {
  const venue = new RecordedVenue(makeRecordedBook([...opening, row(10, trade, 1, 98, 9)]))
  venue.place(ann, buy, 100, 4)
  venue.advanceTo(at + 1000)
  const cause = findBookFill(venue.state, 0)
  expect(cause === null ? '' : describeBookFill(cause, venue.state.assets.tradedAsset(coin).pair)).toBe(
    'filled by a recorded trade of 0.009 that went through its price to 0.98 at 14:00:00.010; nothing was ahead of it at placing (row 3)',
  )
})

test('knows no recorded cause of what a client took, and of no fill', () => {
  const venue = new RecordedVenue(makeRecordedBook(opening))
  venue.place(ann, buy, 0, 4)
  expect([findBookFill(venue.state, 0), findBookFill(venue.state, 1), findBookFill(venue.state, -1)]).toEqual(
    [null, null, null],
  )
})

test.each<[string, number, RecordedOptions, string]>([
  ['part of it', 99, {}, '0.007 of the 0.01 that stood ahead of it at placing is still ahead (riskAverse)'],
  ['nothing', 100, {}, 'nothing is ahead of it at its price (riskAverse)'],
  ['what will be shown', 90, {}, 'it stands behind what the record will first show at its price'],
  ['front', 99, { queue: { law: 'front', exponent: 1 } }, 'nothing is ahead of it at its price (front)'],
])('describes a place behind %s', (_, ticks, options, text) => {
  const venue = new RecordedVenue(makeRecordedBook([...opening, row(10, trade, 1, 99, 3)]), options)
  venue.place(ann, buy, ticks, 4)
  if (ticks !== 100) venue.advanceTo(at + 1000)
  const place = findQueuePlace(venue.state, 0)
  const { pair } = venue.state.assets.tradedAsset(coin)
  expect(place === null ? '' : describeQueuePlace(place, pair)).toBe(text)
})
