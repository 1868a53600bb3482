import type { OptionKindsOf } from '../api/option-kinds.ts'
import {
  aFunction,
  aListOrObject,
  aNumber,
  anObject,
  aText,
  aTextOrNumber,
  aTextOrObject,
  aTruth,
  listOf,
  oneOfTexts,
} from '../api/option-kinds.ts'
import type { World } from '../world/world.ts'
import type { BacktestCapture } from './capture/capture.ts'
import type { LatencyOptions } from './latency.ts'
import type { ParameterValue } from './result.ts'
import type { SourceOptions } from './source.ts'

export interface BacktestOptions extends SourceOptions {
  /** Values of the strategy's parameters, as texts or as themselves. */
  readonly parameters?: Readonly<Record<string, ParameterValue>>
  /** Replaces the strategy's. */
  readonly account?: string
  /** When the strategy begins: an instant, or a span after the market's start; at that start by default. */
  readonly from?: string
  /** When it ends: an instant, or a span after `from`; the scenario's or recording's end by default. */
  readonly to?: string
  /** How many bars there are before `from`, instead of the strategy's `warmUp`. */
  readonly warmUp?: number
  /** The time between two looks at the feed; the strategy's, else the venue's grid. */
  readonly tick?: string
  /** The time between two points of the equity; `1h` by default. */
  readonly equityGrid?: string
  readonly latency?: LatencyOptions
  /** `async`: the strategy's client promises its answers as over HTTP. */
  readonly client?: 'sync' | 'async'
  /**
   * Whether the venue's rate limits hold, by its own time: a request over them waits for the next window, as with the
   * client library. Off by default: a run over HTTP on a stepped clock has no limits either.
   */
  readonly rateLimits?: boolean
  /** A year's interest without risk, as a fraction: 0.04 is 4 %. Ratios and alpha are beyond it; 0 by default. */
  readonly riskFreeRate?: number
  /** Sharpe ratios per period of all variants that were tried, for the deflated one. */
  readonly trials?: readonly number[]
  /** Told now and then how much of the time from the market's start to the run's end is over, and the venue's time. */
  readonly progress?: ((done: number, nowMillis: number) => void) | undefined
  /** Given the world before anything happens in it, so that it can be journaled. */
  readonly onWorld?: ((world: World) => void) | undefined
  /** When `onCapture` is given the state of the run: an instant, or a span after `from`. The run continues. */
  readonly captureAt?: string
  readonly onCapture?: ((capture: BacktestCapture) => void) | undefined
}

/** What only a single run has; a sweep has values for some of it. */
export type OptionOfOneRun =
  | ('scenario' | 'seed' | 'parameters' | 'trials')
  | ('progress' | 'onWorld' | 'captureAt' | 'onCapture')

/** What is the same for all runs of a sweep. */
export const kindsOfAllRuns: OptionKindsOf<Omit<BacktestOptions, OptionOfOneRun>> = {
  candles: aListOrObject,
  model: aText,
  market: anObject,
  account: aText,
  from: aText,
  to: aText,
  warmUp: aNumber,
  tick: aText,
  equityGrid: aText,
  latency: anObject,
  client: oneOfTexts('sync', 'async'),
  rateLimits: aTruth,
  riskFreeRate: aNumber,
}

export const backtestKinds: OptionKindsOf<BacktestOptions> = {
  ...kindsOfAllRuns,
  scenario: aTextOrObject,
  seed: aTextOrNumber,
  parameters: anObject,
  trials: listOf(aNumber),
  progress: aFunction,
  onWorld: aFunction,
  captureAt: aText,
  onCapture: aFunction,
}
