import { maximumStepUsd } from '../../engine/check-config.ts'
import type { AssetConfig, PairConfig } from '../../engine/config.ts'
import { maximumPriceUsd } from '../../engine/tables/asset-table.ts'
import { type FlowSpec, readFlow } from '../../market/flow/flow-spec.ts'
import { type ImpactSpec, impactProblem, readImpact } from '../../market/liquidity/impact.ts'
import { type LiquiditySpec, liquidityProblem, readLiquidity } from '../../market/liquidity/liquidity.ts'
import type { AssetMarketSpec } from '../../market/market-spec.ts'
import type { ModelSpec } from '../../market/models/price-models.ts'
import { usualFigures } from '../../market/usual-figures.ts'
import { parseDecimal, scaledToNumber } from '../../numeric/decimal.ts'
import { atoms, priceTicks, quantitySteps } from '../../numeric/units.ts'
import { type FieldProblem, isPrice } from '../../shape/field-problem.ts'
import { cashAtoms, changeOf, positivePrice, stepsOf, ticksOf } from '../read/amounts.ts'
import {
  complain,
  type Field,
  fieldOf,
  isRead,
  itemsOf,
  numberOr,
  textOf,
  unnoted,
  wordOr,
} from '../read/fields.ts'
import { entriesIn, isDamaged, isWhole, scalar, toPlain } from '../read/tree.ts'
import { compileModel } from './compile-model.ts'
import { defaultDecimals, defaultMinNotional, type PairDefaults } from './defaults.ts'
import { complainOfMarket, statedIn } from './market-flaw.ts'
import { usualSteps } from './pair-steps.ts'
import { kindOfModel, type Recordings, recordedKinds } from './read-recordings.ts'

export interface CompiledAsset {
  /** Whether its price and its steps could be read: otherwise no amount can be judged by them. */
  readonly areStepsKnown: boolean
  readonly config: AssetConfig
  readonly market: AssetMarketSpec
}

