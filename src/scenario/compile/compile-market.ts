import { maximumStepUsd } from '../../engine/check-config.ts'
import type { AssetConfig, PairConfig } from '../../engine/config.ts'
import { maximumPriceUsd } from '../../engine/tables/asset-table.ts'
import { checkCorrelation } from '../../market/correlation.ts'
import { type FlowSpec, flowFileSchema, readFlow } from '../../market/flow/flow-spec.ts'
import { checkImpact, type ImpactSpec, impactFileSchema, readImpact } from '../../market/liquidity/impact.ts'
import {
  checkLiquidity,
  followsMid,
  type LiquiditySpec,
  liquidityFileSchema,
  readLiquidity,
  volumeFileSchema,
} from '../../market/liquidity/liquidity.ts'
import type { AssetMarketSpec, CorrelationSpec } from '../../market/market-spec.ts'
import { type ModelSpec, modelFileSchema } from '../../market/models/price-models.ts'
import { type Candles, candleAt, getCandleTable } from '../../market/recordings/candle-table.ts'
import { stablecoins, usualFigures } from '../../market/usual-figures.ts'
import { selectQuantile } from '../../numeric/quantile.ts'
import { atoms, decimalToNumber, parseDecimal, priceTicks, quantitySteps } from '../../numeric/units.ts'
import type { Shape } from '../../shape/shape.ts'
import { isPrice, type SpecProblem } from '../../shape/spec-checks.ts'
import { readCashAtoms, readMarkChange, readPositivePrice, readSteps, readTicks } from '../file/amounts.ts'
import {
  addMistake,
  checkKnownKeys,
  childField,
  type Field,
  isReadable,
  listEntries,
  listItems,
  muteMistakes,
  numberOr,
  requiredField,
  statedNumber,
  statedText,
  textOr,
} from '../file/fields.ts'
import {
  addMarketMistake,
  compileModel,
  type Recordings,
  readChecked,
  readModelKind,
  recordedKinds,
  toPlainObject,
} from '../file/market-words.ts'
import { hasRecordedBook, type RecordedBooks } from '../file/recorded-books.ts'
import {
  bySymbol,
  mapping,
  positiveAmount,
  price,
  refusedWord,
  step,
  usd,
  withDescription,
} from '../file/schema-words.ts'
import { entriesIn, hasBrokenPart, isWhole, scalar, toPlain } from '../file/tree.ts'
import { compileBook, writeBookSteps } from './compile-book.ts'

export interface CompiledAsset {
  /** Whether price and steps could be read. If not, no amount can be judged by them. */
  readonly areStepsKnown: boolean
  readonly config: AssetConfig
  readonly market: AssetMarketSpec
}

/**
 * Compiles one asset of a market: its pair, its liquidity, its price model and its takers. Prices are USD as
 * floating-point numbers here.
 */
export function compileAsset(
  symbol: string,
  asset: Field,
  market: Field,
  startMillis: number,
  { recordings, books }: { readonly recordings: Recordings; readonly books: RecordedBooks },
): CompiledAsset {
  const before = asset.mistakes.count
  const read = books.get(symbol) ?? null
  const known = readStartPrice(asset, symbol, startMillis, recordings)
  const price = known ?? 1
  const isReplay = readModelKind(asset) === 'replay'
  const defaults = chooseDefaultSteps(price, (isReplay && recordings.get(symbol)) || [])
  const pair = compilePair(asset, read === null ? defaults : { ...defaults, ...writeBookSteps(read) }, known)
  const decimals = numberOr(childField(asset, 'decimals'), defaultDecimals)
  const finest = Math.max(pair.quantityStep.scale, 0)
  if (finest > decimals) {
    addMistake(asset, `the quantity step is finer than the asset's ${decimals} decimals`)
  }
  const areStepsKnown = known !== null && asset.mistakes.count === before && areStepsWhole(asset)
  const liquidity = compileLiquidity(asset, symbol)
  const isCountable = price <= maximumPriceUsd({ symbol, scale: Math.max(decimals, finest), pair, liquidity })
  if (areStepsKnown && isPrice(price) && !isCountable)
    addMistake(asset, `priceStep and quantityStep have too many digits for a price of ${price}`)
  const model =
    read === null || liquidity.kind !== 'recorded'
      ? compileModel(asset, symbol, price, recordings.get(symbol) ?? [])
      : compileBook(asset, liquidity, read)
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
  const field = childField(asset, 'liquidity')
  const read = (problems: SpecProblem[]) => readLiquidity(toPlainObject(field), symbol, problems)
  return readChecked(field ?? asset, read, checkLiquidity)
}

