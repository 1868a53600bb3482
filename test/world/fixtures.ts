import { readFaultRule } from '../../src/api/faults/read-fault-rule.ts'
import { installFault } from '../../src/world/change-world.ts'
import { knownNames } from '../../src/world/faults/fire-faults.ts'
import type { World } from '../../src/world/world.ts'
import { compiledScenario } from '../support/compiled-scenario.ts'
import { liquidScenario } from './scenarios.ts'

/** Moving prices, takers, and a timeline whose later entries depend on the earlier ones. */
export const busy = compiledScenario({
  ...liquidScenario,
  name: 'busy',
  market: {
    flow: { kind: 'hawkes', ratePerMinute: { BTC: 30 } },
    assets: {
      BTC: { price: 50_000, model: { kind: 'gbm', vol: 0.8 }, liquidity: { kind: 'power' } },
    },
  },
  timeline: [
    {
      at: '+2s',
      order: { as: 'first', account: 'trader', asset: 'BTC', side: 'buy', quantity: 0.5, price: '-1%' },
    },
    { at: '+20s', amend: { order: 'first', quantity: 0.4 } },
    { every: '7s', order: { account: 'desk', asset: 'BTC', side: 'sell', quantity: 0.01, price: '+1%' } },
    { at: '+30s', deposit: { account: 'trader', asset: 'USD', quantity: 5, pending: '10s' } },
    { at: '+40s', cancel: { order: 'first' } },
  ],
})

export const order = { side: 'buy', asset: 'BTC', quantity: 0.5, price: 50_000 }

export const addFault = (world: World, form: object) => {
  const read = readFaultRule(form, knownNames(world))
  if (!read.ok) throw new Error(read.problem.reason)
  installFault(world, read.value)
}

/** Orders, quotes, a pending transfer, halves of the clock's seconds, and reads: everything that a client sees later. */
export function keepTrading(world: World): readonly unknown[] {
  const seen: unknown[] = []
  for (let step = 0; step < 6; step += 1) {
    const side = step % 2 === 0 ? 'buy' : 'sell'
    seen.push(world.request('trader', 'POST', '/api/sdk/orders', { ...order, side, quantity: 0.01 }))
    const quote = { asset: 'BTC', bidPrice: 49_000, askPrice: 51_000, bidSize: 0.1, askSize: 0.1 }
    if (step % 5 === 0)
      seen.push(world.request('maker', 'POST', '/api/sdk/quotes', { ...quote, validForSeconds: 7 }))
    world.advance(4321)
    seen.push(world.request('trader', 'GET', '/api/sdk/portfolio/summary'))
    seen.push(world.request('trader', 'GET', '/api/sdk/market-data/stats'))
    seen.push(world.request('trader', 'GET', '/api/sdk/orders'))
    seen.push(world.digest())
  }
  return seen
}
