import { missing } from '../numeric/assert.ts'
import type { RandomStream } from '../numeric/random.ts'
import { BarMaker } from './bar-maker.ts'
import type { NoteRecord, ParameterValues, RecordedSeries } from './result.ts'
import { RunNotebook } from './run-notebook.ts'
import type { StrategyRunOptions } from './run-options.ts'
import { plainCopy, type RunState, seenStateOf } from './run-state.ts'
import { spanOf } from './span-of.ts'
import type {
  Bar,
  FeedPrice,
  HookName,
  MaybePromise,
  StrategyContext,
  SyncVenueClient,
  Tick,
  Timer,
  Venue,
} from './strategy.ts'
import { StrategyError } from './strategy-error.ts'
import { Timers } from './timers.ts'
import { type Host, keptObservation, type Observation } from './venue/host.ts'

const progressTicks = 4096

/** A delivery of what the feed showed, on its way to the strategy. */
interface Delivery {
  readonly atMillis: number
  readonly seen: Observation
  readonly tick: Tick
}

/** One strategy on one host, from its start to its end: the context that its hooks see, and who calls them when. */
export class StrategyRun implements StrategyContext<ParameterValues, unknown> {
  readonly account: string
  readonly parameters: ParameterValues
  readonly state: unknown
  readonly assets: readonly string[]
  readonly endMillis: number
  readonly calls: Record<HookName, number>
  private readonly options: StrategyRunOptions
  private readonly host: Host
  private readonly timers = new Timers()
  private readonly places: ReadonlyMap<string, number>
  private readonly bars: BarMaker | null
  private readonly notebook: RunNotebook
  private readonly deliveries: Delivery[] = []
  private readonly fromMillis: number
  private seen: Observation | null = null
  private nextTick = 1
  private isStopped = false

  constructor(options: StrategyRunOptions) {
    const { host, parameters, strategy } = options
    this.options = options
    this.host = host
    this.account = options.account
    this.notebook = new RunNotebook(options.seed)
    this.parameters = parameters
    const from = options.from?.run
    this.state = from === undefined ? (strategy.state?.(parameters) ?? {}) : plainCopy(from.state, 'state')
    this.assets = host.assets
    this.endMillis = options.endMillis
    this.fromMillis = from?.fromMillis ?? host.nowMillis
    this.places = new Map(host.assets.map((symbol, place) => [symbol, place]))
    this.calls = {
      onStart: 0,
      onTick: 0,
      onBar: 0,
      onFill: 0,
      onOrderUpdate: 0,
      onQuoteUpdate: 0,
      onTimer: 0,
      onEnd: 0,
    }
    const wanted = strategy.assets?.(parameters) ?? host.assets
    const { barMillis } = options
    this.bars =
      barMillis === null || strategy.onBar === undefined
        ? null
        : new BarMaker(
            barMillis,
            wanted.map((symbol) => this.placeOf(symbol)),
            wanted,
          )
  }

  /** Runs to the end. Rejects with a StrategyError for what a hook throws. */
  async run(): Promise<void> {
    const { host, options } = this
    if (options.from === undefined) await this.begin()
    else this.goOn(options.from.run, options.from.seen)
    let { pause } = options
    let sinceProgress = 0
    while (!this.isStopped && options.isEnded?.() !== true) {
      const nextMillis = this.nextInstant()
      if (pause !== undefined && nextMillis > pause.atMillis) {
        await host.advanceTo(pause.atMillis)
        pause.come()
        pause = undefined
      }
      if (nextMillis > this.endMillis) break
      const moved = host.advanceTo(nextMillis)
      if (moved instanceof Promise) await moved
      const done = this.wake()
      if (done instanceof Promise) await done
      sinceProgress += 1
      if (sinceProgress === progressTicks) {
        sinceProgress = 0
        options.progress?.(this.done(), host.nowMillis)
      }
    }
    if (!this.isStopped && options.isEnded?.() !== true) await host.advanceTo(this.endMillis)
    await this.call('onEnd', () => options.strategy.onEnd?.(this))
  }

  /** Where it stands between two instants. Throws a RangeError where plain data cannot tell. */
  capture(): RunState {
    const { bars, calls, deliveries, fromMillis, host, nextTick, notebook, seen, state, timers } = this
    if (host.waits?.isEmpty === false) {
      throw new RangeError(
        'the strategy has requests or sleeps under way that no hook waits for: nothing can be captured then',
      )
    }
    return {
      fromMillis,
      nextTick,
      state: plainCopy(state, 'state'),
      timers: timers.capture(),
      bars: bars?.capture() ?? null,
      notebook: notebook.capture(),
      calls: { ...calls },
      seen: seenStateOf(seen),
      deliveries: deliveries.map((delivery) => ({
        ...delivery,
        seen: seenStateOf(delivery.seen) ?? missing('what is on its way stays as it was'),
      })),
    }
  }

