import { matchesPath } from '../../api/faults/matches-fault.ts'
import type { RecordOf } from '../../shape/shape.ts'
import { typed } from '../../shape/shape.ts'
import { partial } from '../../shape/wire-shapes.ts'
import type { LoggedRequest } from '../../world/logs/request-log.ts'

/** Design, section 16, Request log. A `*` in the path matches any text. */
export const matchSchema = partial({
  method: typed<string>({ type: 'string' }),
  path: typed<string>({ type: 'string', maxLength: 1000 }),
  account: typed<string>({ type: 'string' }),
  key: typed<string>({ type: 'string' }),
  status: typed<number>({ type: 'integer' }),
  type: typed<string>({ type: 'string' }),
})
export type RequestMatch = RecordOf<typeof matchSchema>

export function matchesRequest(request: LoggedRequest, type: string | null, match: RequestMatch): boolean {
  return differences(request, type, match).length === 0
}

/** The fields of the match that the request does not have. */
export function differences(request: LoggedRequest, type: string | null, match: RequestMatch): string[] {
  const { method, path, account, key, status } = match
  const checks: readonly (readonly [string, boolean])[] = [
    ['method', method === undefined || method.toUpperCase() === request.method],
    ['path', path === undefined || matchesPath(path, request.path)],
    ['account', account === undefined || account === request.account],
    ['key', key === undefined || key === request.apiKey],
    ['status', status === undefined || status === request.status],
    ['type', match.type === undefined || match.type === type],
  ]
  return checks.filter(([, isEqual]) => !isEqual).map(([field]) => field)
}
