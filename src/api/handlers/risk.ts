import { type AfterCheck, type Assessment, checkNames } from '../../engine/assessment.ts'
import { buy, cash, sell } from '../../engine/codes.ts'
import { decimalsOfUnit, limitKinds, type SizeLimit, type ValueLimit } from '../../engine/limits.ts'
import {
  isSimulable,
  type OrderSimulationFigures,
  type SimulatedState,
  simulateOrder as simulate,
} from '../../engine/reports/order-simulation.ts'
import { percentE4 } from '../../engine/reports/ratios.ts'
import {
  assetRiskExposure,
  type LimitAlert,
  type LimitUse,
  limitAlerts,
  limitUtilization,
  riskExposure,
  warningThresholdE4,
} from '../../engine/reports/risk-exposure.ts'
import { riskMetrics } from '../../engine/reports/risk-metrics.ts'
import { checkActive, checkPrice } from '../../engine/risk/admission.ts'
import {
  assessOrder,
  checkOrderTerms,
  maximumQuantity,
  type OrderTerms,
} from '../../engine/risk/pre-trade-check.ts'
import { cashScale } from '../../engine/tables/asset-table.ts'
import { decimalToNumber } from '../../numeric/units.ts'
import type { RecordOf } from '../../shape/shape.ts'
import {
  amountNumber,
  answer,
  e8Number,
  percentNumber,
  priceNumber,
  quantityNumber,
  recordWriter,
  refuse,
  tradedAsset,
  unknownAssetField,
  usdNumber,
} from '../answer.ts'
import type { ApiContext, Handler } from '../context.ts'
import type { Problem } from '../errors.ts'
import { isProblem, readSteps, readTicks } from '../input/read-body.ts'
import * as schemas from '../operations/risk.ts'
import { describeChecks, refuseRejection, toProblem } from '../refusals.ts'

/** Returns the risk limits of the account (Spec: risk/limits). */
export const getLimits: Handler<'getLimits'> = (context) => {
  const { config } = context.state.accounts.limitsOf(context.account)
  const numbers = schemas.limitsOnWire.map((name) => {
    const toNumber = (value: number) => decimalToNumber(value, decimalsOfUnit[limitKinds[name].unit])
    const limit = config[name]
    return [name, typeof limit === 'number' ? toNumber(limit) : limitsBySymbol(limit, toNumber)]
  })
  return answer({ limits: Object(Object.fromEntries(numbers)) })
}

/**
 * Checks an order (Spec: risk/pre-trade-check). An order that fails checks is a success with `approved` false.
 * Errors: 400 for what the pair does not allow, an inactive pair included, because creation would refuse it as well.
 */
export const checkOrder: Handler<'checkOrder'> = (context, input) => {
  const terms = readTerms(context, input.body)
  if ('code' in terms) return refuse(terms)
  const inactive = checkActive(context.state, terms.asset)
  if (inactive !== null) return refuseRejection(context, inactive, terms.asset)
  const assessment: Assessment = assessOrder(context.state, terms)
  return answer(preTradeView(context, assessment))
}

/** Returns the risk exposure of the account (Spec: risk/exposure). */
export const getRiskExposure: Handler<'getRiskExposure'> = (context) => {
  const figures = riskExposure(context.state, context.account)
  const { byAsset, portfolio } = figures
  return answer(
    writeRiskExposure(portfolio, {
      grossExposure: usdNumber(portfolio.totalExposureAtoms),
      portfolioValue: usdNumber(portfolio.equityAtoms),
      utilizationPercent: percentNumber(figures.utilizationPercentE4),
      maxExposure: usdNumber(figures.maxExposureAtoms),
      availableExposure: usdNumber(figures.availableExposureAtoms),
      byAsset: byAsset.map((use) => writeAssetUse(use, { asset: context.state.assets.symbol(use.asset) })),
    }),
  )
}

/**
 * Returns the risk exposure in an asset (Spec: risk/exposure/:asset). Errors: 404, also for cash, which has no
 * exposure.
 */
export const getAssetRiskExposure: Handler<'getAssetRiskExposure'> = (context, input) => {
  const asset = tradedAsset(context.state.assets, input.parameter)
  return asset === null ? refuse({ code: 'unknown-asset' }) : answer(assetRiskExposureView(context, asset))
}

