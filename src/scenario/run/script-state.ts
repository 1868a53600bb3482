import { none } from '../../engine/codes.ts'
import type { State } from '../../engine/state.ts'
import type { SeenRequest } from '../actions/requests.ts'
import type { CapturedSettings } from '../actions/timed-settings.ts'
import type { TimelineEntry } from '../compile/compiled.ts'
import type { JsonData } from '../file/tree.ts'
import type { NamedRows } from '../predicates/readouts.ts'
import type { Tally } from '../predicates/trading-fields.ts'

/**
 * The state of a script as plain JSON data, for snapshots. Entries are indices in the scenario's timeline. Snapshots
 * on disk have these member names, so they stay (`agenda` is the schedule, `hand` the action runner).
 */
export interface ScriptState {
  readonly version: 1
  readonly agenda: CapturedSchedule
  readonly hand: CapturedRunner
  /** The next instant at which watched predicates are evaluated; null when none is watched. */
  readonly watchAtMillis: number | null
  /** How many fills the predicates over fills have seen. */
  readonly fillsSeen: number
  /**
   * The state of each watch. `fromMillis` is only there for an entry that was added to a running timeline: the first
   * instant at which it is looked at.
   */
  readonly watches: readonly (readonly [
    wasTrue: boolean,
    isDone: boolean,
    turns: number,
    fromMillis?: number,
  ])[]
  readonly awaiting: readonly (readonly [entry: number, turn: number])[]
  readonly participants: readonly (readonly [id: string, captured: JsonData])[]
}

export interface CapturedRunner {
  readonly rows: CapturedRows
  readonly settings: CapturedSettings
  readonly tallies: readonly (readonly [string, Tally])[]
}

type CapturedRows = { readonly [Table in keyof LabelledMaps]: readonly EntryOf<LabelledMaps[Table]>[] }
type EntryOf<Table> = Table extends Map<string, infer Value> ? readonly [string, Value] : never
type LabelledMaps = Omit<LabelledRows, 'bind' | 'capture' | 'restore'>

/** The things that labels name. A label means the newest thing that was made under it. */
export class LabelledRows implements NamedRows {
  readonly orders = new Map<string, number>()
  readonly quotes = new Map<string, number>()
  readonly transfers = new Map<string, number>()
  readonly orderRefusals = new Map<string, string>()
  readonly quoteRefusals = new Map<string, string>()
  readonly clientOrders = new Map<string, readonly [account: string, clientOrderId: string]>()
  readonly instants = new Map<string, number>()

  /** Binds a label to the order or quote that a client's request has just made. */
  bind(label: string, request: SeenRequest, state: State): void {
    const account = request.account === null ? none : state.accounts.rowOf(request.account)
    if (account === none) return
    const isQuote = request.path.includes('/quotes')
    const newest = (isQuote ? state.accounts.lastQuote : state.accounts.lastOrder).get(account)
    if (newest !== none) (isQuote ? this.quotes : this.orders).set(label, newest)
  }

  capture(): CapturedRows {
    return {
      orders: [...this.orders],
      quotes: [...this.quotes],
      transfers: [...this.transfers],
      orderRefusals: [...this.orderRefusals],
      quoteRefusals: [...this.quoteRefusals],
      clientOrders: [...this.clientOrders],
      instants: [...this.instants],
    }
  }

  restore(captured: CapturedRows): void {
    refill(this.orders, captured.orders)
    refill(this.quotes, captured.quotes)
    refill(this.transfers, captured.transfers)
    refill(this.orderRefusals, captured.orderRefusals)
    refill(this.quoteRefusals, captured.quoteRefusals)
    refill(this.clientOrders, captured.clientOrders)
    refill(this.instants, captured.instants)
  }
}

function refill<Value>(map: Map<string, Value>, entries: readonly (readonly [string, Value])[]): void {
  map.clear()
  for (const [key, value] of entries) map.set(key, value)
}

/*
 * The things that a script has to do, and when. Entries that the file times wait in a sorted list; what the run times
 * (repetitions, ends of `for`, entries after a label) waits in a short queue. At one instant ends come first, then
 * entries in the order of the file.
 */

export interface ScheduledAction {
  /** The index of the entry in the timeline. */
  readonly entry: number
  /** The number of this act among those of its entry, from 0. */
  readonly turn: number
}

/** Returns the name of an act for the world around the venue. */
export const formatToken = ({ entry, turn }: ScheduledAction): string => `${entry}.${turn}`

export const parseTokenEntry = (token: string): number => Number(token.split('.')[0])

/** One act of an entry, or something that remains to be done for it. */
export interface Task extends ScheduledAction {
  readonly at: number
  /**
   * `act`: an entry acts. `end`: its `for` is over. `recover`: conditions move one step back to normal. `timeout`: an
   * await gives up.
   */
  readonly kind: 'act' | 'end' | 'recover' | 'timeout'
  /** The number of steps of a recovery so far. */
  readonly count: number
}

interface CapturedSchedule {
  readonly done: number
  readonly queue: readonly Task[]
}

export class Schedule {
  private readonly fixed: readonly Task[]
  private done = 0
  private queue: Task[] = []

  constructor(timeline: readonly TimelineEntry[]) {
    this.fixed = timeline
      .flatMap((item, entry): Task[] => {
        const { trigger } = item
        return trigger.kind === 'at' ? [{ at: trigger.at, kind: 'act', entry, turn: 0, count: 0 }] : []
      })
      .sort(compareTasks)
  }

  get nextAtMillis(): number {
    const fixed = this.fixed[this.done]?.at ?? Number.POSITIVE_INFINITY
    return Math.min(fixed, this.queue[0]?.at ?? Number.POSITIVE_INFINITY)
  }

  /** Lists what comes next, soonest first. */
  listNext(most: number): readonly Task[] {
    const fixed = this.fixed.slice(this.done, this.done + most)
    return [...fixed, ...this.queue].sort(compareTasks).slice(0, most)
  }

  plan(task: Task): void {
    let place = this.queue.length
    while (place > 0 && compareTasks(task, this.queue[place - 1] ?? task) < 0) place -= 1
    this.queue.splice(place, 0, task)
  }

  /** Takes the next task that is due by an instant; returns null when there is none. */
  takeDue(nowMillis: number): Task | null {
    const fixed = this.fixed[this.done]
    const queued = this.queue[0]
    const isQueued = queued !== undefined && (fixed === undefined || compareTasks(queued, fixed) < 0)
    const next = isQueued ? queued : fixed
    if (next === undefined || next.at > nowMillis) return null
    if (isQueued) this.queue.shift()
    else this.done += 1
    return next
  }

  capture(): CapturedSchedule {
    return { done: this.done, queue: [...this.queue] }
  }

  restore(captured: CapturedSchedule): void {
    this.done = captured.done
    this.queue = [...captured.queue]
  }
}

function compareTasks(left: Task, right: Task): number {
  return left.at - right.at || rankOf(left) - rankOf(right) || left.entry - right.entry
}

const rankOf = ({ kind }: Task): number => (kind === 'act' ? 1 : 0)
