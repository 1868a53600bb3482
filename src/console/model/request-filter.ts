import { requestMeaning, requestOutcome } from '../../api/request-words.ts'
import type { PlaceInTime, RequestRow } from './documents.ts'
import { compare } from './timeline.ts'

export interface RequestFilter {
  /** Words that must all be found in a request: its words, its target, its bodies, its status. */
  readonly text: string
  /** `failed`, `done`, `fault`, or a status; '' for all. */
  readonly outcome: string
  /** Who asked; '' for everybody. */
  readonly account: string
  /** What was asked for, as `operationIn` says it; '' for anything. */
  readonly operation: string
}

export const noFilter: RequestFilter = { text: '', outcome: '', account: '', operation: '' }

export function filtered(
  requests: readonly RequestRow[],
  { text, outcome, account, operation }: RequestFilter,
): readonly RequestRow[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean)
  return requests.filter(
    (request) =>
      (outcome === '' || outcomesIn(request).includes(outcome)) &&
      (account === '' || accountIn(request) === account) &&
      (operation === '' || operationIn(request) === operation) &&
      (words.length === 0 || words.every((word) => searched(request).includes(word))),
  )
}

/** How many requests have each value, in the order in which the values come. */
export function countsOf(
  requests: readonly RequestRow[],
  valuesIn: (request: RequestRow) => readonly string[],
): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  for (const request of requests)
    for (const value of valuesIn(request)) counts.set(value, (counts.get(value) ?? 0) + 1)
  return counts
}

export function outcomesIn(request: RequestRow): readonly string[] {
  const { status, fault } = request
  const words = [isFailed(request) ? 'failed' : 'done', status === 0 ? 'no answer' : String(status)]
  return fault === null ? words : [...words, 'fault']
}

/** Who asked; `nobody` when no account was found. */
export const accountIn = ({ account }: RequestRow): string => account ?? 'nobody'

/** `DELETE /orders/…`: a request without what it names. */
export function operationIn({ method, path }: RequestRow): string {
  const parts = path.replace(/^\/api\/sdk/, '').split('/')
  return `${method} ${parts.map((part) => (/^[a-z-]*$/.test(part) ? part : '…')).join('/')}`
}

export const isFailed = ({ status }: Pick<RequestRow, 'status'>): boolean => status >= 400 || status === 0

export function isLater({ worldSequence, at }: RequestRow, place: PlaceInTime | null): boolean {
  return place !== null && place.at !== '' && compare({ sequence: worldSequence, at }, place) > 0
}

function searched(request: RequestRow): string {
  const { method, path, query, requestBody, responseBody } = request
  const words = [requestMeaning(request), requestOutcome(request), method, path + query]
  return [...words, requestBody, responseBody].join(' ').toLowerCase()
}
