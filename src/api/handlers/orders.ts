import {
  buy,
  canRest,
  kindOrder,
  limit,
  market,
  none,
  orderStatusNames,
  orderTypeNames,
  sell,
  sideNames,
  statusExpired,
  timeInForceNames,
  timesInForce,
  wordForCode,
} from '../../engine/codes.ts'
import type { Outcome, Placement, PlaceOrderCommand } from '../../engine/command.ts'
import type { Rejection } from '../../engine/rejections.ts'
import type { State } from '../../engine/state.ts'
import { listAccountOrders } from '../../engine/tables/account-table.ts'
import { assert } from '../../numeric/assert.ts'
import { millisToIso } from '../../numeric/time-text.ts'
import { decimalToNumber, divideBigHalfEven, powerOfTen, priceTicks } from '../../numeric/units.ts'
import type { RecordOf } from '../../shape/shape.ts'
import {
  amountNumber,
  answer,
  formatId,
  idScheme,
  parseId,
  priceNumber,
  quantityNumber,
  refuse,
  tradedAsset,
  unknownAssetField,
} from '../answer.ts'
import type { ApiContext, Handler } from '../context.ts'
import { type Problem, problemMessage } from '../errors.ts'
import { isProblem, readMetadata, readSteps, readTicks, readValue } from '../input/read-body.ts'
import { type InputProblem, itemProblem } from '../input-problem.ts'
import type * as schemas from '../operations/orders.ts'
import { createOrderBody, listedOrder, listedOrderStatuses } from '../operations/orders.ts'
import { refuseRejection, toProblem } from '../refusals.ts'
import { reduceTo } from '../wire-shapes.ts'
import { answerBatch, filterAssets, filterWords, makePagination, selectRows, toSymbols } from './lists.ts'

/**
 * Creates an order (Spec: Create order). Errors: 400 for the body and the pair, 409 for a client id that has been
 * used, 422 for risk.
 */
export const createOrder: Handler<'createOrder'> = (context, input) => {
  const placement = readPlacement(context, input.body)
  if ('code' in placement) return refuse(placement)
  const outcome = context.execute(placeCommand(context, placement))
  if (!outcome.ok) {
    const earlier = findEarlierOrder(context, outcome.rejection)
    if (earlier !== null) return answer(orderView(context, earlier), 200)
    return refuseRejection(context, outcome.rejection, placement.asset)
  }
  const isFinal = context.readings['orders.createResponse'] === 'final'
  return answer(orderView(context, outcome.row, !isFinal))
}

/**
 * Creates several orders (Spec: Create batch orders). Items that cannot be read fail by themselves; the others become
 * one command.
 */
export const createOrders: Handler<'createOrders'> = (context, input) => {
  const items = input.body.orders.map((item, index) => readItem(context, item, input.problems?.get(index)))
  const placements = items.flatMap((item) => ('code' in item ? [] : [item]))
  const outcome: Outcome =
    placements.length === 0
      ? { ok: true, row: -1, items: [] }
      : context.execute({ kind: 'place-orders', at: context.now, placements })
  if (!outcome.ok) return refuseRejection(context, outcome.rejection, 0)
  const outcomes = outcome.items.values()
  const results = items.map((item, index) =>
    'code' in item ? describeFailure(item, index) : describeItem(context, item, outcomes.next().value, index),
  )
  return answerBatch(context, results)
}

/**
 * Lists the orders of the caller (Spec: List orders). The filter takes four of the six statuses. Errors: 400 for the
 * others, by reading `filters.unlisted`.
 */
export const listOrders: Handler<'listOrders'> = (context, input) => {
  const { orders } = context.state
  const { page, limit, side } = input.query
  const statuses = filterWords(input.query.statuses, listedOrderStatuses, 'statuses', context.readings)
  if (!statuses.ok) return statuses
  const filter = filterAssets(context, toSymbols(input.query.asset), tradedAsset)
  if (!filter.ok) return filter
  const list = listAccountOrders(context.state, context.account)
  const passes = (row: number) =>
    (filter.value === null || filter.value.includes(orders.asset.get(row))) &&
    (side === undefined || orders.side.get(row) === (side === 'buy' ? buy : sell)) &&
    (statuses.value === null || statuses.value.includes(orderStatus(context, row)))
  const found = selectRows(list, passes, { skip: (page - 1) * limit, take: limit }, context.readings)
  return answer({
    orders: found.rows.map((row) => reduceTo(listedOrder, orderView(context, row))),
    pagination: makePagination(page, limit, found.total),
  })
}

