import { requestMeaning, requestOutcome } from '../../api/request-words.ts'
import type { LoggedRequest, Place } from './documents.ts'
import { compare } from './timeline.ts'

export interface RequestFilter {
  /** Words that must all be found in a request: its words, its target, its bodies, its status. */
  readonly text: string
  readonly account: string
  readonly outcome: 'all' | 'failed' | 'done' | 'fault'
}

export const noFilter: RequestFilter = { text: '', account: '', outcome: 'all' }

export function filtered(
  requests: readonly LoggedRequest[],
  { text, account, outcome }: RequestFilter,
): readonly LoggedRequest[] {
  const words = text
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '')
  if (words.length === 0 && account === '' && outcome === 'all') return requests
  return requests.filter(
    (request) =>
      (account === '' || (request.account ?? nobody) === account) &&
      outcomes[outcome](request) &&
      (words.length === 0 || words.every((word) => searched(request).includes(word))),
  )
}

export function accountsIn(requests: readonly LoggedRequest[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  for (const { account } of requests) counts.set(account ?? nobody, (counts.get(account ?? nobody) ?? 0) + 1)
  return counts
}

/** Who asked when no account was found. */
export const nobody = 'nobody'

export const isFailed = ({ status }: Pick<LoggedRequest, 'status'>): boolean => status >= 400 || status === 0

export function isLater({ worldSequence, at }: LoggedRequest, place: Place | null): boolean {
  return place !== null && place.at !== '' && compare({ sequence: worldSequence, at }, place) > 0
}

const outcomes: Readonly<Record<RequestFilter['outcome'], (request: LoggedRequest) => boolean>> = {
  all: () => true,
  failed: isFailed,
  done: (request) => !isFailed(request),
  fault: ({ fault }) => fault !== null,
}

function searched(request: LoggedRequest): string {
  const { method, path, query, requestBody, responseBody } = request
  const words = [requestMeaning(request), requestOutcome(request), method, path + query]
  return [...words, requestBody, responseBody].join(' ').toLowerCase()
}
