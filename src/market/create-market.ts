import { assert } from '../numeric/assert.ts'
import { element } from '../numeric/columns.ts'
import { exp, log } from '../numeric/portable-math.ts'
import { millisPerMinute } from '../numeric/time-text.ts'
import { createFlow, type Flow } from './flow/flow.ts'
import { computeCachedMillis, GridPath } from './grid-path.ts'
import type { Market, MinuteBar } from './market.ts'
import type { AssetMarketSpec, MarketSpec, ModelChange } from './market-spec.ts'
import {
  clampPrice,
  minuteEnd,
  type PriceModel,
  type Recording,
  type StreamNames,
  wholeSeconds,
} from './models/price-model.ts'
import { createModel, type ModelSpec } from './models/price-models.ts'
import { createWaypoints } from './models/waypoints.ts'
import { getCandleTable } from './recordings/candle-table.ts'
import { PrintTable } from './recordings/print-table.ts'
import { getTradeTable } from './recordings/trade-table.ts'
import type { ScriptedPath } from './scripted-path.ts'
import { SharedParts } from './shared-parts.ts'

/**
 * Creates the market of a specification that `checkMarket` has found sound. Nothing is computed before it is
 * asked for, and caches are bounded: a few minutes and blocks per asset, however long the market runs.
 */
export function createMarket(spec: MarketSpec): Market {
  const { startMillis, gridMillis } = spec
  assert(Number.isSafeInteger(gridMillis) && gridMillis > 0, 'a grid has a spacing of whole milliseconds')
  const shared = new SharedParts(spec)
  const paths: AssetPath[] = []
  const getPath = (asset: number): AssetPath => paths[asset] ?? createAssetPath(asset)
  const createAssetPath = (asset: number): AssetPath => {
    const assetSpec = spec.assets[asset]
    assert(assetSpec !== undefined, `there is a market asset ${asset}`)
    const path = new AssetPath(assetSpec, spec, shared, null)
    paths[asset] = path
    return path
  }
  const pathUnder = (asset: number, change: ModelChange | null | undefined): AssetPath =>
    change === null || change === undefined ? getPath(asset) : getPath(asset).getChanged(change)
  const startPrices = spec.assets.map(findStartPrice)
  // A market that has not advanced yet is only asked for its start, which needs no model.
  const fundamentalAt = (asset: number, gridIndex: number, change?: ModelChange | null): number =>
    change === null || change === undefined
      ? ((gridIndex === 0 ? startPrices[asset] : null) ?? getPath(asset).grid.priceAt(gridIndex))
      : getPath(asset).getChanged(change).priceAt(gridIndex)
  return {
    startMillis,
    gridMillis,
    cachedMillis: computeCachedMillis(gridMillis),
    fundamentalAt,
    writeFundamentals: (asset, { count, first, step }, prices) =>
      getPath(asset).grid.write(first, step, count, prices),
    activityAt: (asset, minute, change) => pathUnder(asset, change).model.activityAt?.(minute) ?? 1,
    volumeUsdIn: (asset, minute, change) => pathUnder(asset, change).model.volumeUsdIn?.(minute) ?? null,
    scriptedPriceAt: (asset, path, gridIndex) => getPath(asset).scriptedPriceAt(path, gridIndex),
    isHaltedAt: (asset, gridIndex, change) =>
      pathUnder(asset, change).recording?.isHaltedAt(gridIndex * gridMillis) ?? false,
    canHalt: (asset, change) => pathUnder(asset, change).recording?.canHalt ?? false,
    recordedPrints: (asset, afterIndex, lastIndex, change) =>
      pathUnder(asset, change).collectPrints(afterIndex, lastIndex),
    arrivalsInMinute: (asset, minute, change) => pathUnder(asset, change).flow.arrivalsIn(minute),
    minuteClose: (asset, minute) => getPath(asset).minuteClose(minute),
    minuteBar: (asset, minute) => getPath(asset).minuteBar(minute),
  }
}

/** Returns the price at the start, USD, or null for models with prices of their own. */
function findStartPrice({ model, price }: AssetMarketSpec): number | null {
  return kindsWithOwnStart.has(model.kind) ? null : clampPrice(price)
}

/** The models whose price at the start is that of their points or rows. */
const kindsWithOwnStart: ReadonlySet<string> = new Set(['waypoints', 'replay', 'trades', 'book'])

/**
 * Path of one asset under its own model or under a change of model, with the scripted path that replaces it.
 */
