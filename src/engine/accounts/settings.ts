import { multiplyDivideHalfEven, powerOfTen } from '../../numeric/units.ts'
import { maximumAtoms } from '../check-config.ts'
import {
  type AccountRow,
  type AnyAccountRow,
  type AnyAssetRow,
  cash,
  externalAccount,
  none,
} from '../codes.ts'
import type {
  CreateAccountCommand,
  SetAccountTypeCommand,
  SetFeesCommand,
  SetLimitsCommand,
  SetPairCommand,
  Setting,
} from '../command.ts'
import type { AccountConfig } from '../config.ts'
import { eventType } from '../events.ts'
import type { CommandResult, Rejection } from '../rejections.ts'
import { checkAccount, checkTraded } from '../risk/admission.ts'
import { type State, stateOf } from '../state.ts'
import { cashScale } from '../tables/asset-table.ts'
import { isAddable, openBalance } from './transfers.ts'

/** The decimals of stated averages, which are in 10^-8 USD. */
const averageScale = 8

/**
 * Opens an account with its opening balances, in the order of the assets however they were listed. Errors:
 * account-exists, unknown-asset, amount-out-of-range.
 */
export function createAccount(state: State, command: CreateAccountCommand): CommandResult {
  const rejection = checkNewAccount(state, command.account)
  if (rejection !== null) return rejection
  const row = addAccount(state, command.account)
  state.sink.emit(eventType['account-created'], none, row, none, 0, 0, 0)
  for (const asset of state.assets.all) {
    const symbol = state.assets.symbol(asset)
    const amount = command.account.balances.get(symbol) ?? 0
    if (amount > 0)
      openBalance(state, row, asset, amount, openingValue(state, command.account, symbol, amount))
  }
  return row
}

export function checkNewAccount(state: State, account: AccountConfig): Rejection | null {
  if (state.accounts.rowOf(account.id) !== none) return { code: 'account-exists' }
  for (const [symbol, amount] of account.balances) {
    const asset = state.assets.rowOf(symbol)
    if (asset === none) return { code: 'unknown-asset' }
    if (!isAddable(state, externalAccount, asset, amount) || !isOpenable(state, account, symbol, amount))
      return { code: 'amount-out-of-range' }
  }
  return null
}

/** Adds an account without balances and returns its row; for the venue's own accounts, too. */
export function addAccount(state: State, account: AccountConfig): AccountRow {
  const { accounts, holdings, assets, config } = state
  const row = accounts.append(account.id)
  holdings.appendAccount()
  accounts.setLimits(row, account.limits, assets)
  accounts.isMargin.set(row, account.type === 'margin' ? 1 : 0)
  const { makerRate, takerRate } = account.fees ?? config.fees
  accounts.feeSchedule.set(row, state.feeSchedules.findOrAdd(makerRate, takerRate))
  accounts.createdAtMillis.set(row, state.nowMillis)
  return row
}

/** Replaces an account's limits. They apply to later orders; live orders stay. Errors: unknown-account. */
export function setLimits(state: State, command: SetLimitsCommand): CommandResult {
  const unknown = checkAccount(state, command.account)
  if (unknown !== null) return unknown
  state.accounts.setLimits(command.account, command.limits, state.assets)
  return emitSettingsChanged(state, command.account, none)
}

/** Replaces an account's fee rates. They apply to later orders; live orders keep theirs. Errors: unknown-account. */
export function setFees(state: State, command: SetFeesCommand): CommandResult {
  const unknown = checkAccount(state, command.account)
  if (unknown !== null) return unknown
  const schedule = state.feeSchedules.findOrAdd(command.makerRate, command.takerRate)
  state.accounts.feeSchedule.set(command.account, schedule)
  return emitSettingsChanged(state, command.account, none)
}

/**
 * Makes an account a cash or a margin account. One with a negative available balance cannot become a cash account.
 * Errors: unknown-account, insufficient-balance.
 */
export function setAccountType(state: State, command: SetAccountTypeCommand): CommandResult {
  const rejection = checkAccountType(state, command)
  if (rejection !== null) return rejection
  state.accounts.isMargin.set(command.account, command.type === 'margin' ? 1 : 0)
  return emitSettingsChanged(state, command.account, none)
}

/**
 * Replaces bounds of a pair. They apply to later orders, and to the ladder when it is next read. Errors:
 * unknown-asset.
 */
export function setPair(state: State, command: SetPairCommand): CommandResult {
  const unknown = checkTraded(state, command.asset)
  if (unknown !== null) return unknown
  const { pair } = state.assets.tradedAsset(command.asset)
  state.assets.setPair(command.asset, {
    ...pair,
    minQuantitySteps: command.minQuantitySteps ?? pair.minQuantitySteps,
    maxQuantitySteps: command.maxQuantitySteps ?? pair.maxQuantitySteps,
    minPriceTicks: command.minPriceTicks ?? pair.minPriceTicks,
    minNotionalAtoms: command.minNotionalAtoms ?? pair.minNotionalAtoms,
  })
  stateOf(state, command.asset).ladder.invalidate()
  return emitSettingsChanged(state, none, command.asset)
}

export function checkSetting(state: State, setting: Setting): Rejection | null {
  switch (setting.kind) {
    case 'set-account-type':
      return checkAccountType(state, setting)
    case 'set-limits':
    case 'set-fees':
      return checkAccount(state, setting.account)
    default:
      return checkTraded(state, setting.asset)
  }
}

function checkAccountType(
  state: State,
  { account, type }: Omit<SetAccountTypeCommand, 'at'>,
): Rejection | null {
  const unknown = checkAccount(state, account)
  if (unknown !== null || type === 'margin') return unknown
  for (let asset = 0; asset < state.assets.count; asset += 1) {
    const available = state.ledger.available(account, asset)
    if (available < 0) return { code: 'insufficient-balance', availableAtoms: available, requiredAtoms: 0 }
  }
  return null
}

/** Returns whether a balance is not negative, and its value at its stated average stays exact. */
function isOpenable(state: State, account: AccountConfig, symbol: string, amount: number): boolean {
  const averageE8 = account.averageEntryPrices.get(symbol) ?? 0
  const asset = state.assets.rowOf(symbol)
  if (amount < 0 || averageE8 < 0) return false
  if (asset === cash) return true
  const { scale } = state.assets.tradedAsset(asset)
  return (amount * averageE8) / powerOfTen(scale + averageScale - cashScale) <= maximumAtoms
}

/** Returns what an opening balance is worth, in USD atoms: at its stated average, else at the mark. Half-even. */
function openingValue(state: State, account: AccountConfig, symbol: string, amount: number): number {
  const asset = state.assets.rowOf(symbol)
  const averageE8 = account.averageEntryPrices.get(symbol)
  if (asset === cash || averageE8 === undefined)
    return state.assets.value(asset, state.markTicks.get(asset), amount)
  const { scale } = state.assets.tradedAsset(asset)
  return multiplyDivideHalfEven(amount, averageE8, powerOfTen(scale + averageScale - cashScale))
}

function emitSettingsChanged(state: State, account: AnyAccountRow, asset: AnyAssetRow): CommandResult {
  state.sink.emit(eventType['settings-changed'], none, account, asset, 0, 0, 0)
  return account
}
