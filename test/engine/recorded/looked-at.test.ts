import { expect, it } from 'vitest'
import { buy, sell } from '../../../src/engine/codes.ts'
import { statistics24h } from '../../../src/engine/reports/statistics.ts'
import { topOfBook } from '../../../src/engine/reports/top-of-book.ts'
import { type BookRow, makeRecordedBook } from '../../../src/market/books/make-recorded-book.ts'
import type { QueueLawName } from '../../../src/market/liquidity/liquidity.ts'
import { createStream } from '../../../src/numeric/random.ts'
import { caseBudget } from '../../support/full-run.ts'
import { drawBookRows } from './draw-book-rows.ts'
import { ann, bob, coin, RecordedVenue } from './recorded-venue.ts'

/*
 * Time passes in a recorded book however it is divided: looked at in each millisecond or never, restored on the way or
 * not, a run gives the same digests and the same events.
 */

const startMillis = 1_767_571_200_050

interface Looks {
  readonly everyMillis: number
  readonly restores: boolean
}

function play(
  rows: readonly BookRow[],
  law: QueueLawName,
  { everyMillis, restores }: Looks,
): readonly string[] {
  const told: string[] = []
  const sink = { emit: (...numbers: readonly number[]) => void told.push(numbers.join(' ')) }
  const venue = new RecordedVenue(makeRecordedBook(rows), { queue: { law, exponent: 2 } }, sink)
  const endMillis = rows.at(-1)?.atMillis ?? startMillis
  const stream = createStream('7', 'orders', 'COIN', 0)
  for (let atMillis = startMillis; atMillis < endMillis; atMillis += 137) {
    for (let look = venue.venue.now + everyMillis; look < atMillis; look += everyMillis) {
      venue.advanceTo(look)
      topOfBook(venue.state, coin)
      statistics24h(venue.state, coin)
      if (restores && look % 11 === 0) venue.restore()
    }
    venue.advanceTo(atMillis)
    const best = topOfBook(venue.state, coin)
    const side = stream.uniform() < 0.5 ? buy : sell
    const ticks = side === buy ? best.bidTicks : best.askTicks
    if (ticks > 0 && stream.uniform() < 0.4) venue.place(stream.uniform() < 0.5 ? ann : bob, side, ticks, 12)
    if (stream.uniform() < 0.05) venue.place(ann, side, 0, 15)
    if (stream.uniform() < 0.1) venue.cancel(Math.max(0, venue.state.orders.count - 2))
    told.push(venue.venue.digest())
  }
  return told
}

it.each(['front', 'riskAverse', 'power3', 'log'] as const)(
  'a run under the law %s is the same however often it is looked at or restored',
  (law) => {
    const rows = drawBookRows('3', { startMillis, count: caseBudget(6_000) })
    const plain = play(rows, law, { everyMillis: Number.POSITIVE_INFINITY, restores: false })
    expect(plain.length).toBeGreaterThan(200)
    expect(play(rows, law, { everyMillis: 1, restores: false })).toEqual(plain)
    expect(play(rows, law, { everyMillis: 29, restores: true })).toEqual(plain)
  },
)

it('a fork goes on as its origin does', () => {
  const rows = drawBookRows('5', { startMillis, count: 2_000 })
  const origin = new RecordedVenue(makeRecordedBook(rows))
  const middle = rows[1_000]?.atMillis ?? 0
  origin.advanceTo(middle)
  const { bidTicks, askTicks } = topOfBook(origin.state, coin)
  for (let steps = 5; steps < 9; steps += 1) {
    origin.place(ann, buy, bidTicks, steps)
    origin.place(bob, sell, askTicks, steps)
  }
  const fork = new RecordedVenue(makeRecordedBook(rows))
  fork.venue = origin.venue
  fork.restore()
  expect(fork.venue).not.toBe(origin.venue)
  for (const [place, { atMillis }] of rows.entries()) {
    if (place % 50 !== 0 || atMillis <= middle) continue
    origin.advanceTo(atMillis)
    fork.advanceTo(atMillis)
    expect(fork.venue.digest()).toBe(origin.venue.digest())
  }
  expect(origin.state.fills.count).toBeGreaterThan(0)
})
