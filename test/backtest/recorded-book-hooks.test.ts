import { expect, test } from 'vitest'
import { backtest } from '../../src/backtest/backtest.ts'
import { type BookPlace, defineStrategy } from '../../src/backtest/strategy.ts'
import { makeRecordedBook } from '../../src/market/books/make-recorded-book.ts'
import { bookRowKinds, bookRowSides } from '../../src/market/books/recorded-book.ts'

const { depth, snapshot, trade } = bookRowKinds
const { ask, bid } = bookRowSides
const at = 1_700_000_000_000

/** A book of two levels a side in ticks of 0.1 and steps of 0.01, whose best bid changes at 1, 2 and 3 seconds. */
const row = (millis: number, kind: number, side: number, priceTicks: number, quantitySteps: number) => ({
  atMillis: at + millis,
  ...{ kind, side, priceTicks, quantitySteps },
})
const book = makeRecordedBook([
  row(0, snapshot, bid, 1_000, 500),
  row(0, snapshot, bid, 999, 100),
  row(0, snapshot, ask, 1_001, 300),
  row(0, snapshot, ask, 1_003, 200),
  row(1_000, trade, ask, 1_000, 120),
  row(1_000, depth, bid, 1_000, 380),
  row(2_000, depth, bid, 1_000, 200),
  row(3_000, depth, bid, 999, 0),
  row(5_000, depth, ask, 1_003, 201),
])
const books = { BTC: { book, priceStep: { units: 1, scale: 1 }, quantityStep: { units: 1, scale: 2 } } }

interface LookState {
  id: string
  readonly seen: string[]
  readonly places: (BookPlace | null)[]
  readonly arrays: Set<unknown>
}

const look = defineStrategy({
  name: 'look',
  tick: '1s',
  state: (): LookState => ({ id: '', seen: [], places: [], arrays: new Set() }),
  onStart({ sync, state }) {
    const { orderId } = sync.orders.create({ side: 'buy', asset: 'BTC', quantity: 1, price: 100 })
    state.id = orderId
  },
  onBook({ note, now, state, venue }, shown) {
    const side = (prices: Float64Array, quantities: Float64Array, count: number): string =>
      Array.from(prices.slice(0, count), (price, place) => `${price}x${quantities[place]}`).join(' ')
    const { askCount, askPrices, askQuantities, bidCount, bidPrices, bidQuantities } = shown
    note(
      `${now - at} ${shown.atMillis - at}: ${side(bidPrices, bidQuantities, bidCount)} | ${side(askPrices, askQuantities, askCount)}`,
    )
    state.arrays.add(bidPrices)
    const place = venue.queue(state.id)
    note(
      `ahead ${place?.ahead}, joined ${place?.joinedBehind}, taken ${place?.takenByTrades}, left ${place?.leftByLaw}`,
    )
    if (venue.book('BTC').bidCount !== bidCount) note('another book')
  },
  onEnd({ note, state }) {
    note(`${state.arrays.size} arrays`)
  },
})

test('onBook shows the levels in arrays that are used again, and queue() the place of an order', async () => {
  const { calls, notes } = await backtest(look, { books, to: '3s' })
  expect(notes.map(({ text }) => text)).toEqual([
    '1000 1000: 100x3.8 99.9x1 | 100.1x3 100.3x2',
    'ahead 3.8, joined 5, taken 1.2, left 0',
    '2000 2000: 100x2 99.9x1 | 100.1x3 100.3x2',
    'ahead 2, joined 5, taken 1.2, left 1.8',
    '3000 3000: 100x2 | 100.1x3 100.3x2',
    'ahead 2, joined 5, taken 1.2, left 1.8',
    '1 arrays',
  ])
  expect(calls).toMatchObject({ onBook: 3, onTick: 0 })
})

test('a feed with latency shows the book as it was', async () => {
  const { notes } = await backtest(look, { books, to: '3s', latency: { feed: '300ms' } })
  expect(notes.map(({ text }) => text).filter((text) => text.includes(':'))).toEqual([
    '1300 1000: 100x3.8 99.9x1 | 100.1x3 100.3x2',
    '2300 2000: 100x2 99.9x1 | 100.1x3 100.3x2',
  ])
})

test('the law is the run’s choice, and unknown orders have no place', async () => {
  const laws = defineStrategy({
    name: 'laws',
    tick: '1s',
    onTick({ note, sync, venue }, { index }) {
      if (index === 1) sync.orders.create({ side: 'buy', asset: 'BTC', quantity: 1, price: 99.9 })
      note(`${venue.queue('ord_1')?.law} ${venue.queue('ord_2')} ${venue.queue('x')}`)
    },
  })
  for (const queue of ['front', 'power3:2']) {
    const { notes } = await backtest(laws, { books, to: '2s', market: { queueLaw: queue } })
    expect(notes[0]?.text).toBe(`${queue.replace(':2', '')} null null`)
  }
  await expect(backtest(laws, { books, market: { queueLaw: 'fifo' } })).rejects.toThrow(/queue\.law/)
  await expect(backtest(laws, { books: {} })).rejects.toThrow('books: there are none')
})
