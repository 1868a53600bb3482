import { rowOfId } from '../../api/amounts.ts'
import type { ApiRequest, ApiResponse } from '../../api/context.ts'
import type { FaultFacts } from '../../api/faults/matches-fault.ts'
import { isAbout } from '../../api/faults/matches-fault.ts'
import type { Readings } from '../../api/readings/readings.ts'
import { isTerminal, none } from '../../engine/codes.ts'
import type { Command, Outcome } from '../../engine/command.ts'
import { type State, stateOf } from '../../engine/state.ts'
import { ordersOf } from '../../engine/tables/account-lists.ts'
import { ifWritable } from '../../journal/journal-file.ts'
import { type Millis, millis, quantitySteps } from '../../numeric/units.ts'
import type { FaultHit } from './fault-book.ts'
import type { FaultPlan } from './fault-plan.ts'
import type { LaggingReads } from './lagging-views.ts'
import type { IdSpace } from './request-facts.ts'

/*
 * Faults of the venue itself. They are ordinary commands, so books, balances and every later read agree with them,
 * and a journal has them.
 */

/** A venue that carries out requests, and other commands between them. */
export interface Performer extends IdSpace {
  readonly now: Millis
  readonly past: LaggingReads
  execute(command: Command): Outcome
  handle(account: number, request: ApiRequest, readings: Readings): ApiResponse
}

/** An operation that an account asks for, and what rules may look for in it. */
interface Asked {
  readonly account: number
  readonly request: ApiRequest
  readonly facts: FaultFacts
}

/** Carries out an operation while faults strike it: in the past, or after the venue has interfered. */
export function performUnder(
  world: Performer,
  { venue: strikes, lags }: FaultPlan,
  asked: Asked,
  readings: Readings,
): ApiResponse {
  const { account, request } = asked
  const past = lags.length === 0 ? null : world.past.handle(lags, account, request, readings)
  if (past !== null) return past
  for (const strike of strikes) prepare(world, strike, asked)
  const { accounts } = world.venue.state
  const newestBefore = accounts.lastOrder.get(account)
  const response = world.handle(account, request, readings)
  const stalled = strikes.find(({ rule }) => rule.type === 'partial_then_stall')
  // What the venue has answered stands.
  if (stalled !== undefined) ifWritable(() => fillInPart(world, stalled, account, newestBefore))
  return response
}

function prepare(world: Performer, { rule }: FaultHit, asked: Asked): void {
  const { delayMs = 0 } = rule.attributes
  // A request's own `Prefer` may ask for a fault that its operation cannot have.
  if (!isAbout(rule.type, asked.request.operation)) return
  if (rule.type === 'fill_before_cancel') fillCancelled(world, asked)
  else if (rule.type === 'delayed_fill' || rule.type === 'partial_then_stall')
    holdMatching(world, asked.facts, delayMs)
}

/** Stops matching in these assets for this long (0: until somebody resumes them). Orders are accepted and wait. */
function holdMatching(world: Performer, facts: FaultFacts, delayMillis: number): void {
  const { state } = world.venue
  for (const symbol of new Set(facts.assets())) {
    const asset = state.assets.rowOf(symbol)
    if (asset < 1 || stateOf(state, asset).halt === 'reject') continue
    world.execute({
      kind: 'halt',
      at: world.now,
      asset,
      mode: 'rest',
      forMillis: millis(Math.round(delayMillis)),
    })
  }
}

/** Fills what is about to be cancelled, a moment before it is. */
function fillCancelled(world: Performer, asked: Asked): void {
  for (const order of cancelledRows(world, asked)) {
    if (isTerminal(world.venue.state.orders.status.get(order))) continue
    world.execute({ kind: 'force-fill', at: world.now, order, quantitySteps: null, priceTicks: null })
  }
}

function cancelledRows(world: Performer, { account, request, facts }: Asked): number[] {
  const { state } = world.venue
  const { orders, assets } = state
  if (request.operation === 'cancelOrder') {
    const row = rowOfId(world.idScheme, 'order', request.parameter)
    return row >= 0 && row < orders.count && orders.account.get(row) === account ? [row] : []
  }
  const [symbols, sides] = [facts.assets(), facts.sides()]
  return liveOrders(state, account).filter(
    (row) =>
      (symbols.length === 0 || symbols.includes(assets.symbol(orders.asset.get(row)))) &&
      (sides.length === 0 || sides.includes(orders.side.get(row) === 0 ? 'buy' : 'sell')),
  )
}

function liveOrders(state: State, account: number): number[] {
  const list = ordersOf(state, account)
  const rows: number[] = []
  for (let place = 0; place < list.count; place += 1) {
    const row = list.at(place)
    if (!isTerminal(state.orders.status.get(row))) rows.push(row)
  }
  return rows
}

/** Fills a share of what the request has placed, half unless the rule says otherwise; the rest waits. */
function fillInPart(world: Performer, { rule }: FaultHit, account: number, newestBefore: number): void {
  const { orders, accounts } = world.venue.state
  const order = accounts.lastOrder.get(account)
  if (order === none || order === newestBefore || isTerminal(orders.status.get(order))) return
  const whole = orders.remainingSteps(order)
  const part = Math.floor(whole * (rule.attributes.share ?? 0.5))
  if (part < 1 || part >= whole) return
  world.execute({
    kind: 'force-fill',
    at: world.now,
    order,
    quantitySteps: quantitySteps(part),
    priceTicks: null,
  })
}