/** One asset of a market: its pair, its liquidity, its price model and its takers. Here prices are plain USD. */
export function compileAsset(
  symbol: string,
  asset: Field,
  market: Field,
  startMillis: number,
  recordings: Recordings,
): CompiledAsset {
  const before = asset.problems.count
  const known = startPrice(asset, symbol, startMillis, recordings)
  const price = known ?? 1
  const isReplay = kindOfModel(asset) === 'replay'
  const pair = compilePair(asset, usualSteps(price, (isReplay && recordings.get(symbol)) || []), known)
  const decimals = numberOr(fieldOf(asset, 'decimals'), defaultDecimals)
  const finest = Math.max(pair.quantityStep.scale, 0)
  if (finest > decimals) {
    complain(asset, `the quantity step is finer than the asset's ${decimals} decimals`)
  }
  const areStepsKnown = known !== null && asset.problems.count === before && stepsAreWhole(asset)
  const liquidity = compileLiquidity(asset, symbol)
  const isCountable = price <= maximumPriceUsd({ symbol, scale: Math.max(decimals, finest), pair, liquidity })
  if (areStepsKnown && isPrice(price) && !isCountable)
    complain(asset, `priceStep and quantityStep have too many digits for a price of ${price}`)
  const model = compileModel(asset, symbol, price, recordings.get(symbol) ?? [])
  const impact = compileImpact(market, asset, symbol, liquidity, model)
  return {
    areStepsKnown,
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

function compileLiquidity(asset: Field, symbol: string): LiquiditySpec {
  const field = fieldOf(asset, 'liquidity')
  const problems: FieldProblem[] = []
  const liquidity = readLiquidity(statedIn(field), symbol, problems)
  const flaw = problems.length === 0 ? liquidityProblem(liquidity) : null
  for (const problem of flaw === null ? problems : [flaw]) complainOfMarket(field ?? asset, problem)
  return liquidity
}

/** The takers of an asset: as the asset states, else as the market states. */
function compileFlow(market: Field, asset: Field, symbol: string, liquidity: LiquiditySpec): FlowSpec {
  const field = fieldOf(asset, 'flow') ?? fieldOf(market, 'flow')
  const problems: FieldProblem[] = []
  const touchBps = 'spreadBps' in liquidity ? liquidity.spreadBps / 2 : null
  const flow = readFlow(statedIn(field), { symbol, touchBps }, problems)
  for (const problem of problems) complainOfMarket(field ?? asset, problem)
  return flow
}

/** What a flow states about its orders per minute. */
export const ratesOf = (flow: Field | null): Field | null =>
  fieldOf(flow, 'ratePerMinute') ?? fieldOf(flow, 'ratePerMin')

/**
 * What takers do to an asset's price: as the asset states, else as the market states, word by word. Only a ladder that
 * follows the mid is moved; with fixed prices, or without a ladder, there is no impact.
 */
function compileImpact(
  market: Field,
  asset: Field,
  symbol: string,
  liquidity: LiquiditySpec,
  model: ModelSpec,
): ImpactSpec | undefined {
  if (liquidity.kind === 'none' || liquidity.kind === 'ladder') return undefined
  const [own, common] = [fieldOf(asset, 'impact'), fieldOf(market, 'impact')]
  const stated = own ?? common
  if (stated?.tree.kind === 'scalar') return undefined
  const ladder = fieldOf(asset, 'liquidity')
  const advUsd = fieldOf(ladder, 'advUsd') ?? fieldOf(asset, 'advUsd')
  const given = (key: string): Field | null => fieldOf(own, key) ?? fieldOf(common, key)
  const fields = [own, common].flatMap((field) => [...entriesIn(field?.tree ?? null).keys()])
  const words = [['advUsd', advUsd] as const, ...fields.map((key) => [key, given(key)] as const)]
  const plain = words.flatMap(([key, field]) => (isRead(field) ? [[key, toPlain(field.tree)]] : []))
  const vol = 'vol' in model ? model.vol : usualFigures(symbol).vol
  const problems: FieldProblem[] = []
  const impact = readImpact(Object.fromEntries(plain), { symbol, vol, liquidity }, problems)
  if (ladder !== null && !isWhole(ladder.tree)) return impact
  const flaw = problems.length === 0 ? impactProblem(impact, liquidity) : null
  for (const problem of flaw === null ? problems : [flaw]) {
    const key = problem.field.replace(/Millis$/, '')
    const isCommon = fieldOf(own, key) === null && fieldOf(common, key) !== null
    complainOfMarket((isCommon ? common : stated) ?? asset, problem)
  }
  return impact
}

/** Keys of an asset on which its steps do not depend. */
const besideSteps: readonly string[] = ['model', 'liquidity', 'flow', 'impact', 'advUsd']

/** A key that cannot be read at all may have been meant for one of those that count. */
const stepsAreWhole = ({ tree }: Field): boolean =>
  [...entriesIn(tree)].every(([key, { value }]) => besideSteps.includes(key) || isWhole(value))

/** The price as stated, else the recording's at the start; null when there is neither, which is a problem. */
function startPrice(
  asset: Field,
  symbol: string,
  startMillis: number,
  recordings: Recordings,
): number | null {
  const stated = fieldOf(asset, 'price')
  if (stated !== null) return positivePrice(stated)
  const model = fieldOf(asset, 'model')
  if (model !== null && !isWhole(model.tree)) return null
  if (recordedKinds.includes(kindOfModel(asset)) && !recordings.has(symbol)) return null
  const candles = recordings.get(symbol)
  const isTrades = candles?.[0]?.spanMillis === 0
  const first = isTrades
    ? (candles?.findLast(({ atMillis }) => atMillis <= startMillis) ?? candles?.[0])
    : (candles?.find((candle) => candle.atMillis + candle.spanMillis > startMillis) ?? candles?.at(-1))
  if (first !== undefined) return first.open
  const points = itemsOf(fieldOf(model, 'points'))
  const firstPoint = itemsOf(points[0] ?? null)[1]
  if (firstPoint !== undefined && changeOf(unnoted(firstPoint)) === null) return positivePrice(firstPoint)
  complain(asset, 'missing "price"')
  return null
}

function compilePair(asset: Field, defaults: PairDefaults, price: number | null): PairConfig {
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
  const before = asset.problems.count
  const priceStep = step('priceStep', defaults.priceStep)
  const quantityStep = step('quantityStep', defaults.quantityStep)
  const areKnown = asset.problems.count === before && (field === null || !isDamaged(field.tree))
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
  const judged = areKnown && price !== null ? steps : null
  const compiled: PairConfig = {
    ...steps,
    minQuantitySteps: minQuantity === null ? steps.minQuantitySteps : stepsOf(minQuantity, judged),
    maxQuantitySteps: stepsOf(maxQuantity, judged),
    minPriceTicks: minPrice === null ? steps.minPriceTicks : ticksOf(minPrice, judged),
    minNotionalAtoms: cashAtoms(given('minNotional', defaultMinNotional)),
  }
  const areCounted = judged !== null && asset.problems.count === before
  if (areCounted && compiled.maxQuantitySteps < compiled.minQuantitySteps) {
    complain(minQuantity ?? maxQuantity, 'minQuantity is above maxQuantity')
  }
  const leastPrice = scaledToNumber(Math.max(1, compiled.minPriceTicks) * priceStep.units, priceStep.scale)
  if (price !== null && price < leastPrice)
    complain(asset, `the price is below the pair's least price ${leastPrice}`)
  return compiled
}
