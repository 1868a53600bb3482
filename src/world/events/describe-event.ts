import { type IdScheme, idOf } from '../../api/amounts.ts'
import { cash, kindQuoteLeg, none, sideNames } from '../../engine/codes.ts'
import { eventType } from '../../engine/events.ts'
import type { AccountTable } from '../../engine/tables/account-table.ts'
import { type AssetTable, cashScale } from '../../engine/tables/asset-table.ts'
import type { OrderTable, QuoteTable } from '../../engine/tables/record-tables.ts'
import { scaledToNumber } from '../../numeric/decimal.ts'
import { millisToIso } from '../../numeric/time-text.ts'
import { publicName, type RawEvent, scenarioAction } from './event-log.ts'

/** Design, section 16, Events: `{sequence, at, type, ...ids and fields}`. */
export interface PublicEvent {
  readonly sequence: number
  readonly at: string
  readonly type: string
  readonly [field: string]: string | number | null
}

/** What the numbers of an event mean. */
export interface EventTables {
  readonly assets: AssetTable
  readonly accounts: AccountTable
  readonly orders: OrderTable
  readonly quotes: QuoteTable
}

export function describeEvent(event: RawEvent, tables: EventTables, ids: IdScheme): PublicEvent {
  return {
    sequence: event.sequence,
    at: millisToIso(event.atMillis),
    type: publicName(event.type),
    ...fieldsOf(event, tables, ids),
  }
}

/** Whether an event has all the given values. Ids match either side of a trade. */
export function matchesEvent(event: PublicEvent, match: { readonly [field: string]: unknown }): boolean {
  return Object.entries(match).every(
    ([field, wanted]) =>
      event[field] === wanted || (field in counterparts && event[counterpart(field)] === wanted),
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

function counterpart(field: string): string {
  return counterparts[field] ?? ''
}

type Fields = Record<string, string | number | null>

function fieldsOf(event: RawEvent, tables: EventTables, ids: IdScheme): Fields {
  if (event.type === scenarioAction) return { ...event.note }
  const name = publicName(event.type)
  if (name.startsWith('order.')) return orderFields(event, tables, ids)
  if (name.startsWith('quote.')) return quoteFields(event, tables, ids)
  if (name === 'trade') return tradeFields(event, tables, ids)
  if (name === 'price')
    return { asset: tables.assets.symbol(event.asset), price: priceOf(event.first, event, tables) }
  if (name.startsWith('pair.')) return pairFields(event, tables)
  return transferFields(event, tables)
}

function orderFields(event: RawEvent, tables: EventTables, ids: IdScheme): Fields {
  const { orders, assets } = tables
  const row = event.subject
  const isPlaced = event.type === eventType['order-accepted'] || event.type === eventType['order-amended']
  const quantitySteps = isPlaced ? event.third : event.second
  const filledSteps = isPlaced ? null : event.first
  return {
    orderId: idOf(ids, 'order', row),
    clientOrderId: orders.clientId(row),
    account: tables.accounts.id(orders.account.get(row)),
    asset: assets.symbol(event.asset),
    side: sideNames[orders.side.get(row) === 0 ? 0 : 1],
    ...(isPlaced ? { price: event.second === 0 ? null : priceOf(event.second, event, tables) } : {}),
    quantity: quantityOf(quantitySteps, event, tables),
    ...(filledSteps === null ? {} : { filledQuantity: quantityOf(filledSteps, event, tables) }),
  }
}

function quoteFields(event: RawEvent, tables: EventTables, ids: IdScheme): Fields {
  const { quotes, assets, accounts } = tables
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
          bidFilled: quantityOf(event.first, event, tables),
          askFilled: quantityOf(event.second, event, tables),
        }),
  }
}

/** A trade's event has the maker's row as its subject and the taker's instead of the account. */
function tradeFields(event: RawEvent, tables: EventTables, ids: IdScheme): Fields {
  const isPrint = event.type === eventType.print
  const taker = partyOf(isPrint ? none : event.account, tables, ids)
  const maker = partyOf(isPrint ? none : event.subject, tables, ids)
  return {
    asset: tables.assets.symbol(event.asset),
    side: sideNames[event.third === 0 ? 0 : 1],
    price: priceOf(event.first, event, tables),
    quantity: quantityOf(event.second, event, tables),
    ...taker,
    makerOrderId: maker.orderId,
    makerClientOrderId: maker.clientOrderId,
    makerQuoteId: maker.quoteId,
    makerAccount: maker.account,
  }
}

function partyOf(row: number, { orders, quotes, accounts }: EventTables, ids: IdScheme) {
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

function pairFields(event: RawEvent, { assets }: EventTables): Fields {
  const asset = assets.symbol(event.asset)
  const isHalt = event.type === eventType['pair-halted']
  return {
    asset,
    symbol: `${asset}-${assets.symbol(cash)}`,
    ...(isHalt ? { mode: haltModes[event.first] ?? '' } : {}),
  }
}

const haltModes = ['reject', 'rest']

function transferFields(event: RawEvent, { assets, accounts }: EventTables): Fields {
  const isPending =
    event.type === eventType['deposit-pending'] || event.type === eventType['withdrawal-pending']
  const scale = event.asset === cash ? cashScale : assets.config(event.asset).scale
  return {
    transferId: transferIdOf(event.subject),
    account: accounts.id(event.account),
    asset: assets.symbol(event.asset),
    quantity: scaledToNumber(event.first, scale),
    ...(isPending ? { settlesAt: millisToIso(event.second) } : {}),
  }
}

/** Only the admin API knows transfers; on the venue's interface they are transactions. */
export const transferIdOf = (row: number): string => `trf_${row + 1}`

function priceOf(ticks: number, { asset }: RawEvent, { assets }: EventTables): number {
  const { units, scale } = assets.traded(asset).pair.priceStep
  return scaledToNumber(ticks * units, scale)
}

function quantityOf(steps: number, { asset }: RawEvent, { assets }: EventTables): number {
  const { units, scale } = assets.traded(asset).pair.quantityStep
  return scaledToNumber(steps * units, scale)
}
