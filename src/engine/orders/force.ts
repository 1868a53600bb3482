import {
  buy,
  isLiveQuote,
  isTerminal,
  kindOrder,
  none,
  type OrderRow,
  oppositeOf,
  orderRow,
  quoteExpired,
  quoteRow,
  sell,
  statusExpired,
  statusRejected,
} from '../codes.ts'
import type { ForceEndOrderCommand, ForceExpireQuoteCommand, ForceFillCommand } from '../command.ts'
import type { CommandResult } from '../rejections.ts'
import { isHoldable, isValuable } from '../risk/admission.ts'
import type { State } from '../state.ts'
import { computeNotional } from '../tables/asset-table.ts'
import { reaches } from './matching.ts'
import { endOrder, endQuote, executeTrade } from './transitions.ts'

/**
 * Fills a live order or leg against the house: all that is left or a part, at its limit or a price better for it.
 * Errors: unknown-order, terminal, quantity-below-minimum, quantity-above-maximum, price-out-of-range,
 * amount-out-of-range.
 */
export function forceFill(state: State, command: ForceFillCommand): CommandResult {
  const { orders } = state
  const row = orderRow(command.order)
  if (row < 0 || row >= orders.count) return { code: 'unknown-order' }
  if (isTerminal(orders.status.get(row))) return { code: 'terminal', status: orders.status.get(row) }
  const remaining = orders.remainingSteps(row)
  const steps = command.quantitySteps ?? remaining
  const limitTicks = orders.priceTicks.get(row)
  const ticks = command.priceTicks ?? limitTicks
  const side = orders.side.get(row) === buy ? buy : sell
  if (steps < 1) return { code: 'quantity-below-minimum', field: 'quantity', minimumSteps: 1 }
  if (steps > remaining) return { code: 'quantity-above-maximum', field: 'quantity', maximumSteps: remaining }
  if (ticks < 1 || !reaches(side, limitTicks, ticks)) return { code: 'price-out-of-range', field: 'price' }
  if (ticks !== limitTicks && !isPayable(state, row, ticks, steps)) return { code: 'amount-out-of-range' }
  state.venueTaker = 'forced'
  executeTrade(state, row, none, orders.asset.get(row), oppositeOf(side), ticks, steps)
  return row
}

/** Returns whether balances stay exact when the row trades at a price that is not its own. */
function isPayable(state: State, row: OrderRow, ticks: number, steps: number): boolean {
  const account = state.orders.account.get(row)
  const asset = state.orders.asset.get(row)
  const traded = state.assets.tradedAsset(asset)
  // The steps are part of the open interest already, so none are added.
  return (
    isValuable(traded, ticks, steps) &&
    isHoldable(state, account, asset, 0, computeNotional(traded, ticks, steps))
  )
}

/** Ends an accepted order as rejected or expired. Errors: unknown-order, terminal. */
export function forceEndOrder(state: State, command: ForceEndOrderCommand): CommandResult {
  const { orders } = state
  const row = orderRow(command.order)
  if (row < 0 || row >= orders.count || orders.kind.get(row) !== kindOrder) return { code: 'unknown-order' }
  if (isTerminal(orders.status.get(row))) return { code: 'terminal', status: orders.status.get(row) }
  endOrder(state, row, command.kind === 'force-reject' ? statusRejected : statusExpired)
  return row
}

/** Ends a live quote as expired. Errors: unknown-quote, terminal. */
export function forceExpireQuote(state: State, command: ForceExpireQuoteCommand): CommandResult {
  const { quotes } = state
  if (command.quote < 0 || command.quote >= quotes.count) return { code: 'unknown-quote' }
  const status = quotes.status.get(command.quote)
  if (!isLiveQuote(status)) return { code: 'terminal', status }
  endQuote(state, quoteRow(command.quote), quoteExpired)
  return command.quote
}
