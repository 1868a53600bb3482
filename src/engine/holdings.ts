import type { State } from './state.ts'
import type { Column } from './table.ts'

/** The state columns by account and asset, in a fixed order: ledger, positions, open interest. */
export function holdingColumns(state: State): readonly Column[] {
  return [...state.ledger.columns(), ...state.positions.columns(), ...state.exposures.stateColumns()]
}
