import { millisToIso } from '../numeric/time-text.ts'
import type { ParameterValues } from './result.ts'
import type { HookName, Strategy } from './strategy.ts'
import type { Host, Wants } from './venue/host.ts'

/* What a strategy is asked before it runs. */

/** The account that it trades with: the one that the run names, its own, `desk`, or the first there is. */
export function accountIdOf(strategy: Strategy, given: string | undefined, ids: readonly string[]): string {
  return given ?? strategy.account ?? (ids.includes('desk') ? 'desk' : (ids[0] ?? ''))
}

/** What its hooks have to be told about. */
export function wantsOf({ onFill, onOrderUpdate, onQuoteUpdate }: Strategy): Wants {
  return {
    fills: onFill !== undefined,
    orders: onOrderUpdate !== undefined,
    quotes: onQuoteUpdate !== undefined,
  }
}

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
  { assets, nowMillis }: Pick<Host, 'assets' | 'nowMillis'>,
): readonly string[] {
  return asked(strategy, 'assets', nowMillis, () => {
    const wanted: unknown = strategy.assets?.(parameters) ?? assets
    if (!Array.isArray(wanted)) throw new TypeError("it must answer a list, such as ['BTC']")
    return wanted.map(String)
  })
}

/** How many bars it looks back on; none unless it says. Throws a StrategyError for what its function throws. */
export function askWarmUp(strategy: Strategy, parameters: ParameterValues, nowMillis: number): number {
  const { warmUp = 0 } = strategy
  if (typeof warmUp === 'number') return warmUp
  return asked(strategy, 'warmUp', nowMillis, () => warmUp(parameters))
}

function asked<Answer>(
  strategy: Strategy,
  name: 'assets' | 'state' | 'warmUp',
  nowMillis: number,
  ask: () => Answer,
): Answer {
  try {
    return ask()
  } catch (cause) {
    throw new StrategyError(strategy.name, name, nowMillis, cause)
  }
}

/** The functions of a strategy: its hooks, and what it is asked before it runs. */
type StrategyFunction = HookName | 'assets' | 'state' | 'warmUp'

/** What a strategy threw, with the hook and the instant. */
export class StrategyError extends Error {
  override readonly name = 'StrategyError'
  readonly hook: StrategyFunction
  readonly atMillis: number

  constructor(strategy: string, hook: StrategyFunction, atMillis: number, cause: unknown) {
    const reason = cause instanceof Error ? `${cause.name}: ${cause.message}` : String(cause)
    super(`${strategy}: ${hook} failed at ${millisToIso(atMillis)}: ${reason}`, { cause })
    this.hook = hook
    this.atMillis = atMillis
  }
}
