import { type SeenRequest, selects } from '../compile/request-pattern.ts'
import type { Tally } from '../predicates/request-fields.ts'

const burstMillis = 1000

/** Counts requests for the selectors that a scenario's predicates name, and for no others. */
export class RequestTallies {
  private readonly tallies = new Map<string, Tally>()

  constructor(selectors: Iterable<string>) {
    for (const selector of selectors) this.tallies.set(selector, emptyTally())
  }

  /** Whether anything is counted at all. */
  get isEmpty(): boolean {
    return this.tallies.size === 0
  }

  note(request: SeenRequest): void {
    for (const [selector, tally] of this.tallies) if (selects(selector, request)) count(tally, request)
  }

  of(selector: string): Tally {
    return this.tallies.get(selector) ?? emptyTally()
  }

  capture(): readonly (readonly [string, Tally])[] {
    return [...this.tallies].map(([selector, tally]) => [selector, { ...tally }])
  }

  restore(captured: readonly (readonly [string, Tally])[]): void {
    for (const [selector, tally] of captured) this.tallies.set(selector, { ...tally })
  }
}

export function emptyTally(): Tally {
  return { count: 0, accepted: 0, clientErrors: 0, serverErrors: 0, limited: 0, burst: 0, recent: [] }
}

function count(tally: Tally, { status, rateMillis }: SeenRequest): void {
  tally.count += 1
  if (status >= 200 && status < 300) tally.accepted += 1
  if (status >= 400 && status < 500) tally.clientErrors += 1
  if (status >= 500) tally.serverErrors += 1
  if (status === 429) tally.limited += 1
  tally.recent = [...tally.recent.filter((instant) => instant > rateMillis - burstMillis), rateMillis]
  tally.burst = Math.max(tally.burst, tally.recent.length)
}