/**
 * Compiles the takers of an asset: as the asset states, else as the market states. Choice: beside a recorded book there
 * are none unless the asset or the market says that they are recorded, because invented takers would take what real
 * ones have left.
 */
function compileFlow(market: Field, asset: Field, symbol: string, liquidity: LiquiditySpec): FlowSpec {
  const own = childField(asset, 'flow')
  const field = own ?? childField(market, 'flow')
  const kind = textOr(childField(field, 'kind'), '')
  if (liquidity.kind === 'recorded' && kind !== 'recorded') {
    if (own !== null && kind !== 'none')
      addMistake(own, 'beside a recorded book, takers are recorded, or none')
    return { kind: 'none' }
  }
  if (liquidity.kind !== 'recorded' && kind === 'recorded') {
    const ladder = childField(asset, 'liquidity')
    if (own === null || (ladder !== null && !isWhole(ladder.tree))) return { kind: 'none' }
    addMistake(own, 'recorded takers need a recorded book, liquidity: {kind: recorded, data: FILE}')
  }
  const touchBps = 'spreadBps' in liquidity ? liquidity.spreadBps / 2 : null
  return readChecked(field ?? asset, (problems) =>
    readFlow(toPlainObject(field), { symbol, touchBps }, problems),
  )
}

/** Returns the orders per minute that a flow states; null when it states none. */
export const flowRatesOf = (flow: Field | null): Field | null =>
  childField(flow, 'ratePerMinute') ?? childField(flow, 'ratePerMin')

/**
 * Compiles what takers do to an asset's price: key by key as the asset states, else as the market states. Only a
 * ladder that follows the mid is moved; with fixed prices, or without a ladder, there is no impact.
 */
function compileImpact(
  market: Field,
  asset: Field,
  symbol: string,
  liquidity: LiquiditySpec,
  model: ModelSpec,
): ImpactSpec | undefined {
  if (!followsMid(liquidity)) return undefined
  const [own, common] = [childField(asset, 'impact'), childField(market, 'impact')]
  const stated = own ?? common
  if (stated?.tree.kind === 'scalar') return undefined
  const ladder = childField(asset, 'liquidity')
  const advUsd = childField(ladder, 'advUsd') ?? childField(asset, 'advUsd')
  const findField = (key: string): Field | null => childField(own, key) ?? childField(common, key)
  const fields = [own, common].flatMap((field) => [...entriesIn(field?.tree ?? null).keys()])
  const words = [['advUsd', advUsd] as const, ...fields.map((key) => [key, findField(key)] as const)]
  const plain = words.flatMap(([key, field]) => (isReadable(field) ? [[key, toPlain(field.tree)]] : []))
  const vol = 'vol' in model ? model.vol : usualFigures(symbol).vol
  const problems: SpecProblem[] = []
  const impact = readImpact(Object.fromEntries(plain), { symbol, vol, liquidity }, problems)
  if (ladder !== null && !isWhole(ladder.tree)) return impact
  const found = problems.length === 0 ? checkImpact(impact, liquidity) : null
  for (const problem of found === null ? problems : [found]) {
    const key = problem.field.replace(/Millis$/, '')
    const isCommon = childField(own, key) === null && childField(common, key) !== null
    addMarketMistake((isCommon ? common : stated) ?? asset, problem)
  }
  return impact
}

/** The keys of an asset on which its steps do not depend. */
const besideSteps: readonly string[] = ['model', 'liquidity', 'flow', 'impact', 'advUsd']

/**
 * Returns whether every part of an asset that its steps may depend on can be read. An unknown key may have been meant for one
 * of these.
 */
const areStepsWhole = ({ tree }: Field): boolean =>
  [...entriesIn(tree)].every(([key, { value }]) => besideSteps.includes(key) || isWhole(value))

