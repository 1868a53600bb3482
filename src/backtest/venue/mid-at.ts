import { halfTicksNumber } from '../../api/amounts.ts'
import { foreseenMidHalfTicks } from '../../engine/house/unattended.ts'
import { topOfBook } from '../../engine/reports/top-of-book.ts'
import type { State } from '../../engine/state.ts'

/** The mid of an asset at the venue's present, or at a later instant up to which it is unattended, USD. */
export function midAt(state: State, asset: number, atMillis: number): number {
  const { gridMillis, startMillis } = state.config
  const halfTicks =
    state.nowMillis < atMillis
      ? foreseenMidHalfTicks(state, asset, Math.floor((atMillis - startMillis) / gridMillis))
      : topOfBook(state, asset).midHalfTicks
  return halfTicksNumber(state.assets.traded(asset).pair, halfTicks)
}
