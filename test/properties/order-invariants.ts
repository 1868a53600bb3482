import { divideHalfEven, sum } from '../reference/exact.ts'
import { at } from '../reference/naive-world.ts'
import type { OrderView, Predicate, Step } from './venue-view.ts'
import { firstBroken, isLiveView } from './venue-view.ts'

/** I7: what has filled never shrinks and never passes the quantity. */
export const filledOnlyGrows: Predicate = (step) =>
  firstBroken(step.view.orders, (order) => {
    if (order.filled < 0n || order.filled > order.quantity)
      return `order ${order.row}: ${order.filled} filled`
    const before = step.before.orders[order.row]
    return before !== undefined && order.filled < before.filled && `order ${order.row}: unfilled`
  })

/** I7, second part: an amendment changes price and quantity and nothing else; only amendments change those. */
export const onlyAmendmentsChangeTerms: Predicate = (step) =>
  firstBroken(step.before.orders, (before) => {
    const order = at(step.view.orders, before.row)
    const isSame = order.quantity === before.quantity && order.priceTicks === before.priceTicks
    const { kind } = step.command
    const mayChange = kind === 'amend-order' || kind === 'update-quote' || kind === 'update-quotes'
    if (!isSame && !mayChange) return `order ${before.row}: terms changed by ${kind}`
    const fixed: readonly (keyof OrderView)[] = ['account', 'asset', 'side', 'type', 'timeInForce', 'quote']
    return fixed.some((field) => order[field] !== before[field]) && `order ${before.row}: identity changed`
  })

/** I8: an average price lies within the prices of the fills. */
export const averageLiesWithinTheFills: Predicate = (step) =>
  firstBroken(step.view.orders, (order) => {
    const fills = step.view.fills.filter((fill) => fill.order === order.row)
    if (fills.length === 0) return order.filled > 0n && `order ${order.row}: filled without a fill`
    const steps = sum(fills.map((fill) => fill.steps))
    const average = divideHalfEven(sum(fills.map((fill) => fill.priceTicks * fill.steps)) * 1000n, steps)
    const isWithin =
      fills.some((fill) => fill.priceTicks * 1000n <= average) &&
      fills.some((fill) => fill.priceTicks * 1000n >= average)
    return !isWithin && `order ${order.row}: average ${average}`
  })

/** I9: nobody trades beyond a limit that the order has had. */
export const fillsKeepTheLimit: Predicate = (step) => {
  if (step.command.kind === 'force-fill') return null
  return firstBroken(step.view.fills.slice(step.before.fillCount), (fill) => {
    const order = at(step.view.orders, fill.order)
    const limits = step.history.limits.get(fill.order)
    if (order.type === 1 || limits === undefined) return null
    const isBeyond = order.side === 0 ? fill.priceTicks > limits.high : fill.priceTicks < limits.low
    return isBeyond && `fill of order ${fill.order} at ${fill.priceTicks}`
  })
}

/** I9, second part: the price is the maker's. */
export const fillsAreAtTheMakersPrice: Predicate = (step) => {
  if (step.command.kind === 'force-fill') return null
  return firstBroken(
    step.events.filter((event) => event.name === 'trade' && event.subject >= 0),
    (event) => {
      const maker = at(step.view.orders, event.subject)
      const was = step.before.orders[event.subject]
      const prices = [maker.priceTicks, was?.priceTicks].map(String)
      return !prices.includes(String(event.first)) && `trade at ${event.first} of maker ${event.subject}`
    },
  )
}

/** I12: the fills of an order make its filled quantity, and each trade fills its two sides alike. */
export const fillsMakeTheFilledQuantity: Predicate = (step) =>
  firstBroken(step.view.orders, (order) => {
    const steps = sum(step.view.fills.filter((fill) => fill.order === order.row).map((fill) => fill.steps))
    return steps !== order.filled && `order ${order.row}: filled ${order.filled}, its fills ${steps}`
  })

/** I18: a fill-or-kill order fills completely or not at all; unfilled, it leaves nothing but its record. */
export const fillOrKillIsAllOrNothing: Predicate = (step) =>
  firstBroken(newOrders(step), (order) => {
    if (order.timeInForce !== 2) return null
    return (
      order.filled !== 0n && order.filled !== order.quantity && `order ${order.row}: ${order.filled} filled`
    )
  })

/** I19 */
export const immediateOrdersNeverRest: Predicate = (step) =>
  firstBroken(step.view.orders, (order) => {
    const rests = order.type === 0 && order.timeInForce === 0
    return !rests && isLiveView(order) && `order ${order.row} still lives`
  })

