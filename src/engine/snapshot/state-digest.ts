import { Hash128 } from '../../numeric/hash.ts'
import { isLiveQuote, isTerminal, kindQuoteLeg } from '../codes.ts'
import type { LimitsConfig } from '../config.ts'
import { type State, stateOf } from '../state.ts'
import { addToHash } from './add-to-hash.ts'
import { captureAsset, countersOf, feeRatesOf } from './capture-state.ts'
import { type RowLife, RowSums } from './row-sums.ts'
import { snapshotVersion } from './snapshot.ts'
import { TextSums } from './text-sums.ts'

/*
 * The digest of a venue's state: 32 hexadecimal digits over every field of its snapshot. What grows with orders or time
 * enters it as a sum of hashes, so a digest costs what has changed since the one before, however long the venue has
 * run. The same state has the same digest, whenever and however often it is asked for.
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
  /** Hashes of limits by identity: they are shared by many accounts, and replaced, never changed. */
  private readonly limits = new WeakMap<LimitsConfig, readonly number[]>()

  constructor(state: State) {
    this.state = state
    this.orders = new RowSums(state.orders, lifeOfOrders(state))
    this.orderIds = new TextSums(state.orders.clientIds)
    this.orderMetadata = new TextSums(state.orders.metadata)
    this.quotes = new RowSums(state.quotes, lifeOfQuotes(state))
    this.quoteIds = new TextSums(state.quotes.clientIds)
    this.quoteMetadata = new TextSums(state.quotes.metadata)
    this.fills = new RowSums(state.fills, neverChanged)
    this.transfers = new RowSums(state.transfers, lifeOfTransfers(state))
  }

  read(): string {
    const hash = new Hash128()
    addToHash(hash, this.summary())
    return hash.digest()
  }

  /** Does a small part of the next `read` beforehand, with the same result. */
  proceed(): void {
    this.orders.proceed()
    this.fills.proceed()
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
        limits: accounts.limits.map(({ config }) => this.summaryOf(config)),
        records: accounts.capture(),
      },
      feeSchedules: feeRatesOf(state),
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

  private summaryOf(limits: LimitsConfig): readonly number[] {
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

/** A leg may change as long as its quote is live: an update may enlarge a side that was full. */
function lifeOfOrders({ orders, quotes }: State): RowLife {
  return {
    mayChange: (row) =>
      orders.kind.get(row) === kindQuoteLeg
        ? isLiveQuote(quotes.status.get(orders.quote.get(row)))
        : !isTerminal(orders.status.get(row)),
    changedAtMillis: (row) => orders.updatedAtMillis.get(row),
  }
}

function lifeOfQuotes({ quotes }: State): RowLife {
  return {
    mayChange: (row) => isLiveQuote(quotes.status.get(row)),
    changedAtMillis: (row) => quotes.updatedAtMillis.get(row),
  }
}

/** No field says when a pending transfer last changed, so it counts as changed; there are few. */
function lifeOfTransfers({ transfers }: State): RowLife {
  return {
    mayChange: (row) => transfers.isSettled.get(row) === 0,
    changedAtMillis: () => Number.POSITIVE_INFINITY,
  }
}
