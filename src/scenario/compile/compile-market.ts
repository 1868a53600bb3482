import { maximumStepUsd } from '../../engine/checks/check-config.ts'
import type { AssetConfig, PairConfig } from '../../engine/config.ts'
import { maximumPriceUsd } from '../../engine/tables/asset-table.ts'
import { isPrice } from '../../market/check-field.ts'
import { liquidityProblem } from '../../market/liquidity/check-liquidity.ts'
import type { AssetMarketSpec, Candle, ModelSpec } from '../../market/market-spec.ts'
import { candlesAsTrades } from '../../market/recordings/recording.ts'
import type { Waypoint } from '../../market/scripted-path.ts'
import { parseDecimal, scaledToNumber } from '../../numeric/decimal.ts'
import { atoms, millis, priceTicks, quantitySteps } from '../../numeric/units.ts'
import { cashAtoms, changeOf, durationOr, stepsOf, ticksOf } from '../read/amounts.ts'
import { complain, type Field, fieldOf, itemsOf, numberOr, textOf, textOr, wordOr } from '../read/fields.ts'
import { scalar } from '../read/tree.ts'
import { compileFlow } from './compile-flow.ts'
import { compileImpact, compileLiquidity } from './compile-liquidity.ts'
import { compileStochasticModel, defaultModel } from './compile-model.ts'
import { assetDefaults, defaultDecimals, defaultMinNotional, type PairDefaults } from './defaults.ts'
import { complainOfMarket } from './market-flaw.ts'
import { usualSteps } from './pair-steps.ts'

export interface CompiledAsset {
  readonly config: AssetConfig
  readonly market: AssetMarketSpec
}

/** Recordings by asset symbol; read before anything else, because the clock may start with them. */
export type Recordings = ReadonlyMap<string, readonly Candle[]>

/** One asset of a market: its pair, its liquidity, its price model and its takers. Here prices are plain USD. */
export function compileAsset(
  symbol: string,
  asset: Field,
  market: Field,
  startMillis: number,
  recordings: Recordings,
): CompiledAsset {
  const price = startPrice(asset, symbol, startMillis, recordings)
  const isReplay = textOr(fieldOf(fieldOf(asset, 'model'), 'kind'), '') === 'replay'
  const pair = compilePair(asset, usualSteps(price, (isReplay && recordings.get(symbol)) || []), price)
  const decimals = numberOr(fieldOf(asset, 'decimals'), defaultDecimals)
  const finest = Math.max(pair.quantityStep.scale, 0)
  if (finest > decimals) {
    complain(asset, `the quantity step is finer than the asset's ${decimals} decimals`)
  }
  const liquidity = compileLiquidity(fieldOf(asset, 'liquidity'), symbol)
  const flaw = liquidityProblem(liquidity)
  if (flaw !== null) complainOfMarket(fieldOf(asset, 'liquidity') ?? asset, flaw)
  const isCountable = price <= maximumPriceUsd({ symbol, scale: Math.max(decimals, finest), pair, liquidity })
  if (isPrice(price) && !isCountable)
    complain(asset, `priceStep and quantityStep have too many digits for a price of ${price}`)
  const model = compileModel(asset, symbol, price, recordings)
  const impact = compileImpact(market, asset, symbol, liquidity, model)
  return {
    config: {
      symbol,
      scale: decimals,
      pair,
      liquidity,
      ...(impact === undefined ? {} : { impact }),
    },
    market: { symbol, price, model, flow: compileFlow(market, asset, symbol, liquidity) },
  }
}

/** The price as stated, else the recording's at the start; 1 when there is neither, which is a problem. */
function startPrice(asset: Field, symbol: string, startMillis: number, recordings: Recordings): number {
  const stated = fieldOf(asset, 'price')
  if (stated !== null) return positivePrice(stated)
  const candles = recordings.get(symbol)
  const isTrades = candles?.[0]?.spanMillis === 0
  const first = isTrades
    ? (candles?.findLast(({ atMillis }) => atMillis <= startMillis) ?? candles?.[0])
    : (candles?.find((candle) => candle.atMillis + candle.spanMillis > startMillis) ?? candles?.at(-1))
  if (first !== undefined) return first.open
  const points = itemsOf(fieldOf(fieldOf(asset, 'model'), 'points'))
  const firstPoint = itemsOf(points[0] ?? null)[1]
  if (firstPoint !== undefined && changeOf({ ...firstPoint, problems: [] }) === null)
    return positivePrice(firstPoint)
  complain(asset, 'missing "price"')
  return 1
}

/** A plain USD price for the market's arithmetic. */
function positivePrice(field: Field): number {
  const price = Number(textOf(field))
  if (price > 0) return price
  complain(field, 'must be above 0')
  return 1
}

