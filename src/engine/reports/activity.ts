import { bisectPlaces } from '../../numeric/columns.ts'
import { buy, cash, fillRow, type Side, transferDeposit } from '../codes.ts'
import { receivedAtoms } from '../orders/transitions.ts'
import type { State } from '../state.ts'
import { listActivity } from '../tables/account-table.ts'

/*
 * An account's activity: every fill and every transfer that has changed its totals, oldest first (a fill as row * 2, a
 * transfer as row * 2 + 1). Instants never go back, so a window of time is a range of places.
 */

export const isFill = (entry: number): boolean => entry % 2 === 0
export const rowOf = (entry: number): number => (entry - (entry % 2)) / 2

/** Returns the instant at which an entry of the activity changed the account's totals. */
export function activityMillis(state: State, entry: number): number {
  const row = rowOf(entry)
  return isFill(entry) ? state.fills.atMillis.get(row) : state.transfers.flowAtMillis.get(row)
}

export function placeAfter(state: State, account: number, millis: number): number {
  const activity = listActivity(state, account)
  return bisectPlaces(activity.count, (place) => activityMillis(state, activity.at(place)) > millis)
}

/** Counts the leading entries that are opening balances: the deposits with which the account was made. */
export function countOpenings(state: State, account: number): number {
  const activity = listActivity(state, account)
  const createdAtMillis = state.accounts.createdAtMillis.get(account)
  let count = 0
  while (count < activity.count && isOpening(state, activity.at(count), createdAtMillis)) count += 1
  return count
}

function isOpening(state: State, entry: number, createdAtMillis: number): boolean {
  if (isFill(entry) || activityMillis(state, entry) !== createdAtMillis) return false
  const { kind, followsOpening } = state.transfers
  return kind.get(rowOf(entry)) === transferDeposit && followsOpening.get(rowOf(entry)) === 0
}

/** Returns what an entry added to the total of cash, signed USD atoms. */
export function cashChangeAtoms(state: State, entry: number): number {
  const row = rowOf(entry)
  if (!isFill(entry)) return state.transfers.asset.get(row) === cash ? transferredAtoms(state, row) : 0
  const { fills } = state
  const value = fills.notionalAtoms.get(row)
  const fee = fills.feeAsset.get(row) === cash ? fills.feeAtoms.get(row) : 0
  return (fills.side.get(row) === buy ? -value : value) - fee
}

/** Returns the fee of a fill, USD; one in kind counts at the price of its fill. */
export function feeValueAtoms({ assets, fills }: State, row: number): number {
  const fee = fills.feeAtoms.get(row)
  if (fills.feeAsset.get(row) === cash) return fee
  return assets.value(fills.asset.get(row), fills.priceTicks.get(row), fee)
}

/** Returns the traded asset that an entry moved, or cash for a transfer of cash. */
export function activityAsset(state: State, entry: number): number {
  const row = rowOf(entry)
  return isFill(entry) ? state.fills.asset.get(row) : state.transfers.asset.get(row)
}

/** Returns what an entry added to the total of its asset (see `activityAsset`), signed atoms. */
export function assetChangeAtoms(state: State, entry: number): number {
  const row = rowOf(entry)
  return isFill(entry) ? receivedAtoms(state, fillRow(row)) : transferredAtoms(state, row)
}

function transferredAtoms(state: State, transfer: number): number {
  const amount = state.transfers.atoms.get(transfer)
  return state.transfers.kind.get(transfer) === transferDeposit ? amount : -amount
}

/**
 * Returns the value of a deposit, or minus that of a withdrawal, when it changed the total, USD atoms; 0 until then.
 */
export function signedFlowAtoms(state: State, transfer: number): number {
  const value = state.transfers.valueAtoms.get(transfer)
  return state.transfers.kind.get(transfer) === transferDeposit ? value : 0 - value
}

export type TransactionType = 'deposit' | 'withdrawal' | 'trade' | 'fee'

/**
 * One line of the account's history. A fill gives a line of type `trade`, and one of type `fee` when its fee is not
 * 0. So deposits, withdrawals, trades (without the fees that they show) and fees add up to the balances.
 */
export interface Transaction {
  readonly type: TransactionType
  /** The row of the fill table for trades and fees, of the transfer table for transfers. */
  readonly row: number
  readonly asset: number
  /** The amount in atoms of the asset; negative only for a rebate. */
  readonly quantityAtoms: number
  /** The value in USD atoms: a trade's value, a flow's value at the mark, a fee in kind at the price of its fill. */
  readonly valueAtoms: number
  readonly atMillis: number
}

/** What to list of an account's transactions; null means any. */
export interface TransactionFilter {
  readonly asset: number | null
  readonly type: TransactionType | null
}

/**
 * What to list of an account's trades; null means any. Instants are from `fromMillis` (inclusive) to `untilMillis`
 * (exclusive).
 */
