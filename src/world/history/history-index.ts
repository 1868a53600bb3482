import { amountNumber, formatId, priceNumber, quantityNumber } from '../../api/answer.ts'
import { cash, none, sideNames } from '../../engine/codes.ts'
import type { Command, Setting } from '../../engine/command.ts'
import { eventType } from '../../engine/events.ts'
import { listTradedAssets } from '../../engine/reports/statistics.ts'
import { atMillisOf, type JournalEntry } from '../../journal/entry.ts'
import type { WorldChange } from '../../journal/world-snapshot.ts'
import { millisToIso } from '../../numeric/time-text.ts'
import type { PriceTicks, QuantitySteps } from '../../numeric/units.ts'
import { describeEvent, type PublicEvent } from '../events/describe-event.ts'
import { publicName, type RawEvent } from '../events/event-log.ts'
import type { World } from '../world.ts'
import { EquityHistory, type Moment, PriceHistory } from './price-history.ts'

/** How many items are kept at least; when there are twice as many, the older half is dropped. */
const maximumItems = 50_000

/** What happened in a world, in order: prices by asset, everything else as items. */
export class HistoryIndex {
  private items: HistoryItem[] = []
  private firstIndex = 0
  private readonly histories = new Map<string, PriceHistory>()
  readonly equity = new EquityHistory()

  get nextIndex(): number {
    return this.firstIndex + this.items.length
  }

  add(item: Omit<HistoryItem, 'index'>): void {
    this.items.push({ ...item, index: this.nextIndex })
    if (this.items.length < 2 * maximumItems) return
    this.items = this.items.slice(maximumItems)
    this.firstIndex += maximumItems
  }

  /** Adds events to items and prices. Choice: trades in which no client took part only count as prices. */
  addEvents(events: readonly RawEvent[], sequence: number, { venue, idScheme }: World): void {
    for (const raw of events) {
      const event = describeEvent(raw, venue.state, idScheme)
      const moment = { sequence, atMillis: raw.atMillis }
      const name = publicName(raw.type)
      if (name === 'trade') this.prices(String(event['asset'])).addTrade(event, moment)
      if (name !== 'price' && raw.type !== eventType.print) this.add(toEventItem(event, moment))
    }
  }

  /** Returns the items from an index on, oldest first, at most `most` of them. */
  since(index: number, most: number): readonly HistoryItem[] {
    const from = Math.max(0, index - this.firstIndex)
    return this.items.slice(from, from + most)
  }

  /** Returns the price history of an asset, which is empty at first. */
  prices(asset: string): PriceHistory {
    const found = this.histories.get(asset) ?? new PriceHistory()
    this.histories.set(asset, found)
    return found
  }

  /** Records the present prices of all traded assets, and what each account is worth at them. */
  recordPrices({ venue: { state } }: World, moment: Moment): void {
    for (const asset of listTradedAssets(state))
      this.prices(state.assets.symbol(asset)).recordPrices(state, asset, moment)
    this.equity.record(state, moment)
  }
}

/** One thing in a world's past: a line of its journal, or an event that followed from one or from time. */
export interface HistoryItem extends Moment {
  /** The item's number, from 0 on. It never changes, even when older items have been dropped. */
  readonly index: number
  readonly at: string
  readonly kind: 'command' | 'change' | 'event'
  /** The kind of command or change, or the event's type: `place-order`, `fault-added`, `order.filled`. */
  readonly type: string
  readonly account: string | null
  readonly asset: string | null
  /** Why the command or order was refused; null when it was not. */
  readonly refusal: string | null
  /** The fields of an event, or the terms of a command in the words of the events that follow from it. */
  readonly fields: { readonly [field: string]: string | number | null }
}

type UnnumberedItem = Omit<HistoryItem, 'index'>

