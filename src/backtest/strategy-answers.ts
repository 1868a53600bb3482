import { isMainThread } from 'node:worker_threads'
import { millisToIso } from '../numeric/time-text.ts'
import type { ParameterValues } from './result.ts'
import type { HookName, Strategy } from './strategy.ts'
import type { Host, Subscriptions } from './venue/host.ts'

/** The account that it trades with: the one that the run names, its own, `desk`, or the first there is. */
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

/** Its own data at the beginning. Throws a StrategyError for what its function throws. */
export function askState(strategy: Strategy, parameters: ParameterValues, { nowMillis }: Host): unknown {
  return callStrategy(strategy, 'state', nowMillis, () => strategy.state?.(parameters) ?? {})
}

/** Whose bars it wants, each once: all that trade unless it says. Throws a StrategyError for what its function throws. */
export function askAssets(
  strategy: Strategy,
  parameters: ParameterValues,
  { assets, nowMillis }: Pick<Host, 'assets' | 'nowMillis'>,
): readonly string[] {
  return callStrategy(strategy, 'assets', nowMillis, () => {
    const wanted: unknown = strategy.assets?.(parameters) ?? assets
    if (!Array.isArray(wanted)) throw new TypeError("it must answer a list, such as ['BTC']")
    return [...new Set(wanted.map(String))]
  })
}

/** How many bars it looks back on; none unless it says. Throws a StrategyError for what its function throws. */
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

/** Other things keep a thread alive, so the promise has to be checked from time to time. */
const watchIntervalMillis = 1000

/** The ports that a sweep's thread always holds open, to talk to the command. */
const ownPortCount = 2
const outputResources = ['PipeWrap', 'TTYWrap']

interface PendingHook {
  readonly open: object | null
  createAbandonedError(): StrategyError | null
}

/**
 * The work, or a rejection once a hook waits for a promise that nothing is left to settle: otherwise the process
 * would end without a word, and a thread of a sweep would never end. A timer, a socket or a file under way is waited
 * for.
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

/** Gives up after two looks that find the same wait, with nothing under way at either. */
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

/** A promise of a strategy was rejected, and the strategy had not waited for it. */
export class UnwaitedRejection extends Error {
  override readonly name = 'UnwaitedRejection'

  constructor(cause: unknown) {
    const reason = cause instanceof Error ? `${cause.name}: ${cause.message}` : String(cause)
    super(`a promise that no hook waits for was rejected: ${reason}`, { cause })
  }
}

/**
 * Work in which nothing may fail unseen: it rejects with an UnwaitedRejection for the first promise that is rejected
 * meanwhile and that nobody waits for, such as a refused order without `await`. Node would end the command in the
 * middle of its output, and a thread of a sweep after its answer.
 */
export async function withoutUnwaited<Value>(work: () => Promise<Value>): Promise<Value> {
  const rejected: unknown[] = []
  const note = (reason: unknown): void => {
    rejected.push(reason)
  }
  process.on('unhandledRejection', note)
  try {
    const value = await work()
    // Node reports them when nothing else is ready to run.
    await new Promise((resolve) => setImmediate(resolve))
    if (rejected.length > 0) throw new UnwaitedRejection(rejected[0])
    return value
  } finally {
    process.off('unhandledRejection', note)
  }
}
