import { listElement } from '../../numeric/columns.ts'
import { Hash128, HashSum } from '../../numeric/hash.ts'
import { isLiveQuote, isTerminal, kindQuoteLeg } from '../codes.ts'
import type { LimitsConfig } from '../limits.ts'
import { type State, stateOf } from '../state.ts'
import type { Table } from '../tables/record-tables.ts'
import { captureAsset, countersOf, listFeeRates, snapshotVersion } from './snapshot.ts'

/**
 * The digest of a venue's state: 32 hexadecimal digits over every field of its snapshot. What grows with orders or
 * time enters it as a sum of hashes, so a digest costs what has changed since the previous one, however long the
 * venue has run. Equal states have equal digests, however often digests are asked for.
 *
 * Invariant: the digest is a function of the snapshot (the naive twin computes it from there).
 */
export class StateDigest {
  private readonly state: State
  private readonly orders: RowSums
  private readonly orderIds: TextSums
  private readonly orderMetadata: TextSums
  private readonly quotes: RowSums
  private readonly quoteIds: TextSums
  private readonly quoteMetadata: TextSums
  private readonly fills: RowSums
  private readonly transfers: RowSums
  /** The hashes of limits by identity: limits are shared by many accounts, and replaced, never changed. */
  private readonly limits = new WeakMap<LimitsConfig, readonly number[]>()

  constructor(state: State) {
    this.state = state
    this.orders = new RowSums(state.orders, createOrderLife(state))
    this.orderIds = new TextSums(state.orders.clientIds)
    this.orderMetadata = new TextSums(state.orders.metadata)
    this.quotes = new RowSums(state.quotes, createQuoteLife(state))
    this.quoteIds = new TextSums(state.quotes.clientIds)
    this.quoteMetadata = new TextSums(state.quotes.metadata)
    this.fills = new RowSums(state.fills, neverChanged)
    this.transfers = new RowSums(state.transfers, createTransferLife(state))
  }

  read(): string {
    const hash = new Hash128()
    addToHash(hash, this.summary())
    return hash.digest()
  }

  /** Does a small part of the next `read` in advance. The result is the same. */
  hashAhead(): void {
    this.orders.hashAhead()
    this.fills.hashAhead()
  }

  private summary() {
    const { state } = this
    const { accounts, nowMillis, orders, quotes } = state
    return {
      version: snapshotVersion,
      counters: countersOf(state),
      orders: {
        records: this.orders.summary(nowMillis),
        clientIds: this.orderIds.summary(orders.count),
        metadata: this.orderMetadata.summary(orders.count),
      },
      quotes: {
        records: this.quotes.summary(nowMillis),
        clientIds: this.quoteIds.summary(quotes.count),
        metadata: this.quoteMetadata.summary(quotes.count),
      },
      fills: this.fills.summary(nowMillis),
      transfers: this.transfers.summary(nowMillis),
      accounts: {
        ids: accounts.ids,
        limits: accounts.limits.map(({ config }) => this.summarizeLimits(config)),
        records: accounts.capture(),
      },
      feeSchedules: listFeeRates(state),
      holdings: state.holdings.capture(),
      assets: this.assets(),
    }
  }

  private assets(): unknown[] {
    const { state } = this
    const assets: unknown[] = []
    for (let asset = 1; asset < state.assets.count; asset += 1) {
      const { statistics, marks } = stateOf(state, asset)
      const series = { statistics: statistics.summary(state.nowMillis), marks: marks.summary() }
      assets.push({ ...captureAsset(state, asset), ...series })
    }
    return assets
  }

  private summarizeLimits(limits: LimitsConfig): readonly number[] {
    let words = this.limits.get(limits)
    if (words === undefined) {
      const hash = new Hash128()
      addToHash(hash, limits)
      words = [...hash.finish(new Int32Array(4))]
      this.limits.set(limits, words)
    }
    return words
  }
}

const neverChanged: RowLife = { mayChange: () => false, changedAtMillis: () => 0 }