/** Returns an order of the caller (Spec: Get order). Errors: 404, also for an order of another account. */
export const getOrder: Handler<'getOrder'> = (context, input) => {
  const row = findOwnOrder(context, input.parameter)
  return row === null ? refuse({ code: 'unknown-order' }) : answer(orderView(context, row))
}

/** Returns an order by its client id, whatever its status (Spec: Get order by client id). Errors: 404. */
export const getOrderByClientId: Handler<'getOrderByClientId'> = (context, input) => {
  const { clientOrderIds } = context.state.accounts.findOrAddLists(context.account)
  const row = clientOrderIds.get(input.query.clientOrderId)
  return row === undefined ? refuse({ code: 'unknown-order' }) : answer(orderView(context, row))
}

/**
 * Amends an order (Spec: Amend order). Errors, in order: 400 for nothing to change, 404, 400 for the pair, 409 when
 * the order is done, 422.
 */
export const amendOrder: Handler<'amendOrder'> = (context, input) => {
  const { quantity, price } = input.body
  if ((quantity ?? price ?? null) === null)
    return refuse({ code: 'invalid-parameter', field: 'quantity', reason: 'or price must be given' })
  const row = findOwnOrder(context, input.parameter)
  if (row === null) return refuse({ code: 'unknown-order' })
  const asset = context.state.orders.asset.get(row)
  const { pair } = context.state.assets.tradedAsset(asset)
  const steps = readSteps(quantity, 'quantity', pair)
  if (isProblem(steps)) return refuse(steps)
  const ticks = readTicks(price, 'price', pair)
  if (isProblem(ticks)) return refuse(ticks)
  const outcome = context.execute({
    kind: 'amend-order',
    at: context.now,
    account: context.account,
    order: row,
    quantitySteps: steps,
    priceTicks: ticks,
  })
  if (!outcome.ok) return refuseRejection(context, outcome.rejection, asset)
  return answer(orderView(context, row))
}

/**
 * Cancels an order (Spec: Cancel order). Errors: 404; 409 when the order is done, by reading `orders.cancelTerminal`.
 */
export const cancelOrder: Handler<'cancelOrder'> = (context, input) => {
  const row = findOwnOrder(context, input.parameter)
  if (row === null) return refuse({ code: 'unknown-order' })
  const outcome = context.execute({
    kind: 'cancel-order',
    at: context.now,
    account: context.account,
    order: row,
  })
  if (outcome.ok) return answer(cancelledOrderView(context, row))
  if (outcome.rejection.code !== 'terminal') return refuseRejection(context, outcome.rejection, none)
  switch (context.readings['orders.cancelTerminal']) {
    case '200':
      return answer(cancelledOrderView(context, row))
    case '404':
      return refuse({ code: 'unknown-order' })
    case '422':
      return refuse({ code: 'order-terminal', status: 422 })
    case '409':
      return refuse({ code: 'order-terminal' })
  }
}

/**
 * Cancels the open orders of the caller in the order of their creation (Spec: Cancel all orders). Errors: 400 for an
 * unknown asset; then nothing is cancelled.
 */
export const cancelOrders: Handler<'cancelOrders'> = (context, input) => {
  const { assets } = context.state
  const asset = input.body.asset === undefined ? null : tradedAsset(assets, input.body.asset)
  if (input.body.asset !== undefined && asset === null) return refuse(unknownAssetField)
  const side = input.body.side === undefined ? null : input.body.side === 'buy' ? buy : sell
  const outcome: Outcome = context.execute({
    kind: 'cancel-orders',
    at: context.now,
    account: context.account,
    asset,
    side,
  })
  if (!outcome.ok) return refuseRejection(context, outcome.rejection, none)
  const cancelled = outcome.items.flatMap((item) => (item.ok ? [orderId(context, item.row)] : []))
  return answer({ cancelledCount: cancelled.length, cancelledOrders: cancelled })
}

/** Lists the fills of an order (Spec: Get order fills). Choice: in the order of execution. Errors: 404. */
export const listOrderFills: Handler<'listOrderFills'> = (context, input) => {
  const row = findOwnOrder(context, input.parameter)
  if (row === null) return refuse({ code: 'unknown-order' })
  const { fills, orders } = context.state
  const rows: number[] = []
  for (let fill = orders.lastFill.get(row); fill !== none; fill = fills.previousOfOrder.get(fill))
    rows.push(fill)
  return answer({ fills: rows.reverse().map((fill) => fillView(context, fill)) })
}

