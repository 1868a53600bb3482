import { rowOfId } from '../../api/amounts.ts'
import type { Problem } from '../../api/errors.ts'
import { positiveNumber } from '../../api/operations/common.ts'
import { order } from '../../api/operations/orders.ts'
import { quote } from '../../api/operations/quotes.ts'
import { problemOf } from '../../api/refusals.ts'
import { partial } from '../../api/wire-shapes.ts'
import { kindOrder } from '../../engine/codes.ts'
import type { Command, Outcome } from '../../engine/command.ts'
import type { PriceTicks, QuantitySteps } from '../../numeric/units.ts'
import type { RecordOf } from '../../shape/shape.ts'
import { oneOfWords } from '../../shape/shape.ts'
import type { World } from '../../world/world.ts'
import { stepsOf, ticksOf } from './amounts.ts'
import { inWorld, inWorldWith } from './find.ts'
import { type AdminAnswer, type AdminCall, type AdminRoute, bare, ok, refused, withBody } from './route.ts'
import { plainReadings } from './views.ts'

const fillSchema = partial({
  quantity: positiveNumber,
  price: positiveNumber,
})

const quoteFillSchema = partial({
  quantity: positiveNumber,
  price: positiveNumber,
  side: oneOfWords('bid', 'ask', 'buy', 'sell'),
})

/** Transitions that clients cannot cause, for tests of their state machines. */
export const orderRoutes: readonly AdminRoute[] = [
  withBody(
    'POST',
    '/worlds/:world/orders/:id/fill',
    {
      id: 'fillOrder',
      summary: 'Fill an order against the house',
      response: order,
      errors: [409, 422],
      example: ({ firstOrderId }) => ({ path: { id: firstOrderId }, body: {} }),
    },
    fillSchema,
    inWorldWith(fillOrder),
  ),
  bare(
    'POST',
    '/worlds/:world/orders/:id/reject',
    {
      id: 'rejectOrder',
      summary: 'Reject a resting order',
      response: order,
      errors: [409],
      example: ({ secondOrderId }) => ({ path: { id: secondOrderId } }),
    },
    inWorld((world, call) => endOrder(world, 'force-reject', call)),
  ),
  bare(
    'POST',
    '/worlds/:world/orders/:id/expire',
    {
      id: 'expireOrder',
      summary: 'Let an order expire',
      response: order,
      errors: [409],
      example: ({ thirdOrderId }) => ({ path: { id: thirdOrderId } }),
    },
    inWorld((world, call) => endOrder(world, 'force-expire', call)),
  ),
  withBody(
    'POST',
    '/worlds/:world/quotes/:id/fill',
    {
      id: 'fillQuote',
      summary: 'Fill one side of a quote, or both',
      response: quote,
      errors: [409, 422],
      example: ({ firstQuoteId }) => ({ path: { id: firstQuoteId }, body: { side: 'bid' } }),
    },
    quoteFillSchema,
    inWorldWith(fillQuote),
  ),
  bare(
    'POST',
    '/worlds/:world/quotes/:id/expire',
    {
      id: 'expireQuote',
      summary: 'Let a quote expire',
      response: quote,
      errors: [409],
      example: ({ secondQuoteId }) => ({ path: { id: secondQuoteId } }),
    },
    inWorld(expireQuote),
  ),
]

/**
 * Fills against the house, at the order's limit unless a price is given. Errors, in order: 404; 400 the amounts; 409.
 */
function fillOrder(world: World, body: RecordOf<typeof fillSchema>, call: AdminCall): AdminAnswer {
  const row = orderRow(world, call)
  if (row === null) return refused({ code: 'unknown-order' })
  const asset = world.venue.state.orders.asset.get(row)
  const amounts = amountsOf(world, asset, body)
  if ('code' in amounts) return refused(amounts)
  const outcome = world.execute({ kind: 'force-fill', at: world.now, order: row, ...amounts })
  return outcome.ok
    ? ok(orderState(world, row, call))
    : refusedTransition(world, outcome, asset, 'order-terminal')
}

function endOrder(world: World, kind: 'force-reject' | 'force-expire', call: AdminCall): AdminAnswer {
  const row = orderRow(world, call)
  if (row === null) return refused({ code: 'unknown-order' })
  const outcome = world.execute({ kind, at: world.now, order: row })
  const asset = world.venue.state.orders.asset.get(row)
  return outcome.ok
    ? ok(orderState(world, row, call))
    : refusedTransition(world, outcome, asset, 'order-terminal')
}

