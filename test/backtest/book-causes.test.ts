import { expect, test } from 'vitest'
import { backtest } from '../../src/backtest/backtest.ts'
import { readPageAssets } from '../../src/backtest/report/page-assets.ts'
import { createRunReport } from '../../src/backtest/report/run-report.ts'
import { defineStrategy } from '../../src/backtest/strategy.ts'
import { makeRunTables } from '../../src/backtest/tables/result-tables.ts'
import { makeRecordedBook } from '../../src/market/books/make-recorded-book.ts'
import { bookRowKinds, bookRowSides } from '../../src/market/books/recorded-book.ts'
import type { World } from '../../src/world/world.ts'
import { context } from './report/sample-result.ts'

/* Why a recorded book filled an order is told alike by the result, its tables, the report and the events. */

const { depth, snapshot, trade } = bookRowKinds
const { ask, bid } = bookRowSides
const at = 1_700_000_000_000

/** A book in ticks of 0.1 and steps of 0.01: five bids of 100 leave by trades and without, then a trade comes to the turn. */
const row = (millis: number, kind: number, side: number, priceTicks: number, quantitySteps: number) => ({
  atMillis: at + millis,
  ...{ kind, side, priceTicks, quantitySteps },
})
const book = makeRecordedBook(
  [
    row(0, snapshot, bid, 1_000, 500),
    row(0, snapshot, ask, 1_001, 300),
    row(2_000, trade, ask, 1_000, 120),
    row(2_000, depth, bid, 1_000, 380),
    row(3_000, depth, bid, 1_000, 200),
    row(4_123, trade, ask, 1_000, 240),
    row(4_123, depth, bid, 1_000, 10),
    row(9_000, depth, ask, 1_001, 301),
  ],
  { place: (number) => ({ file: 'book.csv', line: number + 2 }) },
)
const books = { BTC: { book, priceStep: { units: 1, scale: 1 }, quantityStep: { units: 1, scale: 2 } } }

const join = defineStrategy({
  name: 'join',
  tick: '1s',
  onStart: ({ sync }) => {
    sync.orders.create({ side: 'buy', asset: 'BTC', quantity: 0.4, price: 100 })
    sync.orders.create({ side: 'buy', asset: 'BTC', quantity: 1, orderType: 'market' })
  },
})

const text =
  'filled by a recorded trade of 2.4 at 22:13:24.123; 5 was ahead of it at placing: trades took 3.2, 1.8 left without a trade (riskAverse), 0 left (row 6, book.csv line 7)'

test('the cause of a fill is told with its sums everywhere', async () => {
  const worlds: World[] = []
  const result = await backtest(join, { books, onWorld: (world) => worlds.push(world) })
  const [taken, filled] = result.fills
  expect(taken?.cause?.book).toBeUndefined()
  expect(filled?.cause?.book).toEqual({
    kind: 'turn',
    law: 'riskAverse',
    joinedBehind: 5,
    takenByTrades: 3.2,
    leftByLaw: 1.8,
    row: 5,
    rowAtMillis: at + 4_123,
    rowPrice: 100,
    rowQuantity: 2.4,
    file: 'book.csv',
    line: 7,
    text,
  })

  const [shown] = result.books ?? []
  expect(shown?.touch.bid.slice(0, 2)).toEqual([100, 100])
  expect(shown?.own.bid.filter((price) => price !== 100)).toEqual([null])
  expect([...new Set(shown?.own.bidAhead)]).toEqual([5, 3.8, 2, null])
  expect(new Set(shown?.own.ask)).toEqual(new Set([null]))

  const { columns } = makeRunTables(result).fills
  expect(columns.get('cause.book.text')?.values).toEqual([null, text])
  expect([...(columns.get('cause.book.takenByTrades')?.values ?? [])]).toEqual([Number.NaN, 3.2])
  const page = createRunReport(result, { ...context, beside: null, seeds: null }, readPageAssets())
  expect(page).toContain(text)
  for (const word of ['recorded bid to ask', 'own bid', 'Ahead of own orders, BTC'])
    expect(page).toContain(word)

  const [world] = worlds
  const events = world?.eventsSince(0) ?? []
  const trades = events.filter(({ type, makerOrderId }) => type === 'trade' && makerOrderId !== null)
  expect(trades.map(({ cause, makerOrderId }) => [makerOrderId, cause])).toEqual([['ord_1', text]])
})

test('tables of runs without a recorded book have no columns for it', async () => {
  const { fills } = makeRunTables(await backtest(join, { model: 'gbm,vol=0.1', to: '5s' }))
  expect([...fills.columns.keys()].filter((name) => name.startsWith('cause.book'))).toEqual([])
  expect(fills.rows).toBeGreaterThan(0)
  expect(await backtest(join, { model: 'gbm,vol=0.1', to: '5s' })).not.toHaveProperty('books')
})
