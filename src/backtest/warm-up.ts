import type { ParameterValues } from './result.ts'
import type { Strategy } from './strategy.ts'
import { askWarmUp } from './strategy-answers.ts'

/** How far a strategy looks back, in bars. */
export interface WarmUp {
  /** How many bars are there when the strategy begins. */
  readonly bars: number
  /** How many are kept for `bars` of the context; 0 where the strategy keeps none. */
  readonly kept: number
}

/** The longest look back: what is kept stays in memory. */
const maximumBars = 1_000_000

/**
 * What a strategy declares, and what the run asks for in its place: at the start there are as many bars as the run
 * says, and as many are kept as the larger of both. Throws a RangeError for anything that is not a number of bars.
 */
export function warmUpOf(
  strategy: Strategy,
  parameters: ParameterValues,
  given: number | undefined,
  nowMillis: number,
): WarmUp {
  const declared = askWarmUp(strategy, parameters, nowMillis)
  const bars = given ?? declared
  for (const count of [declared, bars]) {
    if (!Number.isSafeInteger(count) || count < 0 || count > maximumBars)
      throw new RangeError(`warmUp: ${count} is not a number of bars from 0 to ${maximumBars}`)
  }
  if (bars > 0 && strategy.bar === undefined)
    throw new RangeError(`warmUp: the strategy "${strategy.name}" has no bars; it needs a bar, such as '1h'`)
  return { bars, kept: Math.max(bars, declared) }
}
