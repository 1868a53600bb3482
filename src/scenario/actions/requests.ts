import { matchesPath } from '../../api/faults/matches-fault.ts'
import {
  anyNumber,
  integer,
  natural,
  nullable,
  orNone,
  type RecordOf,
  record,
  shapeTyped,
  text,
  words,
} from '../../shape/shape.ts'
import type { Tally } from '../predicates/trading-fields.ts'
import { part } from './parts.ts'

/** A request of a client, as far as a script may ask about it. Commands of agents count as requests too. */
export const seenRequest = record({
  atMillis: natural(),
  /**
   * The instant on the clock that rate limits read: the wall clock, unless the reading `rate.clock` says otherwise.
   */
  rateMillis: anyNumber(),
  method: text(),
  /** The path without its query. */
  path: text(),
  apiKey: text(),
  /** The account of the key; null when the key belongs to nobody. */
  account: nullable(text()),
  status: natural(),
  /** The request's body as text; empty when there was none. */
  body: text(),
  /** The token of the scripted fault that struck the request; null when none did. */
  fault: nullable(text()),
})

export type SeenRequest = RecordOf<typeof seenRequest>

/** A pattern for requests. Parts that are not stated match everything, and a `*` in a path stands for any text. */
export const requestShape = record(
  {
    method: orNone(words(['GET', 'POST', 'PATCH', 'DELETE', 'PUT'], 'Its method.')),
    path: orNone(
      shapeTyped<string>({
        type: 'string',
        title: 'a path that begins with "/"',
        pattern: '^/',
        maxLength: 500,
        description: 'Its path; "*" matches any text.',
      }),
    ),
    key: orNone(part('apiKey', 'An API key by its name.')),
    account: orNone(part('accountId', "The account's id.")),
    status: orNone(integer(100, 599, "Its answer's status.")),
  },
  "A request of a client (or an agent's command that stands for one) that matches everything given.",
)

export type RequestPattern = RecordOf<typeof requestShape>

export function matchesPattern(
  { method, path, key, account, status }: RequestPattern,
  request: SeenRequest,
): boolean {
  return (
    (method === undefined || method === request.method) &&
    (path === undefined || matchesPath(path, request.path)) &&
    (key === undefined || key === request.apiKey) &&
    (account === undefined || account === request.account) &&
    (status === undefined || status === request.status)
  )
}

/**
 * Returns whether a request matches the selector in the brackets of `requests[...]`: a method and a path (`PATCH
 * /api/sdk/quotes/*`), a path, or the name of a key or an account.
 */
export function matchesSelector(selector: string, request: SeenRequest): boolean {
  const space = selector.indexOf(' ')
  if (space !== -1) {
    return selector.slice(0, space) === request.method && matchesPath(selector.slice(space + 1), request.path)
  }
  if (selector.startsWith('/')) return matchesPath(selector, request.path)
  return selector === '*' || selector === request.apiKey || selector === request.account
}

const burstMillis = 1000

/** Counts requests for the selectors that a scenario's predicates name, and for no others. */
export class RequestTallies {
  private readonly tallies = new Map<string, Tally>()

  constructor(selectors: Iterable<string>) {
    for (const selector of selectors) this.tallies.set(selector, createTally())
  }

  note(request: SeenRequest): void {
    for (const [selector, tally] of this.tallies)
      if (matchesSelector(selector, request)) count(tally, request)
  }

  get(selector: string): Tally {
    return this.tallies.get(selector) ?? createTally()
  }

  capture(): readonly (readonly [string, Tally])[] {
    return [...this.tallies].map(([selector, tally]) => [selector, { ...tally }])
  }

  restore(captured: readonly (readonly [string, Tally])[]): void {
    for (const [selector, tally] of captured) this.tallies.set(selector, { ...tally })
  }
}

export function createTally(): Tally {
  return { countRequest: 0, accepted: 0, clientErrors: 0, serverErrors: 0, limited: 0, burst: 0, recent: [] }
}

function count(tally: Tally, { status, rateMillis }: SeenRequest): void {
  tally.countRequest += 1
  if (status >= 200 && status < 300) tally.accepted += 1
  if (status >= 400 && status < 500) tally.clientErrors += 1
  if (status >= 500) tally.serverErrors += 1
  if (status === 429) tally.limited += 1
  tally.recent = [...tally.recent.filter((instant) => instant > rateMillis - burstMillis), rateMillis]
  tally.burst = Math.max(tally.burst, tally.recent.length)
}
