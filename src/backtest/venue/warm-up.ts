import { priceNumber } from '../../api/answer.ts'
import { markTicksAt } from '../../engine/house/marks.ts'
import type { ModelSpec } from '../../market/models/price-models.ts'
import { getCandleTable } from '../../market/recordings/candle-table.ts'
import { getTradeTable } from '../../market/recordings/trade-table.ts'
import { formatDuration, millisToIso } from '../../numeric/time-text.ts'
import { millis } from '../../numeric/units.ts'
import type { World } from '../../world/world.ts'
import { BarMaker } from '../bars.ts'
import { CandleBars } from '../candle-bars.ts'
import type { Bar } from '../strategy.ts'
import { midAt } from './lagging-world.ts'
import { createVolumeReader, listRecordedCandles } from './recordings.ts'

interface WarmUpRequest {
  readonly symbols: readonly string[]
  readonly count: number
  readonly barMillis: number
  readonly tickMillis: number
  /** The instant at which the run begins. */
  readonly fromMillis: number
}

export interface WarmUpBars {
  /** The bars, oldest first. The last of them may end at the run's first tick, which completes it. */
  readonly bars: readonly Bar[]
  /** The maker of these bars, which the run continues with. */
  readonly maker: BarMaker | CandleBars
}

/**
 * Advances a world to where a run begins, or just before it, and makes the bars that a strategy would have seen if it
 * had observed and done nothing. The world shows no trace of it.
 *
 * Choice: before the world's start there is no venue, and so no mid: bars there are made of the market's own prices, as
 * the statistics of the last 24 hours are. Throws a RangeError where a recording does not go back so far.
 */
export function advanceThroughWarmUp(world: World, wanted: WarmUpRequest): WarmUpBars {
  const { barMillis, fromMillis, symbols, tickMillis } = wanted
  const places = symbols.map((symbol) => findPlace(world, symbol))
  const beginMillis = findWarmUpStart(wanted)
  checkRecordings(world, wanted, beginMillis)
  const candles = listRecordedCandles(world)
  const tables = places.map((place) => candles[place] ?? null)
  const recorded = CandleBars.create(barMillis, symbols, tables)
  if (recorded !== null) return takeRecordedBars(recorded, wanted, beginMillis)
  const maker = new BarMaker(barMillis, symbols, createVolumeReader(world), places)
  const bars: Bar[] = []
  const mids = new Float64Array(places.length)
  const ticks = Math.floor((fromMillis - beginMillis) / tickMillis)
  const look = new PastMids(world)
  for (let tick = ticks; tick > 0; tick -= 1) {
    const atMillis = fromMillis - tick * tickMillis
    look.moveTo(atMillis)
    for (const [index, place] of places.entries()) mids[index] = look.mid(place)
    for (const bar of maker.add(atMillis, mids, 0)) bars.push(bar)
  }
  return { bars, maker }
}

/**
 * Takes the warm-up bars from recorded candles, without time passing. Where the recording has gaps, earlier candles
 * make up for them. Throws a RangeError where there are too few.
 */
function takeRecordedBars(recorded: CandleBars, wanted: WarmUpRequest, beginMillis: number): WarmUpBars {
  const { barMillis, count, fromMillis } = wanted
  const found = recorded.startBefore(fromMillis, count, beginMillis)
  if (found < count) {
    throw new RangeError(
      `warmUp: the recording has gaps, and ${found} of ${count} bars of ${formatDuration(barMillis)} before ${millisToIso(fromMillis)}`,
    )
  }
  return { bars: recorded.takeUntil(fromMillis - 1), maker: recorded }
}

/**
 * Returns the instant of the tick with which the first warm-up bar begins; one bar earlier where bars begin between two
 * ticks.
 */
export function findWarmUpStart({
  barMillis,
  count,
  fromMillis,
  tickMillis,
}: Omit<WarmUpRequest, 'symbols'>): number {
  const firstMillis = (Math.floor(fromMillis / barMillis) - count) * barMillis
  return (fromMillis - firstMillis) % tickMillis === 0 ? firstMillis : firstMillis - barMillis
}

function findPlace(world: World, symbol: string): number {
  const place = world.scenario.venue.market.assets.findIndex((asset) => asset.symbol === symbol)
  if (place >= 0) return place
  const known = world.scenario.venue.market.assets.map((asset) => asset.symbol)
  throw new RangeError(`the venue does not trade ${symbol}; it trades ${known.join(', ')}`)
}

function checkRecordings(world: World, wanted: WarmUpRequest, beginMillis: number): void {
  const { barMillis, count, fromMillis, symbols } = wanted
  const { assets } = world.scenario.venue.market
  const firsts = symbols.map((symbol) => findFirstMillis(assets[findPlace(world, symbol)]?.model))
  const latest = Math.max(...firsts)
  if (count === 0 || beginMillis >= latest) return
  const symbol = symbols[firsts.indexOf(latest)] ?? ''
  const earliestMillis = Math.ceil(latest / barMillis) * barMillis + (fromMillis - beginMillis)
  const { endMillis } = world.scenario.clock
  const advice =
    endMillis !== null && earliestMillis >= endMillis
      ? `it ends at ${millisToIso(endMillis)}, so take fewer bars, or shorter ones`
      : `begin at ${millisToIso(earliestMillis)} or later, or take fewer bars`
  throw new RangeError(
    `warmUp: ${count} bars of ${formatDuration(barMillis)} before ${millisToIso(fromMillis)} begin at ${millisToIso(beginMillis)}, and the recording of ${symbol} at ${millisToIso(latest)}; ${advice}`,
  )
}

/** Returns the instant at which the prices of a model begin; negative infinity for generated prices. */
function findFirstMillis(model: ModelSpec | undefined): number {
  if (model?.kind === 'book') return model.book.firstMillis
  if (model?.kind !== 'replay' && model?.kind !== 'trades') return Number.NEGATIVE_INFINITY
  const { atMillis } = model.kind === 'replay' ? getCandleTable(model.candles) : getTradeTable(model.trades)
  return atMillis[0] ?? 0
}

/** Reads mids at ascending instants, without advancing an idle world to each of them. */
class PastMids {
  private readonly world: World
  private atMillis = 0
  private foreseenUntilMillis: number

  constructor(world: World) {
    this.world = world
    this.foreseenUntilMillis = world.now
  }

  moveTo(atMillis: number): void {
    const { world } = this
    this.atMillis = atMillis
    if (atMillis < this.foreseenUntilMillis || atMillis < world.now) return
    world.time.passTimeTo(millis(atMillis))
    const { idleUntilMillis } = world.running
    this.foreseenUntilMillis = Math.min(idleUntilMillis, world.now + world.venue.state.market.cachedMillis)
  }

  mid(place: number): number {
    const { atMillis, world } = this
    const { state } = world.venue
    const asset = place + 1
    const { gridMillis, startMillis } = state.config
    if (atMillis >= startMillis) return midAt(state, asset, atMillis)
    const gridIndex = Math.floor((atMillis - startMillis) / gridMillis)
    return priceNumber(
      state.assets.tradedAsset(asset).pair,
      markTicksAt(state, asset, gridIndex, startMillis),
    )
  }
}
