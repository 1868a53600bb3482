import type { BarMakerState } from '../bar-maker.ts'
import type { Delay } from '../latency.ts'
import type { ParameterValues } from '../result.ts'
import type { Bar, Strategy } from '../strategy.ts'
import type { Host, Observation } from '../venue/host.ts'
import type { RunState } from './run-state.ts'

export interface StrategyRunOptions {
  readonly strategy: Strategy
  readonly parameters: ParameterValues
  readonly account: string
  readonly host: Host
  readonly seed: string
  readonly tickMillis: number
  readonly barMillis: number | null
  /** How many bars `bars` of the context keeps. */
  readonly barsKept?: number
  /** The bars before the run begins, and the one that is being made. */
  readonly past?: { readonly bars: readonly Bar[]; readonly maker: BarMakerState } | undefined
  readonly feed: Delay
  readonly endMillis: number
  /** Told now and then what share of the run is done, and the venue's time. */
  readonly progress?: ((done: number, nowMillis: number) => void) | undefined
  /** Whether the user has asked for the end. */
  readonly isEnded?: () => boolean
  /** Goes on from there instead of beginning; `seen` is what the host last showed. */
  readonly from?: { readonly run: RunState; readonly seen: Observation } | undefined
  /** Called once, after everything at an instant has happened: the run may be captured then. */
  readonly pause?: { readonly atMillis: number; readonly come: () => void } | undefined
}
