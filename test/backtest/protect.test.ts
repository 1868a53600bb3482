import { describe, expect, it } from 'vitest'
import { backtest } from '../../src/backtest/backtest.ts'
import type { BacktestOptions } from '../../src/backtest/backtest-options.ts'
import { eventSection } from '../../src/backtest/report/event-section.ts'
import { priceSection } from '../../src/backtest/report/trade-sections.ts'
import type { BacktestResult } from '../../src/backtest/result.ts'
import { defineStrategy, type ProtectedLevels } from '../../src/backtest/strategy.ts'
import type { Chart } from '../../src/pages/chart.ts'
import { compiledScenario } from '../support/compiled-scenario.ts'

const startMillis = Date.UTC(2026, 0, 5)
const minute = 60_000

/** Candles of a minute that stand still at one price each, so that the mid of minute n is the nth price. */
const recordPrices = (prices: readonly number[]): Pick<BacktestOptions, 'candles' | 'market'> => ({
  candles: {
    BTC: prices.map((price, place) => ({
      atMillis: startMillis + place * minute,
      spanMillis: minute,
      volume: 0,
      ...{ open: price, high: price, low: price, close: price },
    })),
  },
  market: { type: 'margin' },
})

/** Enters a position at the first tick and protects it at once. */
const holder = (quantity: number, levels: ProtectedLevels) =>
  defineStrategy({
    name: 'holder',
    tick: '1m',
    async onTick({ venue }, { index }) {
      if (index !== 1) return
      await venue.target('BTC', { quantity })
      venue.protect('BTC', levels)
    },
  })

interface Case {
  readonly quantity: number
  readonly levels: ProtectedLevels
  readonly prices: readonly number[]
  /** The minute at which the position is closed, and why; null where it is held to the end. */
  readonly exit: readonly [minute: number, why: 'stop' | 'takeProfit' | 'trail'] | null
}