/**
 * Finds the row of an order of the caller. It is also null for an order of another account, so that an id does not
 * reveal whether others have it.
 */
function findOwnOrder(context: ApiContext, id: string): number | null {
  const { orders } = context.state
  const row = parseId(idScheme(context), 'order', id)
  if (row < 0 || row >= orders.count || orders.kind.get(row) !== kindOrder) return null
  return orders.account.get(row) === context.account ? row : null
}

function cancelledOrderView(context: ApiContext, row: number): RecordOf<typeof schemas.cancelledOrder> {
  return {
    orderId: orderId(context, row),
    status: orderStatus(context, row),
    cancelledAt: millisToIso(context.state.orders.updatedAtMillis.get(row)),
  }
}

type OrderJson = RecordOf<typeof schemas.order>
type FillJson = RecordOf<typeof schemas.fill>
type OrderStatusName = (typeof orderStatusNames)[number]

/**
 * Returns an order (Spec: Order): as it is now, or as it was accepted, open and with nothing filled, whatever has
 * happened since.
 */
export function orderView(context: ApiContext, row: number, isAsAccepted = false): OrderJson {
  const { assets, orders } = context.state
  const asset = orders.asset.get(row)
  const { pair } = assets.tradedAsset(asset)
  const quantitySteps = orders.quantitySteps.get(row)
  const createdAtMillis = orders.createdAtMillis.get(row)
  return {
    orderId: orderId(context, row),
    clientOrderId: orders.clientId(row),
    side: wordForCode(sideNames, orders.side.get(row)),
    asset: assets.symbol(asset),
    quantity: quantityNumber(pair, quantitySteps),
    price: orders.type.get(row) === limit ? priceNumber(pair, orders.priceTicks.get(row)) : null,
    orderType: wordForCode(orderTypeNames, orders.type.get(row)),
    timeInForce: wordForCode(timeInForceNames, orders.timeInForce.get(row)),
    status: isAsAccepted ? 'open' : orderStatus(context, row),
    filledQuantity: isAsAccepted ? 0 : quantityNumber(pair, orders.filledSteps.get(row)),
    remainingQuantity: quantityNumber(pair, isAsAccepted ? quantitySteps : orders.remainingSteps(row)),
    averagePrice: isAsAccepted ? null : computeAveragePrice(context.state, row),
    metadata: orders.metadata.get(row) ?? {},
    createdAt: millisToIso(createdAtMillis),
    updatedAt: millisToIso(isAsAccepted ? createdAtMillis : orders.updatedAtMillis.get(row)),
  }
}

/** Returns the fill of a row as the interface shows it (Spec: Fill). */
export function fillView(context: ApiContext, row: number): FillJson {
  const { assets, fills } = context.state
  const { pair } = assets.tradedAsset(fills.asset.get(row))
  const feeAsset = fills.feeAsset.get(row)
  return {
    fillId: formatId(idScheme(context), 'fill', row),
    orderId: orderId(context, fills.order.get(row)),
    price: priceNumber(pair, fills.priceTicks.get(row)),
    quantity: quantityNumber(pair, fills.quantitySteps.get(row)),
    side: wordForCode(sideNames, fills.side.get(row)),
    fee: amountNumber(assets, feeAsset, fills.feeAtoms.get(row)),
    feeCurrency: assets.symbol(feeAsset),
    executedAt: millisToIso(fills.atMillis.get(row)),
  }
}

/** Returns the id of an order. */
export function orderId(context: ApiContext, row: number): string {
  return formatId(idScheme(context), 'order', row)
}

/**
 * Returns the status of an order by its name on the wire. Reading `orders.endOfImmediate` renames the end of an IOC,
 * FOK or market order.
 */
function orderStatus(context: ApiContext, row: number): OrderStatusName {
  const { orders } = context.state
  const status = orders.status.get(row)
  const isImmediate = !canRest(orders.type.get(row), orders.timeInForce.get(row))
  if (status === statusExpired && isImmediate && context.readings['orders.endOfImmediate'] === 'cancelled')
    return 'cancelled'
  return wordForCode(orderStatusNames, status)
}

/**
 * Computes the mean price of the fills of an order, weighted by quantity and rounded to 8 decimals half-even; null
 * when nothing has been filled.
 */
