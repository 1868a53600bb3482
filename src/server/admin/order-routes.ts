import { isProblem, readSteps, readTicks, rowOfId } from '../../api/amounts.ts'
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
import { inWorld, inWorldWith } from './find.ts'
import { type AdminAnswer, type AdminCall, type AdminRoute, bare, ok, refused, withBody } from './route.ts'
import { shownTo } from './views.ts'

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
  const amounts = amountsOf(world, world.venue.state.orders.asset.get(row), body)
  if ('code' in amounts) return refused(amounts)
  return orderAfter(world, { kind: 'force-fill', at: world.now, order: row, ...amounts }, row, call)
}

function endOrder(world: World, kind: 'force-reject' | 'force-expire', call: AdminCall): AdminAnswer {
  const row = orderRow(world, call)
  if (row === null) return refused({ code: 'unknown-order' })
  return orderAfter(world, { kind, at: world.now, order: row }, row, call)
}

function orderAfter(world: World, command: Command, row: number, { params }: AdminCall): AdminAnswer {
  const { account, asset } = world.venue.state.orders
  const outcome = world.execute(command)
  return outcome.ok
    ? ok(shownTo(world, account.get(row), 'getOrder', params['id']))
    : refusedTransition(world, outcome, asset.get(row), 'order-terminal')
}

/**
 * Fills one side, or both when none is named (a bid is a buy); amounts need a side. Errors, in order: 404; 400 the
 * amounts; 409.
 */
function fillQuote(world: World, body: RecordOf<typeof quoteFillSchema>, call: AdminCall): AdminAnswer {
  const row = quoteRow(world, call)
  if (row === null) return refused({ code: 'unknown-quote' })
  const { quotes, orders } = world.venue.state
  if (body.side === undefined && (body.quantity !== undefined || body.price !== undefined)) {
    const reason = 'is required with a quantity or a price'
    return refused({ code: 'invalid-parameter', field: 'side', reason })
  }
  const amounts = amountsOf(world, quotes.asset.get(row), body)
  if ('code' in amounts) return refused(amounts)
  const legs = [
    ...(body.side === 'sell' || body.side === 'ask' ? [] : [quotes.bidLeg.get(row)]),
    ...(body.side === 'buy' || body.side === 'bid' ? [] : [quotes.askLeg.get(row)]),
  ]
  // A side that is already filled does not keep the other side from being filled.
  const open = body.side === undefined ? legs.filter((leg) => orders.remainingSteps(leg) > 0) : legs
  const fills = (open.length === 0 ? legs : open).map(
    (leg): Command => ({ kind: 'force-fill', at: world.now, order: leg, ...amounts }),
  )
  return quoteAfter(world, fills, row, call)
}

function expireQuote(world: World, call: AdminCall): AdminAnswer {
  const row = quoteRow(world, call)
  if (row === null) return refused({ code: 'unknown-quote' })
  return quoteAfter(world, [{ kind: 'force-expire-quote', at: world.now, quote: row }], row, call)
}

function quoteAfter(
  world: World,
  commands: readonly Command[],
  row: number,
  { params }: AdminCall,
): AdminAnswer {
  const { account, asset } = world.venue.state.quotes
  for (const command of commands) {
    const outcome = world.execute(command)
    if (!outcome.ok) return refusedTransition(world, outcome, asset.get(row), 'quote-terminal')
  }
  return ok(shownTo(world, account.get(row), 'getQuote', params['id']))
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
  const { pair } = world.venue.state.assets.traded(asset)
  const steps = readSteps(body.quantity, 'quantity', pair)
  if (isProblem(steps)) return steps
  const ticks = readTicks(body.price, 'price', pair)
  return isProblem(ticks) ? ticks : { quantitySteps: steps, priceTicks: ticks }
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
