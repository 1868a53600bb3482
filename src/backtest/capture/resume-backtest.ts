import { checkOptions, type OptionKindsOf } from '../../api/check-options.ts'
import { aFunction, aText } from '../../api/option-kinds.ts'
import { forkWorld, type World } from '../../world/world.ts'
import { carryOut } from '../carry-out.ts'
import type { BacktestResult } from '../result.ts'
import type { Strategy } from '../strategy.ts'
import { type BacktestCapture, type CaptureOptions, pauseFor } from './capture.ts'

export interface ResumeOptions extends CaptureOptions {
  readonly progress?: ((done: number, nowMillis: number) => void) | undefined
  /** Given the world before anything more happens in it. */
  readonly onWorld?: ((world: World) => void) | undefined
}

/**
 * Continues a captured run with the same strategy, to the same result, byte for byte, as if it had never stopped. What
 * a strategy keeps outside its `state` is not captured.
 *
 * Rejects with a RangeError for another strategy, and otherwise like `backtest`.
 */
export async function resumeBacktest(
  strategy: Strategy,
  capture: BacktestCapture,
  options: ResumeOptions = {},
): Promise<BacktestResult> {
  checkOptions('resumeBacktest', options, optionKinds)
  const { host, run, setup } = capture
  if (strategy.name !== capture.strategy) {
    throw new RangeError(`the capture is of strategy "${capture.strategy}", not of "${strategy.name}"`)
  }
  const world = forkWorld(capture.world)
  options.onWorld?.(world)
  const pause = pauseFor(strategy, world, setup, options)
  return carryOut(
    strategy,
    world,
    setup,
    { progress: options.progress, pause },
    { kind: 'resume', host, run },
  )
}

const optionKinds: OptionKindsOf<ResumeOptions> = {
  captureAt: aText,
  onCapture: aFunction,
  progress: aFunction,
  onWorld: aFunction,
}