/** Returns how much of the limits is used (Spec: risk/utilization). */
export const getUtilization: Handler<'getUtilization'> = (context) => {
  const { state, account } = context
  const figures = limitUtilization(state, account)
  const byAsset = figures.byAsset.map(({ asset, exposure, openOrders }) => {
    const uses = {
      exposure: plainUseView(exposure, cashScale),
      openOrders: plainUseView(openOrders, 0),
    }
    return [state.assets.symbol(asset), uses] as const
  })
  return answer({
    utilization: {
      exposure: useView(figures.exposure, cashScale),
      dailyVolume: useView(figures.dailyVolume, cashScale),
      openOrders: useView(figures.openOrders, 0),
    },
    byAsset: Object.fromEntries(byAsset),
    breachedLimits: limitAlerts(state, account).breached.map((alert) => alertView(context, alert)),
  })
}

/**
 * Returns the largest quantity that the limits allow (Spec: risk/max-quantity). Choice: an inactive pair does not
 * matter, because no limiting factor stands for it. Errors: 400 for an unknown asset and for a price that the pair
 * does not allow.
 */
export const getMaxQuantity: Handler<'getMaxQuantity'> = (context, input) => {
  const { assets } = context.state
  const { side, price } = input.query
  const asset = tradedAsset(assets, input.query.asset)
  if (asset === null) return refuse(unknownAssetField)
  const traded = assets.tradedAsset(asset)
  const ticks = readTicks(price, 'price', traded.pair)
  if (isProblem(ticks)) return refuse(ticks)
  const wrong = checkPrice(traded, 'price', ticks)
  if (wrong !== null) return refuseRejection(context, wrong, asset)
  const sideCode = side === 'buy' ? buy : sell
  const most = maximumQuantity(context.state, context.account, asset, sideCode, ticks)
  const toQuantity = (limit: { readonly quantitySteps: number }) =>
    quantityNumber(traded.pair, limit.quantitySteps)
  return answer({
    side,
    asset: traded.symbol,
    price,
    maxQuantity: quantityNumber(traded.pair, most.maxQuantitySteps),
    limitingFactor: most.limitingFactor,
    details: {
      byBalance: {
        quantity: toQuantity(most.byBalance),
        availableBalance: amountNumber(assets, side === 'buy' ? cash : asset, most.byBalance.availableAtoms),
      },
      byOrderSizeLimit: {
        quantity: toQuantity(most.byOrderSizeLimit),
        limit: e8Number(most.byOrderSizeLimit.limitSize),
      },
      byExposureLimit: {
        quantity: toQuantity(most.byExposureLimit),
        availableExposure: usdNumber(most.byExposureLimit.availableExposureAtoms),
      },
      byAssetExposureLimit: {
        quantity: toQuantity(most.byAssetExposureLimit),
        availableExposure: usdNumber(most.byAssetExposureLimit.availableExposureAtoms),
      },
    },
  })
}

/** Returns the risk metrics of the account (Spec: risk/metrics). */
export const getMetrics: Handler<'getMetrics'> = (context) => {
  const { assets } = context.state
  const figures = riskMetrics(context.state, context.account)
  const { breached, concentration, exposure, nearBreach, utilization, volatility } = figures
  const topAsset = concentration.topAsset < 0 ? '' : assets.symbol(concentration.topAsset)
  return answer(
    writeMetrics(exposure, {
      portfolioValue: usdNumber(exposure.equityAtoms),
      positionsValue: usdNumber(figures.positionsValueAtoms),
      concentration: writeConcentration(concentration, { topAsset }),
      exposure: {
        net: usdNumber(exposure.netExposureAtoms),
        gross: usdNumber(exposure.totalExposureAtoms),
        long: usdNumber(exposure.longExposureAtoms),
        short: usdNumber(exposure.shortExposureAtoms),
      },
      utilization: writeUtilization(utilization, {}),
      limits: {
        breached: breached.map((alert) => alertView(context, alert)),
        nearBreach: nearBreach.map((alert) => alertView(context, alert)),
      },
      volatility: writeVolatility(volatility, {}),
    }),
  )
}

/**
 * Simulates an order, even one that would breach a limit (Spec: risk/simulate). Choice: so is one on an inactive
 * pair. Errors: 400 for what the pair never takes, and for amounts that cannot be counted.
 */
export const simulateOrder: Handler<'simulateOrder'> = (context, input) => {
  const terms = readTerms(context, input.body)
  if ('code' in terms) return refuse(terms)
  if (!isSimulable(context.state, terms))
    return refuseRejection(context, { code: 'amount-out-of-range' }, terms.asset)
  return answer(simulationView(context, terms.asset, simulate(context.state, terms)))
}