/**
 * Describes when orders and legs change. A leg may change as long as its quote is live: an update may enlarge a side
 * that was full.
 */
function createOrderLife({ orders, quotes }: State): RowLife {
  return {
    mayChange: (row) =>
      orders.kind.get(row) === kindQuoteLeg
        ? isLiveQuote(quotes.status.get(orders.quote.get(row)))
        : !isTerminal(orders.status.get(row)),
    changedAtMillis: (row) => orders.updatedAtMillis.get(row),
    takeChanged: () => orders.updatedAtMillis.takeNoted(),
  }
}

function createQuoteLife({ quotes }: State): RowLife {
  return {
    mayChange: (row) => isLiveQuote(quotes.status.get(row)),
    changedAtMillis: (row) => quotes.updatedAtMillis.get(row),
  }
}

/**
 * Describes when transfers change. No field says when a pending one last changed, so it counts as changed; there are
 * few.
 */
function createTransferLife({ transfers }: State): RowLife {
  return {
    mayChange: (row) => transfers.isSettled.get(row) === 0,
    changedAtMillis: () => Number.POSITIVE_INFINITY,
  }
}

/** When the rows of a table change after they were written. */
interface RowLife {
  /** Returns whether a row may still change. Once it may not, it never may again. */
  mayChange(row: number): boolean
  /** Returns when a row that may change last changed. */
  changedAtMillis(row: number): number
  /**
   * Returns the rows that have changed since the last call, ascending; null, or no such function, where that is not
   * known.
   */
  takeChanged?(): Int32Array | null
}

/**
 * A digest of a growing table: the sum of its rows' hashes. Most rows never change again, so only new rows, and live
 * ones that have changed, are hashed when the digest is asked for.
 *
 * Invariant: `sum` is that of the first `count` rows as they were when they were last hashed; `living` are those of
 * them that may still change, and `lanes` has their hashes.
 */
class RowSums {
  private readonly table: Table
  private readonly life: RowLife
  private readonly sum = new HashSum()
  private readonly hash = new Hash128()
  private readonly words = new Int32Array(4)
  private count = 0
  private readonly living: number[] = []
  private readonly lanes: number[] = []
  private askedAtMillis = Number.NEGATIVE_INFINITY

  constructor(table: Table, life: RowLife) {
    this.table = table
    this.life = life
  }

  /** Returns the number of rows and the four words of their sum. */
  summary(nowMillis: number): readonly number[] {
    this.hashChanged()
    for (; this.count < this.table.count; this.count += 1) this.hashNew(this.count)
    this.askedAtMillis = nowMillis
    return [this.count, ...this.sum.words()]
  }

  /**
   * Hashes some of the rows that came since the last summary, so that the next one does not take too long. The newest
   * rows are left out: most of them end soon, and would have to be hashed again.
   */
  hashAhead(): void {
    const end = Math.min(this.count + rowsAhead, this.table.count - youngRows)
    for (; this.count < end; this.count += 1) this.hashNew(this.count)
  }

  /**
   * Hashes the live rows that have changed. What changed in the very millisecond of the last summary may have done so
   * after it. Where it is known which rows have changed, or may not any more, no others are read.
   */
  private hashChanged(): void {
    const { living, lanes, life, words, askedAtMillis } = this
    const changed = life.takeChanged?.() ?? null
    let next = 0
    let kept = 0
    for (let place = 0; place < living.length; place += 1) {
      const row = listElement(living, place)
      while (changed !== null && (changed[next] ?? row) < row) next += 1
      if (changed === null || changed[next] === row) {
        const mayChange = life.mayChange(row)
        if (!mayChange || life.changedAtMillis(row) >= askedAtMillis) {
          this.sum.subtract(lanes, place * 4)
          this.hashRow(row)
          this.sum.add(words)
          for (const [lane, word] of words.entries()) lanes[place * 4 + lane] = word
        }
        if (!mayChange) continue
      }
      living[kept] = row
      for (let lane = 0; lane < 4; lane += 1) lanes[kept * 4 + lane] = listElement(lanes, place * 4 + lane)
      kept += 1
    }
    living.length = kept
    lanes.length = kept * 4
  }

