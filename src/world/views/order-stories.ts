import { formatId, parseId, priceNumber, quantityNumber } from '../../api/answer.ts'
import { describeBookFill, describeQueuePlace } from '../../api/explain/describe-book-fill.ts'
import { amountText, type SeenMarket } from '../../api/explain/describe-wait.ts'
import { explainOrder, explainQuote, type OrderContext } from '../../api/explain/explain-orders.ts'
import { kindQuoteLeg, none, sideNames, wordForCode } from '../../engine/codes.ts'
import { findBookFill } from '../../engine/reports/book-fill.ts'
import { findQueuePlace } from '../../engine/reports/queue-place.ts'
import { millisToIso } from '../../numeric/time-text.ts'
import type { World } from '../world.ts'
import { type RequestNotes, readMarket, readOrder, readQuote } from './explained-orders.ts'

/**
 * A fill to be explained. `cause` is why a recorded book made it, with what stood ahead of the order; null for every
 * other fill.
 */
export interface ExplainedFill {
  readonly fillId: string
  readonly at: string
  readonly side: 'buy' | 'sell'
  readonly price: number
  readonly quantity: number
  readonly isMaker: boolean
  readonly cause: string | null
}

/** What became of an order or quote, and each of its fills in the order of time. */
export interface OrderStory {
  readonly id: string
  readonly kind: 'order' | 'quote'
  readonly account: string
  readonly sentence: string
  readonly fills: readonly ExplainedFill[]
}

/** Returns how many orders and quotes a world has had; a leg of a quote is no order. */
export function countStories({ venue: { state } }: World): {
  readonly order: number
  readonly quote: number
} {
  const { orders, quotes } = state
  let order = 0
  for (let row = 0; row < orders.count; row += 1) if (orders.kind.get(row) !== kindQuoteLeg) order += 1
  return { order, quote: quotes.count }
}

/**
 * Explains what became of the orders and quotes of a world, one after the other: first all orders, then all quotes, or
 * only those of an account. The request log is not looked at.
 */
export function* listStories(world: World, account: string | null = null): Generator<OrderStory> {
  const { orders, quotes } = world.venue.state
  const around = createSurroundings(world)
  const isWanted = (story: OrderStory | null): story is OrderStory =>
    story !== null && (account === null || story.account === account)
  for (let row = 0; row < orders.count; row += 1) {
    const story = makeOrderStory(world, row, around)
    if (isWanted(story)) yield story
  }
  for (let row = 0; row < quotes.count; row += 1) {
    const story = makeQuoteStory(world, row, around)
    if (isWanted(story)) yield story
  }
}

/** Explains what became of the order or quote with an id; null if there is none. */
export function findStory(world: World, id: string): OrderStory | null {
  const around = createSurroundings(world)
  const { orders, quotes } = world.venue.state
  const order = parseId(world.idScheme, 'order', id)
  if (order >= 0 && order < orders.count) return makeOrderStory(world, order, around)
  const quote = parseId(world.idScheme, 'quote', id)
  return quote >= 0 && quote < quotes.count ? makeQuoteStory(world, quote, around) : null
}

type Surroundings = (asset: string) => OrderContext

/** Creates the look-up of what surrounds an order: the market of its asset, which is read once, and the time. */
function createSurroundings(world: World): Surroundings {
  const markets = new Map<string, SeenMarket>()
  const hasTimePassed = world.now > world.venue.state.config.startMillis
  return (asset) => {
    const market = markets.get(asset) ?? readMarket(world, asset)
    markets.set(asset, market)
    return { market, nowMillis: world.now, hasTimePassed }
  }
}

const findNoNotes = (): RequestNotes => ({ cancelledBy: null, fault: null })

function makeOrderStory(world: World, row: number, around: Surroundings): OrderStory | null {
  if (world.venue.state.orders.kind.get(row) === kindQuoteLeg) return null
  const [told] = readOrder(world, row, findNoNotes)
  if (told === undefined) return null
  const { account, asset, orderId: id } = told
  const { assets, orders } = world.venue.state
  const place = findQueuePlace(world.venue.state, row)
  const { pair } = assets.tradedAsset(orders.asset.get(row))
  const queue = place === null ? '' : `; ${describeQueuePlace(place, pair)}`
  const sentence = `${explainOrder(told, around(asset))}${queue}`
  return { kind: 'order', id, account, sentence, fills: listFills(world, row) }
}

function makeQuoteStory(world: World, row: number, around: Surroundings): OrderStory | null {
  const [told] = readQuote(world, row, findNoNotes)
  if (told === undefined) return null
  const { account, asset, quoteId: id } = told
  const { quotes } = world.venue.state
  const fills = [quotes.bidLeg.get(row), quotes.askLeg.get(row)].flatMap((leg) => listFills(world, leg))
  return {
    ...{ kind: 'quote', id, account, sentence: explainQuote(told, around(asset)) },
    fills: fills.sort((left, right) => (left.at < right.at ? -1 : left.at > right.at ? 1 : 0)),
  }
}

function listFills({ idScheme, venue: { state } }: World, order: number): ExplainedFill[] {
  const { assets, fills, orders } = state
  const { pair } = assets.tradedAsset(orders.asset.get(order))
  const told: ExplainedFill[] = []
  for (let row: number = orders.lastFill.get(order); row !== none; row = fills.previousOfOrder.get(row)) {
    const cause = findBookFill(state, row)
    told.push({
      fillId: formatId(idScheme, 'fill', row),
      at: millisToIso(fills.atMillis.get(row)),
      side: wordForCode(sideNames, fills.side.get(row)),
      price: priceNumber(pair, fills.priceTicks.get(row)),
      quantity: quantityNumber(pair, fills.quantitySteps.get(row)),
      isMaker: fills.isMaker.get(row) === 1,
      cause: cause === null ? null : describeBookFill(cause, pair),
    })
  }
  return told.reverse()
}

/** Describes a fill on a line: `fill_3 at 14:00:00.123: 0.4 at 100 as maker, filled by ...`. */
export function describeFill({ at, cause, fillId, isMaker, price, quantity }: ExplainedFill): string {
  const role = isMaker ? 'maker' : 'taker'
  const why = cause === null ? '' : `, ${cause}`
  return `${fillId} at ${at.slice(11, 23)}: ${amountText(quantity)} at ${amountText(price)} as ${role}${why}`
}
