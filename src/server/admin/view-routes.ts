import * as shapes from '../../api/admin-answers.ts'
import { idOf } from '../../api/context.ts'
import { changesTo, jsonField } from '../../api/json.ts'
import { text } from '../../api/operations/common.ts'
import type { OperationId } from '../../api/operations/operations.ts'
import { described } from '../../api/wire-shapes.ts'
import { cash, firstClientAccount } from '../../engine/codes.ts'
import { liveQuotesOf } from '../../engine/tables/account-table.ts'
import { millisToIso } from '../../numeric/time-text.ts'
import { millis } from '../../numeric/units.ts'
import { eventNameOf, subjectOf } from '../../scenario/actions/actions.ts'
import type { Upcoming } from '../../scenario/run/script.ts'
import type { World } from '../../world/world.ts'
import { streamOf } from './event-routes.ts'
import { faultView } from './fault-routes.ts'
import { assetSymbols, atMoment, momentOf, tradedAssetNamed } from './find.ts'
import { liquidityView } from './market-routes.ts'
import { limitsView, standings } from './request-routes.ts'
import {
  type AdminCall,
  AdminRefusal,
  type AdminRoute,
  type EventStream,
  type ExampleFacts,
  inWorld,
  onServer,
  refused,
  unknownName,
  worldOf,
  wrongField,
} from './route.ts'
import { clockView, shownTo } from './views.ts'

const viewParameters = {
  account: described(text, 'the account that is shown; the first one when left out'),
  asset: shapes.tradedAsset,
  depth: described(
    { type: 'string', pattern: '^([1-9]|[1-4][0-9]|50)$' },
    'how many price levels; 10 when left out',
  ),
  sequence: shapes.pastSequence,
  at: shapes.pastInstant,
  digest: described(text, 'whether the hash of the whole state is wanted; any text'),
}

const shownExample = ({ accountId, asset }: ExampleFacts) => ({
  query: { account: accountId, asset, depth: '10' },
})

/**
 * Everything that one account can see of a world, and what surrounds it, at one instant: in one answer, so that its
 * parts agree, and without signatures, limits or an entry in the request log. With a moment, as it was then.
 */
export const viewRoutes: readonly AdminRoute[] = [
  inWorld('GET', '/view', {
    id: 'viewWorld',
    summary: 'All that an account sees, and what surrounds it, at one instant',
    response: shapes.view,
    query: viewParameters,
    example: shownExample,
    answer: viewWorld,
  }),
  onServer('GET', '/worlds/:world/changes', {
    id: 'followWorld',
    summary: 'The view of a world and then what changes in it, as server-sent events',
    response: shapes.anyDocument,
    errors: [503],
    query: {
      account: viewParameters.account,
      asset: viewParameters.asset,
      depth: viewParameters.depth,
    },
    mediaType: 'text/event-stream',
    example: shownExample,
    answer: followWorld,
  }),
]

const maximumRows = 100
const deepest = 50

/** Errors, in order: 400 the moment; 404 the moment, the account, the asset; 400 the depth. */
function viewWorld(live: World, call: AdminCall) {
  const { query } = call
  const moment = momentOf({ sequence: query.get('sequence'), at: query.get('at') })
  if (moment === null) return viewOf(live, false, live.sequence, call)
  return atMoment(live, moment, call, (past) => viewOf(past, true, moment.sequence, call))
}

/** Where nothing happens but prices, they are told this often, in milliseconds. */
const quietMillis = 2000

/**
 * Events `changed`: what to do to the view that was told before (`changesTo`), whether more than prices is new,
 * and then the ids of all worlds and of the world's snapshots. Errors: those of the view.
 */
function followWorld(call: AdminCall): EventStream {
  const { worlds, query } = call
  const world = worldOf(call)
  // It does not wait for an advance that is under way, because it tells of it.
  if (!world.mustWait()) viewOf(world, false, world.sequence, call)
  let known: unknown
  let [seen, events, nowMillis, toldMillis] = ['', 0, -1, 0]
  return streamOf(call, world, (write) => {
    const ids = worlds.list().map(({ id }) => id)
    const snapshots = worlds.snapshots.of(world).map(({ id }) => id)
    const { sequence, requests, clock, failure } = world
    const about = JSON.stringify([ids, snapshots, sequence, requests.nextSequence, clock, failure?.at])
    const isNews = about !== seen || world.events.concernsClients(events)
    const wallMillis = worlds.wall.nowMillis()
    const isDue = nowMillis !== world.now && Math.abs(wallMillis - toldMillis) >= quietMillis
    if (!isNews && !isDue) return false
    // In real time a digest would change at every look.
    if (clock.mode === 'realtime') query.delete('digest')
    else query.set('digest', '')
    const view: unknown = JSON.parse(JSON.stringify(viewNow(world, call)))
    const changes = { isNews, view: changesTo(known, view), ...(isNews ? { worlds: ids, snapshots } : {}) }
    known = view
    seen = about
    events = world.events.lastSequence
    nowMillis = world.now
    toldMillis = wallMillis
    write(`event: changed\ndata: ${JSON.stringify(changes)}\n\n`)
    return true
  })
}

