import { type AfterCheck, type Assessment, type CheckName, checkNames } from '../engine/assessment.ts'
import type { PairConfig } from '../engine/config.ts'
import type { Rejection } from '../engine/rejections.ts'
import { type AssetTable, cashScale } from '../engine/tables/asset-table.ts'
import { decimalToText } from '../numeric/units.ts'
import { refuse } from './answer.ts'
import type { ApiContext } from './context.ts'
import type { Problem } from './errors.ts'
import type { Readings } from './readings/readings.ts'

/**
 * Returns the problem that a rejection of the engine is to the caller. `asset` is the row of the asset that the
 * command is about; only rejections by a pair need it.
 */
export function toProblem(
  rejection: Rejection,
  assets: AssetTable,
  asset: number,
  readings: Readings,
): Problem {
  switch (rejection.code) {
    case 'unknown-account':
    case 'unknown-order':
    case 'unknown-quote':
    case 'unknown-transfer':
    case 'account-exists':
    case 'backward-time':
      return { code: rejection.code }
    case 'unknown-asset':
      return { code: 'invalid-parameter', field: 'asset', reason: 'is not a known asset' }
    case 'duplicate-client-id':
      return {
        code: 'duplicate-client-id',
        field: rejection.field,
        reason: 'has been used by this account before',
      }
    case 'pair-inactive':
      return { code: 'pair-inactive', field: 'asset', reason: 'has a trading pair that is inactive' }
    case 'terminal':
      return { code: 'order-terminal' }
    case 'crossed-quote':
      return { code: 'invalid-parameter', field: 'bidPrice', reason: 'must be lower than askPrice' }
    case 'empty-quote':
      return { code: 'invalid-parameter', field: 'bidSize', reason: 'and askSize must not both be 0' }
    case 'amount-out-of-range':
      return { code: 'invalid-parameter', field: 'quantity', reason: 'is out of range' }
    case 'unknown-model':
      return { code: 'invalid-parameter', field: 'model', reason: 'is not a model that the price can take' }
    case 'price-is-recorded':
      return {
        code: 'invalid-parameter',
        field: 'asset',
        reason: 'has the price of a recorded book, which only its rows move',
      }
    case 'insufficient-balance':
      return rejection.requiredAtoms > rejection.availableAtoms
        ? { code: 'unfunded-withdrawal' }
        : {
            code: 'unfunded-withdrawal',
            reason: 'The withdrawal would leave the account beyond its leverage',
          }
    case 'open-orders-limit':
      return { code: 'risk-limit', reason: describeOpenOrdersLimit(rejection.limit, rejection.asset, assets) }
    case 'risk':
      return riskProblem(rejection.assessment, assets, readings)
    default:
      return pairProblem(rejection, assets.tradedAsset(asset).pair)
  }
}

/**
 * Refuses a request because the engine has rejected its command. `asset` is the row of the asset that the command is
 * about.
 */
export function refuseRejection({ state, readings }: ApiContext, rejection: Rejection, asset: number) {
  return refuse(toProblem(rejection, state.assets, asset, readings))
}

/**
 * Returns the problem of an order that failed risk checks. Choice: it is INSUFFICIENT_BALANCE if only the balance
 * check fails, else RISK_LIMIT_EXCEEDED.
 */
function riskProblem(assessment: Assessment, assets: AssetTable, readings: Readings): Problem {
  const { checks } = assessment
  const failed = checkNames.filter((name) => !checks[name].passed)
  const { symbol, scale } = assets.config(checks.availableBalance.asset)
  const texts = describeChecks(assessment, { symbol, scale })
  const isBalanceAlone = failed.length === 1 && failed[0] === 'availableBalance'
  const isBalance = isBalanceAlone && readings['error.balanceType'] === 'INSUFFICIENT_BALANCE'
  return {
    code: isBalance ? 'insufficient-balance' : 'risk-limit',
    reason: failed.map((name) => texts[name]).join('; '),
  }
}

