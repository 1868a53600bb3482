import { formatId } from '../../api/answer.ts'
import type { SeenMarket } from '../../api/explain/describe-wait.ts'
import type { ExplainedOrder, ExplainedQuote } from '../../api/explain/explain-orders.ts'
import type { MadeId } from '../../api/explain/explain-requests.ts'
import { isObject, jsonField } from '../../api/json.ts'
import { firstClientAccount } from '../../engine/codes.ts'
import type { World } from '../world.ts'
import { pairView, queryAsAccount } from './world-views.ts'

/** What the request log knows of an order or quote. */
export interface RequestNotes {
  readonly cancelledBy: string | null
  readonly fault: string | null
}

/** Reads an order to be explained by its row in the engine; empty if there is none. */
export function readOrder(
  world: World,
  row: number,
  about: (made: MadeId) => RequestNotes,
): readonly ExplainedOrder[] {
  const id = formatId(world.idScheme, 'order', row)
  const { accounts, orders } = world.venue.state
  const account = orders.account.get(row)
  const body = queryAsAccount(world, account, 'getOrder', id)
  return isOrder(body) ? [{ ...body, ...about({ kind: 'order', id }), account: accounts.id(account) }] : []
}

/** Reads a quote to be explained by its row in the engine; empty if there is none. */
export function readQuote(
  world: World,
  row: number,
  about: (made: MadeId) => RequestNotes,
): readonly ExplainedQuote[] {
  const id = formatId(world.idScheme, 'quote', row)
  const { accounts, quotes } = world.venue.state
  const account = quotes.account.get(row)
  const body = queryAsAccount(world, account, 'getQuote', id)
  return isQuote(body) ? [{ ...body, ...about({ kind: 'quote', id }), account: accounts.id(account) }] : []
}

const isOrder = (body: unknown): body is Omit<ExplainedOrder, keyof RequestNotes | 'account'> =>
  isObject(body) && 'orderId' in body

const isQuote = (body: unknown): body is Omit<ExplainedQuote, keyof RequestNotes | 'account'> =>
  isObject(body) && 'quoteId' in body

/** The greatest depth that the interface shows. */
const depth = 50

/** Reads the market of an asset as its clients see it. */
export function readMarket(world: World, symbol: string): SeenMarket {
  const book = queryAsAccount(world, firstClientAccount, 'getOrderBook', symbol, `depth=${depth}`)
  const [bids, asks] = [readLevels(book, 'bids'), readLevels(book, 'asks')]
  const asset = world.venue.state.assets.rowOf(symbol)
  return {
    bids,
    asks,
    isHalted: pairView(world, asset).status === 'inactive',
    isCut: Math.max(bids.length, asks.length) >= depth,
  }
}

function readLevels(book: object | null, name: string): SeenMarket['bids'] {
  const levels = jsonField(book, name)
  return Array.isArray(levels) ? levels : []
}
