import { type IdScheme, parseId } from '../../api/answer.ts'
import type { ApiRequest, ApiResponse } from '../../api/context.ts'
import { matchRoute } from '../../api/dispatch.ts'
import { listBodyObjects } from '../../api/faults/matches-body.ts'
import { type FaultRequest, isAbout } from '../../api/faults/matches-fault.ts'
import type { OperationId } from '../../api/operations/operations.ts'
import type { Readings } from '../../api/readings/readings.ts'
import { buy, isTerminal, none } from '../../engine/codes.ts'
import type { Command, Outcome } from '../../engine/command.ts'
import { type State, stateOf } from '../../engine/state.ts'
import { listAccountOrders } from '../../engine/tables/account-table.ts'
import type { Venue } from '../../engine/venue.ts'
import { ignoreUnwritable } from '../../journal/journal-file.ts'
import { type Millis, millis, quantitySteps } from '../../numeric/units.ts'
import type { DelayedViewAccess } from './delayed-views.ts'
import type { FaultPlan, FiredFault } from './fire-faults.ts'

/*
 * What faults do to the venue itself. They act by ordinary commands, so books, balances and all later reads agree with
 * them, and a journal records them.
 */

/** A venue that carries out requests, and the commands of faults between them. */
export interface CommandRunner extends IdSpace {
  readonly now: Millis
  readonly delayedViews: DelayedViewAccess
  execute(command: Command): Outcome
  handle(account: number, request: ApiRequest, readings: Readings): ApiResponse
}

/** An operation that an account asks for, and what fault rules may match by. */
interface AskedOperation {
  readonly account: number
  readonly request: ApiRequest
  readonly facts: FaultRequest
}

/**
 * Carries out an operation with the faults of its plan: from the past if one says so, otherwise with the commands of
 * the venue's faults before and after it.
 */
export function handleWithFaults(
  world: CommandRunner,
  { venue: venueFaults, lags }: FaultPlan,
  asked: AskedOperation,
  readings: Readings,
): ApiResponse {
  const { account, request } = asked
  const past = lags.length === 0 ? null : world.delayedViews.readPast(lags, account, request, readings)
  if (past !== null) return past
  for (const fault of venueFaults) applyBefore(world, fault, asked)
  const { accounts } = world.venue.state
  const newestBefore = accounts.lastOrder.get(account)
  const response = world.handle(account, request, readings)
  const stalled = venueFaults.find(({ rule }) => rule.type === 'partial_then_stall')
  // The venue has already answered, so a journal that cannot be written must not turn that into an error.
  if (stalled !== undefined) ignoreUnwritable(() => fillPartly(world, stalled, account, newestBefore))
  return response
}

function applyBefore(world: CommandRunner, { rule }: FiredFault, asked: AskedOperation): void {
  const { delayMs = 0 } = rule.attributes
  // A request's own `Prefer` may ask for a fault that its operation cannot have.
  if (!isAbout(rule.type, asked.request.operation)) return
  if (rule.type === 'fill_before_cancel') fillCancelled(world, asked)
  else if (rule.type === 'delayed_fill' || rule.type === 'partial_then_stall')
    holdMatching(world, asked.facts, delayMs)
}

/**
 * Stops matching in the assets of a request for a time in milliseconds; 0 means until somebody resumes them. Orders are
 * accepted and rest meanwhile.
 */
