import { assert, missing } from '../../numeric/assert.ts'
import { Float64Field, Int32Column, Int32Field, Uint8Field } from '../../numeric/columns.ts'
import { type AccountRow, accountRow, isLiveQuote, isTerminal, type NoRow, none } from '../codes.ts'
import { assetLimits, type LimitsConfig, tightestLimit } from '../limits.ts'
import type { AssetTable } from './asset-table.ts'
import {
  type FillTable,
  type OrderTable,
  type QuoteTable,
  Table,
  type TransferTable,
} from './record-tables.ts'

export class RowList {
  count = 0
  private readonly rows = new Int32Column(8)

  at(index: number): number {
    return this.rows.get(index)
  }

  push(row: number): void {
    this.rows.reserve(this.count + 1)
    this.rows.set(this.count, row)
    this.count += 1
  }
}

/** The rows of a growing list that are still live, oldest first; brought up to date when read. */
class LiveRows {
  private rows: readonly number[] = []
  private seen = 0

  /**
   * Returns the rows that are still live. It costs what was live at the last reading and what came since. The caller
   * may keep the list: it never changes.
   */
  read(all: RowList, isLive: (row: number) => boolean): readonly number[] {
    const live = this.rows.filter(isLive)
    for (; this.seen < all.count; this.seen += 1) {
      const row = all.at(this.seen)
      if (isLive(row)) live.push(row)
    }
    this.rows = live
    return live
  }
}

/**
 * What an account's limits come to: the tightest on each thing, those by symbol spread over the asset rows. Sizes are in
 * 10^-8 units, money in USD atoms, the leverage in parts per million.
 */
export interface CompiledLimits {
  readonly config: LimitsConfig
  readonly maxOrderSize: Float64Array
  readonly minOrderSize: Float64Array
  readonly maxAssetExposure: Float64Array
  readonly maxOrderValue: number
  readonly maxDailyVolume: number
  readonly maxExposure: number
  readonly maxLeverage: number
  readonly maxOpenOrders: number
  readonly maxOpenOrdersInAsset: number
}

/**
 * The lists of an account's rows. They are read through `listAccountOrders`, `listAccountQuotes` and `listActivity`,
 * which bring them up to date.
 */
export interface AccountLists {
  readonly orders: RowList
  readonly quotes: RowList
  readonly activity: RowList
  readonly liveOrders: LiveRows
  readonly liveQuotes: LiveRows
  readonly clientOrderIds: Map<string, number>
  readonly clientQuoteIds: Map<string, number>
}

const derivedFromBytes = 88

/**
 * The table of accounts, the venue's own first (see codes.ts): who they are, their limits, and what the limits count.
 *
 * Layout: the fields that every order needs lie side by side in bytes 48 to 112.
 */
export class AccountTable extends Table {
  readonly createdAtMillis = new Float64Field(this.store, 0)
  /** The account's newest quote, or -1; `listAccountQuotes` begins there. */
  readonly lastQuote = new Int32Field(this.store, 8)
  readonly lastActivity = new Int32Field(this.store, 48)
  readonly isMargin = new Uint8Field(this.store, 52)
  /** The value traded on the UTC day `volumeDay` (days since 1970), in USD atoms. */
  readonly dayVolumeAtoms = new Float64Field(this.store, 64)
  readonly volumeDay = new Float64Field(this.store, 72)
  readonly feeSchedule = new Int32Field(this.store, 80)
  readonly lastOrder = new Int32Field(this.store, 84)
  /** The number of live orders and live quotes, which `maxOpenOrders` bounds. */
  readonly openOrders = new Int32Field(this.store, 88)
  /** The version of the marks at which `worstAtoms` and `positionsAtoms` were made (see ExposureTable). */
  readonly valuedVersion = new Int32Field(this.store, 92)
  readonly worstAtoms = new Float64Field(this.store, 96)
  readonly positionsAtoms = new Float64Field(this.store, 104)
  readonly ids: string[] = []
  readonly limits: CompiledLimits[] = []
  /** The lists of the accounts that were asked for theirs. */
  private readonly lists: AccountLists[] = []
  private readonly rows = new Map<string, AccountRow>()
  private readonly compiled = new WeakMap<LimitsConfig, CompiledLimits>()

