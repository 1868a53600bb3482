import { describe, expect, it } from 'vitest'
import { backtest } from '../../src/backtest/backtest.ts'
import { runLive } from '../../src/backtest/live/run-live.ts'
import { defineStrategy, type TargetPosition } from '../../src/backtest/strategy.ts'
import { startVenue } from '../../src/testing/entry.ts'
import { compiledScenario } from '../support/compiled-scenario.ts'

/** A price that stands still at 100 without a spread that moves, and steps of a tenth. */
const still = {
  version: 1,
  name: 'still',
  clock: { start: '2026-01-05T00:00:00Z', end: '10m', grid: '1s' },
  market: {
    flow: { kind: 'none' },
    assets: {
      BTC: {
        price: 100,
        model: { kind: 'constant' },
        liquidity: { kind: 'ladder', bids: [[100, 1000]], asks: [[100.01, 1000]] },
        pair: { priceStep: 0.01, quantityStep: 0.1, minQuantity: 0.5, maxQuantity: 30, minNotional: 80 },
      },
    },
  },
  fees: { makerBps: 0, takerBps: 0 },
  accounts: [
    {
      id: 'desk',
      type: 'margin',
      balances: { USD: 10_000 },
      limits: { maxLeverage: 5, minOrderSize: { default: 0.1 }, maxOrderSize: { default: 1000 } },
    },
  ],
}

interface Step {
  readonly goal: TargetPosition
  /** The signed quantity that is traded; 0 for nothing. */
  readonly traded: number
}

/** Goes from goal to goal, one a minute, and records what was traded. */
const follow = (goals: readonly TargetPosition[]) =>
  defineStrategy({
    name: 'follower',
    tick: '1m',
    state: (): { readonly traded: number[] } => ({ traded: [] }),
    async onTick({ state, venue }, { index }) {
      const goal = goals[index - 1]
      if (goal === undefined) return
      const order = await venue.target('BTC', goal)
      state.traded.push(order === null ? 0 : order.side === 'buy' ? order.quantity : -order.quantity)
    },
    onEnd: ({ note, state }) => note(JSON.stringify(state.traded)),
  })

async function trade(goals: readonly TargetPosition[]): Promise<readonly number[]> {
  const { notes } = await backtest(follow(goals), { scenario: compiledScenario(still) })
  return JSON.parse(notes[0]?.text ?? '[]')
}

describe('venue.target', () => {
  it.each<[string, readonly Step[]]>([
    ['a quantity, in steps', [{ goal: { quantity: 1.27 }, traded: 1.2 }]],
    [
      'what is held, with nothing left to do',
      [
        { goal: { quantity: 2 }, traded: 2 },
        { goal: { quantity: 2 }, traded: 0 },
      ],
    ],
    [
      'less than a minimum away',
      [
        { goal: { quantity: 2 }, traded: 2 },
        { goal: { quantity: 2.4 }, traded: 0 },
        { goal: { quantity: 2.7 }, traded: 0 },
        { goal: { quantity: 2.8 }, traded: 0.8 },
      ],
    ],
    [
      'a short position and flat again',
      [
        { goal: { quantity: -3 }, traded: -3 },
        { goal: { quantity: 0 }, traded: 3 },
        { goal: { quantity: 0 }, traded: 0 },
      ],
    ],
    ['a value at the mid', [{ goal: { value: -555 }, traded: -5.5 }]],
    [
      'a weight of the whole account',
      [
        { goal: { weight: 0.25 }, traded: 24.9 },
        { goal: { weight: -0.1 }, traded: -30 },
      ],
    ],
    [
      'more than an order may be, in several',
      [
        { goal: { quantity: 50 }, traded: 30 },
        { goal: { quantity: 50 }, traded: 20 },
      ],
    ],
  ])('trades to %s', async (_, steps) => {
    expect(await trade(steps.map(({ goal }) => goal))).toEqual(steps.map(({ traded }) => traded))
  })

  it.each<[string, object | null, string]>([
    ['no goal', {}, 'state one of quantity, value and weight'],
    ['null', null, 'state one of quantity, value and weight'],
    ['two goals', { quantity: 1, value: 5 }, 'state one of quantity, value and weight'],
    ['a goal that is no number', { weight: Number.NaN }, 'as a finite number'],
    ['an unknown goal', { share: 0.5 }, 'share is none of quantity, value and weight'],
  ])('refuses %s', async (_, goal, message) => {
    const goals: readonly TargetPosition[] = JSON.parse(JSON.stringify([goal]))
    await expect(trade(goal !== null && 'weight' in goal ? [{ weight: Number.NaN }] : goals)).rejects.toThrow(
      message,
    )
  })

  it('refuses an asset that does not trade', async () => {
    const strategy = defineStrategy({
      name: 'lost',
      onStart: async ({ venue }) => void (await venue.target('ETH', { quantity: 1 })),
    })
    await expect(backtest(strategy, { scenario: compiledScenario(still) })).rejects.toThrow(
      'the venue does not trade ETH',
    )
  })

  it('does the same over HTTP', async () => {
    await using venue = await startVenue({ scenario: compiledScenario(still) })
    const goals = [{ weight: 0.25 }, { value: 300 }, { quantity: -2 }]
    const live = await runLive(follow(goals), { baseUrl: venue.url, clock: 'manual', span: '5m' })
    expect(JSON.parse(live.notes[0]?.text ?? '[]')).toEqual(await trade(goals))
  })
})
