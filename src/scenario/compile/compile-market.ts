import { maximumStepUsd } from '../../engine/check-config.ts'
import type { AssetConfig, PairConfig } from '../../engine/config.ts'
import { maximumPriceUsd } from '../../engine/tables/asset-table.ts'
import { liquidityProblem } from '../../market/liquidity/check-liquidity.ts'
import type { AssetMarketSpec } from '../../market/market-spec.ts'
import type { Candle } from '../../market/recordings/candle.ts'
import { parseDecimal, scaledToNumber } from '../../numeric/decimal.ts'
import { atoms, priceTicks, quantitySteps } from '../../numeric/units.ts'
import { isPrice } from '../../shape/field-problem.ts'
import { cashAtoms, changeOf, positivePrice, stepsOf, ticksOf } from '../read/amounts.ts'
import { complain, type Field, fieldOf, itemsOf, numberOr, textOf, textOr, wordOr } from '../read/fields.ts'
import { scalar } from '../read/tree.ts'
import { compileFlow } from './compile-flow.ts'
import { compileImpact, compileLiquidity } from './compile-liquidity.ts'
import { compileModel } from './compile-model.ts'
import { defaultDecimals, defaultMinNotional, type PairDefaults } from './defaults.ts'
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
  const model = compileModel(asset, symbol, price, recordings.get(symbol) ?? [])
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
