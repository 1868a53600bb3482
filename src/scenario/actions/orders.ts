import { problemMessage } from '../../api/errors.ts'
import { defaultValidForSeconds } from '../../api/operations/quotes.ts'
import { defaultReadings } from '../../api/readings/readings.ts'
import { describeChecks, toProblem } from '../../api/refusals.ts'
import { checkNames } from '../../engine/assessment.ts'
import { buy, limit, market, type Side, sell } from '../../engine/codes.ts'
import type { Command } from '../../engine/command.ts'
import { checkTerms } from '../../engine/quotes/quote-terms.ts'
import type { Rejection } from '../../engine/rejections.ts'
import { checkActive, checkQuantity } from '../../engine/risk/admission.ts'
import { assessOrder, checkOrderTerms } from '../../engine/risk/pre-trade-check.ts'
import type { State } from '../../engine/state.ts'
import { listLiveOrders, listLiveQuotes } from '../../engine/tables/account-table.ts'
import { millis, priceTicks, quantitySteps } from '../../numeric/units.ts'
import { orNone, type RecordOf, record, shapeTyped, words } from '../../shape/shape.ts'
import type { PriceTerm } from '../file/amounts.ts'
import { addMistake, childField, type Field } from '../file/fields.ts'
import {
  type ActionKind,
  type ActionMoment,
  giveCommand,
  giveCommands,
  type RefusalContext,
  type ResolvedAction,
  refuseAction,
} from './action.ts'
import { computeLimitTicks, part } from './parts.ts'

const labelPart = part('label', 'A label for `order[label].status`, `amend` and `cancel`.', 'as')
const asset = part('asset', 'The asset, against USD.')
const account = part('account', "The account's id.")

const orderShape = record(
  {
    label: orNone(labelPart),
    account,
    side: part('side', 'Buy or sell.'),
    asset,
    quantitySteps: part('steps', 'How much of the asset.', 'quantity'),
    price: orNone(part('price', 'The limit price; none for a market order.')),
    orderType: orNone(words(['limit', 'market'], 'Limit by default.')),
    timeInForce: orNone(part('timeInForce', 'GTC by default.')),
    clientOrderId: orNone(part('clientId', "The client's own id.")),
    metadata: orNone(part('metadata', "The caller's own data, returned unchanged.")),
  },
  'Places an order for an account.',
)

type OrderAction = RecordOf<typeof orderShape>

const order: ActionKind<OrderAction> = {
  shape: orderShape,
  makes: { kind: 'order', word: 'as' },
  check: ({ orderType = 'limit', price }, field) => {
    if (orderType === 'limit' && price === undefined) addMistake(field, 'a limit order needs a "price"')
    const stated = childField(field, 'price')
    if (orderType === 'market' && stated !== null) addMistake(stated, 'a market order has no price')
  },
  commands: (action, { at, state }) => {
    const { account, asset, side, orderType = 'limit', timeInForce = 0, quantitySteps, price } = action
    return giveCommand({
      kind: 'place-order',
      at,
      account,
      asset,
      side,
      type: orderType === 'limit' ? limit : market,
      timeInForce,
      quantitySteps,
      priceTicks: price === undefined ? priceTicks(0) : computeLimitTicks(price, asset, side, state),
      clientOrderId: action.clientOrderId ?? null,
      allowsDuplicateId: false,
      keepsRefused: false,
      metadata: action.metadata ?? null,
    })
  },
  clientId: ({ clientOrderId }) => clientOrderId,
  findCertainRefusal: (action, context) => {
    const { account, asset, side, price, quantitySteps } = action
    const { state } = context
    const terms =
      price?.kind === 'ticks' ? { account, asset, side, quantitySteps, priceTicks: price.priceTicks } : null
    const reason = findPairRefusal(asset, context, () =>
      terms === null
        ? checkQuantity(state.assets.tradedAsset(asset), 'quantity', quantitySteps)
        : checkOrderTerms(state, terms),
    )
    if (reason !== null || terms === null || context.changedLimits.has(account)) return reason
    // Only limits of size and value are certain; the others depend on what the account holds by then.
    const assessment = assessOrder(state, terms)
    const { symbol, scale } = state.assets.config(assessment.checks.availableBalance.asset)
    const texts = describeChecks(assessment, { symbol, scale })
    const broken = checkNames.filter(
      (name) => (name === 'orderSize' || name === 'orderValue') && !assessment.checks[name].passed,
    )
    return broken.length === 0 ? null : broken.map((name) => texts[name]).join('; ')
  },
}

