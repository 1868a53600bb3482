import * as bodies from '../../api/admin-bodies.ts'
import { parseId } from '../../api/answer.ts'
import { readSteps, readTicks } from '../../api/input/read-body.ts'
import { order } from '../../api/operations/orders.ts'
import { quote } from '../../api/operations/quotes.ts'
import { toProblem } from '../../api/refusals.ts'
import { kindOrder } from '../../engine/codes.ts'
import type { Command } from '../../engine/command.ts'
import type { RecordOf } from '../../shape/shape.ts'
import { queryAsAccount } from '../../world/views/world-views.ts'
import type { World } from '../../world/world.ts'
import { type AdminCall, AdminRefusal, type AdminRoute, inWorld, requireValue, wrongField } from './route.ts'

/** Operations that force transitions which clients can't cause, so that clients can test how they take them. */
export const orderRoutes: readonly AdminRoute[] = [
  inWorld('POST', '/orders/:id/fill', {
    id: 'fillOrder',
    summary: 'Fill an order against the house',
    response: order,
    errors: [409, 422],
    example: ({ orderIds }) => ({ path: { id: orderIds[0] }, body: {} }),
    body: bodies.fillBody,
    answer: fillOrder,
  }),
  inWorld('POST', '/orders/:id/reject', {
    id: 'rejectOrder',
    summary: 'Reject a resting order',
    response: order,
    errors: [409],
    example: ({ orderIds }) => ({ path: { id: orderIds[1] } }),
    answer: (world, call) => endOrder(world, 'force-reject', call),
  }),
  inWorld('POST', '/orders/:id/expire', {
    id: 'expireOrder',
    summary: 'Let an order expire',
    response: order,
    errors: [409],
    example: ({ orderIds }) => ({ path: { id: orderIds[2] } }),
    answer: (world, call) => endOrder(world, 'force-expire', call),
  }),
  inWorld('POST', '/quotes/:id/fill', {
    id: 'fillQuote',
    summary: 'Fill one side of a quote, or both',
    response: quote,
    errors: [409, 422],
    example: ({ quoteIds }) => ({ path: { id: quoteIds[0] }, body: { side: 'bid' } }),
    body: bodies.quoteFillBody,
    answer: fillQuote,
  }),
  inWorld('POST', '/quotes/:id/expire', {
    id: 'expireQuote',
    summary: 'Let a quote expire',
    response: quote,
    errors: [409],
    example: ({ quoteIds }) => ({ path: { id: quoteIds[1] } }),
    answer: expireQuote,
  }),
]

/**
 * Fills an order against the house, at its limit unless a price is given. Errors, in order: 404 the order; 400 the
 * amounts; 409 an order that has ended.
 */
function fillOrder(world: World, call: AdminCall, body: RecordOf<typeof bodies.fillBody>) {
  const row = findPathOrder(world, call)
  const amounts = readAmounts(world, world.venue.state.orders.asset.get(row), body)
  return forceOrder(world, call, { kind: 'force-fill', at: world.now, order: row, ...amounts })
}

function endOrder(world: World, kind: 'force-reject' | 'force-expire', call: AdminCall) {
  return forceOrder(world, call, { kind, at: world.now, order: findPathOrder(world, call) })
}

type OrderCommand = Extract<Command, { readonly kind: 'force-fill' | 'force-reject' | 'force-expire' }>

function forceOrder(world: World, { params }: AdminCall, command: OrderCommand) {
  const { account, asset } = world.venue.state.orders
  force(world, command, asset.get(command.order), 'order-terminal')
  return queryAsAccount(world, account.get(command.order), 'getOrder', params['id'])
}

/**
 * Fills one side of a quote, or both when none is named (a bid is a buy). Amounts need a side. Errors, in order: 404
 * the quote; 400 the amounts; 409 a quote that has ended.
 */
function fillQuote(world: World, call: AdminCall, body: RecordOf<typeof bodies.quoteFillBody>) {
  const row = findPathQuote(world, call)
  const { quotes, orders } = world.venue.state
  if (body.side === undefined && (body.quantity !== undefined || body.price !== undefined))
    throw wrongField('side', 'is required with a quantity or a price')
  const amounts = readAmounts(world, quotes.asset.get(row), body)
  const legs = [
    ...(body.side === 'sell' || body.side === 'ask' ? [] : [quotes.bidLeg.get(row)]),
    ...(body.side === 'buy' || body.side === 'bid' ? [] : [quotes.askLeg.get(row)]),
  ]
  // A side that is already filled does not keep the other side from being filled.
  const open = body.side === undefined ? legs.filter((leg) => orders.remainingSteps(leg) > 0) : legs
  const fills = (open.length === 0 ? legs : open).map(
    (order): Command => ({ kind: 'force-fill', at: world.now, order, ...amounts }),
  )
  return forceQuote(world, call, row, fills)
}

function expireQuote(world: World, call: AdminCall) {
  const row = findPathQuote(world, call)
  return forceQuote(world, call, row, [{ kind: 'force-expire-quote', at: world.now, quote: row }])
}

function forceQuote(world: World, { params }: AdminCall, row: number, commands: readonly Command[]) {
  const { account, asset } = world.venue.state.quotes
  for (const command of commands) force(world, command, asset.get(row), 'quote-terminal')
  return queryAsAccount(world, account.get(row), 'getQuote', params['id'])
}

function readAmounts(
  world: World,
  asset: number,
  { quantity, price }: { readonly quantity?: number; readonly price?: number },
) {
  const { pair } = world.venue.state.assets.tradedAsset(asset)
  const quantitySteps = requireValue(readSteps(quantity, 'quantity', pair))
  return { quantitySteps, priceTicks: requireValue(readTicks(price, 'price', pair)) }
}

function findPathOrder(world: World, { params }: AdminCall): number {
  const { orders } = world.venue.state
  const row = parseId(world.idScheme, 'order', params['id'] ?? '')
  if (row >= 0 && row < orders.count && orders.kind.get(row) === kindOrder) return row
  throw new AdminRefusal({ code: 'unknown-order' })
}

function findPathQuote(world: World, { params }: AdminCall): number {
  const row = parseId(world.idScheme, 'quote', params['id'] ?? '')
  if (row >= 0 && row < world.venue.state.quotes.count) return row
  throw new AdminRefusal({ code: 'unknown-quote' })
}

/** Forces a transition. Errors: 409 for what has ended already (design, section 16); then what the engine rejects. */
function force(
  world: World,
  command: Command,
  asset: number,
  terminal: 'order-terminal' | 'quote-terminal',
): void {
  const outcome = world.execute(command)
  if (outcome.ok) return
  if (outcome.rejection.code === 'terminal') throw new AdminRefusal({ code: terminal })
  throw new AdminRefusal(toProblem(outcome.rejection, world.venue.state.assets, asset, world.readings))
}
