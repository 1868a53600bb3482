import { parseId } from '../../api/answer.ts'
import { explainFailure, type FailureAnswer } from '../../api/explain/explain-failure.ts'
import {
  type ExplainedRequest,
  findMadeId,
  listIds,
  type MadeId,
  nameTarget,
} from '../../api/explain/explain-requests.ts'
import { type ActiveFault, scriptedPrefix } from '../../api/faults/matches-fault.ts'
import { firstClientAccount, kindOrder } from '../../engine/codes.ts'
import { listAccountOrders, listAccountQuotes } from '../../engine/tables/account-table.ts'
import type { World } from '../world.ts'
import { type RequestNotes, readMarket, readOrder, readQuote } from './explained-orders.ts'

/**
 * Explains why a test in a world may have failed, given what its assertion said and the faults that struck nothing, in
 * words.
 */
export function explainWorld(
  world: World,
  message: string,
  idleFaults: readonly string[] = [],
): FailureAnswer {
  const requests = world.requests.since(0)
  const touched = findTouched(world, requests)
  const about = indexRequests(requests)
  const orders = touched.order.flatMap((row) => readOrder(world, row, about))
  const quotes = touched.quote.flatMap((row) => readQuote(world, row, about))
  const assets = [...new Set([...orders, ...quotes].map(({ asset }) => asset))]
  const { isEnabled, marketData, other, windowMillis } = world.limiter.limits
  return explainFailure({
    message,
    requests,
    orders,
    quotes,
    isCut: touched.isCut,
    markets: new Map(assets.map((asset) => [asset, readMarket(world, asset)])),
    nowMillis: world.now,
    hasTimePassed: world.now > world.venue.state.config.startMillis,
    limits: isEnabled ? `${other} in ${windowMillis} ms, and ${marketData} for market data,` : null,
    idleFaults,
  })
}

/** Lists the faults that have struck no request, in words. Those of a script are left out, which may be for later. */
export function listIdleFaults(faults: readonly ActiveFault[]): readonly string[] {
  return faults
    .filter(({ id, fired }) => fired === 0 && !id.startsWith(scriptedPrefix))
    .map(({ id, rule, matched }) => `fault ${id} (${rule.type}) has struck no request, ${matched} matched it`)
}

interface TouchedRows {
  readonly order: readonly number[]
  readonly quote: readonly number[]
  /** Whether more orders or quotes were touched than are listed here. */
  readonly isCut: boolean
}

const maximumIds = 200

/**
 * Finds the orders and quotes, as rows of the engine, that the latest requests named or were answered with. If no
 * request did, these are those of the clients' accounts: tests may call a world in process, which logs no request.
 */
function findTouched(world: World, requests: readonly ExplainedRequest[]): TouchedRows {
  const found = { order: new Set<number>(), quote: new Set<number>() }
  let isCut = false
  for (const request of requests.toReversed()) {
    for (const { kind, id } of listIds(request)) found[kind].add(parseId(world.idScheme, kind, id))
    isCut = found.order.size + found.quote.size >= maximumIds
    if (isCut) break
  }
  const { orders, quotes } = world.venue.state
  const order = sortRows(
    [...found.order].filter((row) => row >= 0 && row < orders.count && orders.kind.get(row) === kindOrder),
  )
  const quote = sortRows([...found.quote].filter((row) => row >= 0 && row < quotes.count))
  return order.length + quote.length > 0 ? { order, quote, isCut } : findLatest(world)
}

const sortRows = (rows: readonly number[]): readonly number[] => rows.toSorted((left, right) => left - right)

const maximumPerAccount = 20

function findLatest({ venue: { state } }: World): TouchedRows {
  const rows = state.accounts.ids.map((_, row) => row).slice(firstClientAccount)
  let isCut = false
  const latest = (list: (row: number) => { readonly count: number; at(index: number): number }) =>
    rows.flatMap((row) => {
      const all = list(row)
      const count = Math.min(all.count, maximumPerAccount)
      isCut ||= count < all.count
      return Array.from({ length: count }, (_, index) => all.at(all.count - count + index))
    })
  const order = sortRows(latest((row) => listAccountOrders(state, row)))
  const quote = sortRows(latest((row) => listAccountQuotes(state, row)))
  return { order, quote, isCut }
}

/** Indexes what requests have placed and cancelled. */
function indexRequests(requests: readonly ExplainedRequest[]): (made: MadeId) => RequestNotes {
  const cancels = new Map<string, string>()
  const faults = new Map<string, string>()
  for (const request of requests) {
    const made = findMadeId(request)
    if (made !== null && request.fault !== null && (request.lost ?? null) === null)
      faults.set(made.id, request.fault)
    if (request.method !== 'DELETE' || request.status >= 300) continue
    for (const { id } of listIds(request)) if (!cancels.has(id)) cancels.set(id, nameTarget(request))
  }
  return ({ id }) => ({ cancelledBy: cancels.get(id) ?? null, fault: faults.get(id) ?? null })
}
