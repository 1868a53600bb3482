import { VenueError } from '../../client/venue-error.ts'
import { BarMaker } from '../bars.ts'
import { CandleBars } from '../candle-bars.ts'
import type { Bar, HookName, MaybePromise, Strategy } from '../strategy.ts'
import { askAssets, StrategyError } from '../strategy-answers.ts'
import type { Host, Observation } from '../venue/host.ts'
import { BarWindow, type RunContext, type StrategyRunOptions } from './run-context.ts'

/**
 * Calls a strategy's hooks with what was observed, one after the other, at one instant in this order: fills, order and
 * quote updates, timers, bars, tick.
 *
 * Invariant: a method returns a promise only where there is something to wait for. Most strategies do nothing at most
 * ticks, and a run has millions of ticks.
 */
export class ObservationHooks {
  readonly calls: HookCalls
  /** Makes bars from the mids at ticks; null where the strategy wants no bars, or they come from recorded candles. */
  readonly bars: BarMaker | null
  readonly candles: CandleBars | null
  /** The past bars that `bars` of the context reads; null where the strategy does not look back. */
  readonly window: BarWindow | null
  /** The places of the assets whose bars are wanted; `mids` has their mids at the present tick. */
  readonly barPlaces: readonly number[]
  private readonly mids: Float64Array
  private readonly strategy: Strategy
  private readonly context: RunContext

  constructor(options: StrategyRunOptions, context: RunContext) {
    const { barMillis, barsKept = 0, host, parameters, past, strategy } = options
    this.strategy = strategy
    this.context = context
    this.calls = new HookCalls(strategy, host, context.note)
    const wanted = askAssets(strategy, parameters, host)
    this.barPlaces = wanted.map((symbol) => context.findPlace(symbol))
    this.mids = new Float64Array(wanted.length)
    const isWanted = strategy.onBar !== undefined || barsKept > 0
    const spanMillis = isWanted ? barMillis : null
    const tables = this.barPlaces.map((place) => host.candles[place] ?? null)
    const maker =
      spanMillis === null
        ? null
        : (past?.maker ??
          CandleBars.create(spanMillis, wanted, tables) ??
          new BarMaker(spanMillis, wanted, host.readVolume, this.barPlaces))
    this.candles = maker instanceof CandleBars ? maker : null
    this.bars = maker instanceof BarMaker ? maker : null
    this.window = spanMillis === null || barsKept === 0 ? null : new BarWindow(barsKept, wanted)
    context.window = this.window
    if (past !== undefined) this.window?.add(past.bars)
  }

  /** Calls `onStart` with the first observation. A bar that this observation completes belongs to the past. */
  start(seen: Observation): MaybePromise<void> {
    this.context.seen = seen
    if (this.candles?.isStarted === false) this.candles.startAt(seen.atMillis)
    this.takeBars(seen)
    return this.calls.call('onStart', () => this.strategy.onStart?.(this.context))
  }

  end(): MaybePromise<void> {
    return this.calls.call('onEnd', () => this.strategy.onEnd?.(this.context))
  }

  /** Delivers everything new in an observation, and the timers that are due; `index` is the number of the tick. */
  deliver(seen: Observation, index: number, isTick: boolean): MaybePromise<void> {
    const { context } = this
    context.seen = seen
    if (isTick && context.exits.isArmed && !context.isStopped) {
      const done = this.calls.callOwn('protect', () =>
        context.exits.judge(seen, this.findPlace, this.readNow),
      )
      if (done instanceof Promise) return done.then(() => this.deliverToHooks(seen, index, isTick))
    }
    return this.deliverToHooks(seen, index, isTick)
  }

  private readonly findPlace = (asset: string): number => this.context.findPlace(asset)
  private readonly readNow = (): number => this.context.now

  private deliverToHooks(seen: Observation, index: number, isTick: boolean): MaybePromise<void> {
    const { context, strategy } = this
    const bars = isTick ? this.takeBars(seen) : noBars
    const isPlain =
      seen.fills.length + seen.orders.length + seen.quotes.length === 0 &&
      context.timers.nextAtMillis > context.now
    if (isPlain && strategy.onBook === undefined) {
      if (bars.length === 0) return isTick ? this.callTick(seen.atMillis, index) : undefined
      if (strategy.onTick === undefined) return this.deliverBars(bars)
    }
    if (isPlain && bars.length === 0 && isTick) return this.deliverBooks(seen, index, 0)
    return this.deliverAll(seen, index, isTick, bars)
  }

