import { amountNumber, formatId, type IdScheme, priceNumber, quantityNumber } from '../../api/answer.ts'
import { describeBookFill } from '../../api/explain/describe-book-fill.ts'
import { cash, kindQuoteLeg, none, sideNames } from '../../engine/codes.ts'
import { eventType } from '../../engine/events.ts'
import { findBookFill } from '../../engine/reports/book-fill.ts'
import type { State } from '../../engine/state.ts'
import { millisToIso } from '../../numeric/time-text.ts'
import { publicName, type RawEvent, scenarioAction } from './event-log.ts'

/**
 * An event as the admin API shows it: `{sequence, at, type, ...ids and fields}`. Source: design, section 16, Events.
 */
export interface PublicEvent {
  readonly sequence: number
  readonly at: string
  readonly type: string
  readonly [field: string]: string | number | null
}

/** Describes an event in the words and decimal numbers of the interface. */
export function describeEvent(event: RawEvent, state: State, ids: IdScheme): PublicEvent {
  return {
    sequence: event.sequence,
    at: millisToIso(event.atMillis),
    type: publicName(event.type),
    ...describeFields(event, state, ids),
  }
}

/** Returns whether an event has all the given values. An id or account matches either side of a trade. */
export function matchesEvent(event: PublicEvent, match: { readonly [field: string]: unknown }): boolean {
  return Object.entries(match).every(
    ([field, wanted]) =>
      event[field] === wanted || (field in makerFields && event[makerFields[field] ?? ''] === wanted),
  )
}

/** The fields that some events have and others lack. */
export const eventFields: readonly string[] = [
  'orderId',
  'clientOrderId',
  'quoteId',
  'clientQuoteId',
  'account',
  'asset',
  'side',
  'price',
  'quantity',
  'filledQuantity',
  'bidFilled',
  'askFilled',
  'expiresAt',
  'makerOrderId',
  'makerClientOrderId',
  'makerQuoteId',
  'makerAccount',
  'cause',
  'symbol',
  'mode',
  'transferId',
  'settlesAt',
  'action',
  'id',
  'problem',
]

const makerFields: { readonly [field: string]: string } = {
  orderId: 'makerOrderId',
  clientOrderId: 'makerClientOrderId',
  quoteId: 'makerQuoteId',
  account: 'makerAccount',
}

type Fields = Record<string, string | number | null>

function describeFields(event: RawEvent, state: State, ids: IdScheme): Fields {
  if (event.type === scenarioAction) return { ...event.note }
  const name = publicName(event.type)
  if (name.startsWith('order.')) return describeOrder(event, state, ids)
  if (name.startsWith('quote.')) return describeQuote(event, state, ids)
  if (name === 'trade') return describeTrade(event, state, ids)
  if (name === 'price')
    return { asset: state.assets.symbol(event.asset), price: toPrice(event.first, event, state) }
  if (name.startsWith('pair.')) return describePair(event, state)
  return describeTransfer(event, state)
}

function describeOrder(event: RawEvent, state: State, ids: IdScheme): Fields {
  const { orders, assets } = state
  const row = event.subject
  const isPlaced = event.type === eventType['order-accepted'] || event.type === eventType['order-amended']
  const quantitySteps = isPlaced ? event.third : event.second
  const filledSteps = isPlaced ? null : event.first
  return {
    orderId: formatId(ids, 'order', row),
    clientOrderId: orders.clientId(row),
    account: state.accounts.id(orders.account.get(row)),
    asset: assets.symbol(event.asset),
    side: sideNames[orders.side.get(row) === 0 ? 0 : 1],
    ...(isPlaced ? { price: event.second === 0 ? null : toPrice(event.second, event, state) } : {}),
    quantity: toQuantity(quantitySteps, event, state),
    ...(filledSteps === null ? {} : { filledQuantity: toQuantity(filledSteps, event, state) }),
  }
}

