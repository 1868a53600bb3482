import { describe, expect, it } from 'vitest'
import { backtest } from '../../src/backtest/backtest.ts'
import { describeParameter, resolveParameters } from '../../src/backtest/parameters.ts'
import { defineStrategy } from '../../src/backtest/strategy.ts'
import { compiledScenario } from '../support/compiled-scenario.ts'
import { busyScenario } from './scenarios.ts'

const scenario = compiledScenario(busyScenario)
const start = Date.UTC(2026, 0, 5)

describe('hooks', () => {
  it('are called in a fixed order at one instant, one after the other', async () => {
    const seen: string[] = []
    const strategy = defineStrategy({
      name: 'orderly',
      tick: '10s',
      bar: '10s',
      assets: () => ['BTC'],
      async onStart({ every, price, venue }) {
        every('10s', 'timer')
        await venue.orders.create({ side: 'buy', asset: 'BTC', quantity: 0.1, price: price('BTC').ask })
      },
      async onFill({ sleep }) {
        seen.push('fill')
        await sleep(0)
        seen.push('fill done')
      },
      onOrderUpdate: (_context, { status }) => void seen.push(`order ${status}`),
      onTimer: (_context, { name }) => void seen.push(name),
      onBar: (_context, { asset }) => void seen.push(`bar ${asset}`),
      onTick: (_context, { index }) => void seen.push(`tick ${index}`),
    })
    for (const client of ['sync', 'async'] as const) {
      seen.length = 0
      await backtest(strategy, { scenario, to: '10s', client })
      expect(seen).toEqual(['fill', 'fill done', 'order filled', 'timer', 'bar BTC', 'tick 1'])
    }
  })

  it('skip the ticks and timers during which one of them sleeps', async () => {
    const seen: string[] = []
    const sleeper = defineStrategy({
      name: 'sleeper',
      tick: '1s',
      onStart({ every }) {
        every('2s', 'two')
      },
      async onTick({ now, sleep }, { index }) {
        seen.push(`tick ${index} ${(now - start) / 1000}`)
        if (index === 3) await sleep('4500ms')
      },
      onTimer: ({ now }) => void seen.push(`timer ${(now - start) / 1000}`),
    })
    const { calls } = await backtest(sleeper, { scenario, to: '10s' })
    expect(seen).toEqual([
      'tick 1 1',
      'timer 2',
      'tick 2 2',
      'tick 3 3',
      'timer 7.5',
      'timer 8',
      'tick 8 8',
      'tick 9 9',
      'timer 10',
      'tick 10 10',
    ])
    expect(calls).toMatchObject({ onTick: 6, onTimer: 4, onEnd: 1 })
  })

  it('can end the run, and set and cancel timers', async () => {
    const seen: string[] = []
    const strategy = defineStrategy({
      name: 'timers',
      onStart({ after, clear, every }) {
        clear(every('1s', 'cleared'))
        after('2500ms', 'once')
        every('1s', 'each')
      },
      onTimer({ now, stop }, { name }) {
        seen.push(`${name} ${now - start}`)
        if (now - start === 4000) stop()
      },
      onEnd: ({ now }) => void seen.push(`end ${now - start}`),
    })
    const result = await backtest(strategy, { scenario, to: '1m', tick: '30s' })
    expect(seen).toEqual(['each 1000', 'each 2000', 'once 2500', 'each 3000', 'each 4000', 'end 4000'])
    expect(result.toMillis).toBe(start + 4000)
  })

  it.each(['onFill', 'onOrderUpdate', 'onTimer', 'onBar', 'onTick'] as const)(
    'are not called any more once %s has asked for the end',
    async (last) => {
      const called: string[] = []
      const callOf =
        (name: string) =>
        ({ stop }: { stop(): void }) => {
          called.push(name)
          if (name === last) stop()
        }
      const strategy = defineStrategy({
        name: 'quitter',
        tick: '10s',
        bar: '10s',
        async onStart({ every, price, venue }) {
          for (const name of ['first', 'second']) every('10s', name)
          for (const asset of ['BTC', 'ETH'])
            await venue.orders.create({ side: 'buy', asset, quantity: 1, price: price(asset).ask })
        },
        onFill: callOf('onFill'),
        onOrderUpdate: callOf('onOrderUpdate'),
        onTimer: callOf('onTimer'),
        onBar: callOf('onBar'),
        onTick: callOf('onTick'),
        onEnd: callOf('onEnd'),
      })
      await backtest(strategy, { scenario, to: '1m' })
      expect([called.indexOf(last), called.slice(-1)]).toEqual([called.length - 2, ['onEnd']])
    },
  )

  it('see the feed with its delay', async () => {
    const prices: number[][] = [[], []]
    const reader = (into: number[]) =>
      defineStrategy({ name: 'reader', tick: '1s', onTick: ({ price }) => void into.push(price('BTC').mid) })
    await backtest(reader(prices[0] ?? []), { scenario, to: '20s' })
    await backtest(reader(prices[1] ?? []), { scenario, to: '20s', latency: { feed: '2500ms' } })
    expect(prices[1]).toEqual(prices[0]?.slice(0, 17))
  })
})

