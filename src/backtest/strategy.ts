import type { VenueClient } from '../client/create-venue-client.ts'
import type { Order, Quote, TradeList } from '../client/venue-types.ts'
import type { RandomStream } from '../numeric/random.ts'
import { declarationsProblem, type ParameterDeclarations, type ValuesOf } from './parameters.ts'
import type { ParameterValues } from './result.ts'

export type MaybePromise<Value> = Value | Promise<Value>

type Resource = keyof VenueClient

/** The client library without promises: the same operations, bodies and errors. */
export type SyncVenueClient = {
  readonly [Name in Resource]: {
    readonly [Operation in keyof VenueClient[Name]]: VenueClient[Name][Operation] extends (
      ...given: infer Given
    ) => Promise<infer Answer>
      ? (...given: Given) => Answer
      : never
  }
}

/**
 * The client library wherever a strategy runs: answers at once in a backtest, promises over HTTP. Code that awaits
 * them runs in both.
 */
export type StrategyVenue = {
  readonly [Name in Resource]: {
    readonly [Operation in keyof VenueClient[Name]]: VenueClient[Name][Operation] extends (
      ...given: infer Given
    ) => Promise<infer Answer>
      ? (...given: Given) => MaybePromise<Answer>
      : never
  }
}

/** A fill of the account, as the interface tells it. */
export type OwnTrade = TradeList['trades'][number]

/** What the feed showed of an asset at the last tick. */
export interface FeedPrice {
  readonly asset: string
  readonly atMillis: number
  readonly bid: number
  readonly ask: number
  readonly mid: number
  readonly last: number
}

export interface Tick {
  /** When the feed was read: earlier than now by the feed's latency. */
  readonly atMillis: number
  /** Ticks since the start, missed ones included. */
  readonly index: number
}

/** Made of the mids at the ticks of a span (from, to], the one at `from` being its open: what a client can see. */
export interface Bar {
  readonly asset: string
  readonly fromMillis: number
  readonly toMillis: number
  readonly open: number
  readonly high: number
  readonly low: number
  readonly close: number
  /**
   * What the recording traded in (from, to], in units of the asset: 0 where it has nothing, null for a generated
   * market, a recording without volumes, and over HTTP, where it is unknown.
   */
  readonly volume: number | null
}

export interface Timer {
  readonly id: number
  readonly name: string
}

/** What a strategy's hooks are given. Time is the venue's: nothing here reads a wall clock. */
export interface StrategyContext<Parameters, State> {
  readonly account: string
  readonly parameters: Parameters
  /** The strategy's own data, as its function `state` made it. */
  readonly state: State
  /** Symbols that trade, in the venue's order. */
  readonly assets: readonly string[]
  /** Milliseconds since 1970. */
  readonly now: number
  readonly endMillis: number
  readonly venue: StrategyVenue
  /** In process only: throws where the venue is elsewhere. */
  readonly sync: SyncVenueClient
  /** What the feed showed at the last tick; reading it costs no request. Throws a RangeError for an unknown asset. */
  price(asset: string): FeedPrice
  /**
   * The newest whole bars of an asset, oldest first: as many as the strategy's `warmUp`, or `count` of them. From the
   * start on they are all there. Throws a RangeError where none are kept.
   */
  bars(asset: string, count?: number): readonly Bar[]
  /** Lets time pass within a hook: `5s` or milliseconds. Nothing else of the strategy runs meanwhile. */
  sleep(span: string | number): Promise<void>
  /** Calls `onTimer` once, a span from now. */
  after(span: string | number, name?: string): Timer
  /** Calls `onTimer` each span from now on; calls that a hook overslept are left out. */
  every(span: string | number, name?: string): Timer
  clear(timer: Timer): void
  /** A random stream with that name: the same draws for the same seed, whatever else draws. */
  random(name: string): RandomStream
  /** A remark in the result, with its time. */
  note(text: string): void
  /** A point of a series in the result. */
  record(name: string, value: number): void
  /** Ends the run when the present hook is done. */
  stop(): void
}

/**
 * What a strategy is. Hooks run one after the other, at one instant in this order: fills, order and quote updates,
 * timers, bars, tick. They may be asynchronous.
 */