function describeQuote(event: RawEvent, state: State, ids: IdScheme): Fields {
  const { quotes, assets, accounts } = state
  const row = event.subject
  const isPlaced = event.type === eventType['quote-accepted'] || event.type === eventType['quote-updated']
  return {
    quoteId: formatId(ids, 'quote', row),
    clientQuoteId: quotes.clientId(row),
    account: accounts.id(quotes.account.get(row)),
    asset: assets.symbol(event.asset),
    ...(isPlaced
      ? { expiresAt: millisToIso(event.first) }
      : {
          bidFilled: toQuantity(event.first, event, state),
          askFilled: toQuantity(event.second, event, state),
        }),
  }
}

/**
 * Describes a trade. Its raw event has the maker's row as `subject`, and the taker's row in place of `account`. Where a
 * recorded book filled the maker, `cause` says why, and what stood ahead of it.
 */
function describeTrade(event: RawEvent, state: State, ids: IdScheme): Fields {
  const isPrint = event.type === eventType.print
  const taker = describeParty(isPrint ? none : event.account, state, ids)
  const maker = describeParty(isPrint ? none : event.subject, state, ids)
  return {
    asset: state.assets.symbol(event.asset),
    side: sideNames[event.third === 0 ? 0 : 1],
    price: toPrice(event.first, event, state),
    quantity: toQuantity(event.second, event, state),
    ...taker,
    makerOrderId: maker.orderId,
    makerClientOrderId: maker.clientOrderId,
    makerQuoteId: maker.quoteId,
    makerAccount: maker.account,
    ...(isPrint ? {} : describeBookCause(event, state)),
  }
}

function describeBookCause({ asset, fills: row, subject }: RawEvent, state: State): Fields {
  const { assets, fills } = state
  const isThere = row < fills.count && fills.order.get(row) === subject
  const fill = isThere ? findBookFill(state, row) : null
  return fill === null ? {} : { cause: describeBookFill(fill, assets.tradedAsset(asset).pair) }
}

function describeParty(row: number, { orders, quotes, accounts }: State, ids: IdScheme) {
  if (row === none) return { orderId: null, clientOrderId: null, quoteId: null, account: null }
  const account = accounts.id(orders.account.get(row))
  const quote = orders.quote.get(row)
  if (orders.kind.get(row) === kindQuoteLeg) {
    return {
      orderId: null,
      clientOrderId: quotes.clientId(quote),
      quoteId: formatId(ids, 'quote', quote),
      account,
    }
  }
  return { orderId: formatId(ids, 'order', row), clientOrderId: orders.clientId(row), quoteId: null, account }
}

function describePair(event: RawEvent, { assets }: State): Fields {
  const asset = assets.symbol(event.asset)
  const isHalt = event.type === eventType['pair-halted']
  return {
    asset,
    symbol: `${asset}-${assets.symbol(cash)}`,
    ...(isHalt ? { mode: haltModes[event.first] ?? '' } : {}),
  }
}

const haltModes = ['reject', 'rest']

function describeTransfer(event: RawEvent, { assets, accounts }: State): Fields {
  const isPending =
    event.type === eventType['deposit-pending'] || event.type === eventType['withdrawal-pending']
  return {
    transferId: formatTransferId(event.subject),
    account: accounts.id(event.account),
    asset: assets.symbol(event.asset),
    quantity: amountNumber(assets, event.asset, event.first),
    ...(isPending ? { settlesAt: millisToIso(event.second) } : {}),
  }
}

/** Returns the id of a transfer in the admin API. The venue's own interface has transactions in its place. */
export const formatTransferId = (row: number): string => `trf_${row + 1}`

const toPrice = (ticks: number, { asset }: RawEvent, { assets }: State): number =>
  priceNumber(assets.tradedAsset(asset).pair, ticks)

const toQuantity = (steps: number, { asset }: RawEvent, { assets }: State): number =>
  quantityNumber(assets.tradedAsset(asset).pair, steps)
