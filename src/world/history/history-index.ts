import { cash, none } from '../../engine/codes.ts'
import type { Command, Setting } from '../../engine/command.ts'
import { eventType } from '../../engine/events.ts'
import { tradedAssets } from '../../engine/reports/statistics.ts'
import { atMillisOf, type JournalEntry } from '../../journal/entry.ts'
import type { WorldChange } from '../../journal/world-snapshot.ts'
import { millisToIso } from '../../numeric/time-text.ts'
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

  /** Notes the prices of all assets at a moment. */
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
  /** The fields of an event. */
  readonly fields: { readonly [field: string]: string | number | null }
}

type About = Omit<HistoryItem, 'index'>

/** A line of the journal as an item. The world has not carried it out yet. */
export function lineItem(entry: JournalEntry, world: World): About {
  const atMillis = atMillisOf(entry)
  const when = { sequence: entry.sequence, atMillis, at: millisToIso(atMillis), fields: {} }
  if (entry.kind === 'change') {
    const { change } = entry
    return { ...when, kind: 'change', type: change.kind, ...subjectOfChange(change, world), refusal: null }
  }
  const { command, outcome } = entry
  const refusal = outcome.ok ? null : (outcome.code ?? 'refused')
  return { ...when, kind: 'command', type: command.kind, ...subjectOf(command, world), refusal }
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
  const { accounts, assets, orders } = venue.state
  const first = command.kind === 'place-orders' ? command.placements[0] : command
  const order = 'order' in command && command.order < orders.count ? command.order : none
  const account = first !== undefined && 'account' in first ? first.account : none
  const named = first !== undefined && 'asset' in first ? (first.asset ?? none) : none
  const owner = order === none ? account : orders.account.get(order)
  const asset = order === none ? named : orders.asset.get(order)
  return {
    account: typeof owner !== 'number' ? owner.id : owner < 0 ? null : accounts.id(owner),
    asset: asset < cash ? null : assets.symbol(asset),
  }
}
