// Room: engine

import { expect, it } from 'vitest'
import { createWorld } from '../../src/index.ts'
import { resolveScenario } from '../../src/testing/start-venue.ts'

/*
 * Holdings are worth less than 2^53 USD atoms when they are bought. A price that ran far away afterwards, deposits in
 * several assets, or deposits while the price fell again and again made values and costs beyond that, and reads ended
 * with an assertion (500).
 */

const reads = [
  ...['/portfolio/balances', '/portfolio/balances/BTC', '/portfolio/positions', '/portfolio/positions/BTC'],
  ...['/portfolio/exposure', '/portfolio/exposure/BTC', '/portfolio/summary', '/portfolio/pnl'],
  ...['/portfolio/transactions', '/portfolio/trades', '/portfolio/available/BTC'],
  ...['/risk/limits', '/risk/exposure', '/risk/exposure/BTC', '/risk/utilization', '/risk/metrics'],
  ...[
    '/risk/max-quantity?side=buy&asset=BTC&price=1000',
    '/risk/max-quantity?side=sell&asset=BTC&price=1000',
  ],
]
const terms = { asset: 'BTC', side: 'sell', quantity: 0.001, price: 1000, orderType: 'limit' }

type RunningWorld = ReturnType<typeof createWorld>

/** The requests of an account that failed: a refusal is an answer, too. */
function failures(world: RunningWorld, account: string): readonly string[] {
  const answers = [
    ...reads.map((path) => [path, world.request(account, 'GET', `/api/sdk${path}`)] as const),
    ...['/risk/pre-trade-check', '/risk/simulate'].map(
      (path) => [path, world.request(account, 'POST', `/api/sdk${path}`, terms)] as const,
    ),
  ]
  return answers.filter(([, { status }]) => status >= 500).map(([path, { status }]) => `${status} ${path}`)
}

const worldOf = (asset: object, timeline: readonly object[], accounts: readonly object[]) =>
  createWorld(
    resolveScenario({
      version: 1,
      name: 'away',
      clock: { start: '2026-01-05T00:00:00Z', grid: '1h' },
      market: { flow: { kind: 'none' }, assets: { BTC: { price: 50_000, ...asset } } },
      accounts,
      timeline,
    }),
  )

const rising = { model: { kind: 'gbm', vol: 1, drift: 100 } }
const rich = { id: 'rich', balances: { USD: 1_000_000, BTC: 1000 } }
const margin = { id: 'short', type: 'margin', balances: { USD: 1_000_000_000 } }
const short = { account: 'short', asset: 'BTC', side: 'sell', quantity: 10, orderType: 'market' }

it('every read of long and short accounts is answered, whatever their positions are worth', () => {
  const world = worldOf(rising, [{ at: '+1h', order: short }], [rich, margin])
  for (let day = 0; day < 90; day += 6) {
    world.advance('6d')
    for (const account of ['rich', 'short']) expect([day, ...failures(world, account)]).toEqual([day])
  }
  const { body } = world.request('rich', 'GET', '/api/sdk/portfolio/summary')
  expect(Reflect.get(Object(body), 'totalValue')).toBeGreaterThan(2 ** 53 / 1e6)
})

it('a pending deposit may settle at any price, and be withdrawn', () => {
  const deposit = { account: 'rich', asset: 'BTC', quantity: 70_000 }
  const world = worldOf(
    rising,
    [
      { at: '+1h', deposit: { ...deposit, pending: '80d' } },
      { at: '+81d', withdraw: deposit },
    ],
    [rich],
  )
  world.advance('85d')
  expect(failures(world, 'rich')).toEqual([])
  const { body } = world.request('rich', 'GET', '/api/sdk/portfolio/balances/BTC')
  expect(Reflect.get(Object(body), 'total')).toBe(1000)
})

it('a deposit is refused once the cost of the position would pass what can be counted', () => {
  const timeline: object[] = []
  let price = 50_000
  let held = 1000
  for (let turn = 0; turn < 5; turn += 1) {
    const quantity = Math.floor(3.9e9 / price) - held
    timeline.push(
      { at: `+${2 * turn + 1}h`, deposit: { account: 'rich', asset: 'BTC', quantity } },
      { at: `+${2 * turn + 2}h`, path: { asset: 'BTC', price: price / 2 } },
    )
    held += quantity
    price /= 2
  }
  const world = worldOf({ model: { kind: 'constant' } }, timeline, [rich])
  world.advance('12h')
  expect(failures(world, 'rich')).toEqual([])
  const { body } = world.request('rich', 'GET', '/api/sdk/portfolio/positions/BTC')
  const cost = Number(Reflect.get(Object(body), 'costBasis'))
  expect(cost).toBeGreaterThan(7e9)
  expect(cost).toBeLessThanOrEqual(8e9)
})

it('a deposit that is worth more than can be counted is refused', () => {
  const deposit = { account: 'rich', asset: 'BTC', quantity: 80_000 }
  const world = worldOf({ model: { kind: 'constant' } }, [{ at: '+1h', deposit }], [rich])
  world.advance('2h')
  const { body } = world.request('rich', 'GET', '/api/sdk/portfolio/balances/BTC')
  expect(Reflect.get(Object(body), 'total')).toBe(1000)
})
