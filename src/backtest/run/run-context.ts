import type { RandomStream } from '../../numeric/random.ts'
import { parseDuration } from '../../numeric/time-text.ts'
import type { Delay } from '../latency.ts'
import type { NoteRecord, ParameterValues, RecordedSeries } from '../result.ts'
import type {
  Bar,
  FeedPrice,
  Strategy,
  StrategyContext,
  SyncVenueClient,
  Timer,
  TradingVenue,
} from '../strategy.ts'
import { askState } from '../strategy-answers.ts'
import type { Host, Observation } from '../venue/host.ts'
import { PositionTargets } from '../venue/position-targets.ts'
import type { WarmUpBars } from '../venue/warm-up.ts'
import { RunNotebook } from './notebook.ts'
import { ProtectiveExits } from './protective-exits.ts'
import { Timers } from './timers.ts'

export class RunContext implements StrategyContext<ParameterValues, unknown> {
  readonly account: string
  readonly parameters: ParameterValues
  readonly state: unknown
  readonly assets: readonly string[]
  readonly endMillis: number
  readonly timers = new Timers()
  readonly notebook: RunNotebook
  /** The last observation that the strategy was given; null before the first one. */
  seen: Observation | null = null
  /** The past bars that `bars` reads; null where the strategy does not look back. */
  window: BarWindow | null = null
  readonly venue: TradingVenue
  readonly exits: ProtectiveExits
  private readonly host: Host
  private readonly places: ReadonlyMap<string, number>
  private hasStopped = false

  constructor({ account, endMillis, host, parameters, seed, strategy }: StrategyRunOptions) {
    this.account = account
    this.parameters = parameters
    this.state = askState(strategy, parameters, host)
    this.assets = host.assets
    this.endMillis = endMillis
    this.notebook = new RunNotebook(seed)
    this.host = host
    const targets = new PositionTargets(host.venue, (asset) => this.price(asset).mid)
    this.exits = new ProtectiveExits(host.venue, targets)
    this.venue = {
      ...host.venue,
      target: (asset, goal) => targets.trade(asset, goal),
      protect: (asset, levels) => this.exits.protect(asset, levels, this.now, this.price(asset).mid),
      book: (asset) => {
        if (this.seen === null) throw new RangeError('the feed has shown nothing yet')
        return this.seen.book(this.findPlace(asset))
      },
      queue: (orderId) => host.findBookPlace(orderId),
    }
    this.places = new Map(host.assets.map((symbol, place) => [symbol, place]))
  }

  get now(): number {
    return this.host.nowMillis
  }

  get sync(): SyncVenueClient {
    return this.host.sync
  }

  get notes(): readonly NoteRecord[] {
    return this.notebook.notes
  }

  /** How many notes came after the thousand that are kept. */
  get droppedNotes(): number {
    return this.notebook.droppedNotes
  }

  get series(): Readonly<Record<string, RecordedSeries>> {
    return this.notebook.series
  }

  get isStopped(): boolean {
    return this.hasStopped
  }

  /** Returns an asset's place in `assets`. Throws a RangeError for one that does not trade. */
  findPlace(asset: string): number {
    const place = this.places.get(asset)
    if (place === undefined) {
      throw new RangeError(`the venue does not trade ${asset}; it trades ${this.assets.join(', ')}`)
    }
    return place
  }

  // Hooks destructure their context, so these functions are bound to it.
  readonly price = (asset: string): FeedPrice => {
    const { seen } = this
    if (seen === null) throw new RangeError('the feed has shown nothing yet')
    return seen.price(this.findPlace(asset))
  }

  readonly bars = (asset: string, count?: number): readonly Bar[] => {
    if (this.window !== null) return this.window.newest(asset, count)
    throw new RangeError('bars: none are kept; say how many with warmUp, such as warmUp: 200')
  }

  readonly sleep = async (span: string | number): Promise<void> => {
    const untilMillis = Math.min(this.now + parseSpan(span), this.endMillis)
    const { waitQueue } = this.host
    if (waitQueue !== null) return waitQueue.waitUntil(untilMillis)
    await this.host.advanceTo(untilMillis)
  }

  readonly after = (span: string | number, name = ''): Timer => {
    return this.timers.set(this.now + parseSpan(span), 0, name)
  }

  readonly every = (span: string | number, name = ''): Timer => {
    const everyMillis = parseSpan(span)
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
    this.hasStopped = true
  }
}

export interface StrategyRunOptions {
  readonly strategy: Strategy
  readonly parameters: ParameterValues
  readonly account: string
  readonly host: Host
  readonly seed: string
  readonly tickMillis: number
  readonly barMillis: number | null
  /** The number of past bars to keep for `bars` of the context. */
  readonly barsKept?: number
  readonly past?: WarmUpBars | undefined
  readonly feed: Delay
  readonly endMillis: number
  /** Receives, now and then, the share of the run that is done, and the venue's time. */
  readonly progress?: ((done: number, nowMillis: number) => void) | undefined
  /** Whether the user has asked for the end. */
  readonly isEnded?: () => boolean
}

/** Parses a span: a text such as `5s`, or whole milliseconds. Throws a RangeError for anything else. */
function parseSpan(span: string | number): number {
  const spanMillis = typeof span === 'string' ? parseDuration(span) : span
  if (spanMillis === null || !Number.isSafeInteger(spanMillis) || spanMillis < 0) {
    throw new RangeError(`${span} is not a span: 5s, 250ms, or whole milliseconds`)
  }
  return spanMillis
}

/** Parses the span of an option, in milliseconds above 0. Throws a RangeError that names the option. */
export function parseSpanOption(text: string, option: string): number {
  const spanMillis = parseDuration(text)
  if (spanMillis === null || spanMillis <= 0)
    throw new RangeError(`${option}: expected a span such as 1s, found "${text}"`)
  return spanMillis
}

export class BarWindow {
  private readonly size: number
  private readonly byAsset: ReadonlyMap<string, Bar[]>

  /** `kept` is the number of bars to keep of each asset, at least 1. */
  constructor(kept: number, assets: readonly string[]) {
    this.size = kept
    this.byAsset = new Map(assets.map((asset) => [asset, []]))
  }

  add(bars: readonly Bar[]): void {
    for (const bar of bars) {
      const own = this.byAsset.get(bar.asset)
      if (own === undefined) continue
      own.push(bar)
      // Bars are dropped in batches, so that adding one costs the same however many are kept.
      if (own.length >= 2 * this.size) own.splice(0, own.length - this.size)
    }
  }

  /**
   * Returns the newest bars of an asset, oldest first: all that are kept, or `count` of them. Throws a RangeError for
   * an asset without bars, and for more bars than are kept.
   */
  newest(asset: string, count = this.size): readonly Bar[] {
    const own = this.byAsset.get(asset)
    if (own === undefined) {
      throw new RangeError(`bars: there are none of ${asset}; there are bars of ${[...this.byAsset.keys()]}`)
    }
    if (!Number.isSafeInteger(count) || count < 0 || count > this.size) {
      throw new RangeError(`bars: ${count} is not a number of bars up to ${this.size}, the strategy's warmUp`)
    }
    return own.slice(Math.max(0, own.length - count))
  }
}
