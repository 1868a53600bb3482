import { missing } from '../numeric/assert.ts'
import type { RandomStream } from '../numeric/random.ts'
import { BarMaker } from './bar-maker.ts'
import { HookCalls } from './hook-calls.ts'
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
import { askAssets, askState } from './strategy-answers.ts'
import { Timers } from './timers.ts'
import { type Host, keptObservation, type Observation } from './venue/host.ts'
import { MidsAhead } from './venue/mids-ahead.ts'

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
  private readonly options: StrategyRunOptions
  private readonly host: Host
  private readonly timers = new Timers()
  private readonly places: ReadonlyMap<string, number>
  readonly hooks: HookCalls
  private readonly bars: BarMaker | null
  /** Of the assets whose bars are wanted: their places, and their mids at the present tick. */
  private readonly barPlaces: readonly number[]
  private readonly mids: Float64Array
  private readonly ahead: MidsAhead | null
  private readonly notebook: RunNotebook
  private readonly deliveries: Delivery[] = []
  private readonly fromMillis: number
  private seen: Observation | null = null
  private nextTick = 1
  private sinceProgress = 0
  private isStopped = false

  constructor(options: StrategyRunOptions) {
    const { host, parameters, strategy } = options
    this.options = options
    this.host = host
    this.account = options.account
    this.notebook = new RunNotebook(options.seed)
    this.parameters = parameters
    const from = options.from?.run
    this.state = from === undefined ? askState(strategy, parameters, host) : plainCopy(from.state, 'state')
    this.assets = host.assets
    this.endMillis = options.endMillis
    this.fromMillis = from?.fromMillis ?? host.nowMillis
    this.places = new Map(host.assets.map((symbol, place) => [symbol, place]))
    this.hooks = new HookCalls(strategy.name, host)
    const wanted = askAssets(strategy, parameters, host)
    this.barPlaces = wanted.map((symbol) => this.placeOf(symbol))
    this.mids = new Float64Array(wanted.length)
    const { barMillis, feed, tickMillis } = options
    this.bars = barMillis === null || strategy.onBar === undefined ? null : new BarMaker(barMillis, wanted)
    // A strategy that is called at each tick, or sees prices late, has to observe every tick.
    const foresight = strategy.onTick === undefined && feed.isNone ? host.foresight : null
    this.ahead = foresight === null ? null : new MidsAhead(foresight, this.barPlaces, tickMillis)
  }

  /** Runs to the end. Rejects with a StrategyError for what a hook throws. */
  async run(): Promise<void> {
    const { host, options } = this
    if (options.from === undefined) await this.begin()
    else this.goOn(options.from.run, options.from.seen)
    let { pause } = options
    while (!this.isStopped && options.isEnded?.() !== true) {
      const nextMillis = this.nextInstant()
      if (pause !== undefined && nextMillis > pause.atMillis) {
        await host.advanceTo(pause.atMillis)
        pause.come()
        pause = undefined
      }
      if (nextMillis > this.endMillis) break
      const passed = this.passQuietTicks(Math.min(pause?.atMillis ?? this.endMillis, this.endMillis))
      if (passed !== nothingPassed) {
        if (passed instanceof Promise) await passed
        this.noteProgress()
        continue
      }
      const moved = host.advanceTo(nextMillis)
      if (moved instanceof Promise) await moved
      const done = this.wake()
      if (done instanceof Promise) await done
      this.sinceProgress += 1
      this.noteProgress()
    }
    if (!this.isStopped && options.isEnded?.() !== true) await host.advanceTo(this.endMillis)
    await this.hooks.call('onEnd', () => options.strategy.onEnd?.(this))
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

  /** Of each hook. */
  get calls(): Readonly<Record<HookName, number>> {
    return this.hooks.counts
  }

  private async begin(): Promise<void> {
    const first = this.host.observe()
    const seen = first instanceof Promise ? await first : first
    this.seen = seen
    this.barsOf(seen)
    await this.hooks.call('onStart', () => this.options.strategy.onStart?.(this))
  }

  private goOn(from: RunState, seen: Observation): void {
    this.nextTick = from.nextTick
    this.timers.restore(from.timers)
    if (from.bars !== null) this.bars?.restore(from.bars)
    this.notebook.restore(from.notebook)
    Object.assign(this.hooks.counts, from.calls)
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

  // Hooks destructure their context, so these functions are bound to it.
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

  private noteProgress(): void {
    if (this.sinceProgress < progressTicks) return
    this.sinceProgress = 0
    this.options.progress?.(this.done(), this.host.nowMillis)
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

  /**
   * Ticks up to an instant that show nothing but mids that are known, without a look at the venue for each. Answers
   * `nothingPassed` where the next tick is none of them.
   */
  private passQuietTicks(lastMillis: number): Promise<void> | undefined | typeof nothingPassed {
    const { ahead, bars, timers } = this
    if (ahead === null || bars === null) return nothingPassed
    let passedMillis = 0
    while (this.sinceProgress < progressTicks && !this.isStopped) {
      const atMillis = this.nextTickMillis
      if (atMillis > lastMillis || atMillis >= timers.nextAtMillis) break
      const place = ahead.placeOf(atMillis)
      if (place < 0) break
      this.nextTick += 1
      this.sinceProgress += 1
      passedMillis = atMillis
      const made = bars.add(atMillis, ahead.mids, place)
      if (made.length === 0) continue
      this.seen = ahead.foresight.stand(atMillis)
      const done = this.deliverBars(made)
      if (done instanceof Promise) return done
    }
    if (passedMillis === 0) return nothingPassed
    if (passedMillis > this.now) this.seen = ahead.foresight.stand(passedMillis)
    return undefined
  }

  /** The bars that a tick completes. */
  private barsOf(seen: Observation): readonly Bar[] {
    const { bars, barPlaces, mids } = this
    if (bars === null) return noBars
    for (let index = 0; index < barPlaces.length; index += 1) mids[index] = seen.mid(barPlaces[index] ?? 0)
    return bars.add(seen.atMillis, mids, 0)
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
    // Most strategies do nothing at most ticks: that makes no promise.
    const isQuiet =
      strategy.onTick === undefined &&
      observed.fills.length + observed.orders.length + observed.quotes.length === 0 &&
      this.timers.nextAtMillis > this.now
    if (!isQuiet) return this.deliver(observed, index, isTick)
    this.seen = observed
    const bars = isTick ? this.barsOf(observed) : noBars
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
    const bars = isTick ? this.barsOf(seen) : noBars
    const isPlain =
      bars.length + seen.fills.length + seen.orders.length + seen.quotes.length === 0 &&
      this.timers.nextAtMillis > this.now
    if (!isPlain) return this.deliverAll(seen, index, isTick, bars)
    return isTick ? this.callTick(seen.atMillis, index) : undefined
  }

  private callTick(atMillis: number, index: number): MaybePromise<void> {
    const { strategy } = this.options
    if (strategy.onTick === undefined || this.isStopped) return undefined
    return this.hooks.call('onTick', () => strategy.onTick?.(this, { atMillis, index }))
  }

  private async deliverAll(
    seen: Observation,
    index: number,
    isTick: boolean,
    bars: readonly Bar[],
  ): Promise<void> {
    const { strategy } = this.options
    for (const fill of seen.fills) await this.hooks.call('onFill', () => strategy.onFill?.(this, fill))
    for (const order of seen.orders)
      await this.hooks.call('onOrderUpdate', () => strategy.onOrderUpdate?.(this, order))
    for (const quote of seen.quotes)
      await this.hooks.call('onQuoteUpdate', () => strategy.onQuoteUpdate?.(this, quote))
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

  /** As `hooks.call` does, without a function made for each bar. */
  private callBar(bar: Bar): MaybePromise<void> {
    const { hooks } = this
    hooks.counts.onBar += 1
    let done: MaybePromise<void>
    try {
      done = this.options.strategy.onBar?.(this, bar)
    } catch (cause) {
      throw hooks.failure('onBar', cause)
    }
    return done instanceof Promise ? hooks.settled('onBar', done) : undefined
  }

  private async deliverRest(first: Promise<void>, rest: readonly Bar[]): Promise<void> {
    await first
    for (const bar of rest) await this.callBar(bar)
  }

  private async runTimers(): Promise<void> {
    for (;;) {
      const timer = this.timers.takeDue(this.now)
      if (timer === null || this.isStopped) return
      await this.hooks.call('onTimer', () => this.options.strategy.onTimer?.(this, timer))
    }
  }
}

const noBars: readonly Bar[] = []
const nothingPassed = 'nothing'