  private async begin(): Promise<void> {
    const first = this.host.observe()
    const seen = first instanceof Promise ? await first : first
    this.seen = seen
    this.bars?.add(seen)
    await this.call('onStart', () => this.options.strategy.onStart?.(this))
  }

  private goOn(from: RunState, seen: Observation): void {
    this.nextTick = from.nextTick
    this.timers.restore(from.timers)
    if (from.bars !== null) this.bars?.restore(from.bars)
    this.notebook.restore(from.notebook)
    Object.assign(this.calls, from.calls)
    this.seen = from.seen === null ? seen : keptObservation(from.seen)
    for (const { atMillis, seen, tick } of from.deliveries)
      this.deliveries.push({ atMillis, tick, seen: keptObservation(seen) })
  }

  get now(): number {
    return this.host.nowMillis
  }

  get venue(): Venue {
    return this.host.venue
  }

  get sync(): SyncVenueClient {
    return this.host.sync
  }

  get notes(): readonly NoteRecord[] {
    return this.notebook.notes
  }

  get series(): Readonly<Record<string, RecordedSeries>> {
    return this.notebook.series
  }

  // Hooks take what they need of their context apart, so these know whose they are.
  readonly price = (asset: string): FeedPrice => {
    const { seen } = this
    if (seen === null) throw new RangeError('the feed has shown nothing yet')
    return seen.price(this.placeOf(asset))
  }

  readonly sleep = async (span: string | number): Promise<void> => {
    const untilMillis = Math.min(this.now + spanOf(span), this.endMillis)
    const { waits } = this.host
    if (waits !== null) return waits.until(untilMillis)
    await this.host.advanceTo(untilMillis)
  }

  readonly after = (span: string | number, name = ''): Timer => {
    return this.timers.set(this.now + spanOf(span), 0, name)
  }

  readonly every = (span: string | number, name = ''): Timer => {
    const everyMillis = spanOf(span)
    if (everyMillis === 0) throw new RangeError('a timer repeats after a span above 0')
    return this.timers.set(this.now + everyMillis, everyMillis, name)
  }

  readonly clear = (timer: Timer): void => {
    this.timers.clear(timer)
  }

  readonly random = (name: string): RandomStream => this.notebook.random(name)

  readonly note = (text: string): void => this.notebook.note(this.now, text)

  readonly record = (name: string, value: number): void => this.notebook.record(this.now, name, value)

  readonly stop = (): void => {
    this.isStopped = true
  }

  private placeOf(asset: string): number {
    const place = this.places.get(asset)
    if (place === undefined) {
      throw new RangeError(`the venue does not trade ${asset}; it trades ${this.assets.join(', ')}`)
    }
    return place
  }

  private done(): number {
    return (this.now - this.fromMillis) / Math.max(1, this.endMillis - this.fromMillis)
  }

  private get nextTickMillis(): number {
    return this.fromMillis + this.nextTick * this.options.tickMillis
  }

  private nextInstant(): number {
    // A hook may have taken longer than a tick: those that it missed are left out.
    if (this.nextTickMillis < this.now) {
      this.nextTick = Math.ceil((this.now - this.fromMillis) / this.options.tickMillis)
    }
    const delivery = this.deliveries[0]?.atMillis ?? Number.POSITIVE_INFINITY
    return Math.max(this.now, Math.min(this.nextTickMillis, this.timers.nextAtMillis, delivery))
  }

  /** Whatever is due at this instant; a promise only where something has to be waited for. */
  private wake(): MaybePromise<void> {
    const { feed, strategy } = this.options
    const isTick = this.nextTickMillis <= this.now
    if (!feed.isNone) return this.wakeLater(isTick)
    if (!isTick && this.timers.nextAtMillis > this.now) return undefined
    const observed = this.host.observe()
    const index = this.nextTick
    if (isTick) this.nextTick += 1
    if (observed instanceof Promise) return observed.then((seen) => this.deliver(seen, index, isTick))
    // What most strategies do at most ticks is nothing: no promise is made for that.
    const isQuiet =
      strategy.onTick === undefined &&
      observed.fills.length + observed.orders.length + observed.quotes.length === 0 &&
      this.timers.nextAtMillis > this.now
    if (!isQuiet) return this.deliver(observed, index, isTick)
    this.seen = observed
    const bars = isTick && this.bars !== null ? this.bars.add(observed) : noBars
    return bars.length === 0 ? undefined : this.deliverBars(bars)
  }

