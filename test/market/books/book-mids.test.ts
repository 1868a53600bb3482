import { expect, it } from 'vitest'
import { findBookMids } from '../../../src/market/books/book-mids.ts'
import { makeRecordedBook } from '../../../src/market/books/make-recorded-book.ts'

const at = 1_767_571_200_000
const row = (after: number, kind: number, side: number, priceTicks: number, quantitySteps: number) => ({
  atMillis: at + after,
  kind,
  side,
  priceTicks,
  quantitySteps,
})
const book = makeRecordedBook([
  row(50, 1, 0, 99, 5),
  row(150, 1, 1, 101, 5),
  row(200, 2, 0, 101, 3),
  row(250, 2, 1, 98, 2),
  row(320, 1, 1, 101, 0),
  row(500, 1, 1, 105, 5),
])
const mids = findBookMids(book.index)

it.each([
  [-5_000, 200],
  [0, 200],
  [199, 200],
  [200, 200],
  [499, 200],
  [500, 204],
  [9_999, 204],
])('the mid %i ms on is %i half ticks, carried on while a side is empty', (after, halfTicks) => {
  expect(mids.halfTicksAt(at + after)).toBe(halfTicks)
})

it('a book that never has two sides has a mid all the same', () => {
  expect(findBookMids(makeRecordedBook([row(0, 1, 0, 7, 1)]).index).halfTicksAt(at)).toBe(1)
})

it.each([
  [-100, 100, { trades: 0, steps: 0, tickSteps: 0, highTicks: 0, lowTicks: 0 }],
  [-100, 200, { trades: 1, steps: 3, tickSteps: 303, highTicks: 101, lowTicks: 101 }],
  [200, 9_000, { trades: 1, steps: 2, tickSteps: 196, highTicks: 98, lowTicks: 98 }],
  [-9_000, 9_000, { trades: 2, steps: 5, tickSteps: 499, highTicks: 101, lowTicks: 98 }],
  [-9_000, -500, { trades: 0, steps: 0, tickSteps: 0, highTicks: 0, lowTicks: 0 }],
])('the trades after %i ms and up to %i are counted', (after, until, trades) => {
  expect(mids.tradesIn(at + after, at + until)).toEqual(trades)
})
