import type { Assessment } from '../../engine/assessment.ts'
import { buy, cash, sell } from '../../engine/codes.ts'
import { isSimulable, simulateOrder as simulate } from '../../engine/reports/order-simulation.ts'
import { checkActive, checkPrice } from '../../engine/risk/guards.ts'
import { maximumQuantity } from '../../engine/risk/maximum-quantity.ts'
import { assessOrder, checkOrderTerms, type OrderTerms } from '../../engine/risk/pre-trade-check.ts'
import type { RecordOf } from '../../shape/shape.ts'
import { amountNumber, e8Number, quantityNumber, readSteps, readTicks, usdNumber } from '../amounts.ts'
import { tradedAsset, unknownAssetField } from '../assets.ts'
import { type AnswerTo, type ApiContext, answer, type InputOf, refuse } from '../context.ts'
import type { Problem } from '../errors.ts'
import type * as schemas from '../operations/risk.ts'
import { problemOf } from '../refusals.ts'
import { preTradeView } from '../views/pre-trade-view.ts'
import {
  assetRiskExposureView,
  limitsView,
  metricsView,
  riskExposureView,
  utilizationView,
} from '../views/risk-view.ts'
import { simulationView } from '../views/simulation-view.ts'

/** Spec: risk/limits. */
export function getLimits(context: ApiContext): AnswerTo<'getLimits'> {
  return answer(limitsView(context))
}

/**
 * Spec: risk/pre-trade-check. An order that fails checks is a success with `approved` false. Errors: 400 for what the
 * pair does not allow, an inactive pair included, because creation would refuse it as well.
 */
export function checkOrder(context: ApiContext, input: InputOf<'checkOrder'>): AnswerTo<'checkOrder'> {
  const terms = termsOf(context, input.body)
  if ('code' in terms) return refuse(terms)
  const inactive = checkActive(context.state, terms.asset)
  if (inactive !== null)
    return refuse(problemOf(inactive, context.state.assets, terms.asset, context.readings))
  const assessment: Assessment = assessOrder(context.state, terms)
  return answer(preTradeView(context, assessment))
}

/** Spec: risk/exposure. */
export function getRiskExposure(context: ApiContext): AnswerTo<'getRiskExposure'> {
  return answer(riskExposureView(context))
}

/** Spec: risk/exposure/:asset. Errors: 404; cash has no exposure. */
export function getAssetRiskExposure(
  context: ApiContext,
  input: InputOf<'getAssetRiskExposure'>,
): AnswerTo<'getAssetRiskExposure'> {
  const asset = tradedAsset(context.state.assets, input.parameter)
  return asset === null ? refuse({ code: 'unknown-asset' }) : answer(assetRiskExposureView(context, asset))
}

/** Spec: risk/utilization. */
export function getUtilization(context: ApiContext): AnswerTo<'getUtilization'> {
  return answer(utilizationView(context))
}

/**
 * Spec: risk/max-quantity. Choice: what the limits leave, also on an inactive pair, because no limiting factor stands for
 * that. Errors: 400 for an unknown asset and for a price that the pair does not allow.
 */
export function getMaxQuantity(
  context: ApiContext,
  input: InputOf<'getMaxQuantity'>,
): AnswerTo<'getMaxQuantity'> {
  const { assets } = context.state
  const { side, price } = input.query
  const asset = tradedAsset(assets, input.query.asset)
  if (asset === null) return refuse(unknownAssetField)
  const traded = assets.traded(asset)
  const ticks = readTicks(price, 'price', traded.pair)
  if (!ticks.ok) return ticks
  const wrong = checkPrice(traded, 'price', ticks.value)
  if (wrong !== null) return refuse(problemOf(wrong, assets, asset, context.readings))
  const sideCode = side === 'buy' ? buy : sell
  const most = maximumQuantity(context.state, context.account, asset, sideCode, ticks.value)
  const quantityOf = (limit: { readonly quantitySteps: number }) =>
    quantityNumber(traded.pair, limit.quantitySteps)
  return answer({
    side,
    asset: traded.symbol,
    price,
    maxQuantity: quantityNumber(traded.pair, most.maxQuantitySteps),
    limitingFactor: most.limitingFactor,
    details: {
      byBalance: {
        quantity: quantityOf(most.byBalance),
        availableBalance: amountNumber(assets, side === 'buy' ? cash : asset, most.byBalance.availableAtoms),
      },
      byOrderSizeLimit: {
        quantity: quantityOf(most.byOrderSizeLimit),
        limit: e8Number(most.byOrderSizeLimit.limitSize),
      },
      byExposureLimit: {
        quantity: quantityOf(most.byExposureLimit),
        availableExposure: usdNumber(most.byExposureLimit.availableExposureAtoms),
      },
      byAssetExposureLimit: {
        quantity: quantityOf(most.byAssetExposureLimit),
        availableExposure: usdNumber(most.byAssetExposureLimit.availableExposureAtoms),
      },
    },
  })
}

/** Spec: risk/metrics. */
export function getMetrics(context: ApiContext): AnswerTo<'getMetrics'> {
  return answer(metricsView(context))
}

/**
 * Spec: risk/simulate; an order that would breach a limit is simulated all the same. Choice: so is one on an inactive
 * pair. Errors: 400 for what the pair never takes, and for more than can be counted.
 */
export function simulateOrder(
  context: ApiContext,
  input: InputOf<'simulateOrder'>,
): AnswerTo<'simulateOrder'> {
  const terms = termsOf(context, input.body)
  if ('code' in terms) return refuse(terms)
  const { readings, state } = context
  if (!isSimulable(state, terms))
    return refuse(problemOf({ code: 'amount-out-of-range' }, state.assets, terms.asset, readings))
  return answer(simulationView(context, terms.asset, simulate(context.state, terms)))
}

function termsOf(context: ApiContext, body: RecordOf<typeof schemas.candidateBody>): OrderTerms | Problem {
  const { state, account } = context
  const asset = tradedAsset(state.assets, body.asset)
  if (asset === null) return unknownAssetField
  const { pair } = state.assets.traded(asset)
  const steps = readSteps(body.quantity, 'quantity', pair)
  if (!steps.ok) return steps.problem
  const ticks = readTicks(body.price, 'price', pair)
  if (!ticks.ok) return ticks.problem
  const side = body.side === 'buy' ? buy : sell
  const terms = { account, asset, side, priceTicks: ticks.value, quantitySteps: steps.value }
  const impossible = checkOrderTerms(state, terms)
  return impossible === null ? terms : problemOf(impossible, state.assets, asset, context.readings)
}
