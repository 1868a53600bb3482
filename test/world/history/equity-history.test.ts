import { expect, it } from 'vitest'
import { millis } from '../../../src/numeric/units.ts'
import { loadScenarioValue } from '../../../src/scenario/load-tree.ts'
import { History } from '../../../src/world/history/history.ts'
import { startMemoryJournal } from '../../../src/world/journals/journal.ts'
import { createWorld } from '../../../src/world/world.ts'
import { livelyScenario } from '../scenarios.ts'

it('tells at every second what the summary of the account said then, also over a restore', () => {
  const loaded = loadScenarioValue({ ...livelyScenario, clock: { ...livelyScenario.clock, mode: 'manual' } })
  if (!loaded.ok) throw new Error('the scenario compiles')
  const world = createWorld(loaded.value, {})
  const history = new History(world, startMemoryJournal(world, { otcsim: '1.0.0', start: null }, 50_000))
  const equity = () => Object(world.request('trader', 'GET', '/api/sdk/portfolio/summary').body).totalValue
  const seen: { readonly at: number; readonly line: number; readonly usd: number }[] = []
  const live = (seconds: number) => {
    for (let second = 0; second < seconds; second += 1) {
      world.time.passTimeTo(millis(world.now + 1000))
      if (second % 20 === 0) {
        const order = {
          asset: 'BTC',
          quantity: 0.3,
          orderType: 'market',
          side: second % 40 ? 'sell' : 'buy',
        }
        world.request('trader', 'POST', '/api/sdk/orders', order)
      }
      if (second === 70) world.request('trader', 'GET', '/api/sdk/portfolio/balances')
      seen.push({ at: world.now, line: world.sequence, usd: equity() })
    }
  }
  live(120)
  const kept = world.snapshot()
  live(60)
  world.restore(kept)
  live(100)
  while (!history.follow(50));
  const account = world.venue.state.accounts.rowOf('trader')
  const whole = { fromMillis: 0, toMillis: Number.MAX_SAFE_INTEGER, spans: 100_000 }
  // Time has gone back once: each part of it has rows of its own.
  for (const part of [seen.slice(0, 180), seen.slice(180)]) {
    const { at: atMillis = 0, line: sequence = 0 } = part.at(-1) ?? {}
    const { rows } = history.index.equity.window(account, { ...whole, around: { sequence, atMillis } })
    for (const { at, line, usd } of part) {
      const held = rows.findLast(([then, behind]) => Number(then) <= at && Number(behind) <= line)
      expect([at, held?.[2]]).toEqual([at, usd])
    }
  }
  expect(new Set(seen.map(({ usd }) => usd)).size).toBeGreaterThan(150)
  const thin = history.index.equity.window(account, { ...whole, around: history.lastMoment, spans: 10 })
  expect(thin.rows.length).toBeLessThan(60)
})