function compilePair(asset: Field, defaults: PairDefaults, price: number): PairConfig {
  const field = fieldOf(asset, 'pair')
  const given = (key: string, fallback: string): Field =>
    fieldOf(field, key) ?? { ...asset, tree: scalar(asset.tree.place, fallback, fallback) }
  const step = (key: string, fallback: string): PairConfig['priceStep'] => {
    const stepField = given(key, fallback)
    const decimal = parseDecimal(textOf(stepField))
    if (decimal !== null && decimal.units > 0 && decimal.scale <= 8) return decimal
    complain(stepField, 'a step is above 0 and has at most 8 decimals')
    return { units: 1, scale: 0 }
  }
  const priceStep = step('priceStep', defaults.priceStep)
  const quantityStep = step('quantityStep', defaults.quantityStep)
  const least =
    scaledToNumber(priceStep.units, priceStep.scale) * scaledToNumber(quantityStep.units, quantityStep.scale)
  if (least > maximumStepUsd)
    complain(field ?? asset, `one step of price and quantity is worth more than ${maximumStepUsd} USD`)
  const steps: PairConfig = {
    priceStep,
    quantityStep,
    minQuantitySteps: quantitySteps(1),
    maxQuantitySteps: quantitySteps(1),
    minPriceTicks: priceTicks(1),
    minNotionalAtoms: atoms(0),
    isActive: wordOr(fieldOf(field, 'status'), ['active', 'inactive'], 'active') === 'active',
  }
  const minQuantity = fieldOf(field, 'minQuantity')
  const minPrice = fieldOf(field, 'minPrice')
  const maxQuantity = given('maxQuantity', defaults.maxQuantity)
  const compiled: PairConfig = {
    ...steps,
    minQuantitySteps: minQuantity === null ? steps.minQuantitySteps : stepsOf(minQuantity, steps),
    maxQuantitySteps: stepsOf(maxQuantity, steps),
    minPriceTicks: minPrice === null ? steps.minPriceTicks : ticksOf(minPrice, steps),
    minNotionalAtoms: cashAtoms(given('minNotional', defaultMinNotional)),
  }
  if (compiled.maxQuantitySteps < compiled.minQuantitySteps) {
    complain(minQuantity ?? maxQuantity, 'minQuantity is above maxQuantity')
  }
  const leastPrice = scaledToNumber(Math.max(1, compiled.minPriceTicks) * priceStep.units, priceStep.scale)
  if (price < leastPrice) complain(asset, `the price is below the pair's least price ${leastPrice}`)
  return compiled
}

/** The model under the key `model`, of an asset or of anything else that has one. Changes count from `price`. */
export function compileModel(asset: Field, symbol: string, price: number, recordings: Recordings): ModelSpec {
  const field = fieldOf(asset, 'model')
  const number = (key: string, fallback: number): number => numberOr(fieldOf(field, key), fallback)
  if (field === null) return defaultModel(symbol, price)
  const kind = textOr(fieldOf(field, 'kind'), 'market')
  const stochastic = compileStochasticModel(kind, field, symbol, recordings.get(symbol) ?? [])
  if (stochastic !== null) return stochastic
  switch (kind) {
    case 'constant':
      return { kind: 'constant' }
    case 'waypoints':
      return {
        kind: 'waypoints',
        points: compilePoints(field, price),
        noiseVol: number('noiseVol', 0),
      }
    case 'ou': {
      const mean = fieldOf(field, 'mean')
      return {
        kind: 'ou',
        mean: mean === null ? price : positivePrice(mean),
        halfLifeMillis: durationOr(fieldOf(field, 'halfLife'), millis(600_000)),
        stationarySd: number('stationarySd', 0.01),
      }
    }
    case 'replay':
      return compileReplay(field, recordings.get(symbol) ?? [])
    default:
      return { kind: 'gbm', vol: number('vol', assetDefaults(symbol).vol), drift: number('drift', 0) }
  }
}

function compileReplay(field: Field | null, candles: readonly Candle[]): ModelSpec {
  const gaps = fieldOf(field, 'gaps')
  const gapAfter = fieldOf(field, 'gapAfter')
  const noiseVol = fieldOf(field, 'noiseVol')
  const trades = candlesAsTrades(candles)
  if (trades === null) {
    if (gapAfter !== null) complain(gapAfter, 'is for recordings of trades; these are candles')
    return {
      kind: 'replay',
      candles,
      gaps: wordOr(gaps, ['hold', 'interpolate', 'halt'], 'hold'),
      noiseVol: numberOr(noiseVol, 0),
    }
  }
  if (noiseVol !== null) complain(noiseVol, 'is for recordings of candles; these are trades')
  const word = wordOr(gaps, ['hold', 'interpolate', 'halt'], 'hold')
  if (gaps !== null && word === 'interpolate') {
    complain(gaps, 'nothing is interpolated between trades; say hold or halt')
  }
  return {
    kind: 'trades',
    trades,
    gapMillis: durationOr(gapAfter, millis(3_600_000)),
    gaps: word === 'halt' ? 'halt' : 'hold',
  }
}

/**
 * The points of an asset's own model. Percentages are of its start price, and it starts there. With `asReturnsFrom`,
 * prices keep only their ratio to that one, so that a past event can be replayed at today's prices.
 */
function compilePoints(model: Field | null, price: number): readonly Waypoint[] {
  const points: Waypoint[] = []
  const origin = model === null ? null : fieldOf(model, 'asReturnsFrom')
  const ratio = origin === null ? 1 : price / positivePrice(origin)
  for (const pair of itemsOf(model === null ? null : fieldOf(model, 'points'))) {
    const [offset, target] = itemsOf(pair)
    if (offset === undefined || target === undefined) continue
    const offsetMillis = durationOr(offset, millis(0))
    if (points.length === 0 && offsetMillis > 0) points.push({ offsetMillis: 0, price })
    if (offsetMillis < (points.at(-1)?.offsetMillis ?? 0)) complain(offset, 'offsets never fall')
    const change = changeOf(target)
    points.push({
      offsetMillis,
      price:
        change === null ? positivePrice(target) * ratio : (price * (1_000_000 + change.change)) / 1_000_000,
    })
  }
  return points.length > 0 ? points : [{ offsetMillis: 0, price }]
}