/**
 * Fills one side, or both when none is named (a bid is a buy); amounts need a side. Errors, in order: 404; 400 the
 * amounts; 409.
 */
function fillQuote(world: World, body: RecordOf<typeof quoteFillSchema>, call: AdminCall): AdminAnswer {
  const row = quoteRow(world, call)
  if (row === null) return refused({ code: 'unknown-quote' })
  const { quotes, orders } = world.venue.state
  const asset = quotes.asset.get(row)
  if (body.side === undefined && (body.quantity !== undefined || body.price !== undefined)) {
    return refused({
      code: 'invalid-parameter',
      field: 'side',
      reason: 'is required with a quantity or a price',
    })
  }
  const amounts = amountsOf(world, asset, body)
  if ('code' in amounts) return refused(amounts)
  const legs = [
    ...(body.side === 'sell' || body.side === 'ask' ? [] : [quotes.bidLeg.get(row)]),
    ...(body.side === 'buy' || body.side === 'bid' ? [] : [quotes.askLeg.get(row)]),
  ]
  // A side that is already filled does not keep the other side from being filled.
  const open = body.side === undefined ? legs.filter((leg) => orders.remainingSteps(leg) > 0) : legs
  for (const leg of open.length === 0 ? legs : open) {
    const command: Command = { kind: 'force-fill', at: world.now, order: leg, ...amounts }
    const outcome = world.execute(command)
    if (!outcome.ok) return refusedTransition(world, outcome, asset, 'quote-terminal')
  }
  return ok(quoteState(world, row, call))
}

function expireQuote(world: World, call: AdminCall): AdminAnswer {
  const row = quoteRow(world, call)
  if (row === null) return refused({ code: 'unknown-quote' })
  const outcome = world.execute({ kind: 'force-expire-quote', at: world.now, quote: row })
  const asset = world.venue.state.quotes.asset.get(row)
  return outcome.ok
    ? ok(quoteState(world, row, call))
    : refusedTransition(world, outcome, asset, 'quote-terminal')
}

interface Amounts {
  readonly quantitySteps: QuantitySteps | null
  readonly priceTicks: PriceTicks | null
}

function amountsOf(
  world: World,
  asset: number,
  body: { readonly quantity?: number; readonly price?: number },
): Amounts | Problem {
  const quantity = stepsOf(world, asset, 'quantity', body.quantity)
  if (!quantity.ok) return quantity.problem
  const price = ticksOf(world, asset, 'price', body.price)
  return price.ok ? { quantitySteps: quantity.value, priceTicks: price.value } : price.problem
}

function orderRow(world: World, { params }: AdminCall): number | null {
  const { orders } = world.venue.state
  const row = rowOfId(world.idScheme, 'order', params['id'] ?? '')
  return row >= 0 && row < orders.count && orders.kind.get(row) === kindOrder ? row : null
}

function quoteRow(world: World, { params }: AdminCall): number | null {
  const row = rowOfId(world.idScheme, 'quote', params['id'] ?? '')
  return row >= 0 && row < world.venue.state.quotes.count ? row : null
}

/** The order as its owner reads it, in the shape of the specification. */
function orderState(world: World, row: number, { params }: AdminCall): object {
  const request = { operation: 'getOrder' as const, parameter: params['id'] ?? '', query: '', body: '' }
  return world.answer(world.venue.state.orders.account.get(row), request, plainReadings(world)).body
}

function quoteState(world: World, row: number, { params }: AdminCall): object {
  const request = { operation: 'getQuote' as const, parameter: params['id'] ?? '', query: '', body: '' }
  return world.answer(world.venue.state.quotes.account.get(row), request, plainReadings(world)).body
}

/** Design, section 16: a forced transition of what is done is 409. */
function refusedTransition(
  world: World,
  outcome: Extract<Outcome, { ok: false }>,
  asset: number,
  terminal: 'order-terminal' | 'quote-terminal',
): AdminAnswer {
  if (outcome.rejection.code === 'terminal') return refused({ code: terminal })
  return refused(problemOf(outcome.rejection, world.venue.state.assets, asset, world.readings))
}
