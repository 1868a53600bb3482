import { isTerminal, orderRow, statusCancelled } from '../codes.ts'
import type { CancelOrderCommand, CancelOrdersCommand } from '../command.ts'
import type { CommandResult, CommandResults } from '../rejections.ts'
import { checkAccount, checkAsset, checkOrder } from '../risk/admission.ts'
import type { State } from '../state.ts'
import { listLiveOrders } from '../tables/account-table.ts'
import { endOrder } from './transitions.ts'

/**
 * Cancels a live order; its fills stay. Spec: Orders / Cancel order. Errors: unknown-account, unknown-order,
 * terminal.
 */
export function cancelOrder(state: State, command: CancelOrderCommand): CommandResult {
  const { orders } = state
  const unknown = checkAccount(state, command.account) ?? checkOrder(state, command.account, command.order)
  if (unknown !== null) return unknown
  const status = orders.status.get(command.order)
  if (isTerminal(status)) return { code: 'terminal', status }
  endOrder(state, orderRow(command.order), statusCancelled)
  return command.order
}

/**
 * Cancels the live orders of an account, in creation order. Returns an item for each. Spec: Orders / Cancel all
 * orders. Errors: unknown-account, unknown-asset.
 */
export function cancelOrders(state: State, command: CancelOrdersCommand): CommandResults {
  const { orders } = state
  const unknown =
    checkAccount(state, command.account) ?? (command.asset === null ? null : checkAsset(state, command.asset))
  if (unknown !== null) return unknown
  const items: CommandResult[] = []
  for (const row of listLiveOrders(state, command.account)) {
    const isMeant =
      (command.asset === null || orders.asset.get(row) === command.asset) &&
      (command.side === null || orders.side.get(row) === command.side)
    if (isMeant) {
      endOrder(state, orderRow(row), statusCancelled)
      items.push(row)
    }
  }
  return items
}