/** The account or the asset that is asked for may be gone by now. */
function viewNow(world: World, call: AdminCall): unknown {
  try {
    return viewOf(world, false, world.sequence, call)
  } catch (failure) {
    if (failure instanceof AdminRefusal) return refused(failure.problem).body
    throw failure
  }
}

function viewOf(world: World, isPast: boolean, sequence: number, { query }: AdminCall) {
  const account = accountIn(world, query.get('account'))
  const asset = assetIn(world, query.get('asset'))
  const depth = query.get('depth') ?? '10'
  if (!/^\d{1,2}$/.test(depth) || Number(depth) < 1 || Number(depth) > deepest)
    throw wrongField('depth', `must be a whole number from 1 to ${deepest}`)
  return {
    ...headOf(world, sequence, query.has('digest')),
    isPast,
    account: account < 0 ? null : world.venue.state.accounts.id(account),
    asset,
    ...marketOf(world, asset, depth),
    ...accountViewOf(world, account),
    faults: world.faults.list(world.now).map(faultView),
    // Past requests are no part of the state.
    rateLimits: { ...limitsView(world), keys: isPast ? null : standings(world) },
  }
}

function headOf(world: World, sequence: number, withDigest: boolean) {
  const { accounts } = world.venue.state
  const nextDue = world.running.nextDueMillis
  return {
    world: world.id,
    scenario: world.scenario.name,
    seed: world.seed,
    sequence,
    now: millisToIso(world.now),
    nextDueAt: Number.isFinite(nextDue) ? millisToIso(nextDue) : null,
    upcoming: world.running.script.upcoming(maximumUpcoming).map((one) => upcomingView(world, one)),
    clock: clockView(world.clock),
    digest: withDigest ? world.digest() : null,
    assets: assetSymbols(world).slice(cash + 1),
    accounts: accounts.ids.slice(firstClientAccount).map((id, index) => {
      const row = firstClientAccount + index
      return {
        id,
        type: accounts.isMargin.get(row) === 1 ? 'margin' : 'cash',
        openOrders: accounts.openOrders.get(row),
        liveQuotes: liveQuotesOf(world.venue.state, row).length,
      }
    }),
  }
}

const maximumUpcoming = 50

function upcomingView(world: World, { at, isEnd, waitsFor, item }: Upcoming) {
  const { action, id, place } = item
  const { account, asset, assets = [asset] }: AboutAction = Object(action)
  const { accounts, config } = world.venue.state
  const named = [
    account === undefined ? [] : accounts.id(account),
    assets.map((row) => (row === undefined ? [] : (config.assets[row]?.symbol ?? []))),
    subjectOf(action)?.label ?? [],
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

/** What actions may be about. */
interface AboutAction {
  readonly account?: number
  readonly asset?: number
  readonly assets?: readonly (number | undefined)[]
}

function marketOf(world: World, asset: string, depth: string) {
  const ask = asking(world, firstClientAccount)
  return {
    pairs: listIn(ask('listTradingPairs'), 'pairs'),
    prices: listIn(ask('listPrices'), 'prices'),
    book: ask('getOrderBook', asset, `depth=${depth}`),
    liquidity: liquidityView(world, world.venue.state.assets.rowOf(asset)),
  }
}

/** Null and empty where a world has no accounts. */
function accountViewOf(world: World, account: number) {
  const ask = asking(world, account)
  const trades = ask('listTrades', '', `page=1&limit=${maximumRows}`)
  const quotes = account < 0 ? [] : liveQuotesOf(world.venue.state, account).slice(-maximumRows)
  return {
    orders: ask('listOrders', '', `page=1&limit=${maximumRows}&statuses=open,partially_filled`),
    recentOrders: listIn(ask('listOrders', '', 'page=1&limit=50'), 'orders'),
    quotes: quotes.map((row) => ask('getQuote', idOf(world.idScheme, 'quote', row))).reverse(),
    trades: listIn(trades, 'trades'),
    tradeCount: jsonField(jsonField(trades, 'pagination'), 'total') ?? 0,
    balances: listIn(ask('listBalances'), 'balances'),
    positions: listIn(ask('listPositions'), 'positions'),
    summary: ask('getSummary'),
    exposure: ask('getRiskExposure'),
    utilization: ask('getUtilization'),
    limits: jsonField(ask('getLimits'), 'limits'),
  }
}

function asking(world: World, account: number) {
  return (operation: OperationId, parameter = '', query = ''): object | null =>
    account < 0 ? null : shownTo(world, account, operation, parameter, query)
}

const listIn = (body: object | null, name: string): unknown => jsonField(body, name) ?? []

/** The first account when none is named; -1 where there is none. */
function accountIn(world: World, id: string | null): number {
  const { accounts } = world.venue.state
  const known = accounts.ids.slice(firstClientAccount)
  if (id === null) return known.length === 0 ? -1 : firstClientAccount
  if (!known.includes(id)) throw unknownName('account', id, known)
  return accounts.rowOf(id)
}

function assetIn(world: World, symbol: string | null): string {
  if (symbol === null) return assetSymbols(world)[cash + 1] ?? ''
  tradedAssetNamed(world, symbol)
  return symbol
}
