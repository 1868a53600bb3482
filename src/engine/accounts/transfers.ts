import { atoms, millis } from '../../numeric/units.ts'
import { exceedsLeverageWithout } from '../assessment.ts'
import { maximumAtoms } from '../check-config.ts'
import {
  type AccountRow,
  type AnyAccountRow,
  type AnyAssetRow,
  type AssetRow,
  accountRow,
  assetRow,
  cash,
  externalAccount,
  firstClientAccount,
  transferDeposit,
  transferWithdrawal,
} from '../codes.ts'
import type { SettleTransferCommand, TransferCommand } from '../command.ts'
import { eventType } from '../events.ts'
import type { CommandResult } from '../rejections.ts'
import { checkAccount, checkAsset, costRoomAtoms, isCashExact, isHoldingValuable } from '../risk/admission.ts'
import type { State } from '../state.ts'
import { linkActivity } from '../tables/account-table.ts'
import { dueTransfer } from '../timeline.ts'

/**
 * Makes a deposit or a withdrawal, at once or pending. A deposit enters the total (and the position, at the mark)
 * when it settles; a withdrawal leaves total, available and position (realising its profit) at once, and the venue
 * when it settles. Spec: Operations not defined; admin API only. Errors: unknown-account, unknown-asset,
 * amount-out-of-range, insufficient-balance.
 */
export function transfer(state: State, command: TransferCommand): CommandResult {
  const unknown = checkAccount(state, command.account) ?? checkAsset(state, command.asset)
  if (unknown !== null) return unknown
  if (!isTransferable(state, command)) return { code: 'amount-out-of-range' }
  const isDeposit = command.kind === 'deposit'
  if (!isDeposit && !isWithdrawable(state, command))
    return {
      code: 'insufficient-balance',
      availableAtoms: state.ledger.available(command.account, command.asset),
      requiredAtoms: command.atoms,
    }
  const row = openTransfer(state, command)
  if (!isDeposit) withdraw(state, row)
  if (command.pendingMillis > 0) announcePending(state, row)
  else settle(state, row)
  return row
}

/** Settles a pending transfer before its time. Errors: unknown-transfer, terminal. */
export function settleTransfer(state: State, command: SettleTransferCommand): CommandResult {
  const { transfers } = state
  const row = command.transfer
  if (row < 0 || row >= transfers.count) return { code: 'unknown-transfer' }
  if (transfers.isSettled.get(row) === 1) return { code: 'terminal', status: 1 }
  settle(state, row)
  return row
}

/** Books an opening balance: a deposit of the account's first instant, at its stated value in USD atoms. */
export function openBalance(
  state: State,
  account: AccountRow,
  asset: AssetRow,
  amount: number,
  value: number,
): void {
  const row = openTransfer(state, {
    account,
    asset,
    atoms: atoms(amount),
    kind: 'deposit',
    pendingMillis: millis(0),
  })
  credit(state, row, value)
}

/**
 * Returns whether an account's balance, and the deposits of all accounts together, stay exact with this amount in
 * addition, counting all pending deposits and open orders. For an account that does not exist yet, ask about the
 * external account.
 */
export function isAddable(state: State, account: AnyAccountRow, asset: AnyAssetRow, amount: number): boolean {
  const { ledger } = state
  const outside = Math.abs(ledger.total(externalAccount, asset)) + sumPendingDeposits(state, asset) + amount
  const after =
    account === externalAccount
      ? amount
      : Math.abs(ledger.total(account, asset)) + ledger.pendingDeposit(account, asset) + amount
  if (after > maximumAtoms || outside > 2 * maximumAtoms) return false
  if (asset === cash) return account === externalAccount || isCashExact(state, account, amount)
  if (!isHoldingValuable(state.assets.tradedAsset(asset), state.markTicks.get(asset), after)) return false
  return (
    account === externalAccount ||
    flowValueAtoms(state, account, asset, amount) < costRoomAtoms(state, account, asset)
  )
}

/**
 * Returns whether balances stay exact. A withdrawal never endangers that, because it brings both sides nearer to 0.
 */
function isTransferable(state: State, { kind, account, asset, atoms: amount }: TransferCommand): boolean {
  if (amount <= 0 || amount > maximumAtoms) return false
  return kind === 'withdraw' || isAddable(state, account, asset, amount)
}

/** Returns whether the amount is available and, on a margin account, not needed for its leverage. */
function isWithdrawable(state: State, { account, asset, atoms: amount }: TransferCommand): boolean {
  return (
    amount <= state.ledger.available(account, asset) && !exceedsLeverageWithout(state, account, asset, amount)
  )
}

/** Atoms of all accounts. Every pending deposit is on the timeline, so when that is empty there are none. */
function sumPendingDeposits({ accounts, ledger, timeline }: State, asset: AnyAssetRow): number {
  if (timeline.nextAtMillis === Number.POSITIVE_INFINITY) return 0
  let sum = 0
  for (let account: AnyAccountRow = firstClientAccount; account < accounts.count; account += 1)
    sum += ledger.pendingDeposit(account, asset)
  return sum
}