/**
 * Reads the price at the start: as stated, else that of the recording or of the first point. Notes a mistake and
 * returns null when there is none.
 */
function readStartPrice(
  asset: Field,
  symbol: string,
  startMillis: number,
  recordings: Recordings,
): number | null {
  const stated = childField(asset, 'price')
  if (stated !== null) return readPositivePrice(stated)
  const model = childField(asset, 'model')
  if (model !== null && !isWhole(model.tree)) return null
  const isRecorded = recordedKinds.includes(readModelKind(asset)) || hasRecordedBook(asset)
  if (isRecorded && !recordings.has(symbol)) return null
  const candles = recordings.get(symbol)
  const first = candles === undefined ? undefined : findOpen(candles, startMillis)
  if (first !== undefined) return first
  const points = listItems(childField(model, 'points'))
  const firstPoint = listItems(points[0] ?? null)[1]
  if (firstPoint !== undefined && readMarkChange(muteMistakes(firstPoint)) === null)
    return readPositivePrice(firstPoint)
  addMistake(asset, 'missing "price"')
  return null
}

/** Returns the price that a recording has at the start: of the candle in which it lies, or of the last trade before it. */
function findOpen(candles: Candles, startMillis: number): number | undefined {
  const { atMillis, endMillis, open } = getCandleTable(candles)
  const isTrades = candleAt(candles, 0)?.spanMillis === 0
  const place = isTrades
    ? Math.max(
        0,
        atMillis.findLastIndex((at) => at <= startMillis),
      )
    : endMillis.findIndex((end) => end > startMillis)
  return open.at(place)
}

function compilePair(asset: Field, defaults: PairDefaults, price: number | null): PairConfig {
  const field = childField(asset, 'pair')
  const findField = (key: string, fallback: string): Field =>
    childField(field, key) ?? { ...asset, tree: scalar(asset.tree.place, fallback, fallback) }
  const step = (key: string, fallback: string): PairConfig['priceStep'] => {
    const stepField = findField(key, fallback)
    const decimal = parseDecimal(statedText(stepField))
    if (decimal !== null && decimal.units > 0 && decimal.scale <= 8) return decimal
    addMistake(stepField, 'a step is above 0 and has at most 8 decimals')
    return { units: 1, scale: 0 }
  }
  const before = asset.mistakes.count
  const priceStep = step('priceStep', defaults.priceStep)
  const quantityStep = step('quantityStep', defaults.quantityStep)
  const areKnown = asset.mistakes.count === before && (field === null || !hasBrokenPart(field.tree))
  const least =
    decimalToNumber(priceStep.units, priceStep.scale) *
    decimalToNumber(quantityStep.units, quantityStep.scale)
  if (least > maximumStepUsd)
    addMistake(field ?? asset, `one step of price and quantity is worth more than ${maximumStepUsd} USD`)
  const steps: PairConfig = {
    priceStep,
    quantityStep,
    minQuantitySteps: quantitySteps(1),
    maxQuantitySteps: quantitySteps(1),
    minPriceTicks: priceTicks(1),
    minNotionalAtoms: atoms(0),
    isActive: textOr(childField(field, 'status'), 'active') === 'active',
  }
  const minQuantity = childField(field, 'minQuantity')
  const minPrice = childField(field, 'minPrice')
  const maxQuantity = findField('maxQuantity', defaults.maxQuantity)
  const judged = areKnown && price !== null ? steps : null
  const compiled: PairConfig = {
    ...steps,
    minQuantitySteps: minQuantity === null ? steps.minQuantitySteps : readSteps(minQuantity, judged),
    maxQuantitySteps: readSteps(maxQuantity, judged),
    minPriceTicks: minPrice === null ? steps.minPriceTicks : readTicks(minPrice, judged),
    minNotionalAtoms: readCashAtoms(findField('minNotional', defaultMinNotional)),
  }
  const areCounted = judged !== null && asset.mistakes.count === before
  if (areCounted && compiled.maxQuantitySteps < compiled.minQuantitySteps) {
    addMistake(minQuantity ?? maxQuantity, 'minQuantity is above maxQuantity')
  }
  const leastPrice = decimalToNumber(Math.max(1, compiled.minPriceTicks) * priceStep.units, priceStep.scale)
  if (price !== null && price < leastPrice)
    addMistake(asset, `the price is below the pair's least price ${leastPrice}`)
  return compiled
}

