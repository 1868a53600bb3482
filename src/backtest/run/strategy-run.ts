import type { CandleBars } from '../candle-bars.ts'
import type { HookName, MaybePromise, Tick } from '../strategy.ts'
import type { Host, Lookahead, Observation } from '../venue/host.ts'
import { ObservationHooks } from './observation-hooks.ts'
import { RunContext, type StrategyRunOptions } from './run-context.ts'

/** The number of ticks between two reports of progress. */
const progressTicks = 4096

interface Delivery {
  readonly atMillis: number
  readonly seen: Observation
  readonly tick: Tick
}

/**
 * Runs one strategy on one host from start to end, and decides when the strategy is called: at ticks (every
 * `tickMillis` from the start), at timers, and when the feed delivers something. At each such instant it moves the host
 * there and observes it, and `ObservationHooks` calls the hooks with a `RunContext`.
 *
 * Invariants: time never goes back; a tick during which a hook was still running is left out; ticks that can only show
 * known mids are skipped without asking the host, to the same bytes.
 */
export class StrategyRun {
  readonly context: RunContext
  private readonly options: StrategyRunOptions
  private readonly host: Host
  readonly hooks: ObservationHooks
  private readonly lookahead: Lookahead | null
  private readonly midBuffer: MidBuffer | null
  private readonly deliveries: Delivery[] = []
  private readonly fromMillis: number
  private nextTick = 1
  private sinceProgress = 0

  constructor(options: StrategyRunOptions) {
    const { feed, host, strategy, tickMillis } = options
    this.options = options
    this.host = host
    this.fromMillis = host.nowMillis
    this.context = new RunContext(options)
    this.hooks = new ObservationHooks(options, this.context)
    // A strategy that is called at each tick, or sees prices late, has to observe every tick.
    const isCalledAtTicks = strategy.onTick !== undefined || strategy.onBook !== undefined
    this.lookahead = isCalledAtTicks || !feed.isNone ? null : host.lookahead
    this.midBuffer =
      this.lookahead === null || this.hooks.bars === null
        ? null
        : new MidBuffer(this.lookahead, this.hooks.barPlaces, tickMillis)
  }

  /** Runs to the end. Rejects with a StrategyError for what a hook throws. */
  async run(): Promise<void> {
    const { host, options } = this
    const { endMillis } = options
    const first = host.observe()
    await this.hooks.start(first instanceof Promise ? await first : first)
    while (!this.hasEnded) {
      const nextMillis = this.findNextInstant()
      if (nextMillis > endMillis) break
      const passed = this.skipQuietTicks(endMillis)
      if (passed !== nothingSkipped) {
        if (passed instanceof Promise) await passed
        this.reportProgress()
        continue
      }
      const moved = host.advanceTo(nextMillis, true)
      if (moved instanceof Promise) await moved
      const done = this.handleInstant()
      if (done instanceof Promise) await done
      this.sinceProgress += 1
      this.reportProgress()
    }
    if (!this.hasEnded) await host.advanceTo(endMillis)
    await this.hooks.end()
  }

  get calls(): Readonly<Record<HookName, number>> {
    return this.hooks.calls.counts
  }

  private get hasEnded(): boolean {
    return this.context.isStopped || this.options.isEnded?.() === true
  }

  private reportProgress(): void {
    if (this.sinceProgress < progressTicks) return
    this.sinceProgress = 0
    const { fromMillis, host, options } = this
    const done = (host.nowMillis - fromMillis) / Math.max(1, options.endMillis - fromMillis)
    options.progress?.(done, host.nowMillis)
  }

  private get nextTickMillis(): number {
    return this.fromMillis + this.nextTick * this.options.tickMillis
  }

  private findNextInstant(): number {
    const { nowMillis } = this.host
    // A hook may have taken longer than a tick; the ticks that it missed are left out.
    if (this.nextTickMillis < nowMillis) {
      this.nextTick = Math.ceil((nowMillis - this.fromMillis) / this.options.tickMillis)
    }
    const delivery = this.deliveries[0]?.atMillis ?? Number.POSITIVE_INFINITY
    const next = Math.min(this.nextTickMillis, this.context.timers.nextAtMillis, delivery)
    return Math.max(nowMillis, next)
  }

  /**
   * Skips ticks up to an instant that show nothing but known mids, without asking the venue at each. Returns
   * `nothingSkipped` when the next tick is not one of them.
   */
  private skipQuietTicks(lastMillis: number): Promise<void> | undefined | typeof nothingSkipped {
    const { midBuffer, context, lookahead, hooks } = this
    if (context.exits.isArmed) return nothingSkipped
    if (lookahead !== null && hooks.candles !== null)
      return this.skipToBars(hooks.candles, lookahead, lastMillis)
    if (midBuffer === null) return nothingSkipped
    let passedMillis = 0
    while (this.sinceProgress < progressTicks && !context.isStopped && !context.exits.isArmed) {
      const atMillis = this.nextTickMillis
      if (atMillis > lastMillis || atMillis >= context.timers.nextAtMillis) break
      const place = midBuffer.findRow(atMillis)
      if (place < 0) break
      this.nextTick += 1
      this.sinceProgress += 1
      passedMillis = atMillis
      const made = hooks.takeMids(atMillis, midBuffer.mids, place)
      if (made.length === 0) continue
      context.seen = midBuffer.lookahead.observeAt(atMillis)
      const done = hooks.deliverBars(made)
      if (done instanceof Promise) return done
    }
    if (passedMillis === 0) return nothingSkipped
    if (passedMillis > this.host.nowMillis) context.seen = midBuffer.lookahead.observeAt(passedMillis)
    return undefined
  }