  deliverBars(bars: readonly Bar[]): MaybePromise<void> {
    return this.strategy.onBar === undefined ? undefined : this.callBars(bars)
  }

  private callBars(bars: readonly Bar[]): MaybePromise<void> {
    for (let place = 0; place < bars.length; place += 1) {
      const bar = bars[place]
      if (bar === undefined) continue
      const done = this.callBar(bar)
      if (done instanceof Promise) return this.deliverRest(done, bars.slice(place + 1))
    }
  }

  /**
   * Adds the mids of a tick, which begin in `mids` at index `from`, and returns the bars that it completes. Hooks at
   * this instant can already look back on them.
   */
  takeMids(atMillis: number, mids: Float64Array, from: number): readonly Bar[] {
    return this.keepBars(this.bars?.add(atMillis, mids, from) ?? noBars)
  }

  /** Takes the recorded bars that have ended by a tick. */
  takeCandles(candles: CandleBars, atMillis: number): readonly Bar[] {
    return this.keepBars(candles.takeUntil(atMillis))
  }

  async runTimers(): Promise<void> {
    const { context, strategy } = this
    while (!context.isStopped) {
      const timer = context.timers.takeDue(context.now)
      if (timer === null) return
      await this.calls.call('onTimer', () => strategy.onTimer?.(context, timer))
    }
  }

  private takeBars(seen: Observation): readonly Bar[] {
    const { bars, barPlaces, candles, mids } = this
    if (candles !== null) return this.takeCandles(candles, seen.atMillis)
    if (bars === null) return noBars
    for (const [index, place] of barPlaces.entries()) mids[index] = seen.mid(place)
    return this.takeMids(seen.atMillis, mids, 0)
  }

  private keepBars(made: readonly Bar[]): readonly Bar[] {
    if (made.length > 0) this.window?.add(made)
    return made
  }

  private callTick(atMillis: number, index: number): MaybePromise<void> {
    const { context, strategy } = this
    if (strategy.onTick === undefined) return undefined
    return this.callUnlessStopped('onTick', () => strategy.onTick?.(context, { atMillis, index }))
  }

  private callUnlessStopped(hook: HookName, run: () => MaybePromise<void>): MaybePromise<void> {
    return this.context.isStopped ? undefined : this.calls.call(hook, run)
  }

  private async deliverAll(
    seen: Observation,
    index: number,
    isTick: boolean,
    bars: readonly Bar[],
  ): Promise<void> {
    const { context, strategy } = this
    for (const fill of seen.fills)
      await this.callUnlessStopped('onFill', () => strategy.onFill?.(context, fill))
    for (const order of seen.orders)
      await this.callUnlessStopped('onOrderUpdate', () => strategy.onOrderUpdate?.(context, order))
    for (const quote of seen.quotes)
      await this.callUnlessStopped('onQuoteUpdate', () => strategy.onQuoteUpdate?.(context, quote))
    await this.runTimers()
    if (bars.length > 0) await this.deliverBars(bars)
    if (!isTick) return
    if (strategy.onBook === undefined) await this.callTick(seen.atMillis, index)
    else await this.deliverBooks(seen, index, 0)
  }

  /** Calls `onBook` for the assets from a place on, and then `onTick`; waits only where a hook does. */
  private deliverBooks(seen: Observation, index: number, from: number): MaybePromise<void> {
    const { context, strategy } = this
    for (let place = from; place < context.assets.length; place += 1) {
      const book = seen.book(place)
      const done = this.callUnlessStopped('onBook', () => strategy.onBook?.(context, book))
      if (done instanceof Promise) return done.then(() => this.deliverBooks(seen, index, place + 1))
    }
    return this.callTick(seen.atMillis, index)
  }

