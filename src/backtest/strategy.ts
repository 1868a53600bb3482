import type { VenueClient } from '../client/create-venue-client.ts'
import type { Order, Quote, TradeList } from '../client/venue-types.ts'
import type { QueueLawName } from '../market/liquidity/liquidity.ts'
import type { RandomStream } from '../numeric/random.ts'
import { declarationsProblem, type ParameterDeclarations, type ValuesOf } from './parameters.ts'
import type { ParameterValues } from './result.ts'

export type MaybePromise<Value> = Value | Promise<Value>

type Resource = keyof VenueClient

/** The client library without promises: its operations, bodies and errors are those of `VenueClient`. */
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
 * The client library as a strategy sees it: answers at once in a backtest, promises over HTTP. Code that awaits the
 * answers runs in both.
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

/** An order as the venue has accepted it. */
export type AcceptedOrder = Awaited<ReturnType<StrategyVenue['orders']['create']>>

/** A position to trade to; exactly one is stated. */
export type TargetPosition =
  /** The signed quantity, in units of the asset; negative for a short position. */
  | { readonly quantity: number }
  /** The signed value in USD at the mid. */
  | { readonly value: number }
  /** The signed share of the account's whole value: 0.5 for a half of it. */
  | { readonly weight: number }

/**
 * The levels at which a position is closed, at least one of them. A long position is closed by its stop when the mid is at
 * or below it, and by its take-profit when the mid is at or above it; a short position the other way round.
 */
export interface ProtectedLevels {
  /** The price of the stop, in USD. */
  readonly stop?: number
  /** The price of the take-profit, in USD. */
  readonly takeProfit?: number
  /** How far the mid may fall back from its best since the call, in USD. */
  readonly trail?: number
  /** How far the mid may fall back from its best since the call, in percent of the best. */
  readonly trailPercent?: number
}

/**
 * The levels of an asset's book that the venue shows by itself, such as a recorded one, best first; the orders of clients
 * are no part of it. Prices are in USD, quantities in units of the asset. Only the first `bidCount` and `askCount` entries
 * count. The arrays are used again: copy what is to be kept.
 */
export interface ShownBook {
  readonly asset: string
  /** The instant of the book; it lies before `now` by the feed's latency. */
  readonly atMillis: number
  readonly bidCount: number
  readonly bidPrices: Float64Array
  readonly bidQuantities: Float64Array
  readonly askCount: number
  readonly askPrices: Float64Array
  readonly askQuantities: Float64Array
}

/** Where a resting order stands in a recorded book. Quantities are in units of the asset. */
export interface BookPlace {
  readonly law: QueueLawName
  /** Whether the order is beyond the prices of the record, and its level has not been shown yet. */
  readonly isBeyond: boolean
  /** What stands ahead, computed by the law; 0 when the order's turn has come. */
  readonly ahead: number
  /** The quantity that stood ahead when the order joined: `ahead`, `takenByTrades` and `leftByLaw` add up to it. */
  readonly joinedBehind: number
  /** How much of `joinedBehind` recorded trades have taken since. */
  readonly takenByTrades: number
  /** How much of `joinedBehind` has left without a trade since, by the queue law. */
  readonly leftByLaw: number
  /** What the record shows at the order's price. */
  readonly shown: number
}

/** The client library with what every strategy would write again. */
export type TradingVenue = StrategyVenue & {
  /**
   * Sends the market order that brings the position in an asset to its goal, in steps of the pair. Returns the accepted
   * order, which is at most the pair's maximum; null where nothing is to be done, or less than the pair's minimum. Orders
   * at rest do not count.
   */
  target(asset: string, goal: TargetPosition): Promise<AcceptedOrder | null>
  /**
   * Protects the position in an asset by a stop, a take-profit, a trailing stop, or several of them; null ends that. The
   * venue has no such orders, so the run keeps them: each tick after the call compares the mid that the feed shows with
   * the levels, before any hook, the stop first and the take-profit last. At the first level that is reached, the
   * account's resting orders in the asset on the closing side are cancelled, and the whole position is closed at the
   * market; that is all, whatever the book or the pair's minimum leaves. A level that is already passed is reached at the
   * next tick. Quotes are left alone.
   *
   * The position is the one that the account has at the next tick; without one, and as soon as it is flat or has turned,
   * the protection ends by itself. A new call replaces it, and a trailing stop then starts from the present mid. A refused
   * exit is treated as a hook's refusal (`onRefusal`); the protection stands, and the next tick tries again.
   *
   * Throws a RangeError for an asset that does not trade and for levels that are none.
   */
  protect(asset: string, levels: ProtectedLevels | null): void
  /**
   * Returns the book that the venue shows of an asset, without a request: at most 50 levels a side. In process only; throws
   * a RangeError over HTTP and for an unknown asset.
   */
  book(asset: string): ShownBook
  /**
   * Returns where one of the account's orders stands in a recorded book, without a request; null for an order that
   * does not rest in one. No exchange shows this; it is computed by the queue law of the run. In process only.
   */
  queue(orderId: string): BookPlace | null
}

/** A fill of the account, in the form that the interface gives it. */
export type OwnTrade = TradeList['trades'][number]