/** Describes a line of the journal as an item, for a world that has not carried it out yet. */
export function toLineItem(entry: JournalEntry, world: World): UnnumberedItem {
  const atMillis = atMillisOf(entry)
  const when = { sequence: entry.sequence, atMillis, at: millisToIso(atMillis) }
  if (entry.kind === 'change') {
    const { change } = entry
    const about = findChangeSubject(change, world)
    return { ...when, kind: 'change', type: change.kind, ...about, refusal: null, fields: {} }
  }
  const { command, outcome } = entry
  const refusal = outcome.ok ? null : (outcome.code ?? 'refused')
  const about = findSubject(command, world)
  const fields = describeCommand(command, about.asset, world)
  return { ...when, kind: 'command', type: command.kind, ...about, refusal, fields }
}

function toEventItem({ at, type, sequence: _, ...fields }: PublicEvent, moment: Moment): UnnumberedItem {
  const { account = null, asset = null } = fields
  return {
    ...moment,
    at,
    kind: 'event',
    type,
    account: account === null ? null : String(account),
    asset: asset === null ? null : String(asset),
    refusal: type === 'order.rejected' ? 'rejected' : null,
    fields,
  }
}

function findChangeSubject(change: WorldChange, world: World): Subject {
  if (change.kind === 'account-opened') return { account: change.opened.id, asset: null }
  if (change.kind === 'settings-changed') {
    const [first] = change.settings
    return first === undefined ? { account: null, asset: null } : findSubject(first, world)
  }
  return { account: 'account' in change ? change.account : null, asset: null }
}

type Subject = Pick<HistoryItem, 'account' | 'asset'>

/** Finds the account and the asset that a command is about; null where it names none. */
function findSubject(command: Command | Setting, { venue }: World): Subject {
  const { accounts, assets, orders, quotes } = venue.state
  const first = command.kind === 'place-orders' ? command.placements[0] : command
  const order = 'order' in command && command.order < orders.count ? command.order : none
  const quote = 'quote' in command && command.quote < quotes.count ? command.quote : none
  const account = first !== undefined && 'account' in first ? first.account : none
  const named = first !== undefined && 'asset' in first ? (first.asset ?? none) : none
  const owner = order === none ? account : orders.account.get(order)
  const asset = order !== none ? orders.asset.get(order) : quote !== none ? quotes.asset.get(quote) : named
  return {
    account: typeof owner !== 'number' ? owner.id : owner < 0 ? null : accounts.id(owner),
    asset: asset < cash ? null : assets.symbol(asset),
  }
}

/** Describes the terms of a command in the words of events. Of a batch it only says how many items there are. */
function describeCommand(
  command: Command,
  symbol: string | null,
  { venue, idScheme }: World,
): HistoryItem['fields'] {
  const { assets } = venue.state
  const asset = symbol === null ? none : assets.rowOf(symbol)
  const items = countItems(command)
  if (items > 1) return { items }
  const asked = command.kind === 'place-orders' ? command.placements[0] : command
  const fields: Record<string, string | number> = {}
  if (asked === undefined || asset < cash) return fields
  if ('order' in asked) fields['orderId'] = formatId(idScheme, 'order', asked.order)
  if ('quote' in asked) fields['quoteId'] = formatId(idScheme, 'quote', asked.quote)
  if ('side' in asked && asked.side !== null) fields['side'] = sideNames[asked.side]
  if ('atoms' in asked) fields['quantity'] = amountNumber(assets, asset, asked.atoms)
  if (asset === cash) return fields
  const { pair } = assets.tradedAsset(asset)
  const quantity = (name: string, steps: QuantitySteps | null) => {
    if (steps !== null) fields[name] = quantityNumber(pair, steps)
  }
  const price = (name: string, ticks: PriceTicks | null) => {
    if (ticks !== null && ticks > 0) fields[name] = priceNumber(pair, ticks)
  }
  if ('quantitySteps' in asked) quantity('quantity', asked.quantitySteps)
  if ('priceTicks' in asked) price('price', asked.priceTicks)
  if ('bidSteps' in asked) {
    quantity('bidSize', asked.bidSteps)
    price('bidPrice', asked.bidPriceTicks)
    quantity('askSize', asked.askSteps)
    price('askPrice', asked.askPriceTicks)
  }
  return fields
}

function countItems(command: Command): number {
  if (command.kind === 'place-orders') return command.placements.length
  return command.kind === 'update-quotes' ? command.updates.length : 1
}
