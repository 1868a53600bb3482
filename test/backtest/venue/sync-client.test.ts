import { describe, expect, it } from 'vitest'
import { backtest } from '../../../src/backtest/backtest.ts'
import type { BacktestResult } from '../../../src/backtest/result.ts'
import { defineStrategy, type StrategyVenue } from '../../../src/backtest/strategy.ts'
import { VenueError } from '../../../src/client/venue-error.ts'
import { compiledScenario } from '../../support/compiled-scenario.ts'
import { busyScenario } from '../scenarios.ts'

const scenario = compiledScenario(busyScenario)

describe('the synchronous client', () => {
  it('answers and refuses like the one with promises', async () => {
    const answers: unknown[] = []
    const calls: readonly ((venue: StrategyVenue) => unknown)[] = [
      (venue) =>
        venue.orders.create({
          side: 'buy',
          asset: 'BTC',
          quantity: 0.5,
          price: 40_000,
          metadata: { a: [1] },
        }),
      (venue) => venue.orders.create({ side: 'buy', asset: 'BTC', quantity: 0.00001, price: 40_000 }),
      (venue) => venue.orders.create({ side: 'buy', asset: 'NONE', quantity: 1, price: 1 }),
      (venue) => venue.orders.amend('ord_1', { quantity: 0.4 }),
      (venue) => venue.orders.get('ord_1'),
      (venue) => venue.orders.get('ord_999'),
      (venue) => venue.orders.cancel('batch'),
      (venue) => venue.orders.list({ limit: 5 }),
      (venue) => venue.orders.createBatch([{ side: 'sell', asset: 'BTC', quantity: 0.1, price: 90_000 }]),
      (venue) => venue.orders.fills('ord_1'),
      (venue) => venue.orders.cancel('ord_1'),
      (venue) => venue.orders.cancel('ord_1'),
      (venue) =>
        venue.quotes.submit({ asset: 'ETH', bidPrice: 2000, askPrice: 4000, bidSize: 1, askSize: 1 }),
      (venue) => venue.quotes.update('qt_1', { bidPrice: 2001 }),
      (venue) => venue.quotes.updateBatch([{ quoteId: 'qt_1', askPrice: 4001 }]),
      (venue) => venue.quotes.list(),
      (venue) => venue.quotes.cancel('qt_1'),
      (venue) => venue.quotes.get('qt_1'),
      (venue) => venue.orders.cancelAll({ side: 'sell' }),
      (venue) => venue.marketData.price('BTC'),
      (venue) => venue.marketData.orderBook('ETH', { depth: 2 }),
      (venue) => venue.marketData.statistics({ asset: 'BTC' }),
      (venue) => venue.portfolio.balance('USD'),
      (venue) => venue.portfolio.position('ETH'),
      (venue) => venue.portfolio.position('USD'),
      (venue) => venue.portfolio.profitAndLoss({ period: '1h' }),
      (venue) => venue.risk.maxQuantity({ side: 'buy', asset: 'BTC', price: 50_000 }),
      (venue) => venue.risk.checkOrder({ side: 'buy', asset: 'BTC', quantity: 1, price: 50_000 }),
    ]
    const asker = defineStrategy({
      name: 'asker',
      async onEnd({ venue }) {
        for (const call of calls) {
          try {
            answers.push(await call(venue))
          } catch (error) {
            answers.push(
              error instanceof VenueError
                ? [error.statusCode, error.type, error.message, error.body]
                : String(error),
            )
          }
        }
      },
    })
    const digests: (string | null)[] = []
    for (const client of ['sync', 'async'] as const) {
      digests.push((await backtest(asker, { scenario, to: '5s', client })).digest)
    }
    const half = answers.length / 2
    expect(half).toBe(calls.length)
    expect(answers.slice(0, half)).toEqual(answers.slice(half))
    expect(digests[0]).toBe(digests[1])
  })

  it('keeps a copy of metadata, as HTTP would', async () => {
    const metadata = { note: 'first' }
    const keeper = defineStrategy({
      name: 'keeper',
      onStart({ note, sync }) {
        const { orderId } = sync.orders.create({
          side: 'buy',
          asset: 'BTC',
          quantity: 0.1,
          price: 40_000,
          metadata,
        })
        metadata.note = 'second'
        note(JSON.stringify(sync.orders.get(orderId).metadata))
      },
    })
    const { notes }: BacktestResult = await backtest(keeper, { scenario, to: '5s' })
    expect(notes[0]?.text).toBe('{"note":"first"}')
  })
})
