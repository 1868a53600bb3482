import { idOf } from '../../api/answer.ts'
import { jsonField } from '../../api/json.ts'
import type { OperationId } from '../../api/operations/operations.ts'
import { cash, firstClientAccount } from '../../engine/codes.ts'
import { liveQuotesOf } from '../../engine/tables/account-table.ts'
import { millisToIso } from '../../numeric/time-text.ts'
import { millis } from '../../numeric/units.ts'
import { eventNameOf, subjectOf } from '../../scenario/actions/actions.ts'
import type { Upcoming } from '../../scenario/run/script.ts'
import type { World } from '../world.ts'
import { clockView, faultView, limitsView, liquidityView, shownTo, standings } from './world-views.ts'

/** What is looked at: an account, -1 where a world has none, and an asset with so many price levels. */
export interface ViewOptions {
  readonly account: number
  readonly asset: string
  readonly depth: number
  readonly withDigest: boolean
}

/**
 * Everything that one account can see of a world, and what surrounds it, at one instant: in one answer, so that its
 * parts agree, and without signatures, limits or an entry in the request log. `pastSequence` is that of the line behind
 * which a past world is; null for the present.
 */
export function wholeView(world: World, asked: ViewOptions, pastSequence: number | null) {
  const { account, asset, depth, withDigest } = asked
  return {
    ...headOf(world, pastSequence ?? world.sequence, withDigest),
    isPast: pastSequence !== null,
    account: account < 0 ? null : world.venue.state.accounts.id(account),
    asset,
    ...marketOf(world, asset, depth),
    ...accountViewOf(world, account),
    faults: world.faults.list(world.now).map(faultView),
    // Past requests are no part of the state.
    rateLimits: { ...limitsView(world), keys: pastSequence === null ? standings(world) : null },
  }
}

const maximumRows = 100

function headOf(world: World, sequence: number, withDigest: boolean) {
  const { accounts, config } = world.venue.state
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
    assets: config.assets.slice(cash + 1).map(({ symbol }) => symbol),
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

interface AboutAction {
  readonly account?: number
  readonly asset?: number
  readonly assets?: readonly (number | undefined)[]
}

function marketOf(world: World, asset: string, depth: number) {
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