  /** With a feed that takes time: reads it at ticks, and lets the strategy see what has arrived. */
  private async wakeLater(isTick: boolean): Promise<void> {
    const { feed, seed } = this.options
    if (isTick) {
      const index = this.nextTick
      this.nextTick += 1
      const seen = await this.host.observe()
      const newest = this.deliveries.at(-1)?.atMillis ?? 0
      const atMillis = Math.max(newest, this.now + feed.of(seed, String(this.now)))
      this.deliveries.push({ atMillis, seen, tick: { atMillis: seen.atMillis, index } })
    }
    for (;;) {
      const arrived = this.deliveries[0]
      if (arrived === undefined || arrived.atMillis > this.now) break
      this.deliveries.shift()
      await this.deliver(arrived.seen, arrived.tick.index, true)
    }
    await this.runTimers()
  }

  private deliver(seen: Observation, index: number, isTick: boolean): MaybePromise<void> {
    this.seen = seen
    const bars = isTick && this.bars !== null ? this.bars.add(seen) : noBars
    const isPlain =
      bars.length + seen.fills.length + seen.orders.length + seen.quotes.length === 0 &&
      this.timers.nextAtMillis > this.now
    if (!isPlain) return this.deliverAll(seen, index, isTick, bars)
    return isTick ? this.callTick(seen.atMillis, index) : undefined
  }

  private callTick(atMillis: number, index: number): MaybePromise<void> {
    const { strategy } = this.options
    if (strategy.onTick === undefined || this.isStopped) return undefined
    return this.call('onTick', () => strategy.onTick?.(this, { atMillis, index }))
  }

  private async deliverAll(
    seen: Observation,
    index: number,
    isTick: boolean,
    bars: readonly Bar[],
  ): Promise<void> {
    const { strategy } = this.options
    for (const fill of seen.fills) await this.call('onFill', () => strategy.onFill?.(this, fill))
    for (const order of seen.orders)
      await this.call('onOrderUpdate', () => strategy.onOrderUpdate?.(this, order))
    for (const quote of seen.quotes)
      await this.call('onQuoteUpdate', () => strategy.onQuoteUpdate?.(this, quote))
    await this.runTimers()
    if (bars.length > 0) await this.deliverBars(bars)
    if (isTick) await this.callTick(seen.atMillis, index)
  }

  private deliverBars(bars: readonly Bar[]): MaybePromise<void> {
    for (let place = 0; place < bars.length; place += 1) {
      const bar = bars[place]
      if (bar === undefined) continue
      const done = this.callBar(bar)
      if (done instanceof Promise) return this.deliverRest(done, bars.slice(place + 1))
    }
  }

  /** As `call` does, without a function made for each bar. */
  private callBar(bar: Bar): MaybePromise<void> {
    this.calls.onBar += 1
    let done: MaybePromise<void>
    try {
      done = this.options.strategy.onBar?.(this, bar)
    } catch (cause) {
      throw this.failure('onBar', cause)
    }
    return done instanceof Promise ? this.settled('onBar', done) : undefined
  }

  private async deliverRest(first: Promise<void>, rest: readonly Bar[]): Promise<void> {
    await first
    for (const bar of rest) await this.callBar(bar)
  }

  private async runTimers(): Promise<void> {
    for (;;) {
      const timer = this.timers.takeDue(this.now)
      if (timer === null || this.isStopped) return
      await this.call('onTimer', () => this.options.strategy.onTimer?.(this, timer))
    }
  }

  /** Runs a hook to its end, letting time pass where it waits for time. */
  private call(hook: HookName, run: () => MaybePromise<void>): MaybePromise<void> {
    this.calls[hook] += 1
    let done: MaybePromise<void>
    try {
      done = run()
    } catch (cause) {
      throw this.failure(hook, cause)
    }
    return done instanceof Promise ? this.settled(hook, done) : undefined
  }

  private settled(hook: HookName, done: Promise<void>): Promise<void> {
    return this.settle(done).catch((cause) => {
      throw this.failure(hook, cause)
    })
  }

  private failure(hook: HookName, cause: unknown): StrategyError {
    return new StrategyError(this.options.strategy.name, hook, this.now, cause)
  }

  private async settle(done: Promise<void>): Promise<void> {
    const { waits } = this.host
    if (waits === null) return done
    let isDone = false
    const finished = done.finally(() => {
      isDone = true
    })
    // A rejection is thrown below, when the hook is waited for.
    finished.catch(() => undefined)
    for (;;) {
      await Promise.race([finished, waits.some()])
      if (isDone) return finished
      // Everything that can run without time runs first.
      await new Promise((resolve) => setImmediate(resolve))
      if (isDone) return finished
      const next = waits.takeNext()
      if (next === null) continue
      await this.host.advanceTo(Math.max(this.now, next.atMillis))
      next.wake()
    }
  }
}

const noBars: readonly Bar[] = []
