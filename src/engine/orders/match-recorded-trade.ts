import { priceTicks, quantitySteps } from '../../numeric/units.ts'
import { type AssetRow, buy, none, type OrderRow, oppositeOf, type Side } from '../codes.ts'
import { eventType } from '../events.ts'
import { type Place, reachFront, turnOf } from '../recorded/order-queue.ts'
import type { RecordedLadder } from '../recorded/recorded-ladder.ts'
import type { AssetState, State } from '../state.ts'
import { causeThrough, causeTurn, executeRecordedFill } from './fill-cause.ts'
import { isHalted } from './matching.ts'
import { recordPrint } from './transitions.ts'

/**
 * Lets the recorded trade that was just read fill the clients' orders at better prices, through which it went, and those
 * at its price as far as their turn has come. It takes nothing from the book, whose next row already holds it. What no
 * client got of it is printed. On a halted pair it only moves places.
 *
 * Choice: the whole of a trade moves the places at its price, because that is what stood there in the record; but
 * together the orders get no more than was traded, unless fills are whole.
 */
export function matchRecordedTrade(
  state: State,
  asset: AssetRow,
  assetState: AssetState,
  recorded: RecordedLadder,
): void {
  const { side, steps, ticks } = recorded.rows
  const traded = Math.round(steps)
  const isOpen = !isHalted(assetState)
  const through = isOpen ? fillThrough(state, asset, assetState, recorded, traded) : 0
  // A law may leave less than nothing ahead. Where fills are whole, the order then gets more than was traded.
  const most = recorded.fillsWhole ? Number.POSITIVE_INFINITY : traded - through
  const turns = fillTurns(state, asset, assetState, recorded, isOpen ? most : 0)
  printTrade(state, asset, ticks, traded - through - turns, side)
}

/** Fills the orders at prices better than the trade's, best first. Returns the steps that they got. */
function fillThrough(
  state: State,
  asset: AssetRow,
  { book }: AssetState,
  recorded: RecordedLadder,
  most: number,
): number {
  const { orders } = state
  const { side, ticks } = recorded.rows
  const makers = oppositeOf(side)
  let filled = 0
  for (;;) {
    const oldest = book.bestRow(makers)
    if (oldest === none) return filled
    const makerTicks = orders.priceTicks.get(oldest)
    if (makers === buy ? makerTicks <= ticks : makerTicks >= ticks) return filled
    const maker = recorded.firstOfLevel(oldest)
    const left = orders.remainingSteps(maker)
    const steps = recorded.fillsWhole ? left : Math.min(left, most - filled)
    if (steps <= 0) return filled
    reachFront(recorded.queue.placeOf(maker), true)
    state.venueTaker = 'flow'
    executeRecordedFill(state, recorded, maker, asset, side, makerTicks, quantitySteps(steps), causeThrough)
    filled += steps
  }
}

/** Moves the orders at the trade's price up and fills those whose turn has come. Returns the steps that they got. */
function fillTurns(
  state: State,
  asset: AssetRow,
  assetState: AssetState,
  recorded: RecordedLadder,
  most: number,
): number {
  const { side, steps, ticks } = recorded.rows
  let filled = 0
  for (const maker of listByTurn(assetState, recorded, oppositeOf(side), ticks)) {
    const place = recorded.queue.placeOf(maker)
    if (place.isBeyond && isUncovered(recorded, place)) reachFront(place, false)
    const turn = recorded.queue.trade(place, steps)
    const reached = Math.min(turn, most) - (recorded.isLikeReference ? 0 : filled)
    const taken = Math.min(state.orders.remainingSteps(maker), reached)
    if (taken <= 0) continue
    state.venueTaker = 'flow'
    executeRecordedFill(
      state,
      recorded,
      maker,
      asset,
      side,
      priceTicks(ticks),
      quantitySteps(taken),
      causeTurn,
    )
    filled += taken
  }
  return filled
}

/** Lists the orders at a price by place, then by time. */
function listByTurn(
  { book }: AssetState,
  { queue }: RecordedLadder,
  side: Side,
  ticks: number,
): readonly OrderRow[] {
  const rows: OrderRow[] = []
  for (let row = book.oldestAt(side, ticks); row !== none; row = book.rowAfter(row)) rows.push(row)
  if (rows.length < 2 || queue.isFront) return rows
  return rows.sort((left, right) => turnOf(queue.placeOf(left)) - turnOf(queue.placeOf(right)))
}

/** Returns whether the record has come to show the prices around an order that joined beyond them, and nothing at its own. */
function isUncovered({ rows: { book } }: RecordedLadder, { side, ticks }: Place): boolean {
  return book.stepsAt(side, ticks) === 0 && !book.isBeyond(side, ticks)
}

/** Prints a recorded trade, in parts where its value could not be kept exact. */
function printTrade(state: State, asset: AssetRow, ticks: number, steps: number, side: Side): void {
  const { notionalDenominator, notionalNumerator } = state.assets.tradedAsset(asset)
  const most = Math.max(1, Math.floor(((4e15 / notionalNumerator) * notionalDenominator) / ticks))
  for (let left = steps; left >= 1; left -= most) {
    const part = quantitySteps(Math.min(left, most))
    recordPrint(state, asset, priceTicks(ticks), part, state.assets.notional(asset, ticks, part))
    state.sink.emit(eventType.print, none, none, asset, ticks, part, side)
  }
}
