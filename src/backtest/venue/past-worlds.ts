import { priceNumber } from '../../api/answer.ts'
import { markTicksAt } from '../../engine/house/marks.ts'
import { type State, stateOf } from '../../engine/state.ts'
import type { WorldSnapshot } from '../../journal/world-snapshot.ts'
import type { ModelSpec } from '../../market/models/price-models.ts'
import type { Print } from '../../market/recordings/candle.ts'
import { type CandleTable, candleTable } from '../../market/recordings/candle-table.ts'
import { element, firstPlace } from '../../numeric/columns.ts'
import { formatDuration, millisToIso } from '../../numeric/time-text.ts'
import { type Millis, millis } from '../../numeric/units.ts'
import type { CompiledScenario } from '../../scenario/compile/compiled.ts'
import { createWorld, forkWorld, type World } from '../../world/world.ts'
import { BarMaker, CandleBars, type VolumeOf } from '../bars.ts'
import type { Bar } from '../strategy.ts'
import { midAt } from './lagging-world.ts'

interface PastBarsWanted {
  readonly symbols: readonly string[]
  readonly count: number
  readonly barMillis: number
  readonly tickMillis: number
  /** Where the past ends: the run begins here. */
  readonly fromMillis: number
}

export interface PastBars {
  /** Oldest first. The last of them may end at the run's first tick, which completes it. */
  readonly bars: readonly Bar[]
  /** Stands after these bars, so that the run's bars continue them. */
  readonly maker: BarMaker | CandleBars
}

/**
 * Takes a world to where a run begins, or just before it, and makes the bars that a strategy would have seen if it had
 * watched and done nothing. Time passes as it would have anyway, and the world shows no trace of it.
 *
 * Choice: before the world's start there is no venue, and so no mid: the bars there are of the market's own prices, as
 * the statistics of the last 24 hours are. Throws a RangeError where a recording does not go back so far.
 */
export function passThroughPast(world: World, wanted: PastBarsWanted): PastBars {
  const { barMillis, fromMillis, symbols, tickMillis } = wanted
  const places = symbols.map((symbol) => placeOf(world, symbol))
  const beginMillis = beginningOf(wanted)
  checkRecordings(world, wanted, beginMillis)
  const candles = recordedCandles(world)
  const tables = places.map((place) => candles[place] ?? null)
  const recorded = CandleBars.fitting(barMillis, symbols, tables)
  if (recorded !== null) return recordedPast(recorded, wanted, beginMillis)
  const maker = new BarMaker(barMillis, symbols, volumesOf(world), places)
  const bars: Bar[] = []
  const mids = new Float64Array(places.length)
  const ticks = Math.floor((fromMillis - beginMillis) / tickMillis)
  const look = new PastLook(world)
  for (let tick = ticks; tick > 0; tick -= 1) {
    const atMillis = fromMillis - tick * tickMillis
    look.moveTo(atMillis)
    for (const [index, place] of places.entries()) mids[index] = look.mid(place)
    for (const bar of maker.add(atMillis, mids, 0)) bars.push(bar)
  }
  return { bars, maker }
}

/** The same of recorded candles, which know the past without passing through it: of those in gaps, earlier ones. */
function recordedPast(recorded: CandleBars, wanted: PastBarsWanted, beginMillis: number): PastBars {
  const { barMillis, count, fromMillis, symbols } = wanted
  const wantedBars = count * symbols.length
  recorded.begin(beginMillis)
  if (recorded.upTo(fromMillis).length < wantedBars) recorded.begin(Number.NEGATIVE_INFINITY)
  else recorded.begin(beginMillis)
  const all = recorded.upTo(fromMillis)
  if (all.length < wantedBars) {
    throw new RangeError(
      `warmUp: the recording has gaps, and ${Math.floor(all.length / symbols.length)} of ${count} bars of ${formatDuration(barMillis)} before ${millisToIso(fromMillis)}`,
    )
  }
  recorded.begin(all[all.length - wantedBars]?.fromMillis ?? fromMillis)
  return { bars: recorded.upTo(fromMillis - 1), maker: recorded }
}