/** The prices that the feed showed of an asset at the last tick, in USD. */
export interface FeedPrice {
  readonly asset: string
  readonly atMillis: number
  readonly bid: number
  readonly ask: number
  readonly mid: number
  readonly last: number
}

export interface Tick {
  /** The instant when the feed was read; it lies before `now` by the feed's latency. */
  readonly atMillis: number
  /** The number of ticks since the start, missed ones included. */
  readonly index: number
}

/**
 * A bar of the mids at the ticks in (from, to], which a client of the venue can see; the mid at `from` is its open.
 * Where it comes from recorded candles, it equals them.
 */
export interface Bar {
  readonly asset: string
  readonly fromMillis: number
  readonly toMillis: number
  readonly open: number
  readonly high: number
  readonly low: number
  readonly close: number
  /**
   * The volume that the recording has in (from, to], in units of the asset: 0 where it has no trades; null for a
   * generated market, for a recording without volumes, and over HTTP.
   */
  readonly volume: number | null
}

export interface Timer {
  readonly id: number
  readonly name: string
}

/** The context of a strategy's hooks. Time is the venue's; nothing here reads a wall clock. */
export interface StrategyContext<Parameters, State> {
  readonly account: string
  readonly parameters: Parameters
  /** The strategy's own data, as its function `state` returned it. */
  readonly state: State
  /** The symbols that trade, in the venue's order. */
  readonly assets: readonly string[]
  /** The venue's time, in milliseconds since 1970. */
  readonly now: number
  readonly endMillis: number
  readonly venue: TradingVenue
  /** The client library without promises, in process only; reading it throws over HTTP. */
  readonly sync: SyncVenueClient
  /** Returns what the feed showed at the last tick, without a request. Throws a RangeError for an unknown asset. */
  price(asset: string): FeedPrice
  /**
   * Returns the newest complete bars of an asset, oldest first: as many as the strategy's `warmUp`, or `count` of them.
   * They exist from the start of the run. Throws a RangeError where no bars are kept.
   */
  bars(asset: string, count?: number): readonly Bar[]
  /**
   * Lets time pass within a hook: a span such as `5s`, or milliseconds. No other hook of the strategy runs meanwhile.
   */
  sleep(span: string | number): Promise<void>
  /** Calls `onTimer` once, after a span. */
  after(span: string | number, name?: string): Timer
  /** Calls `onTimer` after each span from now on; calls that are due while a hook is still running are left out. */
  every(span: string | number, name?: string): Timer
  clear(timer: Timer): void
  /**
   * Returns the random stream with that name. It gives the same numbers for the same seed, whatever other streams draw.
   */
  random(name: string): RandomStream
  /** Adds a remark to the result, with the venue's time. */
  note(text: string): void
  /** Adds a point to a series in the result, at the venue's time. */
  record(name: string, value: number): void
  /** Ends the run after the current hook. */
  stop(): void
}

/**
 * The parts of a strategy. Hooks may be asynchronous, and run one after the other; at one instant in this order: fills,
 * order and quote updates, timers, bars, books, tick.
 */
interface StrategyHooks<Parameters, State> {
  readonly name: string
  readonly description?: string
  /** The account to trade with, unless the run names another; by default `desk`, else the scenario's first account. */
  readonly account?: string
  /** The span between two reads of the feed; by default the grid of the venue's clock. */
  readonly tick?: string
  /** The span of a bar, or the name of the parameter that has it; required by `onBar`. */
  readonly bar?: string
  /**
   * The number of past bars that the strategy needs, or a function from its parameters to that number. The run begins
   * with so many bars, and `bars` of the context keeps so many.
   */
  readonly warmUp?: number | ((parameters: Parameters) => number)
  /**
   * What happens when the venue refuses a request and the hook does not catch the error. `throw`, the default, ends the
   * run; `note` ends the hook and adds a note to the result. Refusals are counted either way.
   */
  readonly onRefusal?: 'throw' | 'note'
  /** Returns the assets whose bars are wanted; all by default. */
  assets?(parameters: Parameters): readonly string[]
  state?(parameters: Parameters): State
  onStart?(context: StrategyContext<Parameters, State>): MaybePromise<void>
  onTick?(context: StrategyContext<Parameters, State>, tick: Tick): MaybePromise<void>
  onBar?(context: StrategyContext<Parameters, State>, bar: Bar): MaybePromise<void>
  /** Called at each tick for each asset, with the book that the venue shows; in process only. */
  onBook?(context: StrategyContext<Parameters, State>, book: ShownBook): MaybePromise<void>
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

/** A strategy whose types of parameters and state are not known. */
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
  'onBook',
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

/** Returns why a value is not a strategy; null where it is one. */
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

/** The parts of a strategy besides its hooks: name, type, and what each must be. */
const partRules = [
  ['account', 'string', "a text, such as 'desk'"],
  ['tick', 'string', "a span, such as '1s'"],
  ['bar', 'string', "a span, such as '1m', or the name of the parameter that has it"],
  ['assets', 'function', "a function of the parameters, such as () => ['BTC']"],
  ['state', 'function', 'a function of the parameters, such as () => ({ held: 0 })'],
] as const

const warmUpExpected = 'a number of bars, or a function of the parameters that returns it'

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
