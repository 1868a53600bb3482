import { compareMoments } from '../../api/noted-moments.ts'
import { describeOutcome, describeRequest, isFailedRequest } from '../../api/request-words.ts'
import type { RequestRow, WorldMoment } from './documents.ts'

/** Filter of the list of requests. */
export interface RequestFilter {
  /** Words that must all occur in a request: in its description, its target, its bodies, or its status. */
  readonly text: string
  /** Outcome: `failed`, `done`, `fault`, or a status; '' for all. */
  readonly outcome: string
  /** Account that sent the request; '' for all. */
  readonly account: string
  /** Operation as `formatOperation` writes it; '' for all. */
  readonly operation: string
}

export const noFilter: RequestFilter = { text: '', outcome: '', account: '', operation: '' }

/** Returns the requests that match a filter. */
export function filterRequests(
  requests: readonly RequestRow[],
  { text, outcome, account, operation }: RequestFilter,
): readonly RequestRow[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean)
  return requests.filter(
    (request) =>
      (outcome === '' || listOutcomes(request).includes(outcome)) &&
      (account === '' || getAccount(request) === account) &&
      (operation === '' || formatOperation(request) === operation) &&
      (words.length === 0 || words.every((word) => formatSearchText(request).includes(word))),
  )
}

/** Counts the requests of each value, in the order in which the values first occur. */
export function countValues(
  requests: readonly RequestRow[],
  valuesIn: (request: RequestRow) => readonly string[],
): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  for (const request of requests)
    for (const value of valuesIn(request)) counts.set(value, (counts.get(value) ?? 0) + 1)
  return counts
}

/**
 * Lists the outcomes under which a request is found: `failed` or `done`, its status, `fault`, and how its answer was lost.
 */
export function listOutcomes(request: RequestRow): readonly string[] {
  const { status, fault, lost } = request
  const words = [isFailedRequest(request) ? 'failed' : 'done', status === 0 ? 'no answer' : String(status)]
  return [...words, ...(fault === null ? [] : ['fault']), ...(lost === null ? [] : [`lost ${lost}`])]
}

/** Returns the account that sent a request; `nobody` when no account was found. */
export const getAccount = ({ account }: RequestRow): string => account ?? 'nobody'

/** Formats a request without the ids in its path, such as `DELETE /orders/…`. */
export function formatOperation({ method, path }: RequestRow): string {
  const parts = path.replace(/^\/api\/sdk/, '').split('/')
  return `${method} ${parts.map((part) => (/^[a-z-]*$/.test(part) ? part : '…')).join('/')}`
}

/** Returns whether a request came after a moment; false for the present. */
export function isLater({ worldSequence, at }: RequestRow, moment: WorldMoment | null): boolean {
  return moment !== null && moment.at !== '' && compareMoments({ sequence: worldSequence, at }, moment) > 0
}

function formatSearchText(request: RequestRow): string {
  const { method, path, query, requestBody, responseBody } = request
  const words = [describeRequest(request), describeOutcome(request), method, path + query]
  return [...words, requestBody, responseBody].join(' ').toLowerCase()
}
