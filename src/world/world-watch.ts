import type { FaultRule } from '../api/faults/fault-types.ts'
import type { Readings } from '../api/readings/readings.ts'
import { watchReadings } from '../api/readings/watched-readings.ts'

/**
 * Watches what the requests to one or more worlds meet: how many there are, which values of readings are looked up for
 * them, and how often given faults strike. It is no part of a world's state, and worlds that nobody watches pay nothing.
 */
export class WorldWatch {
  private requests = 0
  private otherRequests = 0
  private strikes = 0
  private readonly lookups = new Set<string>()
  private readonly watched = new WeakMap<Readings, Readings>()
  private readonly faults = new Set<FaultRule>()

  /** Makes this one of the faults whose strikes are counted. */
  addFault(rule: FaultRule): void {
    this.faults.add(rule)
  }

  /**
   * Returns what was met since this was last asked. `settings` are the readings that were looked up, each with the value
   * that was in force: `envelope=wrapped`. `otherRequests` were to nothing that the interface has.
   */
  take() {
    const { requests, otherRequests, strikes } = this
    const settings = [...this.lookups]
    this.requests = 0
    this.otherRequests = 0
    this.strikes = 0
    this.lookups.clear()
    return { requests, otherRequests, strikes, settings }
  }

  /** Returns the readings for a request, of which each look-up is noted. */
  watch(readings: Readings): Readings {
    const known = this.watched.get(readings)
    if (known !== undefined) return known
    const watched = watchReadings(readings, (key, value) => this.lookups.add(`${key}=${value}`))
    this.watched.set(readings, watched)
    return watched
  }

  /**
   * Counts a request that has come over HTTP, by `fetch` or in process: to an operation of the interface, or to a path or by
   * a method that it does not have, such as a page's icon or OPTIONS.
   */
  countRequest(isToOperation: boolean): void {
    if (isToOperation) this.requests += 1
    else this.otherRequests += 1
  }

  /** Counts the strikes of those faults that were added with `addFault`. */
  countStrikes(fired: readonly { readonly rule: FaultRule }[]): void {
    for (const { rule } of fired) if (this.faults.has(rule)) this.strikes += 1
  }
}