export interface TradeFilter {
  readonly asset: number | null
  readonly side: Side | null
  readonly fromMillis: number | null
  readonly untilMillis: number | null
}

export interface ListingRequest {
  readonly offset: number
  readonly limit: number
  readonly order: 'newest' | 'oldest'
}

export interface Listing<Row> {
  /** The number of rows that pass the filter, on all pages. */
  readonly total: number
  readonly rows: readonly Row[]
}

/**
 * Returns one page of an account's transactions. A transfer is listed once it has changed the total. Spec: Portfolio,
 * transactions.
 */
export function listTransactions(
  state: State,
  account: number,
  filter: TransactionFilter,
  page: ListingRequest,
): Listing<Transaction> {
  const activity = listActivity(state, account)
  const pager = new Pager<Transaction>(page)
  visitPlaces(0, activity.count, page.order, (place) => {
    const entry = activity.at(place)
    for (const type of listTypes(state, entry, page.order)) {
      if (filter.type !== null && filter.type !== type) continue
      if (filter.asset !== null && filter.asset !== lineAsset(state, entry, type)) continue
      pager.count(() => toTransaction(state, entry, type))
    }
  })
  return pager
}

/** Returns one page of an account's fills, as rows of the fill table. Spec: Portfolio, trades. */
export function listTrades(
  state: State,
  account: number,
  filter: TradeFilter,
  page: ListingRequest,
): Listing<number> {
  const { fills } = state
  const activity = listActivity(state, account)
  const first = filter.fromMillis === null ? 0 : placeAfter(state, account, filter.fromMillis - 1)
  const end =
    filter.untilMillis === null ? activity.count : placeAfter(state, account, filter.untilMillis - 1)
  const pager = new Pager<number>(page)
  visitPlaces(first, end, page.order, (place) => {
    const entry = activity.at(place)
    if (!isFill(entry)) return
    const fill = rowOf(entry)
    if (filter.asset !== null && filter.asset !== fills.asset.get(fill)) return
    if (filter.side !== null && filter.side !== fills.side.get(fill)) return
    pager.count(() => fill)
  })
  return pager
}

/** Counts all rows and keeps those of one page. */
class Pager<Row> implements Listing<Row> {
  total = 0
  readonly rows: Row[] = []
  private readonly page: ListingRequest

  constructor(page: ListingRequest) {
    this.page = page
  }

  count(row: () => Row): void {
    const place = this.total
    this.total += 1
    if (place >= this.page.offset && this.rows.length < this.page.limit) this.rows.push(row())
  }
}

function visitPlaces(
  first: number,
  end: number,
  order: ListingRequest['order'],
  visitor: (place: number) => void,
): void {
  if (order === 'oldest') for (let place = first; place < end; place += 1) visitor(place)
  else for (let place = end - 1; place >= first; place -= 1) visitor(place)
}

const tradeOnly: readonly TransactionType[] = ['trade']
const tradeThenFee: readonly TransactionType[] = ['trade', 'fee']
const feeThenTrade: readonly TransactionType[] = ['fee', 'trade']
const depositOnly: readonly TransactionType[] = ['deposit']
const withdrawalOnly: readonly TransactionType[] = ['withdrawal']

/** Returns the types of the lines that an entry gives, in the order of the listing. */
function listTypes(state: State, entry: number, order: ListingRequest['order']): readonly TransactionType[] {
  const row = rowOf(entry)
  if (!isFill(entry)) return state.transfers.kind.get(row) === transferDeposit ? depositOnly : withdrawalOnly
  if (state.fills.feeAtoms.get(row) === 0) return tradeOnly
  return order === 'oldest' ? tradeThenFee : feeThenTrade
}

function lineAsset(state: State, entry: number, type: TransactionType): number {
  const row = rowOf(entry)
  if (!isFill(entry)) return state.transfers.asset.get(row)
  return type === 'fee' ? state.fills.feeAsset.get(row) : state.fills.asset.get(row)
}

function toTransaction(state: State, entry: number, type: TransactionType): Transaction {
  const row = rowOf(entry)
  const asset = lineAsset(state, entry, type)
  const line = { type, row, asset, atMillis: activityMillis(state, entry) }
  const { assets, fills, transfers } = state
  if (!isFill(entry))
    return { ...line, quantityAtoms: transfers.atoms.get(row), valueAtoms: transfers.valueAtoms.get(row) }
  if (type === 'trade') {
    const quantityAtoms = fills.quantitySteps.get(row) * assets.tradedAsset(asset).stepAtoms
    return { ...line, quantityAtoms, valueAtoms: fills.notionalAtoms.get(row) }
  }
  const quantityAtoms = fills.feeAtoms.get(row)
  const valueAtoms =
    asset === cash ? quantityAtoms : assets.value(asset, fills.priceTicks.get(row), quantityAtoms)
  return { ...line, quantityAtoms, valueAtoms }
}
