import type { Timer } from '../strategy.ts'

interface PendingTimer {
  readonly timer: Timer
  atMillis: number
  /** The time between two calls; 0 for a timer that fires once. */
  readonly everyMillis: number
}

/**
 * The timers of a strategy. They are few, so they are searched one by one. Of several at one instant, the one set first
 * fires first.
 */
export class Timers {
  private readonly pending: PendingTimer[] = []
  private count = 0
  /**
   * The instant of the earliest timer; infinity when there is none. It is kept up to date because every tick reads it.
   */
  nextAtMillis = Number.POSITIVE_INFINITY

  set(atMillis: number, everyMillis: number, name: string): Timer {
    this.count += 1
    const timer = { id: this.count, name }
    this.pending.push({ timer, atMillis, everyMillis })
    this.findNext()
    return timer
  }

  clear(timer: Timer): void {
    const place = this.pending.findIndex((pending) => pending.timer.id === timer.id)
    if (place !== -1) this.pending.splice(place, 1)
    this.findNext()
  }

  /**
   * Takes the earliest timer that is due: removes it, or moves it to its next instant after now. Returns null when none
   * is due.
   */
  takeDue(nowMillis: number): Timer | null {
    let due: PendingTimer | null = null
    for (const pending of this.pending) {
      if (pending.atMillis <= nowMillis && (due === null || pending.atMillis < due.atMillis)) due = pending
    }
    if (due === null) return null
    if (due.everyMillis === 0) this.clear(due.timer)
    else {
      const missed = Math.floor((nowMillis - due.atMillis) / due.everyMillis)
      due.atMillis += (missed + 1) * due.everyMillis
      this.findNext()
    }
    return due.timer
  }

  private findNext(): void {
    this.nextAtMillis = Number.POSITIVE_INFINITY
    for (const { atMillis } of this.pending) this.nextAtMillis = Math.min(this.nextAtMillis, atMillis)
  }
}
