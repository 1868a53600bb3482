import { checkMarketSpec } from '../market/check-market.ts'
import { checkImpact } from '../market/liquidity/impact.ts'
import { checkLiquidity } from '../market/liquidity/liquidity.ts'
import { type AssetMarketSpec, longestGridMillis, shortestGridMillis } from '../market/market-spec.ts'
import { missing } from '../numeric/assert.ts'
import { decimalToNumber } from '../numeric/units.ts'
import { isIntegerWithin, isPrice, problem, type SpecProblem } from '../shape/spec-checks.ts'
import type { AccountConfig, AssetConfig, PairConfig, VenueConfig } from './config.ts'
import { cashScale, maximumPriceUsd } from './tables/asset-table.ts'

/** The most decimals of a step. Average prices and size limits have 8, so finer steps could not be expressed. */
const finestScale = 8
/**
 * The largest balance, and the largest value of one, in atoms: well below 2^53. All accounts together get at most
 * twice that from outside.
 */
export const maximumAtoms = 4e15
const million = 1_000_000
/**
 * The most that one tick times one step may be worth, in USD: with coarser steps a reserve's factor would pass 2^53.
 */
export const maximumStepUsd = 1000

/**
 * Finds the first thing in a configuration that could not be kept exact; null when there is none. `Venue.open`
 * asserts that it is null.
 */
export function findConfigProblem(config: VenueConfig): SpecProblem | null {
  const places = indexAccounts(config.accounts)
  return (
    findClockProblem(config) ??
    findFirst(config.assets, (asset, row) => findAssetProblem(config, asset, row)) ??
    findFeeProblem('fees', config.fees.makerRate, config.fees.takerRate) ??
    findFirst(config.accounts, (account, index) => findAccountProblem(config, account, index, places)) ??
    findFirst(config.assets, (asset, row) => findSumProblem(config, asset.symbol, row)) ??
    findMarketProblem(config)
  )
}

function findClockProblem({ startMillis, gridMillis, market }: VenueConfig): SpecProblem | null {
  if (!Number.isSafeInteger(startMillis)) return problem('startMillis', 'is not a whole instant')
  if (!isIntegerWithin(gridMillis, shortestGridMillis, longestGridMillis))
    return problem('gridMillis', 'is not between 100 ms and 1 h')
  const isSameClock = market.startMillis === startMillis && market.gridMillis === gridMillis
  return isSameClock ? null : problem('market', 'has another clock than the venue')
}

function findAssetProblem(config: VenueConfig, asset: AssetConfig, row: number): SpecProblem | null {
  const field = `assets[${row}]`
  const namesake = config.assets.findIndex((other) => other.symbol === asset.symbol)
  if (namesake !== row) return problem(`${field}.symbol`, `is that of assets[${namesake}]`)
  if (row === 0) {
    const isCash = asset.pair === null && asset.scale === cashScale
    return isCash ? null : problem(field, `is cash: no pair, ${cashScale} decimals`)
  }
  if (asset.pair === null) return problem(`${field}.pair`, 'is missing')
  const spec = config.market.assets[row - 1]
  if (spec?.symbol !== asset.symbol)
    return problem(`market.assets[${row - 1}].symbol`, `is not ${asset.symbol}`)
  const recorded = findRecordedProblem(asset, spec)
  if (recorded !== null) return problem(`${field}.liquidity`, recorded)
  const liquidity = checkLiquidity(asset.liquidity)
  if (liquidity !== null) return problem(`${field}.liquidity.${liquidity.field}`, liquidity.message)
  const impact = asset.impact === undefined ? null : checkImpact(asset.impact, asset.liquidity)
  if (impact !== null) return problem(`${field}.impact.${impact.field}`, impact.message)
  return findPairProblem(`${field}.pair`, asset.pair, asset.scale) ?? findPriceProblem(spec.price, asset, row)
}

/** Finds what a recorded book and its asset do not have in common: the model, the steps, the takers. */
function findRecordedProblem({ impact, liquidity, pair }: AssetConfig, spec: AssetMarketSpec): string | null {
  const { flow, model } = spec
  const isRecorded = liquidity.kind === 'recorded'
  if (!isRecorded)
    return model.kind === 'book' || flow.kind === 'recorded' ? 'is not the recorded book of the market' : null
  if (model.kind !== 'book') return 'is a recorded book, and the price has another model'
  if (flow.kind !== 'recorded' && flow.kind !== 'none')
    return 'is a recorded book, beside which takers are recorded, or none'
  if (impact !== undefined) return 'is a recorded book, which takers do not move'
  const { priceStep, quantityStep } = pair ?? missing('a traded asset has a pair')
  const hasSteps =
    model.tickUsd === decimalToNumber(priceStep.units, priceStep.scale) &&
    model.stepUnits === decimalToNumber(quantityStep.units, quantityStep.scale)
  return hasSteps ? null : 'is a recorded book in other steps than those of the pair'
}

/**
 * Finds a starting price that the pair's steps cannot count exactly: steps of many digits have products that are
 * exact only for small counts.
 */
function findPriceProblem(price: number, asset: AssetConfig, row: number): SpecProblem | null {
  if (!isPrice(price) || price <= maximumPriceUsd(asset)) return null
  return problem(`assets[${row}].pair.priceStep`, `cannot count ${price} USD beside the quantity step`)
}