  /** Calls `onBar`; it does without `calls.call`, which would take a new function for each bar. */
  private callBar(bar: Bar): MaybePromise<void> {
    const { calls, context } = this
    if (context.isStopped) return undefined
    calls.counts.onBar += 1
    let done: MaybePromise<void>
    try {
      done = this.strategy.onBar?.(context, bar)
    } catch (cause) {
      return calls.reportFailure('onBar', cause)
    }
    return done instanceof Promise ? calls.waitForHook('onBar', done) : undefined
  }

  private async deliverRest(first: Promise<void>, rest: readonly Bar[]): Promise<void> {
    await first
    for (const bar of rest) await this.callBar(bar)
  }
}

const noBars: readonly Bar[] = []

/** Counts the calls of hooks, lets the venue's time pass while a hook waits for it, and names the hook that failed. */
class HookCalls {
  readonly counts: Record<HookName, number> = {
    onStart: 0,
    onTick: 0,
    onBar: 0,
    onBook: 0,
    onFill: 0,
    onOrderUpdate: 0,
    onQuoteUpdate: 0,
    onTimer: 0,
    onEnd: 0,
  }
  private readonly strategy: Strategy
  private readonly host: Host
  private readonly note: (text: string) => void
  private waiting: { readonly hook: HookName | 'protect' } | null = null

  constructor(strategy: Strategy, host: Host, note: (text: string) => void) {
    this.strategy = strategy
    this.host = host
    this.note = note
  }

  /** Calls a hook; returns a promise only if the hook does. Throws or rejects with a StrategyError. */
  call(hook: HookName, run: () => MaybePromise<void>): MaybePromise<void> {
    this.counts[hook] += 1
    return this.callOwn(hook, run)
  }

  /** Does something that is no hook of the strategy, or is counted already, as `call` does a hook. */
  callOwn(hook: HookName | 'protect', run: () => MaybePromise<void>): MaybePromise<void> {
    let done: MaybePromise<void>
    try {
      done = run()
    } catch (cause) {
      return this.reportFailure(hook, cause)
    }
    return done instanceof Promise ? this.waitForHook(hook, done) : undefined
  }

  waitForHook(hook: HookName | 'protect', done: Promise<void>): Promise<void> {
    this.waiting = { hook }
    return this.passTimeUntilDone(done).then(
      () => {
        this.waiting = null
      },
      (cause) => {
        this.waiting = null
        this.reportFailure(hook, cause)
      },
    )
  }

  /**
   * An object that stands for the call being waited for, a new one for each call; null while no hook has returned a
   * promise.
   */
  get open(): object | null {
    return this.waiting
  }

  /**
   * Creates the error of a hook that waits for a promise that nothing will settle; returns null where no hook waits.
   */
  createAbandonedError(): StrategyError | null {
    const cause = new Error('it waits for a promise that nothing will settle')
    return this.waiting === null ? null : this.createError(this.waiting.hook, cause)
  }

  /**
   * Throws a StrategyError for what a hook threw. A refusal of the venue only becomes a note where `onRefusal` says so.
   */
  reportFailure(hook: HookName | 'protect', cause: unknown): void {
    if (this.strategy.onRefusal !== 'note' || !(cause instanceof VenueError))
      throw this.createError(hook, cause)
    this.note(`${hook} was refused: ${cause.message}`)
  }

  private createError(hook: HookName | 'protect', cause: unknown): StrategyError {
    return new StrategyError(this.strategy.name, hook, this.host.nowMillis, cause)
  }

  private async passTimeUntilDone(done: Promise<void>): Promise<void> {
    const { waitQueue } = this.host
    if (waitQueue === null) return done
    let isDone = false
    const finished = done.finally(() => {
      isDone = true
    })
    // The rejection is thrown below, where the hook is waited for.
    finished.catch(() => undefined)
    for (;;) {
      await Promise.race([finished, waitQueue.waitForAny()])
      if (isDone) return finished
      // Lets everything run that needs no time to pass.
      await new Promise((resolve) => setImmediate(resolve))
      if (isDone) return finished
      const next = waitQueue.takeNext()
      if (next === null) continue
      await this.host.advanceTo(Math.max(this.host.nowMillis, next.atMillis))
      next.wake()
    }
  }
}
