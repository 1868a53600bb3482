import { isoToMillis } from '../../numeric/time-text.ts'
import type { RecordOf } from '../../shape/shape.ts'
import type { order } from '../operations/orders.ts'
import type { quote } from '../operations/quotes.ts'
import { amountText, describeWait, type SeenMarket } from './describe-wait.ts'

/** An order to be explained: as the interface shows it, with what the request log knows of it. */
export interface ExplainedOrder extends Omit<RecordOf<typeof order>, 'metadata'> {
  /** The id of the account that has it. */
  readonly account: string
  /** What has cancelled it, such as `DELETE /orders/ord_1`; null when no request did. */
  readonly cancelledBy: string | null
  /** The faults that struck the request that placed it; null when none did. */
  readonly fault: string | null
}

/** A quote to be explained: as the interface shows it, with what the request log knows of it. */
export interface ExplainedQuote extends Omit<RecordOf<typeof quote>, 'metadata'> {
  /** The id of the account that has it. */
  readonly account: string
  readonly cancelledBy: string | null
}

/** What surrounds an order or quote: the market of its asset, and the time. */
export interface OrderContext {
  readonly market: SeenMarket | null
  readonly nowMillis: number
  /** Whether any time has passed since the world began. */
  readonly hasTimePassed: boolean
}

/** Explains in one sentence what has become of an order: what it waits for, how it was filled, how it ended. */
export function explainOrder(order: ExplainedOrder, around: OrderContext): string {
  return `${order.orderId} (${describeOrder(order)}) ${describeState(order, around)}`
}

/** Describes an order: `buy 0.1 BTC @ 90,000 as mine`. */
export function describeOrder({
  side,
  quantity,
  asset,
  price,
  timeInForce,
  clientOrderId,
}: ExplainedOrder): string {
  const limit = price === null ? 'at the market' : `@ ${amountText(price)}`
  const force = timeInForce === 'GTC' ? '' : ` ${timeInForce}`
  return `${side} ${amountText(quantity)} ${asset} ${limit}${force}${clientOrderId === null ? '' : ` as ${clientOrderId}`}`
}

function describeState(order: ExplainedOrder, around: OrderContext): string {
  const { asset, averagePrice, cancelledBy, filledQuantity, quantity, status, timeInForce } = order
  const average = averagePrice === null ? '' : ` at ${amountText(averagePrice)}`
  const filled = `${amountText(filledQuantity)} of ${amountText(quantity)} ${asset}`
  const at = `at ${timeText(order.updatedAt)}`
  switch (status) {
    case 'open':
      return `is open${describeWaiting(order, around)}`
    case 'partially_filled':
      return `is partially filled, ${filled}${average}${describeWaiting(order, around)}`
    case 'filled':
      return `was filled ${at}: ${amountText(filledQuantity)} ${asset}${average}`
    default: {
      const verb = status === 'expired' ? status : `was ${status}`
      const restless = timeInForce === 'IOC' || timeInForce === 'FOK'
      const by = status === 'cancelled' && cancelledBy !== null ? ` by ${cancelledBy}` : ''
      const why = status === 'expired' && restless ? `, as ${timeInForce} lets nothing rest` : ''
      return `${verb} ${at}${by}${why}; ${filled} had been filled${average}`
    }
  }
}

function describeWaiting(order: ExplainedOrder, { market, hasTimePassed }: OrderContext): string {
  const wait = market === null ? '' : describeWait(order, market)
  const struck = order.fault === null ? '' : ` (${order.fault} struck its request)`
  if (wait === '') return struck
  return `: it waits for ${wait}${hasTimePassed ? '' : '; no time has passed since the world began'}${struck}`
}

/** Explains in one sentence what has become of a quote: how it ended, or how long it lives and where the market is. */
export function explainQuote(quote: ExplainedQuote, around: OrderContext): string {
  const { quoteId, status, cancelledBy, updatedAt, expiresAt } = quote
  const filled = describeFills(quote)
  const at = `at ${timeText(updatedAt)}`
  const head = `${quoteId} (${describeQuote(quote)})`
  if (status === 'active' || status === 'partially_filled') {
    const left = Math.max(0, ((isoToMillis(expiresAt) ?? 0) - around.nowMillis) / 1000)
    const life = `until ${timeText(expiresAt)}, in ${amountText(left)} s`
    const state = status === 'active' ? status : 'partially filled and live'
    return `${head} is ${state} ${life}; ${filled}${describeTouch(around.market)}`
  }
  const verb = status === 'expired' ? status : `was ${status}`
  return `${head} ${verb} ${at}${status === 'cancelled' && cancelledBy !== null ? ` by ${cancelledBy}` : ''}; ${filled}`
}

/** Describes a quote: `BTC 0.1 @ 80,000 / 0.1 @ 110,000`. */
function describeQuote({
  asset,
  bidPrice,
  bidSize,
  askPrice,
  askSize,
  clientQuoteId,
}: ExplainedQuote): string {
  const sides = `${amountText(bidSize)} @ ${amountText(bidPrice)} / ${amountText(askSize)} @ ${amountText(askPrice)}`
  return `${asset} ${sides}${clientQuoteId === null ? '' : ` as ${clientQuoteId}`}`
}

function describeFills({ bidFilled, bidSize, askFilled, askSize }: ExplainedQuote): string {
  if (bidFilled === 0 && askFilled === 0) return 'nothing of it was filled'
  const of = (filled: number, size: number) => `${amountText(filled)} of ${amountText(size)}`
  return `its bid was filled ${of(bidFilled, bidSize)}, its ask ${of(askFilled, askSize)}`
}

/** Describes where the market is: `; the best bid is 94,998, the best ask 95,002.22`. */
function describeTouch(market: SeenMarket | null): string {
  if (market === null) return ''
  if (market.isHalted) return '; trading is halted'
  const [bid, ask] = [market.bids[0], market.asks[0]].map((level) =>
    level === undefined ? 'missing' : amountText(level.price),
  )
  return `; the best bid is ${bid}, the best ask ${ask}`
}

/** Returns the time of day of an instant, without milliseconds where there are none: `00:00:30`. */
const timeText = (iso: string): string => iso.slice(11, 23).replace('.000', '')