  private hashNew(row: number): void {
    this.hashRow(row)
    this.sum.add(this.words)
    if (!this.life.mayChange(row)) return
    this.living.push(row)
    for (const word of this.words) this.lanes.push(word)
  }

  private hashRow(row: number): void {
    const { hash, table } = this
    hash.reset()
    hash.addInteger(row)
    table.store.addTo(hash, row)
    hash.finish(this.words)
  }
}

/** The number of rows that one `hashAhead` hashes: more than thirty commands make on average. */
const rowsAhead = 128
/** The number of newest rows that `hashAhead` leaves out. */
const youngRows = 128

/**
 * A digest of values that some rows get when they are written and that never change: the sum of the hashes of each row
 * with its value.
 *
 * Invariant: `sum` is that of the values of the first `count` rows, and `size` is how many values these are.
 */
class TextSums {
  private readonly values: ReadonlyMap<number, unknown>
  private readonly sum = new HashSum()
  private readonly hash = new Hash128()
  private readonly words = new Int32Array(4)
  private count = 0
  private size = 0

  constructor(values: ReadonlyMap<number, unknown>) {
    this.values = values
  }

  /** Returns the number of all values, and the four words of the sum over the first `count` rows. */
  summary(count: number): readonly number[] {
    const { values } = this
    for (let row = this.count; row < count && this.size < values.size; row += 1) this.addRow(row)
    this.count = count
    return [values.size, ...this.sum.words()]
  }

  private addRow(row: number): void {
    const value = this.values.get(row)
    if (value === undefined) return
    this.hash.reset()
    this.hash.addInteger(row)
    addToHash(this.hash, value)
    this.sum.add(this.hash.finish(this.words))
    this.size += 1
  }
}

/**
 * Adds any plain data in a canonical form: keys and map entries are sorted, and kinds and lengths are included, so that
 * different data never read alike. It recurses, because depth is bounded: snapshots are flat, and metadata has at most
 * 16 levels.
 */
export function addToHash(hash: Hash128, value: unknown): void {
  if (typeof value === 'string') addString(hash, value)
  else if (value === null || value === undefined) hash.addText('null')
  else if (typeof value === 'number') hash.addInteger(value)
  else if (value instanceof Float64Array) hash.addFloat64Array(value)
  else if (value instanceof Uint8Array) hash.addUint8Array(value)
  else if (Array.isArray(value)) addList(hash, value)
  else if (value instanceof Map) addEntries(hash, 'map', [...value.entries()].sort(byKey))
  else if (typeof value === 'object') addEntries(hash, 'object', Object.entries(value).sort(byKey))
  else hash.addText(String(value))
}

/** Adds a text. One that reads like a word which stands for something else is marked as a text. */
function addString(hash: Hash128, text: string): void {
  if (reservedWords.has(text)) hash.addText('text')
  hash.addText(text)
}

const reservedWords: ReadonlySet<string> = new Set(['null', 'true', 'false', 'list', 'map', 'object', 'text'])

function addList(hash: Hash128, values: readonly unknown[]): void {
  hash.addText('list')
  hash.addInteger(values.length)
  for (const value of values) addToHash(hash, value)
}

function addEntries(hash: Hash128, kind: string, entries: readonly (readonly [unknown, unknown])[]): void {
  hash.addText(kind)
  hash.addInteger(entries.length)
  for (const [key, value] of entries) {
    addToHash(hash, key)
    addToHash(hash, value)
  }
}

/** Compares entries by key: numbers by value, texts by code units and never by locale. */
function byKey(left: readonly [unknown, unknown], right: readonly [unknown, unknown]): number {
  const [a] = left
  const [b] = right
  if (typeof a === 'number' && typeof b === 'number') return a - b
  const first = String(a)
  const second = String(b)
  return first < second ? -1 : 1
}
