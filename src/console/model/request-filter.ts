import { requestMeaning, requestOutcome } from '../../api/request-words.ts'
import type { RequestRow, WorldMoment } from './documents.ts'
import { compareMoments } from './timeline.ts'

export interface RequestFilter {
  /** Words that must all be found in a request: its words, its target, its bodies, its status. */
  readonly text: string
  /** `failed`, `done`, `fault`, or a status; '' for all. */
  readonly outcome: string
  /** Who asked; '' for everybody. */
  readonly account: string
  /** What was asked for, as `formatOperation` says it; '' for anything. */
  readonly operation: string
}

export const noFilter: RequestFilter = { text: '', outcome: '', account: '', operation: '' }

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

/** How many requests have each value, in the order in which the values come. */
export function countValues(
  requests: readonly RequestRow[],
  valuesIn: (request: RequestRow) => readonly string[],
): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  for (const request of requests)
    for (const value of valuesIn(request)) counts.set(value, (counts.get(value) ?? 0) + 1)
  return counts
}

export function listOutcomes(request: RequestRow): readonly string[] {
  const { status, fault } = request
  const words = [isFailed(request) ? 'failed' : 'done', status === 0 ? 'no answer' : String(status)]
  return fault === null ? words : [...words, 'fault']
}

/** Who asked; `nobody` when no account was found. */
export const getAccount = ({ account }: RequestRow): string => account ?? 'nobody'

/** `DELETE /orders/…`: a request without what it names. */
export function formatOperation({ method, path }: RequestRow): string {
  const parts = path.replace(/^\/api\/sdk/, '').split('/')
  return `${method} ${parts.map((part) => (/^[a-z-]*$/.test(part) ? part : '…')).join('/')}`
}

export const isFailed = ({ status }: Pick<RequestRow, 'status'>): boolean => status >= 400 || status === 0

export function isLater({ worldSequence, at }: RequestRow, moment: WorldMoment | null): boolean {
  return moment !== null && moment.at !== '' && compareMoments({ sequence: worldSequence, at }, moment) > 0
}

function formatSearchText(request: RequestRow): string {
  const { method, path, query, requestBody, responseBody } = request
  const words = [requestMeaning(request), requestOutcome(request), method, path + query]
  return [...words, requestBody, responseBody].join(' ').toLowerCase()
}