interface StrategyHooks<Parameters, State> {
  readonly name: string
  readonly description?: string
  /** The account that it trades with unless the run names another; else `desk`, else the scenario's first. */
  readonly account?: string
  /** The time between two reads of the feed; the grid of the venue by default. */
  readonly tick?: string
  /** The span of a bar, or the name of the parameter that has it. Needed for `onBar`. */
  readonly bar?: string
  /**
   * How many bars it looks back on, or a function of the parameters that answers it: the run begins with this many,
   * and `bars` of the context keeps this many.
   */
  readonly warmUp?: number | ((parameters: Parameters) => number)
  /**
   * What becomes of a request that the venue refuses and the hook does not catch. `throw`, the default: it ends the run.
   * `note`: it ends the hook, and is a note of the result. Refusals are counted in either case.
   */
  readonly onRefusal?: 'throw' | 'note'
  /** The assets whose bars are wanted; all by default. */
  assets?(parameters: Parameters): readonly string[]
  state?(parameters: Parameters): State
  onStart?(context: StrategyContext<Parameters, State>): MaybePromise<void>
  onTick?(context: StrategyContext<Parameters, State>, tick: Tick): MaybePromise<void>
  onBar?(context: StrategyContext<Parameters, State>, bar: Bar): MaybePromise<void>
  onFill?(context: StrategyContext<Parameters, State>, fill: OwnTrade): MaybePromise<void>
  onOrderUpdate?(context: StrategyContext<Parameters, State>, order: Order): MaybePromise<void>
  onQuoteUpdate?(context: StrategyContext<Parameters, State>, quote: Quote): MaybePromise<void>
  onTimer?(context: StrategyContext<Parameters, State>, timer: Timer): MaybePromise<void>
  onEnd?(context: StrategyContext<Parameters, State>): MaybePromise<void>
}

export interface StrategyDefinition<Declarations extends ParameterDeclarations, State>
  extends StrategyHooks<ValuesOf<Declarations>, State> {
  readonly parameters?: Declarations
}

/** A strategy with any types of parameters and state. */
export interface Strategy extends StrategyHooks<ParameterValues, unknown> {
  readonly parameters?: ParameterDeclarations
}

/** Gives a strategy's hooks their types. Throws a TypeError for something that is not a strategy. */
export function defineStrategy<const Declarations extends ParameterDeclarations, State>(
  definition: StrategyDefinition<Declarations, State>,
): Strategy {
  if (!isStrategy(definition)) throw new TypeError(strategyProblem(definition) ?? '')
  return definition
}

const hookNames = [
  'onStart',
  'onTick',
  'onBar',
  'onFill',
  'onOrderUpdate',
  'onQuoteUpdate',
  'onTimer',
  'onEnd',
] as const
export type HookName = (typeof hookNames)[number]

export function isStrategy(value: unknown): value is Strategy {
  return strategyProblem(value) === null
}

/** Why a value is not a strategy, or null. */
export function strategyProblem(value: unknown): string | null {
  if (typeof value !== 'object' || value === null) return 'a strategy is an object'
  if (!('name' in value) || typeof value.name !== 'string' || value.name === '')
    return 'a strategy has a name'
  const hooks = Object.entries(value).filter(([name]) => name.startsWith('on') && name !== 'onRefusal')
  for (const [name, hook] of hooks) {
    if (!hookNames.some((known) => known === name)) {
      return `${value.name}: there is no hook ${name}; the hooks are ${hookNames.join(', ')}`
    }
    if (typeof hook !== 'function') return `${value.name}: ${name} is not a function`
  }
  if (hooks.length === 0) return `${value.name} has no hook; the hooks are ${hookNames.join(', ')}`
  if ('onBar' in value && !('bar' in value)) return `${value.name}: onBar needs a bar, such as bar: '1m'`
  const problem = findPartProblem(value) ?? declarationsProblem('parameters' in value ? value.parameters : {})
  return problem === null ? null : `${value.name}: ${problem}`
}

/** The other parts of a strategy, and what each must be. */
const partRules = [
  ['account', 'string', "a text, such as 'desk'"],
  ['tick', 'string', "a span, such as '1s'"],
  ['bar', 'string', "a span, such as '1m', or the name of the parameter that has it"],
  ['assets', 'function', "a function of the parameters, such as () => ['BTC']"],
  ['state', 'function', 'a function of the parameters, such as () => ({ held: 0 })'],
] as const

const warmUpExpected = 'a number of bars, or a function of the parameters that answers it'

function findPartProblem(value: object): string | null {
  const given = new Map(Object.entries(value))
  for (const [name, type, expected] of partRules) {
    const part: unknown = given.get(name)
    if (part !== undefined && typeof part !== type) return `${name} must be ${expected}`
  }
  const onRefusal: unknown = given.get('onRefusal') ?? 'throw'
  if (onRefusal !== 'throw' && onRefusal !== 'note') return "onRefusal must be 'throw' or 'note'"
  const warmUp: unknown = given.get('warmUp')
  if (warmUp === undefined) return null
  if (typeof warmUp !== 'number' && typeof warmUp !== 'function') return `warmUp must be ${warmUpExpected}`
  return given.get('bar') === undefined ? "warmUp needs a bar, such as bar: '1m'" : null
}
