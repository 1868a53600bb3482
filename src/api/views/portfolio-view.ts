import { availableForTrading } from '../../engine/reports/available-for-trading.ts'
import { balanceOf } from '../../engine/reports/balances.ts'
import { type AssetWeight, portfolioExposure } from '../../engine/reports/portfolio-exposure.ts'
import { portfolioSummary } from '../../engine/reports/portfolio-summary.ts'
import type { PositionFigures } from '../../engine/reports/position-figures.ts'
import { profitAndLoss } from '../../engine/reports/profit-and-loss.ts'
import { millisPerDay, millisPerHour } from '../../numeric/time-text.ts'
import type { RecordOf } from '../../shape/shape.ts'
import { amountNumber, e8Number, percentNumber, priceNumber, usdNumber } from '../amounts.ts'
import type { ApiContext } from '../context.ts'
import type * as schemas from '../operations/portfolio.ts'

export type BalanceJson = RecordOf<typeof schemas.balance>
export type AvailableJson = RecordOf<typeof schemas.available>
export type PositionJson = RecordOf<typeof schemas.position>
export type ExposureJson = RecordOf<typeof schemas.exposure>
export type AssetExposureJson = RecordOf<typeof schemas.assetExposure>
export type SummaryJson = RecordOf<typeof schemas.summary>
export type ProfitAndLossJson = RecordOf<typeof schemas.profitAndLoss>

/** Spec: Balance. */
export function balanceView(context: ApiContext, asset: number): BalanceJson {
  const { assets } = context.state
  const balance = balanceOf(context.state, context.account, asset)
  return {
    asset: assets.symbol(asset),
    total: amountNumber(assets, asset, balance.totalAtoms),
    available: amountNumber(assets, asset, balance.availableAtoms),
    locked: amountNumber(assets, asset, balance.lockedAtoms),
    pendingDeposit: amountNumber(assets, asset, balance.pendingDepositAtoms),
    pendingWithdrawal: amountNumber(assets, asset, balance.pendingWithdrawalAtoms),
    usdValue: usdNumber(balance.usdValueAtoms),
  }
}

/** Spec: Available for trading. */
export function availableView(context: ApiContext, asset: number): AvailableJson {
  const { assets } = context.state
  const figures = availableForTrading(context.state, context.account, asset)
  return {
    asset: assets.symbol(asset),
    available: amountNumber(assets, asset, figures.availableAtoms),
    locked: amountNumber(assets, asset, figures.lockedAtoms),
    pendingSettlement: amountNumber(assets, asset, figures.pendingSettlementAtoms),
    availableForBuy: amountNumber(assets, asset, figures.availableForBuyAtoms),
    availableForSell: amountNumber(assets, asset, figures.availableForSellAtoms),
  }
}

/** Spec: Position. The sign of quantity and market value is reading `positions.sign`. */
export function positionView(context: ApiContext, figures: PositionFigures): PositionJson {
  const { assets } = context.state
  const { asset } = figures
  const shown = (value: number) => (context.readings['positions.sign'] === 'signed' ? value : Math.abs(value))
  return {
    asset: assets.symbol(asset),
    quantity: amountNumber(assets, asset, shown(figures.quantityAtoms)),
    side: figures.side,
    averageEntryPrice: e8Number(figures.averageEntryPriceE8),
    currentPrice: priceNumber(assets.traded(asset).pair, figures.currentPriceTicks),
    marketValue: usdNumber(shown(figures.marketValueAtoms)),
    costBasis: usdNumber(figures.costBasisAtoms),
    unrealizedPnl: usdNumber(figures.unrealizedPnlAtoms),
    unrealizedPnlPercent: percentNumber(figures.unrealizedPnlPercentE4),
    realizedPnl: usdNumber(figures.realizedPnlAtoms),
  }
}

/** Spec: Portfolio exposure. Cash is an entry of its own, neutral. */
export function exposureView(context: ApiContext): ExposureJson {
  const figures = portfolioExposure(context.state, context.account)
  return {
    totalExposure: usdNumber(figures.totalExposureAtoms),
    netExposure: usdNumber(figures.netExposureAtoms),
    longExposure: usdNumber(figures.longExposureAtoms),
    shortExposure: usdNumber(figures.shortExposureAtoms),
    cashBalance: usdNumber(figures.cashBalanceAtoms),
    leverage: e8Number(figures.leverageE8),
    byAsset: figures.byAsset.map((weight) => assetExposureView(context, weight)),
  }
}

export function assetExposureView(context: ApiContext, weight: AssetWeight): AssetExposureJson {
  return {
    asset: context.state.assets.symbol(weight.asset),
    exposure: usdNumber(weight.exposureAtoms),
    weight: percentNumber(weight.weightE4),
    side: weight.side,
  }
}

/** Spec: Portfolio summary. The day is that of reading `time.dayStart`. */
export function summaryView(context: ApiContext): SummaryJson {
  const { state, account } = context
  const figures = portfolioSummary(state, account)
  const day = context.readings['time.dayStart'] === 'rolling' ? rollingDay(context) : null
  return {
    totalValue: usdNumber(figures.totalValueAtoms),
    cashBalance: usdNumber(figures.cashBalanceAtoms),
    positionsValue: usdNumber(figures.positionsValueAtoms),
    totalPnl: usdNumber(figures.totalPnlAtoms),
    totalPnlPercent: percentNumber(figures.totalPnlPercentE4),
    dayPnl: usdNumber(day?.netPnlAtoms ?? figures.dayPnlAtoms),
    dayPnlPercent: percentNumber(day?.netPnlPercentE4 ?? figures.dayPnlPercentE4),
    unrealizedPnl: usdNumber(figures.unrealizedPnlAtoms),
    realizedPnl: usdNumber(figures.realizedPnlAtoms),
    buyingPower: usdNumber(figures.buyingPowerAtoms),
    openPositions: figures.openPositions,
    openOrders: figures.openOrders,
  }
}

/** Spec: Profit and loss, over the window that ends now. */
export function profitAndLossView(
  context: ApiContext,
  period: ProfitAndLossJson['period'],
): ProfitAndLossJson {
  const { state, account } = context
  const { nowMillis } = state
  const figures = profitAndLoss(state, account, nowMillis - periodMillis[period], nowMillis)
  return {
    period,
    totalPnl: usdNumber(figures.totalPnlAtoms),
    totalPnlPercent: percentNumber(figures.totalPnlPercentE4),
    realizedPnl: usdNumber(figures.realizedPnlAtoms),
    unrealizedPnl: usdNumber(figures.unrealizedPnlAtoms),
    fees: usdNumber(figures.feesAtoms),
    netPnl: usdNumber(figures.netPnlAtoms),
    startValue: usdNumber(figures.startValueAtoms),
    endValue: usdNumber(figures.endValueAtoms),
    byAsset: figures.byAsset.map(({ asset, pnlAtoms, pnlPercentE4, trades }) => ({
      asset: state.assets.symbol(asset),
      pnl: usdNumber(pnlAtoms),
      pnlPercent: percentNumber(pnlPercentE4),
      trades,
    })),
  }
}

const periodMillis = {
  '1h': millisPerHour,
  '24h': millisPerDay,
  '7d': 7 * millisPerDay,
  '30d': 30 * millisPerDay,
} as const

function rollingDay(context: ApiContext) {
  const { nowMillis } = context.state
  return profitAndLoss(context.state, context.account, nowMillis - millisPerDay, nowMillis)
}
