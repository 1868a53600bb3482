import { amountNumber, type IdScheme, idOf, priceNumber, quantityNumber } from '../../api/answer.ts'
import { cash, kindQuoteLeg, none, sideNames } from '../../engine/codes.ts'
import { eventType } from '../../engine/events.ts'
import type { State } from '../../engine/state.ts'
import { millisToIso } from '../../numeric/time-text.ts'
import { publicName, type RawEvent, scenarioAction } from './event-log.ts'

/** Design, section 16, Events: `{sequence, at, type, ...ids and fields}`. */
export interface PublicEvent {
  readonly sequence: number
  readonly at: string
  readonly type: string
  readonly [field: string]: string | number | null
}

export function describeEvent(event: RawEvent, state: State, ids: IdScheme): PublicEvent {
  return {
    sequence: event.sequence,
    at: millisToIso(event.atMillis),
    type: publicName(event.type),
    ...fieldsOf(event, state, ids),
  }
}

/** Whether an event has all the given values. Ids match either side of a trade. */
export function matchesEvent(event: PublicEvent, match: { readonly [field: string]: unknown }): boolean {
  return Object.entries(match).every(
    ([field, wanted]) =>
      event[field] === wanted || (field in counterparts && event[counterparts[field] ?? ''] === wanted),
  )
}

/** Every top-level field that some events have and others lack. */
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
  'symbol',
  'mode',
  'transferId',
  'settlesAt',
  'action',
  'id',
  'problem',
]

const counterparts: { readonly [field: string]: string } = {
  orderId: 'makerOrderId',
  clientOrderId: 'makerClientOrderId',
  quoteId: 'makerQuoteId',
  account: 'makerAccount',
}

type Fields = Record<string, string | number | null>

function fieldsOf(event: RawEvent, state: State, ids: IdScheme): Fields {
  if (event.type === scenarioAction) return { ...event.note }
  const name = publicName(event.type)
  if (name.startsWith('order.')) return orderFields(event, state, ids)
  if (name.startsWith('quote.')) return quoteFields(event, state, ids)
  if (name === 'trade') return tradeFields(event, state, ids)
  if (name === 'price')
    return { asset: state.assets.symbol(event.asset), price: priceOf(event.first, event, state) }
  if (name.startsWith('pair.')) return pairFields(event, state)
  return transferFields(event, state)
}

function orderFields(event: RawEvent, state: State, ids: IdScheme): Fields {
  const { orders, assets } = state
  const row = event.subject
  const isPlaced = event.type === eventType['order-accepted'] || event.type === eventType['order-amended']
  const quantitySteps = isPlaced ? event.third : event.second
  const filledSteps = isPlaced ? null : event.first
  return {
    orderId: idOf(ids, 'order', row),
    clientOrderId: orders.clientId(row),
    account: state.accounts.id(orders.account.get(row)),
    asset: assets.symbol(event.asset),
    side: sideNames[orders.side.get(row) === 0 ? 0 : 1],
    ...(isPlaced ? { price: event.second === 0 ? null : priceOf(event.second, event, state) } : {}),
    quantity: quantityOf(quantitySteps, event, state),
    ...(filledSteps === null ? {} : { filledQuantity: quantityOf(filledSteps, event, state) }),
  }
}

function quoteFields(event: RawEvent, state: State, ids: IdScheme): Fields {
  const { quotes, assets, accounts } = state
  const row = event.subject
  const isPlaced = event.type === eventType['quote-accepted'] || event.type === eventType['quote-updated']
  return {
    quoteId: idOf(ids, 'quote', row),
    clientQuoteId: quotes.clientId(row),
    account: accounts.id(quotes.account.get(row)),
    asset: assets.symbol(event.asset),
    ...(isPlaced
      ? { expiresAt: millisToIso(event.first) }
      : {
          bidFilled: quantityOf(event.first, event, state),
          askFilled: quantityOf(event.second, event, state),
        }),
  }
}

/** A trade's event has the maker's row as its subject and the taker's instead of the account. */
function tradeFields(event: RawEvent, state: State, ids: IdScheme): Fields {
  const isPrint = event.type === eventType.print
  const taker = partyOf(isPrint ? none : event.account, state, ids)
  const maker = partyOf(isPrint ? none : event.subject, state, ids)
  return {
    asset: state.assets.symbol(event.asset),
    side: sideNames[event.third === 0 ? 0 : 1],
    price: priceOf(event.first, event, state),
    quantity: quantityOf(event.second, event, state),
    ...taker,
    makerOrderId: maker.orderId,
    makerClientOrderId: maker.clientOrderId,
    makerQuoteId: maker.quoteId,
    makerAccount: maker.account,
  }
}

function partyOf(row: number, { orders, quotes, accounts }: State, ids: IdScheme) {
  if (row === none) return { orderId: null, clientOrderId: null, quoteId: null, account: null }
  const account = accounts.id(orders.account.get(row))
  const quote = orders.quote.get(row)
  if (orders.kind.get(row) === kindQuoteLeg) {
    return {
      orderId: null,
      clientOrderId: quotes.clientId(quote),
      quoteId: idOf(ids, 'quote', quote),
      account,
    }
  }
  return { orderId: idOf(ids, 'order', row), clientOrderId: orders.clientId(row), quoteId: null, account }
}

function pairFields(event: RawEvent, { assets }: State): Fields {
  const asset = assets.symbol(event.asset)
  const isHalt = event.type === eventType['pair-halted']
  return {
    asset,
    symbol: `${asset}-${assets.symbol(cash)}`,
    ...(isHalt ? { mode: haltModes[event.first] ?? '' } : {}),
  }
}

const haltModes = ['reject', 'rest']

function transferFields(event: RawEvent, { assets, accounts }: State): Fields {
  const isPending =
    event.type === eventType['deposit-pending'] || event.type === eventType['withdrawal-pending']
  return {
    transferId: transferIdOf(event.subject),
    account: accounts.id(event.account),
    asset: assets.symbol(event.asset),
    quantity: amountNumber(assets, event.asset, event.first),
    ...(isPending ? { settlesAt: millisToIso(event.second) } : {}),
  }
}

/** Only the admin API knows transfers; on the venue's interface they are transactions. */
export const transferIdOf = (row: number): string => `trf_${row + 1}`

const priceOf = (ticks: number, { asset }: RawEvent, { assets }: State): number =>
  priceNumber(assets.traded(asset).pair, ticks)

const quantityOf = (steps: number, { asset }: RawEvent, { assets }: State): number =>
  quantityNumber(assets.traded(asset).pair, steps)
