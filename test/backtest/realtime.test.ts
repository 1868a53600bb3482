import { afterAll, beforeAll, expect, it } from 'vitest'
import { runLive } from '../../src/backtest/live/run-live.ts'
import { defineStrategy } from '../../src/backtest/strategy.ts'
import { createVenueServer, type VenueServer } from '../../src/server/create-venue-server.ts'
import { systemWallClock } from '../../src/world/clock.ts'
import { Worlds } from '../../src/world/worlds.ts'
import { libraryOf } from '../support/library-of.ts'
import { busyScenario } from './scenarios.ts'

/* A service in real time, as a staging environment is. */

let server: VenueServer

beforeAll(async () => {
  const scenarios = libraryOf({ busy: busyScenario })
  const loaded = scenarios.load('busy')
  if (loaded === null || !loaded.ok) throw new Error('the scenario compiles')
  const worlds = new Worlds(systemWallClock)
  worlds.create(loaded.value, { id: 'default', clock: { mode: 'realtime' } })
  server = await createVenueServer({ worlds, scenarios })
})

afterAll(() => server.close())

const key = { apiKey: 'simk_default_desk', apiSecret: 'sims_default_desk' }

const buyer = defineStrategy({
  name: 'buyer',
  tick: '400ms',
  async onTick({ venue }, { index }) {
    if (index === 1)
      await venue.orders.create({ side: 'buy', asset: 'BTC', quantity: 0.1, orderType: 'market' })
  },
  onFill({ note, stop }, fill) {
    note(`${fill.side} ${fill.quantity}`)
    stop()
  },
  async onEnd({ note, sleep }) {
    await sleep('50ms')
    note('ended')
  },
})

it('runs by the wall clock with a key, and reports what the interface answers', async () => {
  const result = await runLive(buyer, { baseUrl: server.url, clock: 'realtime', span: '100s', ...key })
  expect(result.notes.map(({ text }) => text)).toEqual(['buy 0.1', 'ended'])
  expect(result.fills).toMatchObject([{ side: 'buy', quantity: 0.1, isMaker: null, cause: null }])
  expect(result.orders).toMatchObject([{ type: 'market', status: 'filled', filledQuantity: 0.1 }])
  expect(result).toMatchObject({ digest: null, sequence: null, source: { kind: 'live', name: server.url } })
  expect(result.equity.equity.length).toBeGreaterThan(1)
  expect(result.toMillis - result.fromMillis).toBeLessThan(100_000)
})

it('ends early when asked to', async () => {
  let ticks = 0
  const counter = defineStrategy({
    name: 'counter',
    tick: '200ms',
    onTick: () => {
      ticks += 1
    },
  })
  const isEnded = () => ticks >= 2
  const result = await runLive(counter, {
    baseUrl: server.url,
    clock: 'realtime',
    span: '1h',
    isEnded,
    ...key,
  })
  expect(result.calls).toMatchObject({ onTick: 2, onEnd: 1 })
})

it('refuses synchronous strategies, and says where they can run', async () => {
  const hasty = defineStrategy({ name: 'hasty', onStart: ({ sync }) => void sync.orders.list() })
  const run = runLive(hasty, { baseUrl: server.url, clock: 'realtime', span: '1s', ...key })
  await expect(run).rejects.toThrow('context.sync works in process only')
  await expect(runLive(hasty, { baseUrl: server.url, clock: 'realtime', span: '1s' })).rejects.toThrow(
    'needs apiKey and apiSecret',
  )
})
