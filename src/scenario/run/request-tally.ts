import { type SeenRequest, selects } from '../compile/request-pattern.ts'
import { type Exact, exact, exactFromText } from '../predicates/exact.ts'
import type { RequestCounts, RequestField } from '../predicates/request-counts.ts'

/** What is known of the requests that one selector matches. */
export interface Tally {
  count: number
  accepted: number
  clientErrors: number
  serverErrors: number
  limited: number
  /** The most requests within any one second so far. */
  burst: number
  /** The instants of those in the last second, oldest first. */
  recent: readonly number[]
}

const burstMillis = 1000

/** Counts requests for the selectors that a scenario's predicates name, and for no others. */
export class RequestTallies implements RequestCounts {
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

  /** Ratios of no requests are 0. */
  read(selector: string, field: RequestField): Exact {
    const tally = this.tallies.get(selector) ?? emptyTally()
    switch (field) {
      case 'count':
        return exact(tally.count, 0)
      case 'status2xx':
        return exact(tally.accepted, 0)
      case 'status4xx':
        return exact(tally.clientErrors, 0)
      case 'status429':
        return exact(tally.limited, 0)
      case 'status5xx':
        return exact(tally.serverErrors, 0)
      case 'errorRatio':
        return ratio(tally.clientErrors + tally.serverErrors, tally.count)
      case 'status429Ratio':
        return ratio(tally.limited, tally.count)
      default:
        return exact(tally.burst, 0)
    }
  }

  capture(): readonly (readonly [string, Tally])[] {
    return [...this.tallies].map(([selector, tally]) => [selector, { ...tally }])
  }

  restore(captured: readonly (readonly [string, Tally])[]): void {
    for (const [selector, tally] of captured) this.tallies.set(selector, { ...tally })
  }
}

function emptyTally(): Tally {
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

/** To six decimals. */
function ratio(part: number, whole: number): Exact {
  return exactFromText((whole === 0 ? 0 : part / whole).toFixed(6)) ?? exact(0, 0)
}
