import type { FlowSpec, HawkesFlowSpec } from './flow-spec.ts'
import type { AssetMarketSpec, Candle, MarketSpec, ModelSpec, Waypoint } from './market.ts'

/** The first thing that is wrong with a specification. */
export interface MarketProblem {
  /** Null when it is no asset's. */
  readonly symbol: string | null
  /** Path within the specification, or within the asset's: `model.points[2].price`. */
  readonly field: string
  readonly message: string
}

/**
 * What `createMarket` relies on, checked: null when the specification is sound. In order: the grid, the start, then
 * per asset its symbol, price, model and flow.
 */
export function marketProblem(spec: MarketSpec): MarketProblem | null {
  const { gridMillis, startMillis } = spec
  if (!isIntegerWithin(gridMillis, 100, 3_600_000)) {
    return { symbol: null, field: 'gridMillis', message: 'is not a whole number from 100 to 3600000' }
  }
  if (!Number.isSafeInteger(startMillis)) {
    return { symbol: null, field: 'startMillis', message: 'is not a whole number of milliseconds' }
  }
  const symbols = new Set<string>()
  for (const asset of spec.assets) {
    const found = symbols.has(asset.symbol)
      ? problem('symbol', 'is that of another asset')
      : assetProblem(asset)
    if (found !== null) return { symbol: asset.symbol, ...found }
    symbols.add(asset.symbol)
  }
  return null
}

interface FieldProblem {
  readonly field: string
  readonly message: string
}

const problem = (field: string, message: string): FieldProblem => ({ field, message })

function assetProblem(asset: AssetMarketSpec): FieldProblem | null {
  if (asset.symbol === '') return problem('symbol', 'is empty')
  if (asset.model.kind !== 'replay' && !isPrice(asset.price)) return problem('price', noPrice)
  return modelProblem(asset.model) ?? flowProblem(asset.flow)
}

function modelProblem(model: ModelSpec): FieldProblem | null {
  switch (model.kind) {
    case 'constant':
      return null
    case 'waypoints':
      return range('model.noiseVol', model.noiseVol, 0, 100) ?? pointsProblem(model.points)
    case 'gbm':
      return range('model.vol', model.vol, 0, 100) ?? range('model.drift', model.drift, -100, 100)
    case 'ou':
      if (!isPrice(model.mean)) return problem('model.mean', noPrice)
      return (
        range('model.halfLifeMillis', model.halfLifeMillis, 1000, hundredYearsMillis) ??
        range('model.stationarySd', model.stationarySd, 0, 10)
      )
    case 'replay':
      return range('model.noiseVol', model.noiseVol, 0, 100) ?? candlesProblem(model.candles)
    default:
      return problem('model.kind', 'is not supported yet')
  }
}

function pointsProblem(points: readonly Waypoint[]): FieldProblem | null {
  if (points.length === 0) return problem('model.points', 'is empty')
  let previousMillis = 0
  for (const [place, { offsetMillis, price }] of points.entries()) {
    if (!isIntegerWithin(offsetMillis, previousMillis, hundredYearsMillis)) {
      return problem(
        `model.points[${place}].offsetMillis`,
        'is not a whole number at or after the point before',
      )
    }
    if (!isPrice(price)) return problem(`model.points[${place}].price`, noPrice)
    previousMillis = offsetMillis
  }
  return null
}

function candlesProblem(candles: readonly Candle[]): FieldProblem | null {
  if (candles.length === 0) return problem('model.candles', 'is empty')
  let freeFromMillis = Number.MIN_SAFE_INTEGER
  for (const [place, candle] of candles.entries()) {
    const { atMillis, spanMillis, open, high, low, close, volume } = candle
    const field = (name: string): string => `model.candles[${place}].${name}`
    if (!isIntegerWithin(atMillis, freeFromMillis, Number.MAX_SAFE_INTEGER)) {
      return problem(field('atMillis'), 'is not a whole number at or after the end of the candle before')
    }
    if (!isIntegerWithin(spanMillis, 1, hundredYearsMillis)) return problem(field('spanMillis'), 'is no span')
    if (!isPrice(low) || low > open || low > close)
      return problem(field('low'), 'is no price below the others')
    if (!isPrice(high) || high < open || high < close)
      return problem(field('high'), 'is no price above the others')
    if (!isWithin(volume, 0, 1e15)) return problem(field('volume'), 'is not from 0 to 1e15')
    freeFromMillis = atMillis + spanMillis
  }
  return null
}

function flowProblem(flow: FlowSpec): FieldProblem | null {
  if (flow.kind === 'none') return null
  return (
    range('flow.ratePerMinute', flow.ratePerMinute, 0, 100_000) ??
    range('flow.medianUsd', flow.medianUsd, 1e-6, 1e12) ??
    range('flow.sizeSd', flow.sizeSd, 0, 5) ??
    (flow.kind === 'hawkes' ? hawkesProblem(flow) : null)
  )
}

function hawkesProblem({
  maximumUsd,
  informed,
  patiencePerBp,
  touchBps,
  snipers,
}: HawkesFlowSpec): FieldProblem | null {
  return (
    range('flow.maximumUsd', maximumUsd, 1e-6, 1e12) ??
    range('flow.informed.share', informed.share, 0, 1) ??
    range('flow.informed.horizonMillis', informed.horizonMillis, 1, 86_400_000) ??
    range('flow.informed.costBps', informed.costBps, 0, 10_000) ??
    range('flow.patiencePerBp', patiencePerBp, 0, 1000) ??
    range('flow.touchBps', touchBps, 0, 10_000) ??
    range('flow.snipers', snipers, 0, 1)
  )
}

function range(field: string, value: number, least: number, most: number): FieldProblem | null {
  return isWithin(value, least, most) ? null : problem(field, `is not from ${least} to ${most}`)
}

/* The range in which the market keeps every price. */
const noPrice = 'is not a price from 1e-10 to 1e10 USD'
const hundredYearsMillis = 3_153_600_000_000

function isPrice(price: number): boolean {
  return isWithin(price, 1e-10, 1e10)
}

/** False for NaN. */
function isWithin(value: number, least: number, most: number): boolean {
  return value >= least && value <= most
}

function isIntegerWithin(value: number, least: number, most: number): boolean {
  return Number.isSafeInteger(value) && isWithin(value, least, most)
}