  constructor() {
    super(derivedFromBytes)
  }

  append(id: string): AccountRow {
    const row = accountRow(this.appendRows(1))
    for (const newest of [this.lastOrder, this.lastQuote, this.lastActivity]) newest.set(row, none)
    this.ids.push(id)
    this.rows.set(id, row)
    return row
  }

  /**
   * Returns the row of an id, or -1. No client can have the id of one of the venue's own accounts: those have a
   * slash.
   */
  rowOf(id: string): AccountRow | NoRow {
    return this.rows.get(id) ?? none
  }

  id(row: number): string {
    const id = this.ids[row]
    assert(id !== undefined, 'an account row is in the table')
    return id
  }

  /** Sets an account's limits; accounts with one configuration share its compiled form. */
  setLimits(row: number, config: LimitsConfig, assets: AssetTable): void {
    let compiled = this.compiled.get(config)
    if (compiled === undefined) {
      compiled = compileLimits(config, assets)
      this.compiled.set(config, compiled)
    }
    this.limits[row] = compiled
  }

  limitsOf(row: number): CompiledLimits {
    return this.limits[row] ?? missingLimits()
  }

  /**
   * Returns an account's lists, which are made when first asked for: trading alone needs none, and a venue's many
   * accounts would be as many objects.
   */
  findOrAddLists(row: number): AccountLists {
    assert(row >= 0 && row < this.count, 'an account row is in the table')
    this.lists[row] ??= emptyLists()
    return this.lists[row]
  }
}

/** Throws. It is a function of its own, so that the look-up stays small enough for V8 to inline. */
function missingLimits(): never {
  return missing('every account has limits')
}

function emptyLists(): AccountLists {
  return {
    orders: new RowList(),
    quotes: new RowList(),
    activity: new RowList(),
    liveOrders: new LiveRows(),
    liveQuotes: new LiveRows(),
    clientOrderIds: new Map(),
    clientQuoteIds: new Map(),
  }
}

/** Makes the one form in which checks read limits, so that every row of `limitKinds` is held to what it bounds. */
function compileLimits(config: LimitsConfig, assets: AssetTable): CompiledLimits {
  const maxOrderSize = new Float64Array(assets.count)
  const minOrderSize = new Float64Array(assets.count)
  const maxAssetExposure = new Float64Array(assets.count)
  for (const asset of assets.all) {
    const symbol = assets.symbol(asset)
    maxOrderSize[asset] = Math.min(...assetLimits(config, 'order size', symbol))
    minOrderSize[asset] = Math.max(...assetLimits(config, 'smallest order size', symbol))
    maxAssetExposure[asset] = Math.min(...assetLimits(config, 'exposure in the asset', symbol))
  }
  return {
    config,
    maxOrderSize,
    minOrderSize,
    maxAssetExposure,
    maxOrderValue: tightestLimit(config, 'order value'),
    maxDailyVolume: tightestLimit(config, 'daily volume'),
    maxExposure: tightestLimit(config, 'exposure'),
    maxLeverage: tightestLimit(config, 'leverage'),
    maxOpenOrders: tightestLimit(config, 'open orders'),
    maxOpenOrdersInAsset: tightestLimit(config, 'open orders in the asset'),
  }
}

/** A pair of fee rates in parts per million; a negative rate is a rebate. */
interface FeeSchedule {
  readonly makerRate: number
  readonly takerRate: number
  /** The rate that a buy reserves on top of its value: the higher of the two rates, never less than 0. */
  readonly reserveRate: number
}

/** Every pair of rates that was ever in force; an order keeps the row at which it was accepted. */
export class FeeSchedules {
  readonly rows: FeeSchedule[] = []