function readTerms(context: ApiContext, body: RecordOf<typeof schemas.candidateBody>): OrderTerms | Problem {
  const { state, account } = context
  const asset = tradedAsset(state.assets, body.asset)
  if (asset === null) return unknownAssetField
  const { pair } = state.assets.tradedAsset(asset)
  const steps = readSteps(body.quantity, 'quantity', pair)
  if (isProblem(steps)) return steps
  const ticks = readTicks(body.price, 'price', pair)
  if (isProblem(ticks)) return ticks
  const side = body.side === 'buy' ? buy : sell
  const terms = { account, asset, side, priceTicks: ticks, quantitySteps: steps }
  const impossible = checkOrderTerms(state, terms)
  return impossible === null ? terms : toProblem(impossible, state.assets, asset, context.readings)
}

/* The writers of the records whose fields are figures of the engine. */
const writeRiskExposure = recordWriter(schemas.riskExposure)
const writeAssetUse = recordWriter(schemas.assetUse)
const writeMetrics = recordWriter(schemas.metrics)
const writeAssetRiskExposure = recordWriter(schemas.assetRiskExposure)
const writeConcentration = recordWriter(schemas.metrics.properties.concentration)
const writeUtilization = recordWriter(schemas.metrics.properties.utilization)
const writeVolatility = recordWriter(schemas.metrics.properties.volatility)
const writePosition = recordWriter(schemas.assetRiskExposure.properties.position)
const writeOpenOrders = recordWriter(schemas.assetRiskExposure.properties.openOrders)

type PreTradeJson = RecordOf<typeof schemas.preTradeCheck>

/**
 * Returns the result of a pre-trade check (Spec: Pre-trade check result). It warns from 80 % of a limit that is kept.
 */
function preTradeView(context: ApiContext, assessment: Assessment): PreTradeJson {
  const { assets } = context.state
  const { checks } = assessment
  const { asset } = checks.availableBalance
  const texts = describeChecks(assessment, assets.config(asset))
  const failed = checkNames.filter((name) => !checks[name].passed)
  const result = {
    approved: assessment.isApproved,
    orderValue: usdNumber(assessment.orderValueAtoms),
    checks: {
      orderSize: {
        passed: checks.orderSize.passed,
        message: texts.orderSize,
        limit: e8Number(appliedSizeLimit(assessment)),
        value: e8Number(checks.orderSize.value),
      },
      orderValue: {
        passed: checks.orderValue.passed,
        message: texts.orderValue,
        limit: usdNumber(checks.orderValue.limitAtoms),
        value: usdNumber(checks.orderValue.valueAtoms),
      },
      exposure: afterView(checks.exposure, texts.exposure),
      assetExposure: afterView(checks.assetExposure, texts.assetExposure),
      availableBalance: {
        passed: checks.availableBalance.passed,
        message: texts.availableBalance,
        required: amountNumber(assets, asset, checks.availableBalance.requiredAtoms),
        available: amountNumber(assets, asset, checks.availableBalance.availableAtoms),
      },
      dailyVolume: afterView(checks.dailyVolume, texts.dailyVolume),
    },
    warnings: listWarnings(assessment),
  }
  return assessment.isApproved ? result : { ...result, rejectionReasons: failed.map((name) => texts[name]) }
}

/** Returns the limit of the order size that was compared: the minimum where the size is below it, else the maximum. */
function appliedSizeLimit({ checks: { orderSize } }: Assessment): number {
  return orderSize.value < orderSize.minimum ? orderSize.minimum : orderSize.limit
}

function afterView(check: AfterCheck, message: string) {
  return {
    passed: check.passed,
    message,
    limit: usdNumber(check.limitAtoms),
    currentValue: usdNumber(check.currentAtoms),
    afterValue: usdNumber(check.afterAtoms),
  }
}

function listWarnings({ checks }: Assessment): string[] {
  const uses = [
    { name: 'order size', used: checks.orderSize.value, limit: checks.orderSize.maximum },
    { name: 'order value', used: checks.orderValue.valueAtoms, limit: checks.orderValue.limitAtoms },
    { name: 'exposure', used: checks.exposure.afterAtoms, limit: checks.exposure.limitAtoms },
    {
      name: 'exposure in the asset',
      used: checks.assetExposure.afterAtoms,
      limit: checks.assetExposure.limitAtoms,
    },
    { name: 'daily volume', used: checks.dailyVolume.afterAtoms, limit: checks.dailyVolume.limitAtoms },
  ]
  return uses
    .filter(({ used, limit }) => used <= limit && percentE4(used, limit) >= warningThresholdE4)
    .map(({ name }) => `${name} reaches 80 percent of its limit`)
}

type SimulationJson = RecordOf<typeof schemas.simulation>

/**
 * Returns a simulation (Spec: Order simulation). The fields of the asset begin with its symbol (reading
 * `simulate.prefix`).
 */
