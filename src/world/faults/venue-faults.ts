import { type IdScheme, rowOfId } from '../../api/answer.ts'
import type { ApiRequest, ApiResponse } from '../../api/context.ts'
import { matchRoute } from '../../api/dispatch.ts'
import { type FaultFacts, isAbout } from '../../api/faults/matches-fault.ts'
import { isObject } from '../../api/json.ts'
import type { OperationId } from '../../api/operations/operations.ts'
import type { Readings } from '../../api/readings/readings.ts'
import { buy, isTerminal, none } from '../../engine/codes.ts'
import type { Command, Outcome } from '../../engine/command.ts'
import { type State, stateOf } from '../../engine/state.ts'
import { ordersOf } from '../../engine/tables/account-table.ts'
import type { Venue } from '../../engine/venue.ts'
import { ifWritable } from '../../journal/journal-file.ts'
import { type Millis, millis, quantitySteps } from '../../numeric/units.ts'
import type { FaultHit, FaultPlan } from './fault-book.ts'
import type { LaggingReads } from './lagging-views.ts'

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

interface FactSource {
  readonly method: string
  readonly path: string
  /** With its question mark, or empty. */
  readonly query: string
  readonly body: string
  readonly apiKey: string
  readonly account: string | null
}

export interface IdSpace {
  readonly venue: Venue
  readonly idScheme: IdScheme
}

/** What fault rules match by. The body and the ids are read only when a rule asks for them. */
export function factsOf(ids: IdSpace, request: FactSource): FaultFacts {
  const { method, path, apiKey, account } = request
  let subject: Subject | null = null
  const found = () => {
    subject ??= subjectOf(ids, request)
    return subject
  }
  return {
    method,
    path,
    key: apiKey,
    account,
    operation: () => operationOf(method, path),
    assets: () => found().assets,
    sides: () => found().sides,
  }
}

function operationOf(method: string, path: string): OperationId | null {
  const match = matchRoute(method, path)
  return match.kind === 'found' ? match.operation : null
}

interface Subject {
  readonly assets: readonly string[]
  readonly sides: readonly string[]
}

function subjectOf(ids: IdSpace, { method, path, query, body, account }: FactSource): Subject {
  const assets: string[] = []
  const sides: string[] = []
  const parameters = new URLSearchParams(query)
  for (const name of ['asset', 'assets'])
    for (const value of parameters.getAll(name)) assets.push(...value.split(','))
  sides.push(...parameters.getAll('side'))
  for (const item of itemsOf(body)) {
    if (typeof item['asset'] === 'string') assets.push(item['asset'])
    if (typeof item['side'] === 'string') sides.push(item['side'])
    const named = namedIn(ids, item['orderId'], item['quoteId'])
    assets.push(...named.assets)
    sides.push(...named.sides)
  }
  const byClientId = clientOrderIn(ids.venue, account, parameters.get('clientOrderId'))
  assets.push(...byClientId.assets)
  sides.push(...byClientId.sides)
  const match = matchRoute(method, path)
  if (match.kind === 'found' && match.parameter !== '') {
    const named = namedIn(ids, match.parameter, match.parameter)
    assets.push(match.parameter, ...named.assets)
    sides.push(...named.sides)
  }
  return { assets, sides }
}

/** The body and, when it is a batch of orders or a list of changes to quotes, each of these. */
function itemsOf(body: string): { readonly [key: string]: unknown }[] {
  if (body === '') return []
  let value: unknown
  try {
    value = JSON.parse(body)
  } catch {
    return []
  }
  if (Array.isArray(value)) return value.filter(isObject)
  if (!isObject(value)) return []
  const { orders } = value
  return [value, ...(Array.isArray(orders) ? orders.filter(isObject) : [])]
}

function namedIn({ venue, idScheme }: IdSpace, orderId: unknown, quoteId: unknown): Subject {
  const { orders, quotes, assets } = venue.state
  const order = typeof orderId === 'string' ? rowOfId(idScheme, 'order', orderId) : -1
  if (order >= 0 && order < orders.count) return orderAt(venue, order)
  const quote = typeof quoteId === 'string' ? rowOfId(idScheme, 'quote', quoteId) : -1
  const isKnown = quote >= 0 && quote < quotes.count
  return { assets: isKnown ? [assets.symbol(quotes.asset.get(quote))] : [], sides: [] }
}

function clientOrderIn(venue: Venue, account: string | null, clientOrderId: string | null): Subject {
  if (account === null || clientOrderId === null) return { assets: [], sides: [] }
  const { accounts } = venue.state
  const order = accounts.listsOf(accounts.rowOf(account)).clientOrderIds.get(clientOrderId)
  return order === undefined ? { assets: [], sides: [] } : orderAt(venue, order)
}

function orderAt({ state: { orders, assets } }: Venue, order: number): Subject {
  const side = orders.side.get(order) === buy ? 'buy' : 'sell'
  return { assets: [assets.symbol(orders.asset.get(order))], sides: [side] }
}
