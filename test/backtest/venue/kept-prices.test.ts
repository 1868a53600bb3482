import fc from 'fast-check'
import { expect, it } from 'vitest'
import { backtest } from '../../../src/backtest/backtest.ts'
import { defineStrategy, type FeedPrice, type StrategyContext } from '../../../src/backtest/strategy.ts'
import { VenueError } from '../../../src/client/venue-error.ts'
import { missing } from '../../../src/numeric/assert.ts'
import { caseBudget } from '../../support/full-run.ts'
import { lazyScenarios } from '../scenarios.ts'

/*
 * A price is that of the last look, whatever a hook has done since. Most strategies never read it, so it is worked out
 * late; one that has read it before it acts, and one that reads it afterwards, must be told the same.
 */

const deeds = ['buy', 'sell', 'rest', 'cancel', 'sleep', 'sweep', 'ask'] as const
type Deed = (typeof deeds)[number]
type Context = StrategyContext<Readonly<Record<string, never>>, { calls: number; orderId: string }>

async function act({ sleep, state, sync }: Context, deed: Deed): Promise<void> {
  const order = { asset: 'BTC', orderType: 'market' } as const
  try {
    // Whoever sleeps before having asked for anything is shown the prices after that.
    if (deed === 'sleep' || deed === 'ask') sync.portfolio.balances()
    if (deed === 'sleep') await sleep('45s')
    if (deed === 'cancel' && state.orderId !== '') sync.orders.cancel(state.orderId)
    if (deed === 'buy' || deed === 'sell') sync.orders.create({ ...order, side: deed, quantity: 0.3 })
    if (deed === 'sweep') sync.orders.create({ ...order, side: 'buy', quantity: 8 })
    if (deed === 'rest') {
      const limit = { orderType: 'limit', side: 'buy', quantity: 0.1, price: 49_990 } as const
      state.orderId = sync.orders.create({ ...order, ...limit }).orderId
    }
  } catch (error) {
    // An order may be refused, or have ended.
    if (!(error instanceof VenueError)) throw error
  }
}

async function readAfter(plan: readonly (readonly Deed[])[], place: number, isReadBefore: boolean) {
  const told: FeedPrice[] = []
  const strategy = defineStrategy({
    name: 'reader',
    tick: '20s',
    state: () => ({ calls: 0, orderId: '' }),
    async onTick(context: Context) {
      const { assets, price, state } = context
      for (const deed of plan[state.calls] ?? []) {
        if (isReadBefore) for (const asset of assets) price(asset)
        await act(context, deed)
      }
      state.calls += 1
      if (state.calls % 2 === 0) for (const asset of assets) told.push(price(asset))
    },
    onEnd({ assets, price }) {
      for (const asset of assets) told.push(price(asset))
    },
  })
  const scenario = lazyScenarios[place] ?? missing('there is a scenario')
  const { digest } = await backtest(strategy, { scenario, to: '9m', account: 'desk' })
  return { digest, told }
}

it('tells the price of the last look after orders, trades and time, read early or late', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(fc.constantFrom(...deeds), { maxLength: 3 }), { maxLength: 20 }),
      fc.nat(lazyScenarios.length - 1),
      async (plan, place) => {
        expect(await readAfter(plan, place, false)).toEqual(await readAfter(plan, place, true))
      },
    ),
    { numRuns: caseBudget(25) },
  )
})
