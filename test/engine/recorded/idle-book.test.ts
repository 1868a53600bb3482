import { expect, it } from 'vitest'
import { buy, sell } from '../../../src/engine/codes.ts'
import { eventType } from '../../../src/engine/events.ts'
import { idleUntilMillis, isIdle } from '../../../src/engine/idle/idle-market.ts'
import { idleMidHalfTicks, writeIdleMids } from '../../../src/engine/idle/idle-prices.ts'
import { statistics24h } from '../../../src/engine/reports/statistics.ts'
import { topOfBook } from '../../../src/engine/reports/top-of-book.ts'
import { makeRecordedBook } from '../../../src/market/books/make-recorded-book.ts'
import { bookChunkRows } from '../../../src/market/books/recorded-book.ts'
import { millis } from '../../../src/numeric/units.ts'
import { drawBookRows } from './draw-book-rows.ts'
import { ann, coin, RecordedVenue } from './recorded-venue.ts'

/*
 * Where nobody rests in a recorded book, what it will show is told without moving the venue, and time passes over its
 * rows without making the book of each. None of it shows: a venue that is read at every millisecond is the same.
 */

const startMillis = 1_767_571_200_050

/** Advances to an instant, reading the book after each millisecond. */
function stepTo(venue: RecordedVenue, atMillis: number, look: (venue: RecordedVenue) => void): void {
  for (let now = venue.venue.now + 1; now <= atMillis; now += 1) {
    venue.advanceTo(now)
    look(venue)
  }
}

it('tells what the book will show at any instant, as a venue that is read at each shows it', () => {
  const rows = drawBookRows('8', { startMillis, count: 4_000, clears: true })
  const book = makeRecordedBook(rows)
  const still = new RecordedVenue(book)
  const read = new RecordedVenue(book)
  expect(isIdle(still.state)).toBe(true)
  expect(idleUntilMillis(still.state)).toBe(Number.POSITIVE_INFINITY)
  const count = (rows.at(-1)?.atMillis ?? 0) - startMillis + 500
  const each = new Float64Array(count)
  writeIdleMids(still.state, coin, startMillis + 1, 1, { first: 0, step: 1, count }, each)
  const everyTenth = new Float64Array(Math.floor(count / 100))
  const tenths = { first: 0, step: 1, count: everyTenth.length }
  writeIdleMids(still.state, coin, startMillis + 50, 100, tenths, everyTenth)
  const seen = new Set<number>()
  stepTo(read, startMillis + count, ({ state }) => {
    const place = state.nowMillis - startMillis
    const mid = topOfBook(state, coin).midHalfTicks
    seen.add(mid)
    expect(each[place - 1], `after ${place} ms`).toBe(mid)
    if (place % 100 === 50) expect(everyTenth[(place - 50) / 100]).toBe(mid)
    // Back and on, in any order.
    if (place % 97 === 0) expect(idleMidHalfTicks(still.state, coin, state.nowMillis)).toBe(mid)
  })
  expect(seen.size).toBeGreaterThan(20)
  still.advanceTo(startMillis + count)
  expect(still.venue.digest()).toBe(read.venue.digest())
})

it('passes over whole chunks to the same book, events and statistics as when it is read at each instant', () => {
  const rows = drawBookRows('9', { startMillis, count: 2 * bookChunkRows + 700, clears: true })
  const book = makeRecordedBook(rows)
  const [readTold, stillTold]: string[][] = [[], []]
  const listen = (told: string[]) => ({
    emit: (...event: readonly number[]) => void told.push(event.join(' ')),
  })
  const read = new RecordedVenue(book, {}, listen(readTold ?? []))
  const still = new RecordedVenue(book, {}, listen(stillTold ?? []))
  const endMillis = rows.at(-1)?.atMillis ?? 0
  let levels = 0
  for (let atMillis = startMillis + 61; atMillis < endMillis; atMillis += 61) {
    read.advanceTo(atMillis)
    levels += read.levels(buy).length + read.levels(sell).length
  }
  read.advanceTo(endMillis)
  still.advanceTo(endMillis)
  expect(levels).toBeGreaterThan(10_000)
  expect(still.venue.digest()).toBe(read.venue.digest())
  for (const side of [buy, sell] as const) expect(still.levels(side)).toEqual(read.levels(side))
  expect(statistics24h(still.state, coin)).toEqual(statistics24h(read.state, coin))
  expect(stillTold).toEqual(readTold)
  const prints = stillTold?.filter((event) => event.startsWith(`${eventType.print} `)) ?? []
  expect(prints.length).toBeGreaterThan(10_000)
})

it('goes back and on between instants of a long record', () => {
  const rows = drawBookRows('10', { startMillis, count: 2 * bookChunkRows + 700, clears: false })
  const book = makeRecordedBook(rows)
  const venue = new RecordedVenue(book)
  const endMillis = rows.at(-1)?.atMillis ?? 0
  for (const share of [0.9, 0.1, 0.5, 0.500_1, 0.49, 1.1, 0.000_01]) {
    const atMillis = Math.floor(startMillis + share * (endMillis - startMillis))
    const opened = new RecordedVenue(book, { startMillis: atMillis })
    expect(idleMidHalfTicks(venue.state, coin, atMillis)).toBe(topOfBook(opened.state, coin).midHalfTicks)
  }
})

it.each([
  ['an order that rests', (venue: RecordedVenue) => void venue.place(ann, buy, 9_000, 5)],
  ['a level that was taken from', (venue: RecordedVenue) => void venue.place(ann, buy, 0, 1)],
  [
    'depth that is scaled',
    ({ venue }: RecordedVenue) =>
      void venue.execute({
        kind: 'set-liquidity',
        at: venue.now,
        asset: coin,
        conditions: { spreadMultiplier: 1, depthMultiplier: 0.5, sides: 'both' },
        isStale: false,
        forMillis: millis(0),
      }),
  ],
])('is not idle with %s', (_, change) => {
  const venue = new RecordedVenue(makeRecordedBook(drawBookRows('3', { startMillis, count: 500 })))
  venue.advanceTo(startMillis + 1_000)
  expect(isIdle(venue.state)).toBe(true)
  change(venue)
  expect(isIdle(venue.state)).toBe(false)
})

it('is not idle under the rules of the reference, whose levels may be out of sight', () => {
  const venue = new RecordedVenue(makeRecordedBook(drawBookRows('3', { startMillis, count: 500 })), {
    like: 'hftbacktest',
  })
  expect(isIdle(venue.state)).toBe(false)
})