/** The tick that the first bar begins with, or one a bar earlier where bars begin between two ticks. */
export function beginningOf({
  barMillis,
  count,
  fromMillis,
  tickMillis,
}: Omit<PastBarsWanted, 'symbols'>): number {
  const firstMillis = (Math.floor(fromMillis / barMillis) - count) * barMillis
  return (fromMillis - firstMillis) % tickMillis === 0 ? firstMillis : firstMillis - barMillis
}

function placeOf(world: World, symbol: string): number {
  const place = world.scenario.venue.market.assets.findIndex((asset) => asset.symbol === symbol)
  if (place >= 0) return place
  const known = world.scenario.venue.market.assets.map((asset) => asset.symbol)
  throw new RangeError(`the venue does not trade ${symbol}; it trades ${known.join(', ')}`)
}

function checkRecordings(world: World, wanted: PastBarsWanted, beginMillis: number): void {
  const { barMillis, count, fromMillis, symbols } = wanted
  const { assets } = world.scenario.venue.market
  const firsts = symbols.map((symbol) => firstMillisOf(assets[placeOf(world, symbol)]?.model))
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

/** Where the prices of a model begin; generated ones have no beginning. */
function firstMillisOf(model: ModelSpec | undefined): number {
  if (model?.kind === 'replay') return model.candles[0]?.atMillis ?? 0
  if (model?.kind === 'trades') return model.trades[0]?.atMillis ?? 0
  return Number.NEGATIVE_INFINITY
}

/** Mids at ascending instants. An unattended world is not advanced to each of them. */
class PastLook {
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
    world.time.proceedTo(millis(atMillis))
    const { idleUntilMillis } = world.running
    this.foreseenUntilMillis = Math.min(
      idleUntilMillis,
      world.now + world.venue.state.market.rememberedMillis,
    )
  }

  mid(place: number): number {
    const { atMillis, world } = this
    const { state } = world.venue
    const asset = place + 1
    const { gridMillis, startMillis } = state.config
    if (atMillis >= startMillis) return midAt(state, asset, atMillis)
    const gridIndex = Math.floor((atMillis - startMillis) / gridMillis)
    return priceNumber(state.assets.traded(asset).pair, markTicksAt(state, asset, gridIndex, startMillis))
  }
}

/** The candles of each asset that replays some and that no script moves; null for the others. */
export function recordedCandles({ scenario }: World): readonly (CandleTable | null)[] {
  const moved = new Set(
    scenario.timeline.flatMap(({ action }) => (action.kind === 'path' ? [action.asset] : [])),
  )
  return scenario.venue.market.assets.map(({ model }, place) =>
    model.kind === 'replay' && !moved.has(place + 1) ? candleTable(model.candles) : null,
  )
}

/** The volumes of a world's recordings. A price that a script has switched to another model has none any more. */
export function volumesOf(world: World): VolumeOf {
  const volumes = world.scenario.venue.market.assets.map(({ model }) => recordedVolume(model))
  return (place, fromMillis, toMillis) => {
    const between = volumes[place] ?? null
    if (between === null || isSwitched(world.venue.state, place + 1)) return null
    return between(fromMillis, toMillis)
  }
}

function isSwitched(state: State, asset: number): boolean {
  return stateOf(state, asset).overrides.some((one) => one.kind === 'switch' || one.base !== undefined)
}

/** What a recording traded in (from, to], in units of the asset. */
type VolumeBetween = (fromMillis: number, toMillis: number) => number

/**
 * The volume of a recording; null for generated markets and for recordings without volumes.
 *
 * Choice: a candle's volume is spread evenly over its span, so a bar of the candles' own span has exactly the recorded
 * volume, and a shorter one its share. Where the recording has nothing, nothing was traded.
 */
function recordedVolume(model: ModelSpec): VolumeBetween | null {
  if (model.kind === 'trades') {
    const { trades } = model
    return (fromMillis, toMillis) => volumeOfTrades(trades, fromMillis, toMillis)
  }
  if (model.kind !== 'replay') return null
  const table = candleTable(model.candles)
  return table.hasVolume ? (fromMillis, toMillis) => volumeOfCandles(table, fromMillis, toMillis) : null
}

