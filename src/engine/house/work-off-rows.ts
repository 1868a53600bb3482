import { type AssetRow, buy, none, sell } from '../codes.ts'
import { matchRecordedTrade } from '../orders/match-recorded-trade.ts'
import { hitClients, isHalted } from '../orders/matching.ts'
import { type RowWatch, rowIsTrade, rowsDone } from '../recorded/book-reader.ts'
import type { RecordedLadder } from '../recorded/recorded-ladder.ts'
import { type AssetState, type State, stateOf } from '../state.ts'

/*
 * The rows of recorded books, each at its own instant. Where no client's interest rests, rows are only folded into the
 * book, and trades printed. Otherwise a row also matters that changes a level at which a client rests, that comes to a
 * client's price from the other side, or that trades at such a price.
 */

/** Returns the instant of the next row of any recorded book; infinity when there is none. Stale books stand still. */
function nextRowMillis(state: State): number {
  let nextMillis = Number.POSITIVE_INFINITY
  for (const asset of state.recordedAssets) nextMillis = Math.min(nextMillis, nextOf(state, asset))
  return nextMillis
}

/**
 * Works off the rows of all recorded books up to an instant, in the order of time, then of assets, then of the file. It
 * stops after the first instant at which a client's order was filled, because somebody may want to act on that. Returns
 * whether it has stopped before the end.
 */
export function workOffRows(state: State, untilMillis: number): boolean {
  const { recordedAssets } = state
  const before = state.tradeCount
  let lastMillis = untilMillis
  for (;;) {
    const atMillis = nextRowMillis(state)
    if (atMillis > lastMillis) return lastMillis < untilMillis
    for (const asset of recordedAssets) {
      if (nextOf(state, asset) > atMillis) continue
      runRows(state, asset, recordedAssets.length === 1 ? lastMillis : atMillis)
    }
    // The rest of the instant is worked off, too.
    if (state.tradeCount !== before) lastMillis = Math.min(lastMillis, state.nowMillis)
  }
}

/** Works off the rows up to the present of a book that has stood still. Their trades fill nobody and are not printed. */
export function catchUpRows(state: State, asset: AssetRow): void {
  const assetState = stateOf(state, asset)
  const { recorded } = assetState
  if (recorded === null) return
  const watch: RowWatch = {
    ...createWatch(assetState, recorded, false),
    bidTicks: 0,
    askTicks: Number.POSITIVE_INFINITY,
  }
  while (recorded.rows.read(state.nowMillis, watch) !== rowsDone) movePlaces(assetState, recorded)
}

function nextOf(state: State, asset: AssetRow): number {
  const { isStale, recorded } = stateOf(state, asset)
  return isStale || recorded === null ? Number.POSITIVE_INFINITY : recorded.rows.nextAtMillis
}

/** Works off rows of one book up to an instant, or until a client's order has been filled. */
function runRows(state: State, asset: AssetRow, untilMillis: number): void {
  const assetState = stateOf(state, asset)
  const { recorded } = assetState
  if (recorded === null) return
  const hasTrades = state.config.market.assets[asset - 1]?.flow.kind === 'recorded'
  const { rows } = recorded
  const before = state.tradeCount
  const watch = createWatch(assetState, recorded, hasTrades)
  while (state.tradeCount === before) {
    const found = rows.read(untilMillis, watch)
    if (found === rowsDone) return
    state.nowMillis = Math.max(state.nowMillis, rows.atMillis)
    if (found === rowIsTrade) matchRecordedTrade(state, asset, assetState, recorded)
    else {
      movePlaces(assetState, recorded)
      crossClients(state, asset, assetState, recorded)
    }
  }
}

function createWatch({ book }: AssetState, recorded: RecordedLadder, trades: boolean): RowWatch {
  const { queue } = recorded
  const bidTicks = book.bestTicks(buy)
  const askTicks = book.bestTicks(sell)
  const hasClients = bidTicks !== none || askTicks !== none
  return {
    trades,
    bidTicks: bidTicks === none ? 0 : bidTicks,
    askTicks: askTicks === none ? Number.POSITIVE_INFINITY : askTicks,
    queue: queue.isFront || !hasClients ? null : queue,
    ladder: recorded.isTouched ? recorded : null,
  }
}

/** Moves the places of the orders at the level that was just set. */
function movePlaces({ book }: AssetState, { queue, rows }: RecordedLadder): void {
  const { oldSteps, side, steps, ticks } = rows
  if (queue.isFront || !queue.mayRestAt(side, ticks)) return
  for (let row = book.oldestAt(side, ticks); row !== none; row = book.rowAfter(row))
    queue.change(queue.placeOf(row), oldSteps, steps)
}

/** Lets the side of the book that was just set take the clients whose prices its best has come to. */
function crossClients(state: State, asset: AssetRow, assetState: AssetState, recorded: RecordedLadder): void {
  const { rows } = recorded
  if (isHalted(assetState) || (recorded.isLikeReference && !rows.isBestBetter)) return
  hitClients(state, asset, assetState, rows.side)
}
