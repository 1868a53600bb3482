import { aText, flagged, functionOf, type OptionsOf } from '../api/options.ts'
import type { WorldSnapshot } from '../journal/world-snapshot.ts'
import type { World } from '../world/world.ts'
import type { RunSetup, RunWatch } from './carry-out.ts'
import type { RunState } from './run/run-state.ts'
import { instantOf } from './run-span.ts'
import type { Strategy } from './strategy.ts'
import type { WorldHostState } from './venue/world-host.ts'

/**
 * The whole state of a backtest between two instants. `resumeBacktest` can continue from it any number of times, and
 * ends with the same bytes as the captured run. It never changes; `captureDocument` makes a file of it.
 */
export interface BacktestCapture {
  readonly strategy: string
  readonly atMillis: number
  readonly setup: RunSetup
  readonly world: WorldSnapshot
  readonly host: WorldHostState
  readonly run: RunState
}

export const captureOptions = {
  /** When `onCapture` is given the state of the run: an instant, or a span after `from`. The run continues. */
  captureAt: flagged(
    aText,
    '<time>',
    'when the run is written to --capture: a time, or a span after --from',
    { needs: ['capture'] },
  ),
  onCapture: functionOf<((capture: BacktestCapture) => void) | undefined>(),
}

export type CaptureOptions = OptionsOf<typeof captureOptions>

/** Undefined where nothing is to be captured. Throws a RangeError for an instant not within the run. */
export function pauseFor(
  strategy: Strategy,
  world: World,
  setup: RunSetup,
  { captureAt, onCapture }: CaptureOptions,
): RunWatch['pause'] {
  if (captureAt === undefined) return undefined
  const atMillis = instantOf(captureAt, world.now, 'captureAt')
  if (atMillis < world.now || atMillis >= setup.endMillis)
    throw new RangeError('captureAt: it is not within the run')
  return {
    atMillis,
    come: (run, host) =>
      onCapture?.({
        strategy: strategy.name,
        atMillis,
        setup,
        host: host.capture(),
        run: run.capture(),
        world: world.snapshot(),
      }),
  }
}
