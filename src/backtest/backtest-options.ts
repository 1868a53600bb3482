import {
  aNumber,
  aText,
  aTruth,
  flagged,
  functionOf,
  listOf,
  type OptionsOf,
  objectOf,
  oneOfTexts,
} from '../api/options.ts'
import type { World } from '../world/world.ts'
import { type LatencyOptions, parseLatency } from './latency.ts'
import type { ParameterValue } from './result.ts'
import { sourceOptions } from './source.ts'

export const runOptions = {
  /** When the strategy begins: an instant, or a span after the market's start; at that start by default. */
  from: flagged(aText, '<time>', 'when the strategy begins: a time, or a span after the start'),
  /** When it ends: an instant, or a span after `from`; the scenario's or recording's end by default. */
  to: flagged(aText, '<time>', 'when it ends: a time, or a span after that'),
  /** How many bars there are before `from`, instead of the strategy's `warmUp`. */
  warmUp: flagged(aNumber, '<bars>', "bars that are there before --from, instead of the strategy's warmUp"),
  /** Replaces the strategy's. */
  account: flagged(aText, '<id>', "trade with this account instead of the strategy's"),
  /** The time between two looks at the feed; the strategy's, else the venue's grid. */
  tick: flagged(aText, '<span>', 'the span between two looks at the feed'),
  /** The time between two points of the equity; `1h` by default. */
  equityGrid: flagged(aText, '<span>', 'the span between two points of the equity', { default: '1h' }),
  /** A year's interest without risk, as a fraction: 0.04 is 4 %. Ratios and alpha are beyond it; 0 by default. */
  riskFreeRate: flagged(
    aNumber,
    '<fraction>',
    'yearly interest that ratios and alpha are in excess of: 0.04 is 4 %; 0 by default',
  ),
  latency: flagged(
    { ...objectOf<LatencyOptions>(), read: parseLatency },
    '<delays>',
    'such as 5ms, or order=5ms,response=3ms,feed=normal(20ms, 5ms)',
  ),
  /** `async`: the strategy's client promises its answers as over HTTP. */
  client: flagged(oneOfTexts('sync', 'async'), '<kind>', 'answers at once, or promises as over HTTP', {
    default: 'sync',
  }),
  /**
   * Whether the venue's rate limits hold, by its own time: a request over them waits for the next window, as with the
   * client library. Off by default: a run over HTTP on a stepped clock has no limits either.
   */
  rateLimits: flagged(aTruth, null, "the venue's rate limits hold, by its own time"),
}

export const watchOptions = {
  /** Told now and then how much of the time from the market's start to the run's end is over, and the venue's time. */
  progress: functionOf<((done: number, nowMillis: number) => void) | undefined>(),
  /** Given the world before anything happens in it, so that it can be journaled. */
  onWorld: functionOf<((world: World) => void) | undefined>(),
}

export const parametersOption = {
  /** Values of the strategy's parameters, as texts or as themselves. */
  parameters: objectOf<Readonly<Record<string, ParameterValue>>>(),
}

export const backtestOptions = {
  ...sourceOptions,
  ...runOptions,
  ...watchOptions,
  ...parametersOption,
  /** Sharpe ratios per period of all variants that were tried, for the deflated one. */
  trials: listOf(aNumber),
}

export type BacktestOptions = OptionsOf<typeof backtestOptions>
