import { millisToIso } from '../numeric/time-text.ts'
import type { HookName } from './strategy.ts'

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
