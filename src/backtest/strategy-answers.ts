import { isMainThread } from 'node:worker_threads'
import { millisToIso } from '../numeric/time-text.ts'
import type { ParameterValues } from './result.ts'
import type { HookName, Strategy } from './strategy.ts'
import type { Host, Subscriptions } from './venue/host.ts'

/** Chooses the account to trade with: the one that the run names, the strategy's own, `desk`, or the first. */
export function chooseAccount(strategy: Strategy, given: string | undefined, ids: readonly string[]): string {
  return given ?? strategy.account ?? (ids.includes('desk') ? 'desk' : (ids[0] ?? ''))
}

export function subscriptionsOf({ onFill, onOrderUpdate, onQuoteUpdate }: Strategy): Subscriptions {
  return {
    fills: onFill !== undefined,
    orders: onOrderUpdate !== undefined,
    quotes: onQuoteUpdate !== undefined,
  }
}

/** Calls the strategy's `state` for its initial data. Throws a StrategyError for what that throws. */
export function askState(strategy: Strategy, parameters: ParameterValues, { nowMillis }: Host): unknown {
  return callStrategy(strategy, 'state', nowMillis, () => strategy.state?.(parameters) ?? {})
}

/**
 * Calls the strategy's `assets` for the assets whose bars it wants, each once; all traded assets by default. Throws a
 * StrategyError for what that throws.
 */
export function askAssets(
  strategy: Strategy,
  parameters: ParameterValues,
  { assets, nowMillis }: Pick<Host, 'assets' | 'nowMillis'>,
): readonly string[] {
  return callStrategy(strategy, 'assets', nowMillis, () => {
    const wanted: unknown = strategy.assets?.(parameters) ?? assets
    if (!Array.isArray(wanted)) throw new TypeError("it must return a list, such as ['BTC']")
    return [...new Set(wanted.map(String))]
  })
}

/**
 * Returns how many bars the strategy looks back on; 0 by default. Throws a StrategyError for what its `warmUp` throws.
 */
function askWarmUp(strategy: Strategy, parameters: ParameterValues, nowMillis: number): number {
  const { warmUp = 0 } = strategy
  if (typeof warmUp === 'number') return warmUp
  return callStrategy(strategy, 'warmUp', nowMillis, () => warmUp(parameters))
}

function callStrategy<Answer>(
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

/** The functions of a strategy: its hooks, those that are called before it runs, and the exits that it has set. */
type StrategyFunction = HookName | 'assets' | 'protect' | 'state' | 'warmUp'

/** The error for what a strategy threw, with the function that threw it and the venue's time. */
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

/** How far a strategy looks back, in bars. */
export interface WarmUp {
  /** The number of bars that exist when the strategy begins. */
  readonly bars: number
  /** The number of bars that `bars` of the context can return; 0 where it keeps none. */
  readonly kept: number
}

/** The most bars that may be kept, because they stay in memory. */
const maximumBars = 1_000_000

/**
 * Resolves how far a strategy looks back, from its declaration and from what the run asks for. The run starts with as
 * many bars as the run asks for, and keeps the larger of both numbers. Throws a RangeError for anything that is not a
 * number of bars.
 */
export function resolveWarmUp(
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

/**
 * The milliseconds between two checks for an abandoned hook in a worker thread. A worker never runs out of work by
 * itself, so it has to be asked.
 */
const watchIntervalMillis = 1000

/** The number of ports that the thread of a sweep always holds open, to talk to the main thread. */
const ownPortCount = 2
const outputResources = ['PipeWrap', 'TTYWrap']

interface PendingHook {
  readonly open: object | null
  createAbandonedError(): StrategyError | null
}

/**
 * Waits for a run; rejects with a StrategyError once a hook waits for a promise that nothing is left to settle.
 * Otherwise the process would end without a word, and a thread of a sweep would never end. Pending timers, sockets and
 * files are waited for.
 */
export async function runUntilAbandoned(work: Promise<void>, waiting: PendingHook): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  let giveUp = (): void => undefined
  const abandoned = new Promise<never>((_, reject) => {
    giveUp = () => {
      const failure = waiting.createAbandonedError()
      if (failure !== null) reject(failure)
    }
  })
  process.on('beforeExit', giveUp)
  if (!isMainThread) timer = watchPendingHook(waiting, giveUp)
  try {
    await Promise.race([work, abandoned])
  } finally {
    process.off('beforeExit', giveUp)
    clearInterval(timer)
  }
}

/** Calls `giveUp` when two checks in a row find the same hook waiting, with nothing pending in the thread. */
function watchPendingHook(waiting: PendingHook, giveUp: () => void): NodeJS.Timeout {
  let before: object | null = null
  const timer = setInterval(() => {
    const open = isIdle() ? waiting.open : null
    if (open !== null && open === before) giveUp()
    before = open
  }, watchIntervalMillis)
  return timer.unref()
}

function isIdle(): boolean {
  const under = process.getActiveResourcesInfo().filter((kind) => !outputResources.includes(kind))
  return under.length <= ownPortCount && under.every((kind) => kind === 'MessagePort')
}

/** The error for a rejected promise that the strategy has not waited for. */
export class UnhandledRejection extends Error {
  override readonly name = 'UnwaitedRejection'

  constructor(cause: unknown) {
    const reason = cause instanceof Error ? `${cause.name}: ${cause.message}` : String(cause)
    super(`a promise that no hook waits for was rejected: ${reason}`, { cause })
  }
}

/**
 * Runs some work, and rejects for the first promise that is rejected meanwhile without anybody waiting for it, such as
 * a refused order without `await`. Node would end the command in the middle of its output, and a thread of a sweep
 * after its answer.
 */
export async function rejectUnhandled<Value>(work: () => Promise<Value>): Promise<Value> {
  const rejected: unknown[] = []
  const note = (reason: unknown): void => {
    rejected.push(reason)
  }
  process.on('unhandledRejection', note)
  try {
    const value = await work()
    // Node reports unhandled rejections when nothing else is ready to run.
    await new Promise((resolve) => setImmediate(resolve))
    if (rejected.length > 0) throw new UnhandledRejection(rejected[0])
    return value
  } finally {
    process.off('unhandledRejection', note)
  }
}