class AssetPath {
  readonly grid: GridPath
  readonly recording: Recording | null
  readonly flow: Flow
  private readonly names: StreamNames
  readonly model: PriceModel
  private readonly gridMillis: number
  private readonly closes = new Float64Array(60)
  private readonly prints = new PrintTable()
  private readonly spec: AssetMarketSpec
  private readonly market: MarketSpec
  private readonly shared: SharedParts
  private readonly change: ModelChange | null
  private readonly scale: number
  /** How much later the market is than the recording, milliseconds. */
  private readonly laterMillis: number
  private scripted: { readonly path: ScriptedPath; readonly grid: GridPath } | null = null
  private changed: AssetPath | null = null

  constructor(spec: AssetMarketSpec, market: MarketSpec, shared: SharedParts, change: ModelChange | null) {
    this.spec = spec
    this.market = market
    this.shared = shared
    this.change = change
    this.names = { seed: market.seed, symbol: spec.symbol }
    this.gridMillis = market.gridMillis
    const startMillis = change === null ? market.startMillis : computeStartMillis(market, spec.model, change)
    this.laterMillis = market.startMillis - startMillis
    this.model = createModel(spec, {
      startMillis,
      names:
        change === null ? this.names : { ...this.names, symbol: toChangedSymbol(spec.symbol, spec.model) },
      getNoise: () => shared.getNoise(spec.symbol),
      getCommonDraws: () =>
        shared.getCommonDraws(spec.symbol, (symbol) => ({
          seed: market.seed,
          symbol: change === null ? symbol : toChangedSymbol(symbol, spec.model),
        })),
      getFactors: () => shared.getFactors(),
    })
    this.recording = this.model.recording ?? null
    this.grid = new GridPath(this.model, market.gridMillis)
    this.flow = createFlow(spec.flow, this.names, {
      intensityIn: createIntensity(spec.model, this.model),
      fillSeconds: (minute, prices) => this.fillSeconds(minute, prices),
    })
    this.scale = change === null ? 1 : computeScale(this.grid, change)
  }

  /**
   * Returns this asset's path under a change of model. Only the last one is cached, because the engine never
   * goes back to an earlier change.
   */
  getChanged(change: ModelChange): AssetPath {
    if (this.changed?.change !== change)
      this.changed = new AssetPath(applyChange(this.spec, change), this.market, this.shared, change)
    return this.changed
  }

  priceAt(gridIndex: number): number {
    const { change, grid, scale, gridMillis } = this
    return change === null
      ? grid.priceAt(gridIndex)
      : computeChangedPrice(grid, change, scale, gridIndex, gridMillis)
  }

  /**
   * Returns the recorded trades after one grid index and up to another, at the prices and instants that they
   * stand for in this market. The table is reused.
   */
  collectPrints(afterIndex: number, lastIndex: number): PrintTable {
    const { recording, gridMillis, laterMillis, prints, scale } = this
    prints.clear()
    recording?.addPrints(afterIndex * gridMillis, lastIndex * gridMillis, prints)
    if (scale === 1 && laterMillis === 0) return prints
    for (let row = 0; row < prints.count; row += 1) {
      prints.atMillis.add(row, laterMillis)
      prints.price.set(row, prints.price.get(row) * scale)
    }
    return prints
  }

  scriptedPriceAt(path: ScriptedPath, gridIndex: number): number {
    if (this.scripted === null || this.scripted.path !== path) {
      const purpose = `script-${path.id}`
      const model = createWaypoints(path.points, path.startOffsetMillis, path.noiseVol, this.names, purpose)
      this.scripted = { path, grid: new GridPath(model, this.gridMillis) }
    }
    return this.scripted.grid.priceAt(gridIndex)
  }

  /** Writes the model's prices at a minute's start and at the ends of its sixty seconds. */
  private fillSeconds(minute: number, prices: Float64Array): void {
    const { closes } = this
    this.model.fillPrices(minute, wholeSeconds, closes)
    prices.set(closes, 1)
    prices[0] = this.minuteClose(minute - 1)
  }

  minuteClose(minute: number): number {
    this.model.fillPrices(minute, minuteEnd, this.closes)
    return element(this.closes, 0)
  }

  /**
   * Returns the bar of a minute. High and low are those of the whole seconds, so a bar is the same on every
   * grid.
   */
  minuteBar(minute: number): MinuteBar {
    const { closes } = this
    const open = this.minuteClose(minute - 1)
    this.model.fillPrices(minute, wholeSeconds, closes)
    const close = element(closes, 59)
    let high = open
    let low = open
    for (const price of closes) {
      if (price > high) high = price
      if (price < low) low = price
    }
    const figures = this.model.figuresIn?.(minute)
    if (figures === undefined) return { open, high, low, close, ...this.sumVolume(minute) }
    if (figures.trades > 0) {
      high = Math.max(open, close, figures.high)
      low = Math.min(open, close, figures.low)
    }
    return { open, high, low, close, volumeUsd: figures.volumeUsd, trades: figures.trades }
  }

