import {
  aBoolean,
  aFunction,
  aNumber,
  anObjectLike,
  aText,
  type OptionsOf,
  oneOfTexts,
  optionList,
  withFlag,
} from '../api/options.ts'
import type { World } from '../world/world.ts'
import { type LatencyOptions, parseLatency } from './latency.ts'
import type { ParameterValue } from './result.ts'
import { sourceOptions } from './source.ts'

export const runOptions = {
  /** The start of the run: an instant, or a span after the market's start. By default it is the market's start. */
  from: withFlag(aText, '<time>', "start of the run: a time, or a span after the market's start"),
  /** The end of the run: an instant, or a span after `from`. By default it is the end of the scenario or recording. */
  to: withFlag(aText, '<time>', 'end of the run: a time, or a span after its start'),
  /** The number of bars that the strategy has before `from`; overrides the strategy's own `warmUp`. */
  warmUp: withFlag(aNumber, '<bars>', "bars before the start of the run, instead of the strategy's warmUp"),
  /** The account to trade with; overrides the strategy's own `account`. */
  account: withFlag(aText, '<id>', "trade with this account instead of the strategy's"),
  /** The span between two ticks. By default it is the strategy's `tick`, else the grid of the venue's clock. */
  tick: withFlag(aText, '<span>', 'the span between two reads of the feed'),
  /** The span between two points of the equity; `1h` by default. */
  equityGrid: withFlag(aText, '<span>', 'the span between two points of the equity', { default: '1h' }),
  /** The yearly interest rate that ratios and alpha are in excess of, as a fraction: 0.04 is 4 %; 0 by default. */
  riskFreeRate: withFlag(
    aNumber,
    '<fraction>',
    'yearly interest rate that ratios and alpha deduct: 0.04 is 4 %; 0 by default',
  ),
  latency: withFlag(
    { ...anObjectLike<LatencyOptions>(), read: parseLatency },
    '<delays>',
    'such as 5ms, or order=5ms,response=3ms,feed=normal(20ms, 5ms)',
  ),
  /** Whether the strategy's client answers at once (`sync`, the default) or returns promises, as it does over HTTP. */
  client: withFlag(oneOfTexts('sync', 'async'), '<kind>', 'answers at once, or promises as over HTTP', {
    default: 'sync',
  }),
  /**
   * Whether the venue's rate limits apply, by the venue's time. A request over a limit waits for the next window, as it
   * does with the client library. Off by default, because a run over HTTP on a stepped clock has no limits either.
   */
  rateLimits: withFlag(aBoolean, null, "apply the venue's rate limits, by the venue's time"),
}

export const watchOptions = {
  /**
   * Receives, now and then, the share of the time from the market's start to the run's end that has passed, and the
   * venue's time.
   */
  progress: aFunction<((done: number, nowMillis: number) => void) | undefined>(),
  /** Receives the run's world before anything happens in it, so that it can be journaled. */
  onWorld: aFunction<((world: World) => void) | undefined>(),
}

export const parametersOption = {
  /** Values of the strategy's parameters by name, as texts or as values of their types. */
  parameters: anObjectLike<Readonly<Record<string, ParameterValue>>>(),
}

export const backtestOptions = {
  ...sourceOptions,
  ...runOptions,
  ...watchOptions,
  ...parametersOption,
  /** Sharpe ratios per period of all variants that were tried; the deflated Sharpe ratio is computed from them. */
  trials: optionList(aNumber),
}

export type BacktestOptions = OptionsOf<typeof backtestOptions>