const quoteShape = record(
  {
    label: orNone({
      ...labelPart,
      description: 'A label for `quote[label].status`, `amend` and `cancel`.',
    }),
    account,
    asset,
    bidPrice: part('price', 'The price at which the account buys.'),
    askPrice: part('price', 'The price at which the account sells.'),
    bidSteps: part('stepsOrNone', 'How much it buys.', 'bidSize'),
    askSteps: part('stepsOrNone', 'How much it sells.', 'askSize'),
    validForMillis: orNone(part('seconds', 'How long the quote is valid, in seconds.', 'validForSeconds')),
    clientQuoteId: orNone(part('clientId', "The client's own id.")),
    metadata: orNone(part('metadata', "The caller's own data, returned unchanged.")),
  },
  'Submits a two-sided quote for an account.',
)

type QuoteAction = RecordOf<typeof quoteShape>

const quote: ActionKind<QuoteAction> = {
  shape: quoteShape,
  makes: { kind: 'quote', word: 'as' },
  commands: (action, { at, state }) => {
    const { account, asset, bidSteps, askSteps } = action
    return giveCommand({
      kind: 'submit-quote',
      at,
      account,
      asset,
      bidPriceTicks: computeLimitTicks(action.bidPrice, asset, buy, state),
      askPriceTicks: computeLimitTicks(action.askPrice, asset, sell, state),
      bidSteps,
      askSteps,
      validForMillis: action.validForMillis ?? millis(defaultValidForSeconds * 1_000),
      clientQuoteId: action.clientQuoteId ?? null,
      allowsDuplicateId: false,
      metadata: action.metadata ?? null,
    })
  },
  clientId: ({ clientQuoteId }) => clientQuoteId,
  findCertainRefusal: (action, context) =>
    findPairRefusal(action.asset, context, () => findQuoteRejection(action, context.state)),
}

/**
 * Returns why the pair's bounds or status are certain to refuse an order or quote; null when the timeline may change
 * them.
 */
function findPairRefusal(
  asset: number,
  { state, changedPairs }: RefusalContext,
  check: () => Rejection | null,
): string | null {
  const rejection = changedPairs.has(asset) ? null : (checkActive(state, asset) ?? check())
  return rejection === null
    ? null
    : problemMessage(toProblem(rejection, state.assets, asset, defaultReadings))
}

function findQuoteRejection(action: QuoteAction, state: State): Rejection | null {
  const { bidPrice, askPrice, bidSteps, askSteps, account, asset } = action
  if (bidPrice.kind === 'ticks' && askPrice.kind === 'ticks') {
    return checkTerms(state, {
      account,
      asset,
      bidPriceTicks: bidPrice.priceTicks,
      askPriceTicks: askPrice.priceTicks,
      bidSteps,
      askSteps,
      bidFilledSteps: 0,
      askFilledSteps: 0,
      reserveRate: 0,
    })
  }
  if (isCrossedRelative(bidPrice, askPrice)) return { code: 'crossed-quote' }
  if (bidSteps === 0 && askSteps === 0) return { code: 'empty-quote' }
  const pair = state.assets.tradedAsset(asset)
  const side = (field: 'bidSize' | 'askSize', steps: number) =>
    steps === 0 ? null : checkQuantity(pair, field, steps)
  return side('bidSize', bidSteps) ?? side('askSize', askSteps)
}

