import { expect, it } from 'vitest'
import { backtest } from '../../src/backtest/backtest.ts'
import { defineStrategy } from '../../src/backtest/strategy.ts'
import { ConnectionError, VenueError } from '../../src/client/venue-error.ts'
import { libraryOf } from '../support/library-of.ts'
import { busyScenario } from './scenarios.ts'

const scenario = (() => {
  const match = { path: '/api/sdk/orders', method: 'POST' }
  const timeline = [
    { at: '+5s', fault: { match, type: 'http_error', attributes: { status: 500 }, for: '10s' } },
    { at: '+25s', fault: { match, type: 'EMPTY_RESPONSE', phase: 'after', for: '10s' } },
    { at: '+45s', fault: { match, type: 'latency', attributes: { latencyMs: 1500 }, for: '10s' } },
  ]
  const loaded = libraryOf({ busy: { ...busyScenario, timeline } }).load('busy')
  if (loaded === null || !loaded.ok) throw new Error(JSON.stringify(loaded?.problems))
  return loaded.value
})()

const buyer = defineStrategy({
  name: 'buyer',
  tick: '10s',
  async onTick({ note, venue }) {
    try {
      const order = { asset: 'BTC', side: 'buy', quantity: 0.1, orderType: 'market' } as const
      await venue.orders.create(order)
      note('bought')
    } catch (error) {
      if (error instanceof VenueError) note(`refused ${error.statusCode}`)
      else if (error instanceof ConnectionError) note(`lost ${error.reason}`)
      else throw error
    }
  },
})

// Delays of answers are on the wall clock, and take none of the venue's time.
it('strike the synchronous client as they strike the one with promises', async () => {
  const [now, promised] = await Promise.all(
    (['sync', 'async'] as const).map((client) => backtest(buyer, { scenario, to: '65s', client })),
  )
  const said = ['refused 500', 'bought', 'lost network', 'bought', 'bought', 'bought']
  expect(now?.notes.map(({ text }) => text)).toEqual(said)
  expect(now?.notes.map(({ atMillis }) => atMillis % 60_000)).toEqual([
    10_000, 20_000, 30_000, 40_000, 50_000, 0,
  ])
  expect(now?.orders).toHaveLength(5)
  expect(promised?.notes.at(0)?.text).toBe('refused 500')
  expect(now?.rejects).toMatchObject([{ statusCode: 500, count: 1 }])
})