describe('venue.protect', () => {
  it.each<[string, Case]>([
    [
      'a stop',
      { quantity: 1, levels: { stop: 990 }, prices: [1000, 1000, 991, 989, 980, 980], exit: [3, 'stop'] },
    ],
    [
      'a stop beyond its price',
      { quantity: 1, levels: { stop: 990 }, prices: [1000, 1000, 991, 950, 980, 980], exit: [3, 'stop'] },
    ],
    [
      'no stop that is not reached',
      { quantity: 1, levels: { stop: 990 }, prices: [1000, 1000, 991, 995, 991, 991], exit: null },
    ],
    [
      'a stop that is passed already',
      {
        quantity: 1,
        levels: { stop: 1010 },
        prices: [1000, 1000, 1000, 1000, 1000, 1000],
        exit: [2, 'stop'],
      },
    ],
    [
      'a take-profit',
      {
        quantity: 1,
        levels: { takeProfit: 1020 },
        prices: [1000, 1000, 1019, 1021, 980, 980],
        exit: [3, 'takeProfit'],
      },
    ],
    [
      'the first of two levels',
      {
        quantity: 1,
        levels: { stop: 990, takeProfit: 1020 },
        prices: [1000, 1000, 1025, 900, 900, 900],
        exit: [2, 'takeProfit'],
      },
    ],
    [
      'a trailing stop below the best price',
      {
        quantity: 1,
        levels: { trail: 20 },
        prices: [1000, 1000, 1050, 1040, 1029, 1000],
        exit: [4, 'trail'],
      },
    ],
    [
      'a trailing stop in percent',
      {
        quantity: 1,
        levels: { trailPercent: 1 },
        prices: [1000, 1000, 1100, 1090, 1089, 1000],
        exit: [4, 'trail'],
      },
    ],
    [
      'a trailing stop that starts at the call',
      { quantity: 1, levels: { trail: 20 }, prices: [1100, 1000, 985, 981, 979, 970], exit: [4, 'trail'] },
    ],
    [
      'a stop of a short position',
      {
        quantity: -1,
        levels: { stop: 1010 },
        prices: [1000, 1000, 1009, 1011, 1000, 1000],
        exit: [3, 'stop'],
      },
    ],
    [
      'a take-profit of a short position',
      {
        quantity: -1,
        levels: { takeProfit: 980 },
        prices: [1000, 1000, 985, 975, 1000, 1000],
        exit: [3, 'takeProfit'],
      },
    ],
    [
      'a trailing stop of a short position',
      { quantity: -1, levels: { trail: 20 }, prices: [1000, 1000, 950, 960, 970, 900], exit: [4, 'trail'] },
    ],
  ])('closes at %s', async (_, { exit, levels, prices, quantity }) => {
    const { equity, exits, fills } = await backtest(holder(quantity, levels), {
      ...recordPrices(prices),
      equityGrid: '1m',
    })
    const [own] = exits ?? []
    expect(exits).toHaveLength(1)
    expect(own?.end ?? null).toBe(exit?.[1] ?? null)
    expect(equity.assets[0]?.position.at(-1)).toBe(exit === null ? quantity : 0)
    if (exit === null) return
    expect(own?.toMillis).toBe(startMillis + exit[0] * minute)
    expect(
      fills.filter(({ orderId }) => own?.orderIds.includes(orderId ?? '')).map(({ quantity: one }) => one),
    ).toEqual([Math.abs(quantity)])
  })

  it('keeps where a trailing stop stood', async () => {
    const { exits } = await backtest(
      holder(1, { trail: 20 }),
      recordPrices([1000, 1000, 1050, 1040, 1060, 1000]),
    )
    expect(exits?.[0]?.trail?.levels.map(Math.round)).toEqual([1030, 1040])
    expect(exits?.[0]?.trail?.atMillis).toEqual([2, 4].map((at) => startMillis + at * minute))
  })

  it('ends by itself when the position is closed by other means, and leaves a later one alone', async () => {
    const strategy = defineStrategy({
      name: 'changes its mind',
      tick: '1m',
      async onTick({ venue }, { index }) {
        if (index === 1) await venue.target('BTC', { quantity: 1 })
        if (index === 1) venue.protect('BTC', { stop: 990 })
        if (index === 2) await venue.target('BTC', { quantity: 0 })
        if (index === 4) await venue.target('BTC', { quantity: 2 })
      },
    })
    const result = await backtest(strategy, recordPrices([1000, 1000, 1000, 1000, 1000, 900, 900, 900]))
    expect(result.exits?.map(({ end, orderIds }) => [end, orderIds])).toEqual([['flat', []]])
    expect(result.equity.assets[0]?.position.at(-1)).toBe(2)
  })

  it('ends when the position has turned', async () => {
    const strategy = defineStrategy({
      name: 'turns',
      tick: '1m',
      async onTick({ venue }, { index }) {
        if (index === 1) await venue.target('BTC', { quantity: 1 })
        if (index === 1) venue.protect('BTC', { stop: 990 })
        if (index === 3) await venue.target('BTC', { quantity: -1 })
      },
    })
    const result = await backtest(strategy, recordPrices([1000, 1000, 1000, 1000, 900, 900, 900]))
    expect(result.exits?.map(({ end }) => end)).toEqual(['flat'])
    expect(result.equity.assets[0]?.position.at(-1)).toBe(-1)
  })

  it('is replaced by the next call, and ended by null', async () => {
    const strategy = defineStrategy({
      name: 'thinks again',
      tick: '1m',
      async onTick({ venue }, { index }) {
        if (index === 1) await venue.target('BTC', { quantity: 1 })
        if (index === 1) venue.protect('BTC', { stop: 990 })
        if (index === 2) venue.protect('BTC', { stop: 950 })
        if (index === 4) venue.protect('BTC', null)
      },
    })
    const result = await backtest(strategy, recordPrices([1000, 1000, 1000, 980, 980, 900, 900]))
    expect(result.exits?.map(({ end }) => end)).toEqual(['replaced', 'cleared'])
    expect(result.equity.assets[0]?.position.at(-1)).toBe(1)
  })

  it('cancels what rests on the closing side first, and nothing else', async () => {
    const strategy = defineStrategy({
      name: 'brackets',
      tick: '1m',
      async onTick({ venue }, { index }) {
        if (index !== 1) return
        await venue.target('BTC', { quantity: 1 })
        await venue.orders.create({ asset: 'BTC', side: 'sell', quantity: 1, price: 1100 })
        await venue.orders.create({ asset: 'BTC', side: 'buy', quantity: 1, price: 800 })
        venue.protect('BTC', { stop: 990 })
      },
    })
    const { orders, equity } = await backtest(strategy, {
      ...recordPrices([1000, 1000, 1000, 980, 980]),
      market: { type: 'cash' },
    })
    expect(orders.map(({ side, status, type }) => [side, type, status])).toEqual([
      ['buy', 'market', 'filled'],
      ['sell', 'limit', 'cancelled'],
      ['buy', 'limit', 'open'],
      ['sell', 'market', 'filled'],
    ])
    expect(equity.assets[0]?.position.at(-1)).toBe(0)
  })

  it('stands where the exit is refused, and tries again at the next tick', async () => {
    const scenario = compiledScenario({
      version: 1,
      name: 'halted',
      clock: { start: '2026-01-05T00:00:00Z', end: '10m', grid: '1s' },
      market: { flow: { kind: 'none' }, assets: { BTC: { price: 1000, model: { kind: 'constant' } } } },
      accounts: [{ id: 'desk', type: 'margin', balances: { USD: 100_000 } }],
      timeline: [{ at: '+90s', halt: { asset: 'BTC', for: '3m' } }],
    })
    const strategy = defineStrategy({ ...holder(1, { stop: 1100 }), onRefusal: 'note' })
    const { exits, notes } = await backtest(strategy, { scenario })
    expect(notes.map(({ text }) => text.slice(0, 20))).toEqual(Array(3).fill('protect was refused:'))
    expect(exits?.map(({ end, toMillis }) => [end, toMillis])).toEqual([['stop', startMillis + 5 * minute]])
    await expect(backtest(holder(1, { stop: 1100 }), { scenario })).rejects.toThrow('protect failed at')
  })

  it.each<[string, object, string]>([
    ['no level', {}, 'state at least one of stop, takeProfit, trail, trailPercent'],
    ['an unknown level', { target: 5 }, 'target is none of'],
    ['a level of 0', { stop: 0 }, 'stop is a finite number above 0, found 0'],
    ['a text', { takeProfit: '5' }, 'takeProfit is a finite number above 0, found 5'],
    ['all of the price', { trailPercent: 100 }, 'trailPercent is below 100'],
    ['two trailing stops', { trail: 5, trailPercent: 1 }, 'state one of trail and trailPercent'],
  ])('refuses %s', async (_, levels, message) => {
    await expect(backtest(holder(1, levels), recordPrices([1000, 1000, 1000]))).rejects.toThrow(message)
  })

  it('refuses an asset that does not trade', async () => {
    const strategy = defineStrategy({
      name: 'lost',
      onStart: ({ venue }) => venue.protect('ETH', { stop: 1 }),
    })
    await expect(backtest(strategy, recordPrices([1000, 1000]))).rejects.toThrow(
      'the venue does not trade ETH',
    )
  })

  it('says how many protections were left out of the result', async () => {
    const strategy = defineStrategy({
      name: 'restless',
      onStart({ venue }) {
        for (let place = 1; place <= 10_005; place += 1) venue.protect('BTC', { stop: place })
      },
    })
    const { exits, metrics } = await backtest(strategy, recordPrices([1000, 1000]))
    expect(exits).toHaveLength(10_000)
    expect(metrics.warnings).toContain(
      'The strategy set 10005 protections: the first 10000 are kept, 5 are left out.',
    )
  })
})

describe('a report', () => {
  it('draws where the levels stood, and marks and lists what was reached', async () => {
    const levels = { stop: 900, takeProfit: 1200, trail: 20 }
    const result = await backtest(holder(1, levels), recordPrices([1000, 1000, 1050, 1040, 1020, 1000]))
    const [chart] = collectPriceCharts(result)
    const labels = chart?.panels.flatMap(({ layers }) => layers.map(({ label }) => label))
    expect(labels).toEqual(['mark', 'stop', 'take-profit', 'trailing stop', 'exit', 'bought', 'sold'])
    const { body } = eventSection(result)
    expect(body).toContain('BTC, set 2026-01-05 00:01:00 UTC: closed by its trailing stop at 1,030.')
  })
})

/** Collects the charts of prices, without drawing them. */
function collectPriceCharts(result: BacktestResult): readonly Chart[] {
  const charts: Chart[] = []
  const keep = (chart: Chart): string => {
    charts.push(chart)
    return ''
  }
  priceSection(result, { zooms: [], chart: keep, heatMap: () => '' })
  return charts
}
