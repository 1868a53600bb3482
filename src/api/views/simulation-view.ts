import { checkNames } from '../../engine/assessment.ts'
import type { OrderSimulation, SimulatedState } from '../../engine/reports/order-simulation.ts'
import type { RecordOf } from '../../shape/shape.ts'
import { amountNumber, e8Number, percentNumber, usdNumber } from '../amounts.ts'
import type { ApiContext } from '../context.ts'
import type * as schemas from '../operations/risk.ts'
import { checkTexts } from './check-texts.ts'

export type SimulationJson = RecordOf<typeof schemas.simulation>

/** Spec: Order simulation. The fields of the asset begin with its symbol: reading `simulate.prefix`. */
export function simulationView(context: ApiContext, asset: number, figures: OrderSimulation): SimulationJson {
  const { assets } = context.state
  const { impact, assessment } = figures
  const prefix = prefixOf(context, asset)
  const texts = checkTexts(assessment, assets.config(assessment.checks.availableBalance.asset))
  const stateOf = (state: SimulatedState) => ({
    portfolioValue: usdNumber(state.portfolioValueAtoms),
    cashBalance: usdNumber(state.cashBalanceAtoms),
    exposure: usdNumber(state.exposureAtoms),
    [`${prefix}Position`]: amountNumber(assets, asset, state.assetPositionAtoms),
    [`${prefix}Exposure`]: usdNumber(state.assetExposureAtoms),
    leverage: e8Number(state.leverageE8),
  })
  return {
    orderValue: usdNumber(figures.orderValueAtoms),
    currentState: stateOf(figures.currentState),
    afterOrder: stateOf(figures.afterOrder),
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

function prefixOf(context: ApiContext, asset: number): string {
  const reading = context.readings['simulate.prefix']
  if (reading !== 'symbol') return reading
  return context.state.assets
    .symbol(asset)
    .toLowerCase()
    .replaceAll(/[^a-z0-9]/g, '')
}