const defaultMinNotional = '1'
const defaultDecimals = 8

interface PairDefaults {
  readonly priceStep: string
  readonly quantityStep: string
  readonly maxQuantity: string
}

/**
 * Returns default steps for a price, so that it has about five digits, and an order is worth a few cents to some ten
 * million USD.
 */
function findPairDefaults(price: number): PairDefaults {
  if (price >= 10_000) return { priceStep: '0.01', quantityStep: '0.0001', maxQuantity: '1000' }
  if (price >= 1000) return { priceStep: '0.01', quantityStep: '0.001', maxQuantity: '10000' }
  if (price >= 10) return { priceStep: '0.01', quantityStep: '0.01', maxQuantity: '1000000' }
  if (price >= 1) return { priceStep: '0.0001', quantityStep: '0.1', maxQuantity: '10000000' }
  if (price >= 0.01) return { priceStep: '0.00001', quantityStep: '1', maxQuantity: '50000000' }
  return { priceStep: '0.00000001', quantityStep: '1', maxQuantity: '50000000' }
}

const maximumLooks = 4096
/**
 * The share of extreme prices of a recording that is ignored. Steps need not be fine enough for one bad print, such
 * as a flash crash to a cent.
 */
const tail = 0.01
/** The most ticks in a price, far below where ticks and their products stop being exact. */
const maximumTicks = 1e13

/**
 * Returns the steps of a pair that states none, by its price at the start. A recording may go far from there. Its
 * lowest prices say how fine prices have to be: with coarser steps, a coin that falls to nothing would stand still at
 * the last step. Its highest prices say how fine quantities have to be.
 */
export function chooseDefaultSteps(price: number, recording: Candles): PairDefaults {
  const usual = findPairDefaults(price)
  const { count, high, low } = getCandleTable(recording)
  if (count === 0) return usual
  const every = Math.ceil(count / maximumLooks)
  const [lows, highs] = [low, high].map((prices) => prices.filter((_, place) => place % every === 0))
  if (lows === undefined || highs === undefined) return usual
  const least = findPairDefaults(Math.min(price, selectQuantile(lows, tail)))
  const greatest = findPairDefaults(Math.max(price, selectQuantile(highs, 1 - tail)))
  const isCountable = Math.max(price, ...highs) / Number(least.priceStep) <= maximumTicks
  return {
    priceStep: isCountable ? least.priceStep : usual.priceStep,
    quantityStep: greatest.quantityStep,
    maxQuantity: usual.maxQuantity,
  }
}

/**
 * Compiles `correlation` over all assets of the market; undefined when there is none. Pairs that are not named have
 * 0, and a pair that is named both ways must have the same value twice.
 */
export function compileCorrelation(
  field: Field | null,
  symbols: readonly string[],
): CorrelationSpec | undefined {
  if (field === null) return undefined
  const matrixField = requiredField(field, 'matrix')
  const spec =
    matrixField.tree.kind === 'scalar'
      ? {
          symbols,
          matrix: symbols.map((left) =>
            symbols.map((right) => (left === right ? 1 : defaultCorrelation(left, right))),
          ),
        }
      : readCorrelation(matrixField, symbols)
  const found = checkCorrelation(spec)
  if (found === null) return spec
  if (!isWhole(matrixField.tree)) return undefined
  const place = childField(childField(matrixField, symbols[found.row] ?? ''), symbols[found.column] ?? '')
  addMistake(place ?? matrixField, `the correlation ${found.message}`)
  return undefined
}

