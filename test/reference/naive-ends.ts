import type { OrderStatus, QuoteStatus } from '../../src/engine/codes.ts'
import {
  quoteCancelled,
  quoteExpired,
  quoteFilled,
  quotePartiallyFilled,
  statusCancelled,
  statusExpired,
  statusFilled,
  statusPartiallyFilled,
  statusRejected,
} from '../../src/engine/codes.ts'
import type { NaiveOrder, NaiveQuote, NaiveWorld } from './naive-world.ts'
import { at, emit, isLive, remainingOf, reservedAssetOf } from './naive-world.ts'

const endings: Readonly<Record<'cancelled' | 'expired' | 'rejected', OrderStatus>> = {
  cancelled: statusCancelled,
  expired: statusExpired,
  rejected: statusRejected,
}

/** Releases all that an order still reserves. */
export function releaseAll(world: NaiveWorld, order: NaiveOrder): void {
  if (order.reserved === 0n) return
  emit(world, 'released', {
    subject: order.row,
    account: order.account,
    asset: reservedAssetOf(order),
    first: order.reserved,
  })
  order.reserved = 0n
}

export function reserve(world: NaiveWorld, order: NaiveOrder, atoms: bigint): void {
  order.reserved = atoms
  if (atoms === 0n) return
  emit(world, 'reserved', {
    subject: order.row,
    account: order.account,
    asset: reservedAssetOf(order),
    first: atoms,
  })
}

/** Ends a live order (not a leg). */
export function endOrder(
  world: NaiveWorld,
  order: NaiveOrder,
  how: 'cancelled' | 'expired' | 'rejected',
): void {
  releaseAll(world, order)
  order.status = endings[how]
  order.isResting = false
  emitOrder(world, order, `order-${how}`)
}

export function endQuote(world: NaiveWorld, quote: NaiveQuote, how: 'cancelled' | 'expired'): void {
  const status: QuoteStatus = how === 'cancelled' ? quoteCancelled : quoteExpired
  for (const leg of [quote.bid, quote.ask]) releaseAll(world, leg)
  for (const leg of [quote.bid, quote.ask]) {
    if (isLive(leg)) leg.status = endings[how]
    leg.isResting = false
  }
  quote.status = status
  emitQuote(world, quote, `quote-${how}`)
}

/** Cancels an order that met its own account; a leg takes its whole quote with it. */
export function endWhole(world: NaiveWorld, order: NaiveOrder): void {
  if (order.quote === -1) endOrder(world, order, 'cancelled')
  else endQuote(world, at(world.quotes, order.quote), 'cancelled')
}

/** Sets the statuses after a fill, and emits the event. */
export function emitFilled(world: NaiveWorld, order: NaiveOrder): void {
  const isFull = remainingOf(order) === 0n
  order.status = isFull ? statusFilled : statusPartiallyFilled
  if (isFull) order.isResting = false
  if (order.quote === -1) {
    emitOrder(world, order, isFull ? 'order-filled' : 'order-partially-filled')
    return
  }
  const quote = at(world.quotes, order.quote)
  const isWhole = remainingOf(quote.bid) === 0n && remainingOf(quote.ask) === 0n
  quote.status = isWhole ? quoteFilled : quotePartiallyFilled
  emitQuote(world, quote, isWhole ? 'quote-filled' : 'quote-partially-filled')
}

export function emitOrder(world: NaiveWorld, order: NaiveOrder, name: string): void {
  emit(world, name, {
    subject: order.row,
    account: order.account,
    asset: order.asset,
    first: order.filled,
    second: order.quantity,
  })
}

export function emitQuote(world: NaiveWorld, quote: NaiveQuote, name: string): void {
  emit(world, name, {
    subject: quote.row,
    account: quote.account,
    asset: quote.asset,
    first: quote.bid.filled,
    second: quote.ask.filled,
  })
}
