import { formatId, parseId } from '../../api/answer.ts'
import { describeQueuePlace } from '../../api/explain/describe-book-fill.ts'
import { jsonField } from '../../api/json.ts'
import type { OperationId } from '../../api/operations/operations.ts'
import { cash, firstClientAccount } from '../../engine/codes.ts'
import { findQueuePlace } from '../../engine/reports/queue-place.ts'
import { listLiveQuotes } from '../../engine/tables/account-table.ts'
import { millisToIso } from '../../numeric/time-text.ts'
import { millis } from '../../numeric/units.ts'
import { eventNameOf, findActionLabel } from '../../scenario/actions/actions.ts'
import type { UpcomingEntry } from '../../scenario/run/script.ts'
import type { World } from '../world.ts'
import {
  allowanceViews,
  clockView,
  faultView,
  limitsView,
  liquidityView,
  queryAsAccount,
} from './world-views.ts'

/** What a whole view shows. */
export interface ViewOptions {
  /** The account's row in the engine; -1 where the world has no accounts. */
  readonly account: number
  readonly asset: string
  /** How many price levels of the order book are shown on each side. */
  readonly depth: number
  readonly withDigest: boolean
}

/**
 * Returns everything that one account sees of a world at one instant, with the world's faults and rate limits. One
 * answer holds all, so that its parts agree; reading it needs no signature, counts against no limit and is not logged.
 * `pastSequence` is the last line that a past world has carried out; null for the present.
 */
export function wholeView(world: World, asked: ViewOptions, pastSequence: number | null) {
  const { account, asset, depth, withDigest } = asked
  return {
    ...headView(world, pastSequence ?? world.sequence, withDigest),
    isPast: pastSequence !== null,
    account: account < 0 ? null : world.venue.state.accounts.id(account),
    asset,
    ...marketView(world, asset, depth),
    ...accountStateView(world, account),
    faults: world.faults.list(world.now).map(faultView),
    // What keys had used of their limits is not part of a world's state, so the past cannot show it.
    rateLimits: { ...limitsView(world), keys: pastSequence === null ? allowanceViews(world) : null },
  }
}

const maximumRows = 100

function headView(world: World, sequence: number, withDigest: boolean) {
  const { accounts, config } = world.venue.state
  const nextDue = world.running.nextDueMillis
  return {
    world: world.id,
    scenario: world.scenario.name,
    seed: world.seed,
    sequence,
    now: millisToIso(world.now),
    nextDueAt: Number.isFinite(nextDue) ? millisToIso(nextDue) : null,
    upcoming: world.running.script.listUpcoming(maximumUpcoming).map((one) => upcomingView(world, one)),
    clock: clockView(world.clock),
    digest: withDigest ? world.digest() : null,
    assets: config.assets.slice(cash + 1).map(({ symbol }) => symbol),
    accounts: accounts.ids.slice(firstClientAccount).map((id, index) => {
      const row = firstClientAccount + index
      return {
        id,
        type: accounts.isMargin.get(row) === 1 ? 'margin' : 'cash',
        openOrders: accounts.openOrders.get(row),
        liveQuotes: listLiveQuotes(world.venue.state, row).length,
      }
    }),
  }
}

const maximumUpcoming = 50

function upcomingView(world: World, { at, isEnd, waitsFor, item }: UpcomingEntry) {
  const { action, id, place } = item
  const { account, asset, assets = [asset] }: ActionSubject = Object(action)
  const { accounts, config } = world.venue.state
  const named = [
    account === undefined ? [] : accounts.id(account),
    assets.map((row) => (row === undefined ? [] : (config.assets[row]?.symbol ?? []))),
    findActionLabel(action)?.label ?? [],
  ]
  return {
    at: at === null ? null : millisToIso(millis(at)),
    action: `${isEnd ? 'end of ' : ''}${eventNameOf(action)}`,
    id,
    about: named.flat(2).join(' '),
    waitsFor,
    place: place.line === 0 ? '' : `${place.file}:${place.line}`,
  }
}

interface ActionSubject {
  readonly account?: number
  readonly asset?: number
  readonly assets?: readonly (number | undefined)[]
}

function marketView(world: World, asset: string, depth: number) {
  const ask = createQuery(world, firstClientAccount)
  return {
    pairs: readList(ask('listTradingPairs'), 'pairs'),
    prices: readList(ask('listPrices'), 'prices'),
    book: ask('getOrderBook', asset, `depth=${depth}`),
    liquidity: liquidityView(world, world.venue.state.assets.rowOf(asset)),
  }
}

/** Returns what an account sees of itself; values are null and lists empty where a world has no accounts. */
function accountStateView(world: World, account: number) {
  const ask = createQuery(world, account)
  const trades = ask('listTrades', '', `page=1&limit=${maximumRows}`)
  const quotes = account < 0 ? [] : listLiveQuotes(world.venue.state, account).slice(-maximumRows)
  const orders = ask('listOrders', '', `page=1&limit=${maximumRows}&statuses=open,partially_filled`)
  return {
    orders,
    queuePlaces: listQueuePlaces(world, readList(orders, 'orders')),
    recentOrders: readList(ask('listOrders', '', 'page=1&limit=50'), 'orders'),
    quotes: quotes.map((row) => ask('getQuote', formatId(world.idScheme, 'quote', row))).reverse(),
    trades: readList(trades, 'trades'),
    tradeCount: jsonField(jsonField(trades, 'pagination'), 'total') ?? 0,
    balances: readList(ask('listBalances'), 'balances'),
    positions: readList(ask('listPositions'), 'positions'),
    summary: ask('getSummary'),
    exposure: ask('getRiskExposure'),
    utilization: ask('getUtilization'),
    limits: jsonField(ask('getLimits'), 'limits'),
  }
}

/** Lists how much stands ahead of each order that rests in a recorded book. */
function listQueuePlaces(world: World, orders: unknown) {
  const { idScheme, venue } = world
  return (Array.isArray(orders) ? orders : []).flatMap((order: unknown) => {
    const orderId = jsonField(order, 'orderId')
    if (typeof orderId !== 'string') return []
    const row = parseId(idScheme, 'order', orderId)
    const place = findQueuePlace(venue.state, row)
    if (place === null) return []
    const { pair } = venue.state.assets.tradedAsset(venue.state.orders.asset.get(row))
    return [{ orderId, told: describeQueuePlace(place, pair) }]
  })
}

function createQuery(world: World, account: number) {
  return (operation: OperationId, parameter = '', query = ''): object | null =>
    account < 0 ? null : queryAsAccount(world, account, operation, parameter, query)
}

const readList = (body: object | null, name: string): unknown => jsonField(body, name) ?? []
