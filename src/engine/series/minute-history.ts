import { createMarket } from '../../market/create-market.ts'
import type { Market, MinuteBar } from '../../market/market.ts'
import { missing } from '../../numeric/assert.ts'
import { millisPerMinute } from '../../numeric/time-text.ts'
import { powerOfTen } from '../../numeric/units.ts'
import type { PairConfig, VenueConfig } from '../config.ts'

const minutesOfDay = 1440
const atomsInUsd = 1_000_000
/**
 * The number of bars that one call of `prepare` makes: as many minutes as the market caches of factors that assets
 * share, so that assets in turn draw these only once.
 */
const barsPerStep = 8

/**
 * What the minutes before the start still add to the window. Prices are in ticks; high and low are 0 without trades.
 */
export interface HistoryFigures {
  /** The price 24 hours ago, or that of the start when the window has left the history. */
  readonly openTicks: number
  readonly highTicks: number
  readonly lowTicks: number
  readonly volumeSteps: bigint
  readonly volumeAtoms: bigint
  readonly trades: number
}

/**
 * The 24 hours before the start, as minute bars of the market. The bars are not state, but a pure function of the
 * venue's configuration, made when first asked for. What is kept are sums and extremes of the bars from each minute
 * to the start.
 *
 * Choice: a bar leaves the rolling window as one print at its last instant would; only bars with trades count for
 * high and low, as only prints do after the start.
 */
export class MinuteHistory {
  private readonly pair: PairConfig
  private readonly startMillis: number
  /** The source of bars; null once all are made, so that what it takes to make them can be freed. */
  private barAt: ((minute: number) => MinuteBar) | null
  private suffixes: readonly HistoryFigures[] | null = null
  private steps = 0
  private building: Iterator<undefined, readonly HistoryFigures[]> | null = null

  /** Creates a history from `barAt`, which must answer for the minutes -1440 to -1. */
  constructor(pair: PairConfig, startMillis: number, barAt: (minute: number) => MinuteBar) {
    this.pair = pair
    this.startMillis = startMillis
    this.barAt = barAt
  }

  /**
   * Returns what is left of the history in the window that ends now. The first call makes all bars that are not
   * prepared.
   */
  figures(nowMillis: number): HistoryFigures {
    while (this.suffixes === null) this.prepare()
    const minutesGone = Math.floor((nowMillis - this.startMillis) / millisPerMinute)
    return (
      this.suffixes[Math.max(0, Math.min(minutesOfDay, minutesGone))] ??
      missing('a minute of the day has its figures')
    )
  }

  /** Returns how many times `prepare` has made bars; infinity when all are there. */
  get preparedSteps(): number {
    return this.suffixes === null ? this.steps : Number.POSITIVE_INFINITY
  }

  /** Makes some of the bars ahead of the first call of `figures`. Returns whether all are there. */
  prepare(): boolean {
    if (this.suffixes !== null || this.barAt === null) return true
    this.building ??= this.build(this.barAt)
    this.steps += 1
    const { done, value } = this.building.next()
    if (done !== true) return false
    this.suffixes = value
    this.building = null
    this.barAt = null
    return true
  }

  /** Returns the figures of the bars from place p to the last one, for every p from 0 to 1440. */
  private *build(barAt: (minute: number) => MinuteBar): Generator<undefined, readonly HistoryFigures[]> {
    const suffixes: HistoryFigures[] = []
    const bars: MinuteBar[] = []
    let close = Number.NaN
    // Reading a market forwards costs a fraction of reading it backwards.
    for (let minute = -minutesOfDay; minute < 0; minute += 1) {
      const bar = barAt(minute)
      close = bar.close
      bars.push(bar)
      if (bars.length % barsPerStep === 0) yield
    }
    let later = { ...nothing, openTicks: this.toTicks(close) }
    suffixes.push(later)
    for (const bar of bars.reverse()) {
      later = this.addBar(later, bar)
      suffixes.push(later)
    }
    return suffixes.reverse()
  }

  private addBar(later: HistoryFigures, bar: MinuteBar): HistoryFigures {
    const openTicks = this.toTicks(bar.open)
    if (bar.trades === 0) return { ...later, openTicks }
    const highTicks = this.toTicks(bar.high)
    const lowTicks = this.toTicks(bar.low)
    return {
      openTicks,
      highTicks: Math.max(later.highTicks, highTicks),
      lowTicks: later.lowTicks === 0 ? lowTicks : Math.min(later.lowTicks, lowTicks),
      volumeSteps: later.volumeSteps + this.toSteps(bar),
      volumeAtoms: later.volumeAtoms + BigInt(Math.round(bar.volumeUsd * atomsInUsd)),
      trades: later.trades + bar.trades,
    }
  }

  /** Returns the nearest tick, at least one. */
  private toTicks(price: number): number {
    const { units, scale } = this.pair.priceStep
    return Math.max(1, Math.round((price * powerOfTen(scale)) / units))
  }

  private toSteps(bar: MinuteBar): bigint {
    const { units, scale } = this.pair.quantityStep
    const quantity = bar.volumeUsd / ((bar.open + bar.close) / 2)
    return BigInt(Math.round((quantity * powerOfTen(scale)) / units))
  }
}

const nothing: HistoryFigures = {
  openTicks: 0,
  highTicks: 0,
  lowTicks: 0,
  volumeSteps: 0n,
  volumeAtoms: 0n,
  trades: 0,
}

/*
 * What happened before the start is the same for every venue of one configuration. So it is computed once for all of
 * them, and lives as long as the configuration: a world made for one test, or a world that is reset, answers its
 * first question about the last 24 hours at once. That this is a cache of the module cannot be observed: a history is
 * a pure function of its key.
 */
const known = new WeakMap<VenueConfig, readonly MinuteHistory[]>()

/** Returns the 24 hours before the start of an asset (a row above 0). */
export function findHistory(config: VenueConfig, asset: number): MinuteHistory {
  const histories = known.get(config) ?? createHistories(config)
  return histories[asset - 1] ?? missing('a traded asset has a history')
}

function createHistories(config: VenueConfig): readonly MinuteHistory[] {
  // The histories have a market of their own, because a venue's market goes away with the venue.
  let own: Market | null = null
  const market = (): Market => {
    own ??= createMarket(config.market)
    return own
  }
  const pairs = config.assets.flatMap(({ pair }) => pair ?? [])
  const histories = pairs.map(
    (pair, asset) =>
      new MinuteHistory(pair, config.startMillis, (minute) => market().minuteBar(asset, minute)),
  )
  known.set(config, histories)
  return histories
}
