import { type PriceTicks, priceTicks, type QuantitySteps, quantitySteps } from '../../numeric/units.ts'
import {
  type AssetRow,
  buy,
  kindQuoteLeg,
  none,
  type OrderRow,
  oppositeOf,
  orderRow,
  quoteCancelled,
  type Side,
  sell,
  statusCancelled,
  statusExpired,
} from '../codes.ts'
import { eventType } from '../events.ts'
import { applyGivingBack, applyTaking } from '../price-impact.ts'
import { reachFront } from '../recorded/order-queue.ts'
import type { RecordedLadder } from '../recorded/recorded-ladder.ts'
import { type AssetState, type State, stateOf } from '../state.ts'
import { causeCrossing, executeRecordedFill } from './fill-cause.ts'
import { cancelRow, endOrder, endQuote, executeTrade, recordPrint } from './transitions.ts'

/*
 * Matching of takers against makers. A trade is at the maker's price; the best price goes first, then the oldest, and
 * at one price clients go before the venue's own ladder. Nothing matches while an asset is halted.
 *
 * Choice: a client queues behind other clients only, so its place is exact. In market.md (section 3) resting orders
 * wait behind what the venue displays at their price and move up at random (power queue). The design has the venue
 * stand behind its clients at one price, and the design wins. What keeps passive fills realistic is who takes:
 * informed takers, snipers, and the ladder itself, which takes what it crosses.
 */

/**
 * Matches a live row that does not rest against the opposite side until it is full, has ended by a self-trade, or
 * reaches nothing more. What is left then rests behind all others at its price, or expires.
 */
export function matchTaker(state: State, taker: OrderRow, rests: boolean): void {
  const { orders } = state
  const asset = orders.asset.get(taker)
  const side: Side = orders.side.get(taker) === buy ? buy : sell
  const assetState = stateOf(state, asset)
  const ticks = orders.priceTicks.get(taker)
  const limitTicks = ticks === 0 ? (assetState.recorded?.marketLimitTicks(side) ?? worstTicks(side)) : ticks
  const isEnded = !isHalted(assetState) && takeReachable(state, assetState, taker, asset, side, limitTicks)
  assetState.recorded?.endTaking()
  if (isEnded) return
  if (rests) {
    state.priorityCount += 1
    orders.priority.set(taker, state.priorityCount)
    assetState.book.rest(taker, side, ticks, orders.remainingSteps(taker))
  } else endOrder(state, taker, statusExpired)
}

/**
 * Trades for a taker as far as it reaches. Returns true when that is its end: it is full, or has ended by a
 * self-trade.
 */
function takeReachable(
  state: State,
  assetState: AssetState,
  taker: OrderRow,
  asset: AssetRow,
  side: Side,
  limitTicks: number,
): boolean {
  const { orders } = state
  const { book, ladder, recorded } = assetState
  const opposite = oppositeOf(side)
  for (;;) {
    const left = orders.remainingSteps(taker)
    if (left === 0) return true
    if (!isReachable(assetState, opposite, limitTicks)) return false
    const bookTicks = book.bestTicks(opposite)
    const ladderTicks = ladder.bestTicks(opposite)
    const isClient = bookTicks !== none && !isBetter(opposite, ladderTicks, bookTicks)
    const makerTicks = isClient ? bookTicks : ladderTicks
    if (makerTicks === none || !reaches(side, limitTicks, makerTicks)) return false
    if (!isClient) {
      matchVenue(state, assetState, taker, asset, side, left)
      continue
    }
    let maker = orderRow(book.bestRow(opposite))
    if (recorded !== null) {
      maker = recorded.firstOfLevel(maker)
      const before = makerTicks === ladderTicks ? recorded.stepsBefore(maker) : 0
      if (before > 0) {
        matchVenue(state, assetState, taker, asset, side, quantitySteps(Math.min(left, before)))
        continue
      }
    }
    if (!matchClient(state, maker, taker, asset, side, makerTicks, left)) return true
  }
}

function matchVenue(
  state: State,
  { ladder }: AssetState,
  taker: OrderRow,
  asset: AssetRow,
  side: Side,
  left: QuantitySteps,
): void {
  const opposite = oppositeOf(side)
  const ticks = priceTicks(ladder.bestTicks(opposite))
  const steps = quantitySteps(Math.min(left, ladder.bestSteps(opposite)))
  ladder.consume(opposite, steps, state.nowMillis)
  applyTaking(state, asset, side, ticks, steps)
  executeTrade(state, none, taker, asset, side, ticks, steps)
}

/** Lets the taker trade with a client, or prevents a self-trade. Returns whether the taker may go on. */
function matchClient(
  state: State,
  maker: OrderRow,
  taker: OrderRow,
  asset: AssetRow,
  side: Side,
  ticks: PriceTicks,
  left: QuantitySteps,
): boolean {
  if (isSelfTrade(state, maker, taker)) return preventSelfTrade(state, maker, taker)
  const steps = quantitySteps(Math.min(left, state.orders.remainingSteps(maker)))
  executeTrade(state, maker, taker, asset, side, ticks, steps)
  return true
}

/**
 * Lets a taker of the venue's own flow take up to `steps`, best price first, whoever offers it, no worse than
 * `limitTicks`. Returns the steps that it took. What it takes from the ladder is only a print, for both sides are the
 * venue's.
 */
