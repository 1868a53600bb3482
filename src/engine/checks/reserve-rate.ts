import type { State } from '../state.ts'

/** Rate that a new buy of an account reserves on top of its value, parts per million (see `reserveRateOfRow`). */
export function reserveRateOfAccount(state: State, account: number): number {
  if (state.config.fees.currency === 'received') return 0
  return state.feeSchedules.at(state.accounts.feeSchedule.get(account)).reserveRate
}

/** Rate that a row's buy reserves on top of its value: its higher fee rate; 0 where the fee is paid in the asset. */
export function reserveRateOfRow(state: State, row: number): number {
  if (state.config.fees.currency === 'received') return 0
  return state.feeSchedules.at(state.orders.feeSchedule.get(row)).reserveRate
}
