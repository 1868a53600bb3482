import { type AfterCheck, type Assessment, type CheckName, checkNames } from '../engine/assessment.ts'
import type { PairConfig } from '../engine/config.ts'
import type { Rejection } from '../engine/rejections.ts'
import { type AssetTable, cashScale } from '../engine/tables/asset-table.ts'
import { scaledToText } from '../numeric/units.ts'
import { refuse } from './answer.ts'
import type { ApiContext } from './context.ts'
import type { Problem } from './errors.ts'
import type { Readings } from './readings/readings.ts'

/** `asset` is the row that the command was about; only problems with a pair need it. */
export function problemOf(
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
    case 'insufficient-balance':
      return rejection.requiredAtoms > rejection.availableAtoms
        ? { code: 'unfunded-withdrawal' }
        : {
            code: 'unfunded-withdrawal',
            reason: 'The withdrawal would leave the account beyond its leverage',
          }
    case 'open-orders-limit':
      return { code: 'risk-limit', reason: openOrdersText(rejection.limit, rejection.asset, assets) }
    case 'risk':
      return riskProblem(rejection.assessment, assets, readings)
    default:
      return pairProblem(rejection, assets.traded(asset).pair)
  }
}

export function refuseFor({ state, readings }: ApiContext, rejection: Rejection, asset: number) {
  return refuse(problemOf(rejection, state.assets, asset, readings))
}

/** Choice: if only the balance fails it is INSUFFICIENT_BALANCE, else RISK_LIMIT_EXCEEDED. */
function riskProblem(assessment: Assessment, assets: AssetTable, readings: Readings): Problem {
  const { checks } = assessment
  const failed = checkNames.filter((name) => !checks[name].passed)
  const { symbol, scale } = assets.config(checks.availableBalance.asset)
  const texts = checkTexts(assessment, { symbol, scale })
  const isBalanceAlone = failed.length === 1 && failed[0] === 'availableBalance'
  const isBalance = isBalanceAlone && readings['error.balanceType'] === 'INSUFFICIENT_BALANCE'
  return {
    code: isBalance ? 'insufficient-balance' : 'risk-limit',
    reason: failed.map((name) => texts[name]).join('; '),
  }
}

function openOrdersText(limit: number, asset: number | null, assets: AssetTable): string {
  return asset === null
    ? `the account may have at most ${limit} open orders`
    : `the account may have at most ${limit} open orders in ${assets.symbol(asset)}`
}

type PairRejection = Exclude<Extract<Rejection, { readonly field: string }>, { readonly row: number }>

function pairProblem(rejection: PairRejection, pair: PairConfig): Problem {
  const code = rejection.code === 'quantity-below-filled' ? 'invalid-parameter' : 'pair-violation'
  return { code, field: rejection.field, reason: pairReason(rejection, pair) }
}

function pairReason(rejection: PairRejection, pair: PairConfig): string {
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
      return `must be worth at least ${scaledToText(rejection.minimumAtoms, cashScale)} USD`
  }
}

function priceText(ticks: number, pair: PairConfig): string {
  return scaledToText(ticks * pair.priceStep.units, pair.priceStep.scale)
}

function quantityText(steps: number, pair: PairConfig): string {
  return scaledToText(steps * pair.quantityStep.units, pair.quantityStep.scale)
}

/** An asset in which amounts are written: its symbol, and the decimals of its atoms. */
interface Unit {
  readonly symbol: string
  readonly scale: number
}

/** One sentence per check. `funds` is the asset of the balance. */
export function checkTexts(assessment: Assessment, funds: Unit): { readonly [Name in CheckName]: string } {
  const { orderSize, orderValue, availableBalance } = assessment.checks
  const size = `order size ${scaledToText(orderSize.value, sizeScale)}`
  const required = scaledToText(availableBalance.requiredAtoms, funds.scale)
  const available = scaledToText(availableBalance.availableAtoms, funds.scale)
  const comparison = availableBalance.passed ? 'and' : 'but only'
  return {
    orderSize: orderSize.passed
      ? `${size} is within the limits`
      : orderSize.value < orderSize.minimum
        ? `${size} is below the minimum of ${scaledToText(orderSize.minimum, sizeScale)}`
        : `${size} exceeds the limit of ${scaledToText(orderSize.limit, sizeScale)}`,
    orderValue: compared('order value', orderValue.passed, orderValue.valueAtoms, orderValue.limitAtoms),
    exposure: comparedAfter('exposure', assessment.checks.exposure),
    assetExposure: comparedAfter('exposure in the asset', assessment.checks.assetExposure),
    availableBalance: `the order needs ${required} ${funds.symbol}, ${comparison} ${available} ${funds.symbol} is available`,
    dailyVolume: comparedAfter('daily volume', assessment.checks.dailyVolume),
  }
}

/** Sizes in limits are integers of 10^-8 units. */
const sizeScale = 8

/** An order that only reduces may pass beyond an exposure limit, so `within` would not always be true. */
function comparedAfter(subject: string, check: AfterCheck): string {
  const isBeyond = check.afterAtoms > check.limitAtoms
  if (check.passed && isBeyond) return `${subject} is reduced`
  return compared(`${subject} after the order of`, check.passed, check.afterAtoms, check.limitAtoms)
}

function compared(subject: string, passed: boolean, valueAtoms: number, limitAtoms: number): string {
  const value = scaledToText(valueAtoms, cashScale)
  const limit = scaledToText(limitAtoms, cashScale)
  return `${subject} ${value} USD ${passed ? 'is within' : 'exceeds'} the limit of ${limit} USD`
}