describe('rate limits', () => {
  const chatty = defineStrategy({
    name: 'chatty',
    tick: '10s',
    async onTick({ note, now, venue }, { index }) {
      if (index !== 1) return
      for (let count = 0; count < 25; count += 1) {
        const asset = count % 2 === 0 ? 'BTC' : 'ETH'
        await venue.orders.create({ side: 'buy', asset, quantity: 0.01, price: 1000 + count })
      }
      note(`done after ${(await venue.orders.list({ limit: 1 })).pagination.total} at ${now}`)
    },
  })

  it.each(['sync', 'async'] as const)('make a request wait for the next window (%s)', async (client) => {
    const { metrics, orders } = await backtest(chatty, { scenario, to: '30s', client, rateLimits: true })
    const seconds = orders.map(({ createdAtMillis }) => (createdAtMillis - start) / 1000)
    expect([seconds[0], seconds[9], seconds[10], seconds[19], seconds[20], seconds[24]]).toEqual([
      10, 10, 11, 11, 12, 12,
    ])
    expect(metrics.maker.rateLimited).toBe(2)
  })

  it('delay nothing unless enabled', async () => {
    const { metrics, orders } = await backtest(chatty, { scenario, to: '30s' })
    expect(new Set(orders.map(({ createdAtMillis }) => createdAtMillis)).size).toBe(1)
    expect(metrics.maker.rateLimited).toBe(0)
  })
})

describe('parameters', () => {
  const declared = {
    count: { type: 'integer', default: 3, minimum: 1 },
    share: { type: 'number', default: 0.5, maximum: 1 },
    wait: { type: 'duration', default: '5m', maximum: '1h' },
    side: { type: 'string', default: 'buy', oneOf: ['buy', 'sell'] },
    isBold: { type: 'boolean', default: false },
  } as const

  it('have their defaults, or the given values, as text or typed', () => {
    expect(resolveParameters(declared)).toEqual({
      count: 3,
      share: 0.5,
      wait: 300_000,
      side: 'buy',
      isBold: false,
    })
    const texts = { count: '7', share: '0.25', wait: '90s', side: 'sell', isBold: 'true' }
    const values = { count: 7, share: 0.25, wait: 90_000, side: 'sell', isBold: true }
    expect(resolveParameters(declared, texts)).toEqual(values)
    expect(resolveParameters(declared, values)).toEqual(values)
  })

  it.each([
    [{ count: '0' }, 'parameter count: expected a whole number, at least 1, found "0"'],
    [{ count: '1.5' }, 'parameter count: expected a whole number, found "1.5"'],
    [{ share: 'NaN' }, 'parameter share: expected a number, found "NaN"'],
    [{ wait: '2h' }, 'parameter wait: expected a span, at most 1h, found "2h"'],
    [{ wait: 'soon' }, 'parameter wait: expected a span such as 250ms, 5s or 1h, found "soon"'],
    [{ side: 'both' }, 'parameter side: expected one of buy, sell, found "both"'],
    [{ isBold: 'yes' }, 'parameter isBold: expected true or false, found "yes"'],
    [{ cuont: 1 }, 'the strategy has no parameter "cuont"; did you mean "count"?'],
  ])('refuses %j', (given, message) => {
    expect(() => resolveParameters(declared, given)).toThrow(message)
  })

  it('are described in a line each', () => {
    expect(describeParameter('wait', declared.wait)).toBe('wait: duration, at most 1h, default 5m')
  })
})
