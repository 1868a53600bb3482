import { amountNumber, idOf, priceNumber, quantityNumber } from '../../api/answer.ts'
import { cash, none, sideNames } from '../../engine/codes.ts'
import type { Command, Setting } from '../../engine/command.ts'
import { eventType } from '../../engine/events.ts'
import { tradedAssets } from '../../engine/reports/statistics.ts'
import { atMillisOf, type JournalEntry } from '../../journal/entry.ts'
import type { WorldChange } from '../../journal/world-snapshot.ts'
import { millisToIso } from '../../numeric/time-text.ts'
import type { PriceTicks, QuantitySteps } from '../../numeric/units.ts'
import { describeEvent, type PublicEvent } from '../events/describe-event.ts'
import { publicName, type RawEvent } from '../events/event-log.ts'
import type { World } from '../world.ts'
import { type Moment, PriceHistory } from './price-history.ts'

/** How much is kept; the older half goes when there is twice as much. */
const maximumItems = 50_000

/** What happened in a world, in order: prices as lines, everything else as items. */
export class HistoryIndex {
  private items: HistoryItem[] = []
  private firstIndex = 0
  private readonly histories = new Map<string, PriceHistory>()

  get nextIndex(): number {
    return this.firstIndex + this.items.length
  }

  add(item: Omit<HistoryItem, 'index'>): void {
    this.items.push({ ...item, index: this.nextIndex })
    if (this.items.length < 2 * maximumItems) return
    this.items = this.items.slice(maximumItems)
    this.firstIndex += maximumItems
  }

  /** Choice: trades in which no client took part are part of the prices only. */
  addEvents(events: readonly RawEvent[], sequence: number, { venue, idScheme }: World): void {
    for (const raw of events) {
      const event = describeEvent(raw, venue.state, idScheme)
      const moment = { sequence, atMillis: raw.atMillis }
      const name = publicName(raw.type)
      if (name === 'trade') this.prices(String(event['asset'])).addTrade(event, moment)
      if (name !== 'price' && raw.type !== eventType.print) this.add(eventItem(event, moment))
    }
  }

  /** The items from an index on, oldest first, up to a number. */
  since(index: number, most: number): readonly HistoryItem[] {
    const from = Math.max(0, index - this.firstIndex)
    return this.items.slice(from, from + most)
  }

  prices(asset: string): PriceHistory {
    const found = this.histories.get(asset) ?? new PriceHistory()
    this.histories.set(asset, found)
    return found
  }

  look({ venue: { state } }: World, moment: Moment): void {
    for (const asset of tradedAssets(state))
      this.prices(state.assets.symbol(asset)).look(state, asset, moment)
  }
}

/** One thing in a world's past: a line of its journal, or an event that followed from one or from time. */
export interface HistoryItem extends Moment {
  /** Counts from 0 and never changes, even when older items are gone. */
  readonly index: number
  readonly at: string
  readonly kind: 'command' | 'change' | 'event'
  /** `place-order`, `fault-added`, `order.filled`. */
  readonly type: string
  readonly account: string | null
  readonly asset: string | null
  /** Why it was refused; null when it was not. */
  readonly refusal: string | null
  /** The fields of an event, or what a command asks for. */
  readonly fields: { readonly [field: string]: string | number | null }
}

type About = Omit<HistoryItem, 'index'>

/** A line of the journal as an item. The world has not carried it out yet. */
export function lineItem(entry: JournalEntry, world: World): About {
  const atMillis = atMillisOf(entry)
  const when = { sequence: entry.sequence, atMillis, at: millisToIso(atMillis) }
  if (entry.kind === 'change') {
    const { change } = entry
    const about = subjectOfChange(change, world)
    return { ...when, kind: 'change', type: change.kind, ...about, refusal: null, fields: {} }
  }
  const { command, outcome } = entry
  const refusal = outcome.ok ? null : (outcome.code ?? 'refused')
  const about = subjectOf(command, world)
  const fields = fieldsOf(command, about.asset, world)
  return { ...when, kind: 'command', type: command.kind, ...about, refusal, fields }
}

function eventItem({ at, type, sequence: _, ...fields }: PublicEvent, moment: Moment): About {
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

function subjectOfChange(change: WorldChange, world: World): Subject {
  if (change.kind === 'account-opened') return { account: change.opened.id, asset: null }
  if (change.kind === 'settings-changed') {
    const [first] = change.settings
    return first === undefined ? { account: null, asset: null } : subjectOf(first, world)
  }
  return { account: 'account' in change ? change.account : null, asset: null }
}

type Subject = Pick<HistoryItem, 'account' | 'asset'>

/** The account and asset that a command is about; null where it names none. */
function subjectOf(command: Command | Setting, { venue }: World): Subject {
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

/** What a command asks for, in the words of the events that follow; of a batch only how many it has. */
function fieldsOf(
  command: Command,
  symbol: string | null,
  { venue, idScheme }: World,
): HistoryItem['fields'] {
  const { assets } = venue.state
  const asset = symbol === null ? none : assets.rowOf(symbol)
  const items = itemsIn(command)
  if (items > 1) return { items }
  const asked = command.kind === 'place-orders' ? command.placements[0] : command
  const fields: Record<string, string | number> = {}
  if (asked === undefined || asset < cash) return fields
  if ('order' in asked) fields['orderId'] = idOf(idScheme, 'order', asked.order)
  if ('quote' in asked) fields['quoteId'] = idOf(idScheme, 'quote', asked.quote)
  if ('side' in asked && asked.side !== null) fields['side'] = sideNames[asked.side]
  if ('atoms' in asked) fields['quantity'] = amountNumber(assets, asset, asked.atoms)
  if (asset === cash) return fields
  const { pair } = assets.traded(asset)
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

function itemsIn(command: Command): number {
  if (command.kind === 'place-orders') return command.placements.length
  return command.kind === 'update-quotes' ? command.updates.length : 1
}