function simulationView(context: ApiContext, asset: number, figures: OrderSimulationFigures): SimulationJson {
  const { assets } = context.state
  const { impact, assessment } = figures
  const prefix = fieldPrefix(context, asset)
  const texts = describeChecks(assessment, assets.config(assessment.checks.availableBalance.asset))
  const stateView = (state: SimulatedState) => ({
    portfolioValue: usdNumber(state.portfolioValueAtoms),
    cashBalance: usdNumber(state.cashBalanceAtoms),
    exposure: usdNumber(state.exposureAtoms),
    [`${prefix}Position`]: amountNumber(assets, asset, state.assetPositionAtoms),
    [`${prefix}Exposure`]: usdNumber(state.assetExposureAtoms),
    leverage: e8Number(state.leverageE8),
  })
  return {
    orderValue: usdNumber(figures.orderValueAtoms),
    currentState: stateView(figures.currentState),
    afterOrder: stateView(figures.afterOrder),
    impact: {
      exposureChange: usdNumber(impact.exposureChangeAtoms),
      exposureChangePercent: percentNumber(impact.exposureChangePercentE4),
      [`${prefix}ExposureChange`]: usdNumber(impact.assetExposureChangeAtoms),
      [`${prefix}ExposureChangePercent`]: percentNumber(impact.assetExposureChangePercentE4),
      leverageChange: e8Number(impact.leverageChangeE8),
      cashChange: usdNumber(impact.cashChangeAtoms),
    },
    wouldBreach: checkNames
      .filter((name) => !assessment.checks[name].passed)
      .map((name) => ({ type: name, message: texts[name] })),
  }
}

/** Returns the prefix of an asset's fields in a simulation: reading `simulate.prefix`. */
function fieldPrefix(context: ApiContext, asset: number): string {
  const reading = context.readings['simulate.prefix']
  if (reading !== 'symbol') return reading
  return context.state.assets
    .symbol(asset)
    .toLowerCase()
    .replaceAll(/[^a-z0-9]/g, '')
}

type AssetRiskExposureJson = RecordOf<typeof schemas.assetRiskExposure>
type LimitUseJson = RecordOf<typeof schemas.limitUse>

/**
 * Returns the risk exposure in an asset (Spec: Risk exposure (one asset)). Choice: the quantity of the position is
 * signed, because no other field tells its side.
 */
export function assetRiskExposureView(context: ApiContext, asset: number): AssetRiskExposureJson {
  const { pair, symbol } = context.state.assets.tradedAsset(asset)
  const { scale } = context.state.assets.config(asset)
  const figures = assetRiskExposure(context.state, context.account, asset)
  const { position, openOrders } = figures
  const currentPrice = priceNumber(pair, position.currentPriceTicks)
  return writeAssetRiskExposure(figures, {
    asset: symbol,
    position: writePosition(position, { currentPrice }, scale),
    openOrders: writeOpenOrders(openOrders, {
      buyQuantity: quantityNumber(pair, openOrders.buySteps),
      sellQuantity: quantityNumber(pair, openOrders.sellSteps),
    }),
  })
}

function alertView(context: ApiContext, alert: LimitAlert): LimitUseJson {
  const scale = limitScale(alert.type)
  return {
    type: alert.type,
    asset: alert.asset === null ? null : context.state.assets.symbol(alert.asset),
    utilizationPercent: percentNumber(alert.utilizationPercentE4),
    warningThreshold: percentNumber(alert.warningThresholdE4),
    used: decimalToNumber(alert.used, scale),
    limit: decimalToNumber(alert.limit, scale),
  }
}

/** Returns the decimals of the integers of a limit: those of money, a count or a leverage. */
function limitScale(type: LimitAlert['type']): number {
  if (type === 'openOrders' || type === 'assetOpenOrders') return 0
  return type === 'leverage' ? 8 : cashScale
}

function useView(use: LimitUse, scale: number) {
  const { used, limit, percent } = plainUseView(use, scale)
  return { used, limit, available: decimalToNumber(use.available, scale), percent }
}

function plainUseView({ used, limit, percentE4 }: LimitUse, scale: number) {
  return {
    used: decimalToNumber(used, scale),
    limit: decimalToNumber(limit, scale),
    percent: percentNumber(percentE4),
  }
}

function limitsBySymbol(
  limit: SizeLimit | ValueLimit,
  toNumber: (value: number) => number,
): Record<string, number> {
  const entries = [...limit.bySymbol].map(([symbol, value]) => [symbol, toNumber(value)] as const)
  return { ...Object.fromEntries(entries), default: toNumber(limit.default) }
}
