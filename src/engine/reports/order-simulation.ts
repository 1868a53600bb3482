import { type Assessment, equityAtoms } from '../assessment.ts'
import { maximumAtoms } from '../check-config.ts'
import { buy, cash } from '../codes.ts'
import { isHoldingValuable } from '../risk/admission.ts'
import { assessOrder, type OrderTerms } from '../risk/pre-trade-check.ts'
import type { State } from '../state.ts'
import { leverageE8, portfolioExposure } from './portfolio-exposure.ts'
import { percentE4 } from './ratios.ts'

/** An account before or after an order, valued at the mark. Money in USD atoms. */
export interface SimulatedState {
  readonly portfolioValueAtoms: number
  readonly cashBalanceAtoms: number
  /** The gross exposure, without open orders. */
  readonly exposureAtoms: number
  /** The position in signed atoms of the asset. */
  readonly assetPositionAtoms: number
  readonly assetExposureAtoms: number
  readonly leverageE8: number
}

export interface OrderSimulationFigures {
  readonly orderValueAtoms: number
  readonly currentState: SimulatedState
  readonly afterOrder: SimulatedState
  /**
   * The figures after the order less those before it. Percents in 10^-4 of the value before; an increase from 0 is
   * 100 %.
   */
  readonly impact: {
    readonly exposureChangeAtoms: number
    readonly exposureChangePercentE4: number
    readonly assetExposureChangeAtoms: number
    readonly assetExposureChangePercentE4: number
    readonly leverageChangeE8: number
    readonly cashChangeAtoms: number
  }
  /** The six checks; the order would breach those that fail. */
  readonly assessment: Assessment
}

/** Returns whether what the account would then hold of the asset stays exact, and its value at the mark. */
export function isSimulable(state: State, { account, asset, side, quantitySteps }: OrderTerms): boolean {
  const traded = state.assets.tradedAsset(asset)
  const quantityAtoms = quantitySteps * traded.stepAtoms
  const after = Math.abs(state.ledger.total(account, asset) + (side === buy ? quantityAtoms : -quantityAtoms))
  return after <= maximumAtoms && isHoldingValuable(traded, state.markTicks.get(asset), after)
}

/**
 * Returns what the account would be if the whole order were filled at its price without a fee. The terms must be
 * possible (`checkOrderTerms`), and what comes of them (`isSimulable`). Spec: Order simulation.
 */
export function simulateOrder(state: State, terms: OrderTerms): OrderSimulationFigures {
  const { account, asset, side } = terms
  const assessment = assessOrder(state, terms)
  const orderValueAtoms = assessment.orderValueAtoms
  const before = currentState(state, account, asset)
  const sign = side === buy ? 1 : -1
  const quantityAtoms = sign * terms.quantitySteps * state.assets.tradedAsset(asset).stepAtoms
  const after = filledState(state, asset, before, quantityAtoms, -sign * orderValueAtoms)
  const exposureChangeAtoms = after.exposureAtoms - before.exposureAtoms
  const assetExposureChangeAtoms = after.assetExposureAtoms - before.assetExposureAtoms
  return {
    orderValueAtoms,
    currentState: before,
    afterOrder: after,
    impact: {
      exposureChangeAtoms,
      exposureChangePercentE4: changePercentE4(exposureChangeAtoms, before.exposureAtoms),
      assetExposureChangeAtoms,
      assetExposureChangePercentE4: changePercentE4(assetExposureChangeAtoms, before.assetExposureAtoms),
      leverageChangeE8: after.leverageE8 - before.leverageE8,
      cashChangeAtoms: after.cashBalanceAtoms - before.cashBalanceAtoms,
    },
    assessment,
  }
}

function currentState(state: State, account: number, asset: number): SimulatedState {
  const { totalExposureAtoms, leverageE8: leverage } = portfolioExposure(state, account)
  return {
    portfolioValueAtoms: equityAtoms(state, account),
    cashBalanceAtoms: state.ledger.total(account, cash),
    exposureAtoms: totalExposureAtoms,
    assetPositionAtoms: state.ledger.total(account, asset),
    assetExposureAtoms: Math.abs(state.exposures.valueAtoms(account, asset)),
    leverageE8: leverage,
  }
}

function filledState(
  state: State,
  asset: number,
  before: SimulatedState,
  quantityAtoms: number,
  cashAtoms: number,
): SimulatedState {
  const { assets, markTicks } = state
  const markValue = (quantity: number) => assets.value(asset, markTicks.get(asset), quantity)
  const assetPositionAtoms = before.assetPositionAtoms + quantityAtoms
  const valueBefore = markValue(before.assetPositionAtoms)
  const valueAfter = markValue(assetPositionAtoms)
  const portfolioValueAtoms = before.portfolioValueAtoms + cashAtoms + valueAfter - valueBefore
  const exposureAtoms = before.exposureAtoms - Math.abs(valueBefore) + Math.abs(valueAfter)
  return {
    portfolioValueAtoms,
    cashBalanceAtoms: before.cashBalanceAtoms + cashAtoms,
    exposureAtoms,
    assetPositionAtoms,
    assetExposureAtoms: Math.abs(valueAfter),
    leverageE8: leverageE8(exposureAtoms, portfolioValueAtoms),
  }
}

function changePercentE4(change: number, before: number): number {
  if (before === 0) return Math.sign(change) * 1_000_000
  return percentE4(change, before)
}