function openTransfer(
  state: State,
  command: Pick<TransferCommand, 'kind' | 'account' | 'asset' | 'atoms' | 'pendingMillis'>,
): number {
  const { transfers, nowMillis } = state
  const row = transfers.append()
  transfers.kind.set(row, command.kind === 'deposit' ? transferDeposit : transferWithdrawal)
  transfers.account.set(row, accountRow(command.account))
  transfers.asset.set(row, assetRow(command.asset))
  transfers.atoms.set(row, command.atoms)
  transfers.createdAtMillis.set(row, nowMillis)
  transfers.settlesAtMillis.set(row, nowMillis + command.pendingMillis)
  return row
}

function announcePending(state: State, row: number): void {
  const { transfers, sink, ledger } = state
  const account = transfers.account.get(row)
  const asset = transfers.asset.get(row)
  const amount = transfers.atoms.get(row)
  const settlesAtMillis = transfers.settlesAtMillis.get(row)
  const isDeposit = transfers.kind.get(row) === transferDeposit
  if (isDeposit) ledger.expectDeposit(account, asset, amount)
  state.timeline.push(settlesAtMillis, dueTransfer, row)
  const type = isDeposit ? eventType['deposit-pending'] : eventType['withdrawal-pending']
  sink.emit(type, row, account, asset, amount, settlesAtMillis, 0)
}

/** Settles a transfer that is open, pending or not. */
export function settle(state: State, row: number): void {
  const { transfers, ledger, sink } = state
  const account = transfers.account.get(row)
  const asset = transfers.asset.get(row)
  const amount = transfers.atoms.get(row)
  if (transfers.kind.get(row) === transferDeposit) {
    const isPending = transfers.settlesAtMillis.get(row) > transfers.createdAtMillis.get(row)
    if (isPending) ledger.expectDeposit(account, asset, -amount)
    if (state.accounts.createdAtMillis.get(account) === state.nowMillis) transfers.followsOpening.set(row, 1)
    credit(state, row, flowValueAtoms(state, account, asset, amount))
    return
  }
  transfers.isSettled.set(row, 1)
  transfers.settlesAtMillis.set(row, state.nowMillis)
  ledger.settleWithdrawal(account, externalAccount, asset, amount)
  sink.emit(eventType.posted, account, externalAccount, asset, amount, 0, 0)
  sink.emit(eventType['withdrawal-settled'], row, account, asset, amount, 0, 0)
}

/** Settles a deposit: adds it to total, position (for a value in USD atoms) and activity. */
function credit(state: State, row: number, value: number): void {
  const { transfers, ledger, sink } = state
  const account = transfers.account.get(row)
  const asset = transfers.asset.get(row)
  const amount = transfers.atoms.get(row)
  const before = ledger.total(account, asset)
  transfers.isSettled.set(row, 1)
  transfers.settlesAtMillis.set(row, state.nowMillis)
  ledger.move(externalAccount, account, asset, amount)
  sink.emit(eventType.posted, externalAccount, account, asset, amount, 0, 0)
  recordFlow(state, row, before, amount, value)
  sink.emit(eventType['deposit-settled'], row, account, asset, amount, 0, 0)
}

/** Takes a withdrawal out of total, position and activity; it settles later, or in the same command. */
function withdraw(state: State, row: number): void {
  const { transfers, ledger } = state
  const account = transfers.account.get(row)
  const asset = transfers.asset.get(row)
  const amount = transfers.atoms.get(row)
  const before = ledger.total(account, asset)
  ledger.holdWithdrawal(account, asset, amount)
  recordFlow(state, row, before, -amount, flowValueAtoms(state, account, asset, amount))
}

/**
 * Returns what a transfer counts for in the position, in USD atoms: its value at the mark, but no more than the cost
 * of the position can take. Only a price that has run far away since the transfer was admitted makes it more.
 */
function flowValueAtoms(state: State, account: AnyAccountRow, asset: AnyAssetRow, amount: number): number {
  if (asset === cash) return amount
  const value = state.assets.value(asset, state.markTicks.get(asset), amount)
  return Math.min(value, costRoomAtoms(state, account, asset))
}

/** Records a flow in the position (not for cash), the transfer's row and the account's activity. */
function recordFlow(state: State, row: number, before: number, change: number, value: number): void {
  const { transfers, holdings, exposures } = state
  const account = transfers.account.get(row)
  const asset = transfers.asset.get(row)
  transfers.flowAtMillis.set(row, state.nowMillis)
  transfers.valueAtoms.set(row, value)
  if (asset !== cash) {
    transfers.realizedAtoms.set(
      row,
      holdings.moveBasis(holdings.rowOf(account, asset), before, change, value),
    )
    exposures.noteTotalChanged(account, asset)
  }
  transfers.previousActivity.set(row, linkActivity(state, account, row * 2 + 1))
}