  /**
   * Skips from bar to bar where bars are recorded candles, whatever the ticks between them would show. Returns
   * `nothingSkipped` when the next tick has to be observed.
   */
  private skipToBars(
    candles: CandleBars,
    lookahead: Lookahead,
    lastMillis: number,
  ): Promise<void> | undefined | typeof nothingSkipped {
    const { context, fromMillis, hooks } = this
    const { tickMillis } = this.options
    let hasPassed = false
    while (this.sinceProgress < progressTicks && !context.isStopped && !context.exits.isArmed) {
      const endMillis = Math.min(lastMillis + 1, context.timers.nextAtMillis, lookahead.untilMillis)
      const lastTick = Math.ceil((endMillis - fromMillis) / tickMillis) - 1
      const barTick = Math.ceil((candles.nextEndMillis - fromMillis) / tickMillis)
      const tick = Math.max(this.nextTick, Math.min(barTick, lastTick))
      if (tick > lastTick) break
      hasPassed = true
      this.nextTick = tick + 1
      this.sinceProgress += 1
      const atMillis = fromMillis + tick * tickMillis
      context.seen = lookahead.observeAt(atMillis)
      const done = hooks.deliverBars(hooks.takeCandles(candles, atMillis))
      if (done instanceof Promise) return done
    }
    return hasPassed ? undefined : nothingSkipped
  }

  /** Does what is due at this instant; returns a promise only where there is something to wait for. */
  private handleInstant(): MaybePromise<void> {
    const { context, host } = this
    const isTick = this.nextTickMillis <= host.nowMillis
    if (!this.options.feed.isNone) return this.handleInstantLate(isTick)
    if (!isTick && context.timers.nextAtMillis > host.nowMillis) return undefined
    const observed = host.observe()
    const index = this.nextTick
    if (isTick) this.nextTick += 1
    if (observed instanceof Promise) return observed.then((seen) => this.hooks.deliver(seen, index, isTick))
    return this.hooks.deliver(observed, index, isTick)
  }

  /**
   * Does what is due at this instant where the feed has latency: reads the feed at ticks, and delivers what has
   * arrived.
   */
  private async handleInstantLate(isTick: boolean): Promise<void> {
    const { deliveries, hooks, host } = this
    const { feed, seed } = this.options
    if (isTick) {
      const index = this.nextTick
      this.nextTick += 1
      const seen = await host.observe()
      const newest = deliveries.at(-1)?.atMillis ?? 0
      const atMillis = Math.max(newest, host.nowMillis + feed.draw(seed, String(host.nowMillis)))
      deliveries.push({ atMillis, seen, tick: { atMillis: seen.atMillis, index } })
    }
    for (;;) {
      const arrived = deliveries[0]
      if (arrived === undefined || arrived.atMillis > host.nowMillis) break
      deliveries.shift()
      await hooks.deliver(arrived.seen, arrived.tick.index, true)
    }
    await hooks.runTimers()
  }
}

const nothingSkipped = 'nothing'

const maximumTicks = 1024

/**
 * Holds the mids of future ticks in blocks. The strategy may act at any tick, and then the rest of a block is wasted;
 * so a block is half as long as the number of ticks used up since that last happened.
 */
class MidBuffer {
  /** The mids, with a row for each tick and the wanted assets side by side. */
  mids = new Float64Array(0)
  readonly lookahead: Lookahead
  private readonly places: readonly number[]
  private readonly stepMillis: number
  private firstMillis = 0
  private count = 0
  private version = -1
  private usedUp = 0

  /** `places` are those of the wanted assets; `stepMillis` is the time between two ticks. */
  constructor(lookahead: Lookahead, places: readonly number[], stepMillis: number) {
    this.lookahead = lookahead
    this.places = places
    this.stepMillis = stepMillis
  }

  /** Returns the index in `mids` of the row of a future tick; -1 where the host has to be observed. */
  findRow(atMillis: number): number {
    if (this.version === this.lookahead.version) {
      const row = (atMillis - this.firstMillis) / this.stepMillis
      if (row < this.count) return row * this.places.length
    }
    return this.fill(atMillis)
  }

  private fill(atMillis: number): number {
    const { lookahead, places, stepMillis } = this
    const isUsedUp = atMillis >= this.firstMillis + this.count * stepMillis
    this.usedUp = isUsedUp ? this.usedUp + this.count : 0
    this.version = lookahead.version
    this.firstMillis = atMillis
    this.count = 0
    const ahead = Math.ceil((lookahead.midsUntilMillis - atMillis) / stepMillis)
    if (ahead <= 0) return -1
    const count = Math.min(ahead, Math.max(1, this.usedUp >> 1), maximumTicks)
    const wanted = count * places.length
    if (this.mids.length < wanted) this.mids = new Float64Array(2 * wanted)
    for (const [first, place] of places.entries())
      lookahead.writeMids(place, atMillis, stepMillis, { first, step: places.length, count }, this.mids)
    this.count = count
    return 0
  }
}