export function matchFlow(
  state: State,
  asset: AssetRow,
  side: Side,
  steps: number,
  limitTicks: number,
): number {
  const { orders, assets } = state
  const assetState = stateOf(state, asset)
  const opposite = oppositeOf(side)
  const { book, ladder } = assetState
  if (isHalted(assetState) || !isReachable(assetState, opposite, limitTicks)) return 0
  let left = steps
  while (left > 0) {
    const maker = book.bestRow(opposite)
    const bookTicks = maker === none ? none : orders.priceTicks.get(maker)
    const ladderTicks = ladder.bestTicks(opposite)
    const isClient = maker !== none && bookTicks !== none && !isBetter(opposite, ladderTicks, bookTicks)
    const makerTicks = isClient ? bookTicks : ladderTicks
    if (makerTicks === none || !reaches(side, limitTicks, makerTicks)) break
    const offered = isClient ? orders.remainingSteps(maker) : ladder.bestSteps(opposite)
    const taken = quantitySteps(Math.min(left, offered))
    if (isClient) {
      executeTrade(state, maker, none, asset, side, makerTicks, taken)
    } else {
      ladder.consume(opposite, taken, state.nowMillis)
      recordPrint(state, asset, makerTicks, taken, assets.notional(asset, makerTicks, taken))
      state.sink.emit(eventType.print, none, none, asset, makerTicks, taken, side)
    }
    left -= taken
  }
  return steps - left
}

/**
 * Returns whether a price of the makers' side may be within a taker's limit; if not, the ladder need not be built.
 */
function isReachable({ book, ladder }: AssetState, makersSide: Side, limitTicks: number): boolean {
  if (ladder.mayReach(makersSide, limitTicks)) return true
  const ticks = book.bestTicks(makersSide)
  return ticks !== none && reaches(oppositeOf(makersSide), limitTicks, ticks)
}

/**
 * Lets the venue's ladder, just refreshed, take the client interest that it crosses: the client is the maker, at its
 * own price, up to the quantity that the ladder shows (market.md section 3, fills of resting orders, rule 1).
 */
export function matchLadder(state: State, asset: AssetRow): void {
  const assetState = stateOf(state, asset)
  if (isHalted(assetState)) return
  hitClients(state, asset, assetState, buy)
  hitClients(state, asset, assetState, sell)
}

export function isHalted(assetState: AssetState): boolean {
  return assetState.halt !== 'none' || assetState.isHaltedByRecording
}

export function reaches(side: Side, limitTicks: number, makerTicks: number): boolean {
  return side === buy ? makerTicks <= limitTicks : makerTicks >= limitTicks
}

/** Lets one side of the ladder take the clients of the opposite side that it crosses. */
export function hitClients(state: State, asset: AssetRow, assetState: AssetState, ladderSide: Side): void {
  const { orders } = state
  const { book, ladder, recorded } = assetState
  const clients = oppositeOf(ladderSide)
  for (;;) {
    const maker = book.bestRow(clients)
    if (maker === none) return
    const makerTicks = orders.priceTicks.get(maker)
    if (!ladder.mayReach(ladderSide, makerTicks)) return
    const ladderTicks = ladder.bestTicks(ladderSide)
    if (ladderTicks === none || !reaches(ladderSide, ladderTicks, makerTicks)) return
    if (recorded !== null) {
      hitFirst(state, asset, recorded, maker, ladderSide)
      continue
    }
    const steps = quantitySteps(Math.min(orders.remainingSteps(maker), ladder.bestSteps(ladderSide)))
    ladder.consume(ladderSide, steps, state.nowMillis)
    applyGivingBack(state, asset, clients, makerTicks, steps)
    state.venueTaker = 'ladder'
    executeTrade(state, maker, none, asset, ladderSide, makerTicks, steps)
  }
}

/** Lets a recorded book take the first client of a level that it crosses: what it shows, or the whole. */
function hitFirst(
  state: State,
  asset: AssetRow,
  recorded: RecordedLadder,
  oldest: OrderRow,
  ladderSide: Side,
): void {
  const { orders } = state
  const maker = recorded.firstOfLevel(oldest)
  const left = orders.remainingSteps(maker)
  const steps = recorded.fillsWhole ? left : quantitySteps(Math.min(left, recorded.bestSteps(ladderSide)))
  if (!recorded.fillsWhole) recorded.consume(ladderSide, steps)
  reachFront(recorded.queue.placeOf(maker), false)
  state.venueTaker = 'ladder'
  executeRecordedFill(
    state,
    recorded,
    maker,
    asset,
    ladderSide,
    orders.priceTicks.get(maker),
    steps,
    causeCrossing,
  )
}

/** Returns whether the ladder's price on the makers' side is strictly better for the taker. */
function isBetter(makersSide: Side, ladderTicks: number, bookTicks: number): boolean {
  if (ladderTicks === none) return false
  return makersSide === buy ? ladderTicks > bookTicks : ladderTicks < bookTicks
}

function worstTicks(side: Side): number {
  return side === buy ? Number.POSITIVE_INFINITY : 0
}

/**
 * Returns whether the two rows belong to one account and the mode of self-trade prevention keeps them from trading.
 */
export function isSelfTrade(state: State, maker: OrderRow, taker: OrderRow): boolean {
  const { config, orders } = state
  return config.selfTrade !== 'allow' && orders.account.get(maker) === orders.account.get(taker)
}

/**
 * Ends the maker, the taker or both, as the mode of self-trade prevention says. Returns whether the taker may go on.
 */
export function preventSelfTrade(state: State, maker: OrderRow, taker: OrderRow): boolean {
  const { selfTrade } = state.config
  if (selfTrade !== 'cancel_taker') cancelRow(state, maker)
  if (selfTrade === 'cancel_maker') return true
  endTaker(state, taker)
  return false
}

/** Cancels the taker; a leg takes its whole quote with it. */
function endTaker(state: State, taker: OrderRow): void {
  const { orders } = state
  if (orders.kind.get(taker) === kindQuoteLeg) endQuote(state, orders.quoteOfLeg(taker), quoteCancelled)
  else endOrder(state, taker, statusCancelled)
}