export function computeAveragePrice(state: State, order: number): number | null {
  const { fills, orders, assets } = state
  const last = orders.lastFill.get(order)
  if (last === none) return null
  const { pair } = assets.tradedAsset(orders.asset.get(order))
  if (fills.previousOfOrder.get(last) === none) return priceNumber(pair, fills.priceTicks.get(last))
  let tickSteps = 0n
  let steps = 0n
  for (let row = last; row !== none; row = fills.previousOfOrder.get(row)) {
    const filled = BigInt(fills.quantitySteps.get(row))
    tickSteps += BigInt(fills.priceTicks.get(row)) * filled
    steps += filled
  }
  const { units, scale } = pair.priceStep
  const mean = divideBigHalfEven(
    tickSteps * BigInt(units) * BigInt(powerOfTen(averageScale)),
    steps * BigInt(powerOfTen(scale)),
  )
  return decimalToNumber(Number(mean), averageScale)
}

const averageScale = 8

type CreateBody = RecordOf<typeof createOrderBody>
type BatchItem = RecordOf<typeof schemas.batchItem>

function readItem(
  context: ApiContext,
  item: unknown,
  problem: InputProblem | undefined,
): Placement | Problem {
  if (problem !== undefined) return itemProblem(problem)
  const body = readValue(createOrderBody, item, context.readings)
  return body.ok ? readPlacement(context, body.value) : itemProblem(body.problem)
}

/** Reads an order for the engine. Errors, in order: asset, quantity, price, metadata. */
function readPlacement(context: ApiContext, body: CreateBody): Placement | Problem {
  const { assets } = context.state
  const asset = tradedAsset(assets, body.asset)
  if (asset === null) return unknownAssetField
  const { pair } = assets.tradedAsset(asset)
  const steps = readSteps(body.quantity, 'quantity', pair)
  if (isProblem(steps)) return steps
  const isMarket = body.orderType === 'market'
  const price = body.price ?? null
  if (price === null && !isMarket)
    return { code: 'invalid-parameter', field: 'price', reason: 'is required for limit orders' }
  // Choice: the price of a market order is ignored, and answered as null.
  const ticks = readTicks(isMarket ? null : price, 'price', pair)
  if (isProblem(ticks)) return ticks
  const metadata = readMetadata(body.metadata)
  if (!metadata.ok) return metadata.problem
  const clientOrderId = body.clientOrderId ?? null
  return {
    account: context.account,
    asset,
    side: body.side === 'buy' ? buy : sell,
    type: isMarket ? market : limit,
    timeInForce: timesInForce[body.timeInForce ?? 'GTC'],
    quantitySteps: steps,
    priceTicks: ticks ?? priceTicks(0),
    clientOrderId,
    allowsDuplicateId: clientOrderId !== null && context.readings['clientId.duplicate'] === 'allow',
    keepsRefused: context.readings['orders.rejectMode'] === 'stored',
    metadata: metadata.value,
  }
}

/**
 * Makes the command of an order. It copies field by field, because spreading the placement took longer than making
 * it.
 */
function placeCommand({ now }: ApiContext, placement: Placement): PlaceOrderCommand {
  return {
    kind: 'place-order',
    at: now,
    account: placement.account,
    asset: placement.asset,
    side: placement.side,
    type: placement.type,
    timeInForce: placement.timeInForce,
    quantitySteps: placement.quantitySteps,
    priceTicks: placement.priceTicks,
    clientOrderId: placement.clientOrderId,
    allowsDuplicateId: placement.allowsDuplicateId,
    keepsRefused: placement.keepsRefused,
    metadata: placement.metadata,
  }
}

/** Finds the order that already has the client id, where reading `clientId.duplicate` answers with that order. */
function findEarlierOrder(context: ApiContext, rejection: Rejection): number | null {
  if (rejection.code !== 'duplicate-client-id') return null
  return context.readings['clientId.duplicate'] === 'return' ? rejection.row : null
}

function describeItem(
  context: ApiContext,
  placement: Placement,
  outcome: Outcome | undefined,
  index: number,
): BatchItem {
  assert(outcome !== undefined, 'a batch has an outcome for every item')
  const { clientOrderId } = placement
  if (outcome.ok) return { success: true, orderId: orderId(context, outcome.row), clientOrderId }
  const earlier = findEarlierOrder(context, outcome.rejection)
  if (earlier !== null) return { success: true, orderId: orderId(context, earlier), clientOrderId }
  const { assets } = context.state
  return describeFailure(toProblem(outcome.rejection, assets, placement.asset, context.readings), index)
}

function describeFailure(problem: Problem, index: number): BatchItem {
  return { success: false, error: problemMessage(problem), index }
}