function readCorrelation(field: Field, symbols: readonly string[]): CorrelationSpec {
  const matrix: number[][] = symbols.map((left) => symbols.map((right) => (left === right ? 1 : 0)))
  const stated = new Set<string>()
  checkKnownKeys(field, 'asset', symbols)
  for (const [left, row] of listEntries(field)) {
    const rowPlace = symbols.indexOf(left)
    checkKnownKeys(row, 'asset', symbols)
    for (const [right, value] of listEntries(row)) {
      const columnPlace = symbols.indexOf(right)
      const [ofRow, ofColumn] = [matrix[rowPlace], matrix[columnPlace]]
      if (ofRow === undefined || ofColumn === undefined) continue
      if (stated.has(`${right} ${left}`) && ofRow[columnPlace] !== statedNumber(value)) {
        addMistake(value, `${right} with ${left} has another correlation`)
      }
      stated.add(`${left} ${right}`)
      ofRow[columnPlace] = statedNumber(value)
      ofColumn[rowPlace] = statedNumber(value)
    }
  }
  return { symbols, matrix }
}

/** Returns the default correlation of two different assets (market.md 2d). */
function defaultCorrelation(left: string, right: string): number {
  if (stablecoins.includes(left) || stablecoins.includes(right)) return 0
  const pair = [left, right].sort().join(' ')
  return correlations.get(pair) ?? 0.62
}

const correlations: ReadonlyMap<string, number> = new Map([
  ['BTC ETH', 0.85],
  ['BTC SOL', 0.66],
  ['ETH SOL', 0.7],
])

const pairSchema: Shape = mapping(
  {
    priceStep: withDescription(step, 'Prices are multiples of this, USD.'),
    quantityStep: withDescription(step, 'Quantities are multiples of this.'),
    minQuantity: withDescription(positiveAmount, 'Minimum quantity of an order.'),
    maxQuantity: withDescription(positiveAmount, 'Maximum quantity of an order.'),
    minPrice: withDescription(positiveAmount, 'Minimum price of an order, USD.'),
    minNotional: {
      ...usd,
      description: 'Minimum value of an order, USD.',
      default: Number(defaultMinNotional),
    },
    status: { enum: ['active', 'inactive'], description: 'Whether orders are accepted from the start.' },
  },
  [],
  'Steps and bounds of orders; by default they follow from the price.',
)

const flow = withDescription(
  flowFileSchema,
  'Synthetic takers, who have no account here; of kind hawkes unless another kind is stated.',
)
const impact: Shape = { description: 'What takers do to the price.', ...impactFileSchema }

const assetSchema: Shape = mapping({
  price: withDescription(price, 'Price at the start, USD; optional with a replay.'),
  model: withDescription(
    modelFileSchema,
    'The model of the fundamental price; the four factors of the default market by default.',
  ),
  liquidity: withDescription(liquidityFileSchema, 'The liquidity of the house in the book.'),
  flow,
  impact,
  pair: pairSchema,
  decimals: {
    type: 'integer',
    minimum: 0,
    maximum: 12,
    description: 'Decimals of the smallest unit.',
    default: defaultDecimals,
  },
  advUsd: volumeFileSchema,
  fees: refusedWord('has no place here: fees are those of the venue, or of an account'),
})

const correlationSchema: Shape = {
  type: 'object',
  additionalProperties: false,
  required: ['matrix'],
  description: 'Correlation of the noises of gbm, merton, heston, garch, regimes and hawkes.',
  properties: {
    matrix: {
      description: 'Correlations of the logarithmic moves, by pairs of assets.',
      oneOf: [
        {
          const: 'default',
          description: 'BTC-ETH 0.85, BTC-SOL 0.66, ETH-SOL 0.7, others 0.62, stablecoins 0.',
        },
        {
          type: 'object',
          title: 'correlations by pair, such as {BTC: {ETH: 0.85}}',
          additionalProperties: {
            type: 'object',
            additionalProperties: {
              type: 'number',
              minimum: -1,
              maximum: 1,
              description: 'The correlation of the two assets; 0 where none is stated.',
            },
          },
        },
      ],
    },
  },
}

export const marketSchema: Shape = {
  type: 'object',
  additionalProperties: false,
  required: ['assets'],
  description: 'The rest of the world: prices, the liquidity of the house, and takers.',
  properties: {
    assets: {
      ...bySymbol(assetSchema),
      minProperties: 1,
      description: 'The assets that trade against USD, by symbol.',
    },
    flow,
    preset: {
      const: 'otc-default',
      description: 'The defaults of a dealer venue, which apply without this key as well.',
    },
    correlation: correlationSchema,
    impact,
  },
}
