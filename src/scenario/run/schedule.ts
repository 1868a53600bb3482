import type { TimelineEntry } from '../compile/compiled.ts'

/*
 * What a script has to do, and when. Entries that the file times wait in a sorted list; what the run times
 * (repetitions, ends of `for`, entries after a label) waits in a short queue. At one instant ends come first, then
 * entries in the order of the file.
 */

/** One act of one entry. */
export interface Act {
  /** The index in the timeline. */
  readonly entry: number
  /** Which of the entry's acts, from 0. */
  readonly turn: number
}

/** The name of an act for the world around the venue. */
export const tokenOf = ({ entry, turn }: Act): string => `${entry}.${turn}`

export const entryOfToken = (token: string): number => Number(token.split('.')[0])

/** Something to do for an act, or the act itself. */
export interface Task extends Act {
  readonly at: number
  /**
   * `act`: an entry acts. `end`: its `for` is over. `recover`: one step back to normal. `timeout`: an await gives up.
   */
  readonly kind: 'act' | 'end' | 'recover' | 'timeout'
  /** Steps of a recovery so far. */
  readonly count: number
}

export interface CapturedAgenda {
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
      .sort(before)
  }

  /** Infinity when nothing is planned. */
  get nextAtMillis(): number {
    const fixed = this.fixed[this.done]?.at ?? Number.POSITIVE_INFINITY
    return Math.min(fixed, this.queue[0]?.at ?? Number.POSITIVE_INFINITY)
  }

  plan(task: Task): void {
    let place = this.queue.length
    while (place > 0 && before(task, this.queue[place - 1] ?? task) < 0) place -= 1
    this.queue.splice(place, 0, task)
  }

  /** Takes the next task that is due by an instant; null when there is none. */
  take(nowMillis: number): Task | null {
    const fixed = this.fixed[this.done]
    const queued = this.queue[0]
    const isQueued = queued !== undefined && (fixed === undefined || before(queued, fixed) < 0)
    const next = isQueued ? queued : fixed
    if (next === undefined || next.at > nowMillis) return null
    if (isQueued) this.queue.shift()
    else this.done += 1
    return next
  }

  capture(): CapturedAgenda {
    return { done: this.done, queue: [...this.queue] }
  }

  restore(captured: CapturedAgenda): void {
    this.done = captured.done
    this.queue = [...captured.queue]
  }
}

function before(left: Task, right: Task): number {
  return left.at - right.at || rankOf(left) - rankOf(right) || left.entry - right.entry
}

const rankOf = ({ kind }: Task): number => (kind === 'act' ? 1 : 0)
