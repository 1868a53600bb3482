import type { Candidate, Interest } from '../assessment.ts'
import { buy } from '../codes.ts'
import type { Placement } from '../command.ts'
import type { State } from '../state.ts'
import type { Asset } from '../tables/asset-table.ts'
import { notionalOf } from '../tables/asset-table.ts'
import { reserveAtoms, reserveRateOfAccount, walkReserveAtoms } from './reserve.ts'
import type { Walk } from './walk.ts'

/* Describes orders as candidates for assessment. Only the candidate is written. */

/** Describes what a limit order (no walk) or a market order (with its walk) would add to its account. */
export function describePlacement(
  state: State,
  placement: Placement,
  asset: Asset,
  walk: Walk | null,
  into: Candidate,
): void {
  const { account, side, priceTicks, quantitySteps: steps } = placement
  const rate = reserveRateOfAccount(state, account)
  into.start(state.holdings, account, placement.asset)
  const wanted = side === buy ? into.buy : into.sell
  if (walk !== null) {
    describeWalk(asset, placement, walk, rate, wanted)
    into.sellTicks = Math.max(1, walk.lastTicks)
  } else {
    wanted.set(
      steps,
      notionalOf(asset, priceTicks, steps),
      reserveAtoms(asset, side, priceTicks, steps, rate),
    )
    into.sellTicks = Math.max(1, priceTicks)
  }
  into.size(steps, steps, wanted.valueAtoms)
}

/** Describes what a live row still has in the market. */
export function describeLive({ orders }: State, row: number, asset: Asset, into: Interest): void {
  const steps = orders.remainingSteps(row)
  const value = notionalOf(asset, orders.priceTicks.get(row), steps)
  into.set(steps, value, orders.reservedAtoms.get(row))
}

/** Describes what a market order would cost (half-even) and reserve. */
function describeWalk(asset: Asset, placement: Placement, walk: Walk, rate: number, into: Interest): void {
  const { side, quantitySteps: steps } = placement
  const value = walk.tickSteps.timesHalfEven(asset.notionalNumerator, asset.notionalDenominator)
  into.set(steps, value, walkReserveAtoms(asset, side, walk.tickSteps, steps, rate))
}