  /** Returns a minute's volume: that of the recording, else what the synthetic takers wanted to trade. */
  private sumVolume(minute: number): { volumeUsd: number; trades: number } {
    let volumeUsd = 0
    if (this.recording !== null) {
      const prints = new PrintTable()
      this.recording.addPrints(minute * millisPerMinute, (minute + 1) * millisPerMinute, prints)
      for (let row = 0; row < prints.count; row += 1)
        volumeUsd += prints.price.get(row) * prints.quantity.get(row)
      return { volumeUsd, trades: prints.count }
    }
    const arrivals = this.flow.arrivalsIn(minute)
    for (const arrival of arrivals) volumeUsd += arrival.valueUsd
    return { volumeUsd, trades: arrivals.length }
  }
}

/**
 * Creates the intensity of the takers: it follows the model's volume where it has one, else activity to the
 * power 0.9 (market.md 2d).
 */
function createIntensity(spec: ModelSpec, model: PriceModel): (minute: number) => number {
  if (spec.kind === 'market' && model.volumeUsdIn !== undefined) {
    const averageUsd = spec.dailyVolumeUsd / 1440
    return averageUsd > 0 ? (minute) => (model.volumeUsdIn?.(minute) ?? 0) / averageUsd : () => 1
  }
  if (model.activityAt === undefined) return () => 1
  return (minute) => exp(0.9 * log(Math.max(model.activityAt?.(minute) ?? 1, 1e-6)))
}

/*
 * Change of a price to another model. The other model's path runs by itself from the market's start; from the
 * change on, the price has that path's logarithmic moves.
 *
 * Choice: its streams are named after the asset and the kind of model. A further change therefore shifts no
 * stream, and the same change gives the same path whatever happened before. The Brownian motion of models that
 * can be correlated is the asset's own, and the factors of `market` are shared by all assets, so assets keep
 * moving together.
 *
 * Choice: a model that returns to a mean in USD returns to that very mean: the distance of the price from its
 * path fades like any distance from the mean. And a recording begins at the change, whenever it was recorded.
 */

/** Returns the asset's specification with the other model as its own. */
function applyChange(spec: AssetMarketSpec, change: ModelChange): AssetMarketSpec {
  const model = findModel(spec, change)
  return { ...spec, model, price: model.kind === 'ou' ? model.mean : 1 }
}

/**
 * Returns the start at which a recording would begin at the change; for other models, the market's own start.
 * Milliseconds since 1970.
 */
function computeStartMillis(market: MarketSpec, model: ModelSpec, change: ModelChange): number {
  const firstMillis = findFirstMillis(model)
  return firstMillis === null ? market.startMillis : firstMillis - change.fromIndex * market.gridMillis
}

/** Returns the first instant of a recording, milliseconds since 1970; null for other models, and without any row. */
function findFirstMillis(model: ModelSpec): number | null {
  if (model.kind !== 'replay' && model.kind !== 'trades') return null
  const { atMillis } = model.kind === 'replay' ? getCandleTable(model.candles) : getTradeTable(model.trades)
  return atMillis[0] ?? null
}

/** Returns the name under which the streams of a changed model are drawn. */
const toChangedSymbol = (symbol: string, model: ModelSpec): string => `${symbol}/alternative/${model.kind}`

function computeScale(path: GridPath, change: ModelChange): number {
  return change.price / path.priceAt(change.fromIndex)
}

/**
 * Returns the price at a grid index that is not before the change, USD; at the change it is exactly the price
 * of the change.
 */
function computeChangedPrice(
  path: GridPath,
  change: ModelChange,
  scale: number,
  gridIndex: number,
  gridMillis: number,
): number {
  if (gridIndex === change.fromIndex) return change.price
  const price = path.priceAt(gridIndex)
  if (change.model.kind !== 'ou') return clampPrice(price * scale)
  const halves = ((gridIndex - change.fromIndex) * gridMillis) / change.model.halfLifeMillis
  return clampPrice(price * exp(log(scale) * exp(-Math.LN2 * halves)))
}

function findModel({ recordings }: AssetMarketSpec, { model }: ModelChange): ModelSpec {
  if (model.kind !== 'recorded') return model
  const recorded = recordings?.[model.place]
  assert(recorded !== undefined, 'a switch names a recording that the asset has')
  return recorded
}
