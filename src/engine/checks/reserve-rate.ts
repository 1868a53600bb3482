import type { State } from '../state.ts'

/** Rate that a new buy reserves on top of its value. */
export function reserveRateOfAccount(state: State, account: number): number {
  if (state.config.fees.currency === 'received') return 0
  return state.feeSchedules.at(state.accounts.feeSchedule.get(account)).reserveRate
}

/** Rate on top of a buy's value: the dearer of its fees, none where the fee is paid in the asset. */
export function reserveRateOfRow(state: State, row: number): number {
  if (state.config.fees.currency === 'received') return 0
  return state.feeSchedules.at(state.orders.feeSchedule.get(row)).reserveRate
}
