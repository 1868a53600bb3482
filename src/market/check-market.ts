import { element } from '../numeric/columns.ts'
import { isIntegerWithin, isPrice, notAPrice, problem, type SpecProblem } from '../shape/spec-checks.ts'
import { checkCorrelation } from './correlation.ts'
import { checkFlow } from './flow/flow-spec.ts'
import {
  type AssetMarketSpec,
  longestGridMillis,
  type MarketSpec,
  type RecordedModelSpec,
  shortestGridMillis,
} from './market-spec.ts'
import { checkModel } from './models/price-models.ts'
import { type Candles, getCandleTable } from './recordings/candle-table.ts'

/** Describes what is wrong with a market's specification, and where. */
export interface MarketProblem {
  /** Asset that the problem is about; null where it is about the whole market. */
  readonly symbol: string | null
  /** Path within the specification, or within the asset's, such as `model.points[2].price`. */
  readonly field: string
  readonly message: string
}

/**
 * Returns the first problem of a specification, or null when `createMarket` can use it. Checks in order: the
 * grid, the start, for each asset its symbol, price, model and flow, then the correlation, and last whether
 * assets that are resampled together have candles of the same times.
 */
export function checkMarketSpec(spec: MarketSpec): MarketProblem | null {
  const { gridMillis, startMillis } = spec
  if (!isIntegerWithin(gridMillis, shortestGridMillis, longestGridMillis)) {
    const message = `is not a whole number from ${shortestGridMillis} to ${longestGridMillis}`
    return { symbol: null, field: 'gridMillis', message }
  }
  if (!Number.isSafeInteger(startMillis)) {
    return { symbol: null, field: 'startMillis', message: 'is not a whole number of milliseconds' }
  }
  const symbols = new Set<string>()
  for (const asset of spec.assets) {
    const found = symbols.has(asset.symbol)
      ? problem('symbol', 'is that of another asset')
      : checkAsset(asset)
    if (found !== null) return { symbol: asset.symbol, ...found }
    symbols.add(asset.symbol)
  }
  return checkAcrossAssets(spec)
}

/** Kinds of models that ignore the specification's price, because a recording has its own prices. */
const kindsWithOwnPrices: readonly string[] = ['replay', 'trades', 'book']

/** Returns the first problem that only appears across assets that are each valid. */
function checkAcrossAssets(spec: MarketSpec): MarketProblem | null {
  const { correlation, assets } = spec
  if (correlation !== undefined) {
    const found = checkCorrelation(correlation)
    if (found !== null) {
      const { row, column, message } = found
      const place = row < 0 ? '' : column < 0 ? `[${row}]` : `[${row}][${column}]`
      return { symbol: null, field: `correlation.matrix${place}`, message }
    }
  }
  const first = assets.find(({ model }) => model.kind === 'bootstrap')
  for (const { symbol, model } of assets) {
    if (model.kind !== 'bootstrap' || first?.model.kind !== 'bootstrap') continue
    if (haveSameTimes(model.candles, first.model.candles)) continue
    const message = `are not of the same times as those of ${first.symbol}, with which they are drawn together`
    return { symbol, field: 'model.candles', message }
  }
  return null
}

function haveSameTimes(left: Candles, right: Candles): boolean {
  const [own, other] = [getCandleTable(left), getCandleTable(right)]
  return (
    own === other ||
    (own.count === other.count &&
      own.atMillis.every((at, place) => at === element(other.atMillis, place)) &&
      own.endMillis.every((end, place) => end === element(other.endMillis, place)))
  )
}

function checkAsset(asset: AssetMarketSpec): SpecProblem | null {
  if (asset.symbol === '') return problem('symbol', 'is empty')
  if (!kindsWithOwnPrices.includes(asset.model.kind) && !isPrice(asset.price))
    return problem('price', notAPrice)
  return checkModel(asset.model) ?? checkFlow(asset.flow) ?? checkRecordings(asset.recordings ?? [])
}

function checkRecordings(recordings: readonly RecordedModelSpec[]): SpecProblem | null {
  for (const [place, recording] of recordings.entries()) {
    const found = checkModel(recording)
    if (found !== null) return problem(found.field.replace(/^model/, `recordings[${place}]`), found.message)
  }
  return null
}
