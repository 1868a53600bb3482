import type { ParameterValues } from './result.ts'
import type { Strategy } from './strategy.ts'
import { StrategyError } from './strategy-error.ts'
import type { Host } from './venue/host.ts'

/* What a strategy is asked before it runs. */

/** Its own data at the beginning. Throws a StrategyError for what its function throws. */
export function askState(strategy: Strategy, parameters: ParameterValues, { nowMillis }: Host): unknown {
  return asked(strategy, 'state', nowMillis, () => strategy.state?.(parameters) ?? {})
}

/**
 * The assets whose bars it wants; all that trade unless it says. Throws a StrategyError for what its function throws.
 */
export function askAssets(
  strategy: Strategy,
  parameters: ParameterValues,
  { assets, nowMillis }: Host,
): readonly string[] {
  return asked(strategy, 'assets', nowMillis, () => {
    const wanted: unknown = strategy.assets?.(parameters) ?? assets
    if (!Array.isArray(wanted)) throw new TypeError("it must answer a list, such as ['BTC']")
    return wanted.map(String)
  })
}

function asked<Answer>(
  strategy: Strategy,
  name: 'assets' | 'state',
  nowMillis: number,
  ask: () => Answer,
): Answer {
  try {
    return ask()
  } catch (cause) {
    throw new StrategyError(strategy.name, name, nowMillis, cause)
  }
}