function volumeOfCandles(table: CandleTable, fromMillis: number, toMillis: number): number {
  const { atMillis, count, endMillis, volume } = table
  let total = 0
  let place = firstPlace(count, (candidate) => element(endMillis, candidate) > fromMillis)
  for (; place < count; place += 1) {
    const begin = element(atMillis, place)
    const end = element(endMillis, place)
    if (begin >= toMillis) break
    const own = element(volume, place)
    const within = Math.min(end, toMillis) - Math.max(begin, fromMillis)
    total += within === end - begin ? own : (own * within) / (end - begin)
  }
  return total
}

function volumeOfTrades(trades: readonly Print[], fromMillis: number, toMillis: number): number {
  let total = 0
  let place = firstPlace(trades.length, (candidate) => (trades[candidate]?.atMillis ?? 0) > fromMillis)
  for (; place < trades.length; place += 1) {
    const trade = trades[place]
    if (trade === undefined || trade.atMillis > toMillis) break
    total += trade.quantity
  }
  return total
}

/** Told, while time passes before a run begins, where the world is. */
export type TellTime = (nowMillis: number) => void

export interface PastWorlds {
  /** A world of its own in which nobody has done anything and time has passed up to an instant. */
  open(scenario: CompiledScenario, seed: string | undefined, atMillis: number, tell?: TellTime): World
}

/** A new world for each run; `onWorld` is given it before anything happens in it. */
export function newWorlds(onWorld?: (world: World) => void): PastWorlds {
  return {
    open(scenario, seed, atMillis, tell) {
      const world = create(scenario, seed)
      onWorld?.(world)
      proceed(world, atMillis, tell)
      return world
    },
  }
}

/**
 * Worlds for many runs, most of which begin where others have, as the cells and the windows of a sweep do: each is a
 * fork of the latest one that is kept of its scenario and seed. A fork is in the state that a new world would be in, so
 * no result depends on what is kept; it is kept when at least `leastSteps` steps of the market have passed.
 */
export function keptWorlds(leastSteps = worthKeeping): PastWorlds {
  const kept: KeptWorld[] = []
  return {
    open(scenario, seed, atMillis, tell) {
      const nearest = latestOf(kept, scenario, seed, atMillis)
      const world = nearest === null ? create(scenario, seed) : forkWorld(nearest.snapshot)
      if (nearest !== null) kept.push(...kept.splice(kept.indexOf(nearest), 1))
      const passedMillis = atMillis - world.now
      proceed(world, atMillis, tell)
      if (passedMillis / scenario.venue.gridMillis < leastSteps) return world
      kept.push({ scenario, seed, atMillis, snapshot: world.snapshot() })
      if (kept.length > mostKept) kept.shift()
      return world
    },
  }
}

interface KeptWorld {
  readonly scenario: CompiledScenario
  readonly seed: string | undefined
  readonly atMillis: number
  readonly snapshot: WorldSnapshot
}

/** Steps of the market that take longer than a snapshot and a fork. */
const worthKeeping = 50_000
/** Some megabytes each. */
const mostKept = 32

function latestOf(
  kept: readonly KeptWorld[],
  scenario: CompiledScenario,
  seed: string | undefined,
  atMillis: number,
): KeptWorld | null {
  let latest: KeptWorld | null = null
  for (const one of kept) {
    if (one.scenario !== scenario || one.seed !== seed || one.atMillis > atMillis) continue
    if (latest === null || one.atMillis > latest.atMillis) latest = one
  }
  return latest
}

function create(scenario: CompiledScenario, seed: string | undefined): World {
  return createWorld(scenario, { clock: { mode: 'manual' }, ...(seed === undefined ? {} : { seed }) })
}

/** Moves on without a line in a journal, in pieces so that progress can be told. */
function proceed(world: World, atMillis: number, tell: TellTime | undefined): void {
  const pieceMillis = Math.ceil((atMillis - world.now) / pieces)
  while (world.now < atMillis) {
    world.time.proceedTo(pieceOf(world.now + pieceMillis, atMillis))
    tell?.(world.now)
  }
}

const pieces = 200

const pieceOf = (nextMillis: number, atMillis: number): Millis => millis(Math.min(nextMillis, atMillis))