  findOrAdd(makerRate: number, takerRate: number): number {
    const found = this.rows.findIndex((row) => row.makerRate === makerRate && row.takerRate === takerRate)
    return found >= 0 ? found : this.add(makerRate, takerRate)
  }

  /** Appends a pair of rates, new or not, and returns its row. */
  add(makerRate: number, takerRate: number): number {
    this.rows.push({ makerRate, takerRate, reserveRate: Math.max(makerRate, takerRate, 0) })
    return this.rows.length - 1
  }

  at(row: number): FeeSchedule {
    return this.rows[row] ?? missingSchedule()
  }
}

/** Throws. It is a function of its own, so that the look-up stays small enough for V8 to inline. */
function missingSchedule(): never {
  return missing('a fee schedule row is in the table')
}

export interface RecordsOfAccounts {
  readonly accounts: AccountTable
  readonly orders: OrderTable
  readonly quotes: QuoteTable
  readonly fills: FillTable
  readonly transfers: TransferTable
}

/*
 * What an account has done, oldest first, for listings. The tables only link each row to the account's previous one;
 * the lists are made from these links when they are read, so that trading does not pay for them.
 */

/** Lists the rows of the account's orders, without the legs of quotes. */
export function listAccountOrders({ accounts, orders }: RecordsOfAccounts, account: number): RowList {
  const { orders: list } = accounts.findOrAddLists(account)
  return synchronise(list, accounts.lastOrder.get(account), (row) => orders.previousOfAccount.get(row))
}

export function listAccountQuotes({ accounts, quotes }: RecordsOfAccounts, account: number): RowList {
  const { quotes: list } = accounts.findOrAddLists(account)
  return synchronise(list, accounts.lastQuote.get(account), (row) => quotes.previousOfAccount.get(row))
}

/**
 * Lists the account's activity in the order in which it moved the balances: fills as row * 2, transfers as row * 2 +
 * 1.
 */
export function listActivity({ accounts, fills, transfers }: RecordsOfAccounts, account: number): RowList {
  const { activity } = accounts.findOrAddLists(account)
  return synchronise(activity, accounts.lastActivity.get(account), (entry) =>
    entry % 2 === 0 ? fills.previousActivity.get(entry / 2) : transfers.previousActivity.get((entry - 1) / 2),
  )
}

/** Makes an entry (see `listActivity`) the account's newest activity. Returns the one that was the newest before. */
export function linkActivity({ accounts }: RecordsOfAccounts, account: number, entry: number): number {
  const previous = accounts.lastActivity.get(account)
  accounts.lastActivity.set(account, entry)
  return previous
}

/** Brings a list up to date with the rows added since it was last read. */
function synchronise(list: RowList, newest: number, previousOf: (row: number) => number): RowList {
  const known = list.count === 0 ? none : list.at(list.count - 1)
  const added: number[] = []
  for (let row = newest; row !== known; row = previousOf(row)) added.push(row)
  for (const row of added.reverse()) list.push(row)
  return list
}

/*
 * The live orders and quotes of an account. Placing or ending an order only changes counts, for `maxOpenOrders` and
 * `maxOpenOrdersPerAsset`. The lists are made when they are read, as by a cancel-all.
 */

/** Lists the rows of the account's live orders (not legs), in order of creation. */
export function listLiveOrders(tables: RecordsOfAccounts, account: number): readonly number[] {
  const { accounts, orders } = tables
  const { liveOrders } = accounts.findOrAddLists(account)
  return liveOrders.read(listAccountOrders(tables, account), (row) => !isTerminal(orders.status.get(row)))
}

/** Lists the rows of the account's live quotes, in order of creation. */
export function listLiveQuotes(tables: RecordsOfAccounts, account: number): readonly number[] {
  const { accounts, quotes } = tables
  const { liveQuotes } = accounts.findOrAddLists(account)
  return liveQuotes.read(listAccountQuotes(tables, account), (quote) => isLiveQuote(quotes.status.get(quote)))
}