function describeOpenOrdersLimit(limit: number, asset: number | null, assets: AssetTable): string {
  return asset === null
    ? `the account may have at most ${limit} open orders`
    : `the account may have at most ${limit} open orders in ${assets.symbol(asset)}`
}

type PairRejection = Exclude<Extract<Rejection, { readonly field: string }>, { readonly row: number }>

function pairProblem(rejection: PairRejection, pair: PairConfig): Problem {
  const code = rejection.code === 'quantity-below-filled' ? 'invalid-parameter' : 'pair-violation'
  return { code, field: rejection.field, reason: describePairRejection(rejection, pair) }
}

function describePairRejection(rejection: PairRejection, pair: PairConfig): string {
  switch (rejection.code) {
    case 'quantity-below-filled':
      return `must be at least ${quantityText(rejection.filledSteps, pair)}, which is filled`
    case 'price-below-minimum':
      return `must be at least ${priceText(rejection.minimumTicks, pair)}`
    case 'price-out-of-range':
      return 'is out of range'
    case 'quantity-below-minimum':
      return `must be at least ${quantityText(rejection.minimumSteps, pair)}`
    case 'quantity-above-maximum':
      return `must be at most ${quantityText(rejection.maximumSteps, pair)}`
    case 'notional-below-minimum':
      return `must be worth at least ${decimalToText(rejection.minimumAtoms, cashScale)} USD`
  }
}

function priceText(ticks: number, pair: PairConfig): string {
  return decimalToText(ticks * pair.priceStep.units, pair.priceStep.scale)
}

function quantityText(steps: number, pair: PairConfig): string {
  return decimalToText(steps * pair.quantityStep.units, pair.quantityStep.scale)
}

/** The asset of an amount: its symbol, and the decimals of its atoms. */
interface AmountUnit {
  readonly symbol: string
  readonly scale: number
}

/** Describes the result of each check in a sentence. `funds` is the asset of the balance. */
export function describeChecks(
  assessment: Assessment,
  funds: AmountUnit,
): { readonly [Name in CheckName]: string } {
  const { orderSize, orderValue, availableBalance } = assessment.checks
  const size = `order size ${decimalToText(orderSize.value, sizeScale)}`
  const required = decimalToText(availableBalance.requiredAtoms, funds.scale)
  const available = decimalToText(availableBalance.availableAtoms, funds.scale)
  const comparison = availableBalance.passed ? 'and' : 'but only'
  return {
    orderSize: orderSize.passed
      ? `${size} is within the limits`
      : orderSize.value < orderSize.minimum
        ? `${size} is below the minimum of ${decimalToText(orderSize.minimum, sizeScale)}`
        : `${size} exceeds the limit of ${decimalToText(orderSize.limit, sizeScale)}`,
    orderValue: describeUse('order value', orderValue.passed, orderValue.valueAtoms, orderValue.limitAtoms),
    exposure: describeUseAfter('exposure', assessment.checks.exposure),
    assetExposure: describeUseAfter('exposure in the asset', assessment.checks.assetExposure),
    availableBalance: `the order needs ${required} ${funds.symbol}, ${comparison} ${available} ${funds.symbol} is available`,
    dailyVolume: describeUseAfter('daily volume', assessment.checks.dailyVolume),
  }
}

/** The decimals of sizes in limits: they are integers of 10^-8 units. */
const sizeScale = 8

/**
 * Describes the use of a limit with the order. An order that only reduces an exposure passes even beyond the limit,
 * where `is within` would not be true.
 */
function describeUseAfter(subject: string, check: AfterCheck): string {
  const isBeyond = check.afterAtoms > check.limitAtoms
  if (check.passed && isBeyond) return `${subject} is reduced`
  return describeUse(`${subject} after the order of`, check.passed, check.afterAtoms, check.limitAtoms)
}

function describeUse(subject: string, passed: boolean, valueAtoms: number, limitAtoms: number): string {
  const value = decimalToText(valueAtoms, cashScale)
  const limit = decimalToText(limitAtoms, cashScale)
  return `${subject} ${value} USD ${passed ? 'is within' : 'exceeds'} the limit of ${limit} USD`
}