/** Returns whether two prices relative to the mark cross by a basis point or more. Rounding to ticks may undo less. */
function isCrossedRelative(bid: PriceTerm, ask: PriceTerm): boolean {
  return bid.kind !== 'ticks' && ask.kind !== 'ticks' && bid.change - ask.change >= 100
}

const amendShape = record(
  {
    order: orNone(part('order', 'The order to amend, by its label.')),
    quote: orNone(part('quote', 'The quote to amend, by its label.')),
    quantitySteps: orNone(part('steps', 'The new total quantity of the order.', 'quantity')),
    price: orNone(part('price', 'The new limit of the order.')),
    bidPrice: orNone(part('price', "The quote's new bid.")),
    askPrice: orNone(part('price', "The quote's new ask.")),
    bidSteps: orNone(part('stepsOrNone', 'The new size of the bid.', 'bidSize')),
    askSteps: orNone(part('stepsOrNone', 'The new size of the ask.', 'askSize')),
    validForMillis: orNone(part('seconds', 'How long the quote is valid, in seconds.', 'validForSeconds')),
  },
  'Amends an order or a quote, by label.',
)

type AmendAction = RecordOf<typeof amendShape>

const orderKeys = ['quantity', 'price']
const quoteKeys = ['bidPrice', 'askPrice', 'bidSize', 'askSize', 'validForSeconds']

const amend: ActionKind<AmendAction> = {
  shape: amendShape,
  check: ({ order, quote }, field) => {
    checkOneTarget(field)
    if (order === undefined && quote === undefined) {
      addMistake(field, 'name the "order" or the "quote" to amend, by its label')
      return
    }
    for (const key of order === undefined ? orderKeys : quoteKeys) {
      const foreign = childField(field, key)
      const noun = order === undefined ? 'amended quote' : 'order'
      if (foreign !== null) addMistake(foreign, `an ${noun} has no "${key}"`)
    }
    if ([...orderKeys, ...quoteKeys].every((key) => childField(field, key) === null))
      addMistake(field, 'say what to change')
  },
  eventName: ({ order }) => (order === undefined ? 'amend-quote' : 'amend'),
  commands: (action, moment) =>
    action.order === undefined
      ? amendQuote(action, moment, moment.rows.quotes.get(action.quote?.label ?? ''))
      : amendOrder(action, moment, moment.rows.orders.get(action.order.label)),
}

function amendOrder(
  { quantitySteps, price }: AmendAction,
  { at, state }: ActionMoment,
  order: number | undefined,
): ResolvedAction {
  if (order === undefined) return noOrder
  const { orders } = state
  const side: Side = orders.side.get(order) === buy ? buy : sell
  return giveCommand({
    kind: 'amend-order',
    at,
    account: orders.account.get(order),
    order,
    quantitySteps: quantitySteps ?? null,
    priceTicks: price === undefined ? null : computeLimitTicks(price, orders.asset.get(order), side, state),
  })
}

function amendQuote(
  action: AmendAction,
  { at, state }: ActionMoment,
  quote: number | undefined,
): ResolvedAction {
  if (quote === undefined) return noQuote
  const asset = state.quotes.asset.get(quote)
  const ticks = (price: PriceTerm | undefined, side: Side) =>
    price === undefined ? null : computeLimitTicks(price, asset, side, state)
  return giveCommand({
    kind: 'update-quote',
    at,
    account: state.quotes.account.get(quote),
    quote,
    bidPriceTicks: ticks(action.bidPrice, buy),
    askPriceTicks: ticks(action.askPrice, sell),
    bidSteps: action.bidSteps ?? null,
    askSteps: action.askSteps ?? null,
    validForMillis: action.validForMillis ?? null,
    validFrom: 'now',
  })
}

const noOrder = refuseAction('ORDER_NOT_FOUND')
const noQuote = refuseAction('QUOTE_NOT_FOUND')

function checkOneTarget(field: Field): void {
  const quote = childField(field, 'quote')
  if (childField(field, 'order') !== null && quote !== null)
    addMistake(quote, 'name an order or a quote, not both')
}

