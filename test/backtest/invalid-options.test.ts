import { describe, expect, it } from 'vitest'
import trend from '../../scenarios/strategies/trend.ts'
import { backtest } from '../../src/backtest/backtest.ts'
import type { BacktestOptions } from '../../src/backtest/backtest-options.ts'
import { resolveSource } from '../../src/backtest/source.ts'
import { defineStrategy } from '../../src/backtest/strategy.ts'
import { compiledScenario } from '../support/compiled-scenario.ts'
import { busyScenario } from './scenarios.ts'

const scenario = compiledScenario(busyScenario)

describe('invalid options', () => {
  const to = '1m'
  const twoHours = [0, 1].map((hour) => ({
    atMillis: Date.UTC(2026, 0, 5, hour),
    spanMillis: 3_600_000,
    open: 100,
    high: 104,
    low: 99,
    close: 103,
    volume: 1,
  }))

  it.each<[string, BacktestOptions, RegExp]>([
    ['no source', { to }, /one source/],
    ['two sources', { scenario, model: 'gbm', to }, /one source/],
    [
      'an unknown scenario',
      { scenario: 'clam', to },
      /no shipped scenario is called "clam"; did you mean "calm"\?/,
    ],
    ['an unknown model', { model: 'gbn', to }, /gbn/],
    ['a figure of a model given twice', { model: 'gbm,vol=1,vol=2', to }, /model: vol is given twice/],
    ['a second kind of model', { model: 'gbm,kind=heston', to }, /model: kind is given twice/],
    ['a figure of a model with two values', { model: 'gbm,vol=1=2', to }, /vol.*"1=2"/],
    ['a model with a comma behind it', { model: 'gbm,', to }, /model: expected name=value .*, found ""/],
    ['an unknown figure of a model', { model: 'gbm,__proto__=1', to }, /__proto__/],
    ['an end before the start', { scenario, from: '5m', to: '2026-01-05T00:01:00Z' }, /to: it is not after/],
    ['a start before the market', { scenario, from: '2020-01-01', to }, /from: it is before/],
    ['an end after the end of time', { scenario, to: '9000000d' }, /to: time ends at 9998-01-01/],
    ['a start after the end of time', { scenario, from: '9000000d', to }, /to: time ends at 9998-01-01/],
    [
      'more points of equity than a process holds',
      { scenario, to: '1d', equityGrid: '1ms' },
      /equityGrid: every 1ms would be 86400000 points; 6000000 is the most, so take 15ms or more/,
    ],
    ['no end', { model: 'gbm,vol=0.5' }, /to: the scenario has no end/],
    [
      'a time without a zone',
      { scenario, to: '2026-01-05T06:00' },
      /to: .* write 2026-01-05T06:00:00Z for UTC/,
    ],
    ['an invalid time', { scenario, to: 'soon' }, /to: expected a time/],
    ['an unknown account', { scenario, to, account: 'dusk' }, /account: .*dusk/],
    ['an unknown parameter', { scenario, to, parameters: { fsat: 3 } }, /did you mean "fast"/],
    ['a parameter out of range', { scenario, to, parameters: { fast: 0 } }, /parameter fast: .*1 to 10000/],
    [
      'a parameter that is not a number',
      { scenario, to, parameters: { fast: 'ten' } },
      /parameter fast: .*"ten"/,
    ],
    ['an invalid delay', { scenario, to, latency: { order: 'fast' } }, /latency.order: expected a span/],
    ['a tick of 0', { scenario, to, tick: '0s' }, /tick: expected a span/],
    ['no candles', { candles: [], to }, /candles: there are none/],
    [
      'an end after the recording',
      { candles: twoHours, to: '2h1s', parameters: { bar: '1h' } },
      /to: the run would end at 2026-01-05T02:00:01.000Z, and the recording ends at 2026-01-05T02:00:00.000Z/,
    ],
    [
      'an end after the recording of a scenario',
      { scenario: resolveSource({ candles: twoHours }).scenario, to: '3h' },
      /to: the run would end at 2026-01-05T03:00:00.000Z, and the recording ends at 2026-01-05T02:00:00.000Z/,
    ],
    ['a bar that is shorter than the tick', { candles: twoHours }, /bar: 1m is shorter than 15m, the tick/],
  ])('%s', async (_name, options, message) => {
    await expect(backtest(trend, options)).rejects.toThrow(message)
  })

  it('are distinguished from what the strategy throws, which is reported with hook and time', async () => {
    const broken = defineStrategy({
      name: 'broken',
      onTick(_context, { index }) {
        if (index === 3) throw new Error('no idea')
      },
    })
    const run = backtest(broken, { scenario, to })
    await expect(run).rejects.toThrow('broken: onTick failed at 2026-01-05T00:00:03.000Z: Error: no idea')
    await expect(run).rejects.toMatchObject({ name: 'StrategyError', hook: 'onTick' })
  })
})