function findPairProblem(field: string, pair: PairConfig, assetScale: number): SpecProblem | null {
  const { priceStep, quantityStep, minQuantitySteps, maxQuantitySteps, minPriceTicks, minNotionalAtoms } =
    pair
  if (!isStep(priceStep.units, priceStep.scale))
    return problem(`${field}.priceStep`, `is not a positive number of at most ${finestScale} decimals`)
  if (!isStep(quantityStep.units, quantityStep.scale))
    return problem(`${field}.quantityStep`, `is not a positive number of at most ${finestScale} decimals`)
  if (stepValueUsd(pair) > maximumStepUsd)
    return problem(`${field}.quantityStep`, `is worth more than ${maximumStepUsd} USD a price step`)
  if (!Number.isInteger(assetScale) || assetScale < quantityStep.scale || assetScale > 12)
    return problem(`${field}.quantityStep`, 'is finer than the asset, or the asset than 12 decimals')
  if (!isCount(minQuantitySteps) || !isCount(maxQuantitySteps) || minQuantitySteps > maxQuantitySteps)
    return problem(`${field}.minQuantitySteps`, 'is above the maximum, or not a count')
  if (!isCount(minPriceTicks)) return problem(`${field}.minPriceTicks`, 'is not a count')
  return isCount(minNotionalAtoms) ? null : problem(`${field}.minNotionalAtoms`, 'is not a count')
}

/** Returns what one tick times one step is worth, in USD, as a double. */
function stepValueUsd({ priceStep, quantityStep }: PairConfig): number {
  let value = priceStep.units * quantityStep.units
  for (let decimal = 0; decimal < priceStep.scale + quantityStep.scale; decimal += 1) value /= 10
  return value
}

/** Maps each account id to the place of the first account that has it. */
function indexAccounts(accounts: readonly AccountConfig[]): ReadonlyMap<string, number> {
  const places = new Map<string, number>()
  for (const [index, { id }] of accounts.entries()) if (!places.has(id)) places.set(id, index)
  return places
}

function findAccountProblem(
  config: VenueConfig,
  account: AccountConfig,
  index: number,
  places: ReadonlyMap<string, number>,
): SpecProblem | null {
  const field = `accounts[${index}]`
  const namesake = places.get(account.id)
  if (namesake !== index) return problem(`${field}.id`, `is that of accounts[${namesake}]`)
  if (account.id === '' || account.id.includes('/')) return problem(`${field}.id`, 'is empty or has a slash')
  for (const [symbol, amount] of account.balances) {
    const message = findBalanceProblem(config, symbol, amount, account.averageEntryPrices.get(symbol) ?? 0)
    if (message !== null) return { field: `${field}.balances.${symbol}`, message }
  }
  if (account.fees === null) return null
  return findFeeProblem(`${field}.fees`, account.fees.makerRate, account.fees.takerRate)
}

/**
 * Finds an asset whose opening balances add up to too much: together they are the outside world's balance, which must
 * stay exact, too.
 */
function findSumProblem(config: VenueConfig, symbol: string, row: number): SpecProblem | null {
  let sum = 0
  for (const account of config.accounts) sum += account.balances.get(symbol) ?? 0
  const message = `is more than ${2 * maximumAtoms} atoms over all accounts`
  return sum > 2 * maximumAtoms ? { field: `assets[${row}]`, message } : null
}

function findBalanceProblem(
  config: VenueConfig,
  symbol: string,
  amount: number,
  averageE8: number,
): string | null {
  const row = config.assets.findIndex((asset) => asset.symbol === symbol)
  const asset = config.assets[row]
  if (asset === undefined) return 'is of no asset of the venue'
  if (!isCount(amount) || amount > maximumAtoms) return `is not between 0 and ${maximumAtoms} atoms`
  if (!isCount(averageE8)) return 'has an average entry price that is not a count of 10^-8 USD'
  const price = Math.max(config.market.assets[row - 1]?.price ?? 1, row === 0 ? 0 : averageE8 / 1e8)
  let units = amount
  for (let decimal = 0; decimal < asset.scale; decimal += 1) units /= 10
  return units * price * million > maximumAtoms ? `is worth more than ${maximumAtoms} USD atoms` : null
}

function findFeeProblem(field: string, makerRate: number, takerRate: number): SpecProblem | null {
  if (!isRate(makerRate)) return problem(`${field}.makerRate`, 'is not between -100 % and 100 %')
  return isRate(takerRate) ? null : problem(`${field}.takerRate`, 'is not between -100 % and 100 %')
}

function findMarketProblem(config: VenueConfig): SpecProblem | null {
  const found = checkMarketSpec(config.market)
  if (found === null) return null
  const where = found.symbol === null ? 'market' : `market.${found.symbol}`
  return problem(`${where}.${found.field}`, found.message)
}

function findFirst<Item>(
  items: readonly Item[],
  problemOf: (item: Item, index: number) => SpecProblem | null,
): SpecProblem | null {
  for (const [index, item] of items.entries()) {
    const problem = problemOf(item, index)
    if (problem !== null) return problem
  }
  return null
}

function isStep(units: number, scale: number): boolean {
  return isCount(units) && units > 0 && Number.isInteger(scale) && scale >= 0 && scale <= finestScale
}

function isCount(value: number): boolean {
  return Number.isSafeInteger(value) && value >= 0
}

function isRate(value: number): boolean {
  return Number.isSafeInteger(value) && Math.abs(value) <= million
}
