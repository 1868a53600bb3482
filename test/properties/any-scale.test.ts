import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createWorld } from '../../src/world/world.ts'
import { compiledScenario } from '../support/compiled-scenario.ts'

/*
 * Cheap and dear assets in poor and rich accounts, cash and leveraged: whatever is asked for, and however much of it,
 * the interface answers. A figure that cannot be counted would stop it.
 */

const market = fc.record({
  digits: fc.integer({ min: -6, max: 5 }),
  leading: fc.integer({ min: 1, max: 9 }),
  quantityScale: fc.integer({ min: 0, max: 8 }),
  usd: fc.constantFrom(0, 100, 1e6, 1.9e9),
  isMargin: fc.boolean(),
  leverage: fc.constantFrom(1, 100, 1000),
  isWide: fc.boolean(),
})
const wish = fc.record({
  side: fc.constantFrom('buy', 'sell'),
  factor: fc.constantFrom(1, 0.99, 1.01, 0.001, 100),
  worth: fc.constantFrom(1, 1e4, 1e8, 3.9e9, 1e12),
  what: fc.constantFrom('order', 'order', 'market', 'quote', 'check', 'simulation', 'maximum'),
})
type Wish = typeof wish extends fc.Arbitrary<infer Value> ? Value : never

test('every order, check and simulation is answered', () => {
  let accepted = 0
  fc.assert(
    fc.property(market, fc.array(wish, { minLength: 20, maxLength: 20 }), (given, wishes) => {
      const price = Number(`${given.leading}e${given.digits}`)
      const priceStep = Number(`1e${Math.max(-8, given.digits - 2)}`)
      const quantityStep = Number(`1e-${given.quantityScale}`)
      const { isMargin, isWide, leverage, usd } = given
      const world = createWorld(
        compiledScenario({
          version: 1,
          name: 'scaled',
          market: {
            flow: { kind: 'none' },
            assets: {
              COIN: {
                price,
                model: { kind: 'constant' },
                pair: { priceStep, quantityStep, maxQuantity: 9e6 },
              },
            },
          },
          accounts: [
            {
              id: 'desk',
              type: isMargin ? 'margin' : 'cash',
              balances: { USD: usd },
              limits: { maxLeverage: leverage, ...(isWide ? wideLimits : {}) },
            },
          ],
        }),
      )
      const multiple = (value: number, step: number) =>
        Number((Math.max(1, Math.round(value / step)) * step).toPrecision(14))
      for (const one of wishes) {
        const at = multiple(price * one.factor, priceStep)
        const { status } = ask(world, one, at, multiple(one.worth / price, quantityStep), priceStep)
        if (status < 300) accepted += 1
        expect(status).toBeLessThan(500)
      }
    }),
    { seed: 7, numRuns: 50 },
  )
  expect(accepted).toBeGreaterThan(100)
})

const wideLimits = {
  maxOrderSize: { default: 9e7 },
  maxOrderValue: 9e9,
  maxDailyVolume: 9e9,
  maxExposure: 9e9,
  maxExposurePerAsset: { default: 9e9 },
  minOrderSize: { default: 0 },
}

function ask(
  world: ReturnType<typeof createWorld>,
  { side, what }: Wish,
  price: number,
  quantity: number,
  priceStep: number,
): { readonly status: number } {
  const send = (path: string, body?: object) =>
    world.request('desk', body === undefined ? 'GET' : 'POST', `/api/sdk/${path}`, body)
  const order = { side, asset: 'COIN', quantity }
  const askPrice = Number((price + priceStep).toPrecision(14))
  const sizes = { bidSize: quantity, askSize: quantity }
  switch (what) {
    case 'market':
      return send('orders', { ...order, orderType: 'market' })
    case 'quote':
      return send('quotes', { asset: 'COIN', bidPrice: price, askPrice, ...sizes })
    case 'check':
      return send('risk/pre-trade-check', { ...order, price })
    case 'simulation':
      return send('risk/simulate', { ...order, price })
    case 'maximum':
      return send(`risk/max-quantity?side=${side}&asset=COIN&price=${price}`)
    default:
      return send('orders', { ...order, price })
  }
}