const cancelShape = record(
  {
    order: orNone(part('order', 'The order to cancel, by its label.')),
    quote: orNone(part('quote', 'The quote to cancel, by its label.')),
    account: orNone(part('account', 'All live orders of this account.')),
    asset: orNone(part('asset', 'With `account`: those of one asset.')),
    side: orNone(part('side', 'With `account`: those of one side.')),
  },
  'Cancels an order, a quote, or all orders of an account.',
)

type CancelAction = RecordOf<typeof cancelShape>

const cancel: ActionKind<CancelAction> = {
  shape: cancelShape,
  check: ({ order, quote, account }, field) => {
    checkOneTarget(field)
    const isByLabel = order !== undefined || quote !== undefined
    for (const key of isByLabel ? ['account', 'asset', 'side'] : []) {
      const beside = childField(field, key)
      if (beside !== null) addMistake(beside, `the label already says which; leave out "${key}" or the label`)
    }
    if (!isByLabel && account === undefined)
      addMistake(field, 'name the "order" or the "quote" to cancel, or an "account" for all its orders')
  },
  eventName: ({ order, quote }) =>
    order !== undefined ? 'cancel-order' : quote === undefined ? 'cancel-orders' : 'cancel-quote',
  commands: ({ order, quote, account = 0, asset = null, side = null }, { at, state, rows }) => {
    if (order !== undefined) {
      const row = rows.orders.get(order.label)
      if (row === undefined) return noOrder
      return giveCommand({ kind: 'cancel-order', at, account: state.orders.account.get(row), order: row })
    }
    if (quote === undefined) return giveCommand({ kind: 'cancel-orders', at, account, asset, side })
    const row = rows.quotes.get(quote.label)
    if (row === undefined) return noQuote
    return giveCommand({ kind: 'cancel-quote', at, account: state.quotes.account.get(row), quote: row })
  },
}

const agentOrderShape = record(
  {
    kind: shapeTyped<'taker'>({ const: 'taker', description: 'A taker, the only kind.' }),
    asset,
    side: part('side', 'Whether the taker buys or sells.'),
    quantitySteps: part('steps', 'At most the remaining quantity of what it meets.', 'quantity'),
    target: record({ account }, 'Whose best live order or quote side it meets.'),
  },
  "A taker from outside that meets one account's best live order or quote side, at that price.",
)

type AgentOrderAction = Omit<RecordOf<typeof agentOrderShape>, 'kind'>

const agentOrder: ActionKind<AgentOrderAction> = {
  shape: agentOrderShape,
  eventName: () => 'agent-order',
  commands: (action, { at, state }) => {
    const order = findBestOrder(action, state)
    if (order === null) return refuseAction('nothing-to-meet')
    const steps = Math.min(action.quantitySteps, state.orders.remainingSteps(order))
    const fill: Command = {
      kind: 'force-fill',
      at,
      order,
      quantitySteps: quantitySteps(steps),
      priceTicks: null,
    }
    return giveCommands([fill])
  },
}

/**
 * Returns the row of the account's best live order or quote side, the oldest at one price; null when there is none.
 */
function findBestOrder({ asset, side, target }: AgentOrderAction, state: State): number | null {
  const { orders, quotes } = state
  const wanted = side === buy ? sell : buy
  const legs = listLiveQuotes(state, target.account).flatMap((quote) => [
    quotes.bidLeg.get(quote),
    quotes.askLeg.get(quote),
  ])
  const rows = [...listLiveOrders(state, target.account), ...legs].filter(
    (row) =>
      orders.asset.get(row) === asset && orders.side.get(row) === wanted && orders.remainingSteps(row) > 0,
  )
  const sign = wanted === buy ? -1 : 1
  rows.sort(
    (left, right) =>
      sign * (orders.priceTicks.get(left) - orders.priceTicks.get(right)) ||
      orders.priority.get(left) - orders.priority.get(right),
  )
  return rows[0] ?? null
}

export const orderActions = { order, amend, cancel, quote, agentOrder }