function holdMatching(world: CommandRunner, facts: FaultRequest, delayMillis: number): void {
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

/** Fills the orders that a request is about to cancel. */
function fillCancelled(world: CommandRunner, asked: AskedOperation): void {
  for (const order of findCancelledOrders(world, asked)) {
    if (isTerminal(world.venue.state.orders.status.get(order))) continue
    world.execute({ kind: 'force-fill', at: world.now, order, quantitySteps: null, priceTicks: null })
  }
}

function findCancelledOrders(world: CommandRunner, { account, request, facts }: AskedOperation): number[] {
  const { state } = world.venue
  const { orders, assets } = state
  if (request.operation === 'cancelOrder') {
    const row = parseId(world.idScheme, 'order', request.parameter)
    return row >= 0 && row < orders.count && orders.account.get(row) === account ? [row] : []
  }
  const [symbols, sides] = [facts.assets(), facts.sides()]
  return listLiveOrders(state, account).filter(
    (row) =>
      (symbols.length === 0 || symbols.includes(assets.symbol(orders.asset.get(row)))) &&
      (sides.length === 0 || sides.includes(orders.side.get(row) === 0 ? 'buy' : 'sell')),
  )
}

function listLiveOrders(state: State, account: number): number[] {
  const list = listAccountOrders(state, account)
  const rows: number[] = []
  for (let place = 0; place < list.count; place += 1) {
    const row = list.at(place)
    if (!isTerminal(state.orders.status.get(row))) rows.push(row)
  }
  return rows
}

/** Fills a share of the order that the request has placed, half unless the rule says otherwise; the rest rests. */
function fillPartly(world: CommandRunner, { rule }: FiredFault, account: number, newestBefore: number): void {
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

interface RequestParts {
  readonly method: string
  readonly path: string
  /** The query with its question mark, or empty. */
  readonly query: string
  readonly body: string
  readonly apiKey: string
  readonly account: string | null
}

/** A venue, and how its ids are written. */
export interface IdSpace {
  readonly venue: Venue
  readonly idScheme: IdScheme
}

/** Describes a request as fault rules see it. Its body and ids are read only when a rule asks for what they name. */
export function describeRequest(ids: IdSpace, request: RequestParts): FaultRequest {
  const { method, path, apiKey, account } = request
  let cached: RequestSubject | null = null
  const subject = () => {
    cached ??= findSubject(ids, request)
    return cached
  }
  return {
    method,
    path,
    key: apiKey,
    account,
    operation: () => findOperation(method, path),
    assets: () => subject().assets,
    sides: () => subject().sides,
    body: request.body,
  }
}

function findOperation(method: string, path: string): OperationId | null {
  const match = matchRoute(method, path)
  return match.kind === 'found' ? match.operation : null
}

interface RequestSubject {
  readonly assets: readonly string[]
  readonly sides: readonly string[]
}

function findSubject(ids: IdSpace, { method, path, query, body, account }: RequestParts): RequestSubject {
  const assets: string[] = []
  const sides: string[] = []
  const parameters = new URLSearchParams(query)
  for (const name of ['asset', 'assets'])
    for (const value of parameters.getAll(name)) assets.push(...value.split(','))
  sides.push(...parameters.getAll('side'))
  for (const item of listBodyObjects(body)) {
    if (typeof item['asset'] === 'string') assets.push(item['asset'])
    if (typeof item['side'] === 'string') sides.push(item['side'])
    const named = findById(ids, item['orderId'], item['quoteId'])
    assets.push(...named.assets)
    sides.push(...named.sides)
  }
  const byClientId = findByClientId(ids.venue, account, parameters.get('clientOrderId'))
  assets.push(...byClientId.assets)
  sides.push(...byClientId.sides)
  const match = matchRoute(method, path)
  if (match.kind === 'found' && match.parameter !== '') {
    const named = findById(ids, match.parameter, match.parameter)
    assets.push(match.parameter, ...named.assets)
    sides.push(...named.sides)
  }
  return { assets, sides }
}

function findById({ venue, idScheme }: IdSpace, orderId: unknown, quoteId: unknown): RequestSubject {
  const { orders, quotes, assets } = venue.state
  const order = typeof orderId === 'string' ? parseId(idScheme, 'order', orderId) : -1
  if (order >= 0 && order < orders.count) return describeOrder(venue, order)
  const quote = typeof quoteId === 'string' ? parseId(idScheme, 'quote', quoteId) : -1
  const isKnown = quote >= 0 && quote < quotes.count
  return { assets: isKnown ? [assets.symbol(quotes.asset.get(quote))] : [], sides: [] }
}

function findByClientId(venue: Venue, account: string | null, clientOrderId: string | null): RequestSubject {
  if (account === null || clientOrderId === null) return { assets: [], sides: [] }
  const { accounts } = venue.state
  const order = accounts.findOrAddLists(accounts.rowOf(account)).clientOrderIds.get(clientOrderId)
  return order === undefined ? { assets: [], sides: [] } : describeOrder(venue, order)
}

function describeOrder({ state: { orders, assets } }: Venue, order: number): RequestSubject {
  const side = orders.side.get(order) === buy ? 'buy' : 'sell'
  return { assets: [assets.symbol(orders.asset.get(order))], sides: [side] }
}
