import { cash, none } from '../../engine/codes.ts'
import type { Command, Setting } from '../../engine/command.ts'
import { millisToIso } from '../../numeric/time-text.ts'
import { atMillisOf, type JournalEntry } from '../journal/lines/entry.ts'
import type { PublicEvent } from '../logs/describe-event.ts'
import type { World } from '../world.ts'
import type { WorldChange } from '../world-change.ts'

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

export function eventItem({ at, type, sequence: _, ...fields }: PublicEvent, moment: Moment): About {
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

/**
 * A point in a world's past: after a line of its journal, at an instant no later than that of the next line. Lines
 * are what came from outside; whatever happened between them was caused by time only.
 */
export interface Moment {
  readonly sequence: number
  readonly atMillis: number
}

export function isAfter(left: Moment, right: Moment): boolean {
  return (
    left.sequence > right.sequence || (left.sequence === right.sequence && left.atMillis > right.atMillis)
  )
}

/** How many items of a sorted list are not after a moment. */
export function countUntil(list: readonly Moment[], moment: Moment): number {
  let low = 0
  let high = list.length
  while (low < high) {
    const middle = (low + high) >> 1
    const candidate = list[middle]
    if (candidate !== undefined && !isAfter(candidate, moment)) low = middle + 1
    else high = middle
  }
  return low
}