/** I20: an order that does not trade changes no account but its own. */
export const restingDisturbsNobody: Predicate = (step) => {
  const { command } = step
  if (command.kind !== 'place-order' || step.events.some(({ name }) => name === 'trade')) return null
  const moved = step.events.filter(({ name, at: when }) => name === 'posted' && when === command.at)
  if (step.before.now !== command.at) return null
  return moved.length > 0 ? `${moved.length} postings without a trade` : null
}

/** I21: statuses follow the graph, and what has ended is frozen in every field. */
export const statusesFollowTheGraph: Predicate = (step) => {
  const [offence] = step.history.offences
  if (offence !== undefined) return offence
  return firstBroken(step.before.orders, (before) => {
    if (isLiveView(before)) return null
    const order = at(step.view.orders, before.row)
    // A side of a live quote that has filled may be made larger again by an update of the quote.
    if (before.quote >= 0 && at(step.before.quotes, before.quote).status < 2) return null
    return !sameOrder(before, order) && `order ${before.row} changed after its end`
  })
}

/** I22 */
export const statusAgreesWithQuantity: Predicate = (step) =>
  firstBroken(step.view.orders, (order) => {
    if (order.status === 2) return order.filled !== order.quantity && `order ${order.row} is not full`
    if (order.status === 0) return order.filled !== 0n && `order ${order.row} is open and has filled`
    if (order.status === 1) {
      return (order.filled === 0n || order.filled === order.quantity) && `order ${order.row}: ${order.filled}`
    }
    return null
  })

/** I23: a quote has ended at its last instant, and nothing of it trades then or later. */
export const quotesEndInTime: Predicate = (step) =>
  firstBroken(step.view.quotes, (quote) => {
    if (quote.status < 2 && quote.expiresAt <= step.view.now)
      return `quote ${quote.row} outlived ${quote.expiresAt}`
    const was = step.before.quotes[quote.row]
    const expiresAt = Math.max(quote.expiresAt, was?.expiresAt ?? 0)
    const late = step.view.fills
      .slice(step.before.fillCount)
      .some(
        (fill) => (fill.order === quote.bidOrder || fill.order === quote.askOrder) && fill.at >= expiresAt,
      )
    if (late) return `quote ${quote.row} traded after its end`
    const expiry = step.events.find((event) => event.name === 'quote-expired' && event.subject === quote.row)
    const isForced = step.command.kind === 'force-expire-quote'
    return (
      expiry !== undefined &&
      !isForced &&
      expiry.at !== Math.max(quote.expiresAt, step.before.now) &&
      `quote ${quote.row} at ${expiry.at}`
    )
  })

/** I24 */
export const quoteSidesAgree: Predicate = (step) =>
  firstBroken(step.view.quotes, (quote) => {
    const bid = at(step.view.orders, quote.bidOrder)
    const ask = at(step.view.orders, quote.askOrder)
    if (bid.priceTicks >= ask.priceTicks) return `quote ${quote.row} is crossed`
    const isFull = bid.filled === bid.quantity && ask.filled === ask.quantity
    if ((quote.status === 2) !== (isFull && quote.status < 3))
      return `quote ${quote.row}: status ${quote.status}`
    const anyFilled = bid.filled > 0n || ask.filled > 0n
    if (quote.status < 2 && (quote.status === 1) !== anyFilled)
      return `quote ${quote.row}: status ${quote.status}`
    const lives = isLiveView(bid) || isLiveView(ask)
    return quote.status >= 2 && lives && `quote ${quote.row} is done and has a live side`
  })

/** I25: every number in an event is a safe integer, and never minus zero. */
export const numbersAreWhole: Predicate = (step) =>
  firstBroken(step.events, (event) => {
    const slots = [
      event.at,
      event.subject,
      event.account,
      event.asset,
      event.first,
      event.second,
      event.third,
    ]
    return (
      slots.some((slot) => !Number.isSafeInteger(slot) || Object.is(slot, -0)) && `${event.name}: ${slots}`
    )
  })

/** I25, second part: what is accepted keeps the pair's steps and bounds. */
export const acceptedOrdersKeepTheBounds: Predicate = (step) =>
  firstBroken(newOrders(step), (order) => {
    if (order.quote >= 0) return null
    const asset = at(step.assets, order.asset)
    const isSized = order.quantity >= asset.minQuantitySteps && order.quantity <= asset.maxQuantitySteps
    const isPriced = order.type === 1 || order.priceTicks >= asset.minPriceTicks
    return !(isSized && isPriced) && `order ${order.row}: ${order.quantity} at ${order.priceTicks}`
  })

export function newOrders(step: Step): readonly OrderView[] {
  return step.view.orders.slice(step.before.orders.length)
}

function sameOrder(left: OrderView, right: OrderView): boolean {
  return (
    left.status === right.status &&
    left.filled === right.filled &&
    left.quantity === right.quantity &&
    left.priceTicks === right.priceTicks &&
    left.reserved === right.reserved
  )
}
