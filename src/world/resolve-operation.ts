import { matchRoute } from '../api/dispatch.ts'
import type { Problem } from '../api/errors.ts'
import { meantPath } from '../api/faults/matches-fault.ts'
import type { RateCategory, Scope } from '../api/operations/operation.ts'
import { type OperationId, routeOf } from '../api/operations/operations.ts'
import type { Readings } from '../api/readings/readings.ts'
import type { KeyRing } from './keys.ts'

/** The operation of a request, or why there is none. */
export type Resolved =
  | { readonly ok: true; readonly operation: OperationId; readonly parameter: string }
  | { readonly ok: false; readonly problem: Problem; readonly allowed: readonly string[] }

/** Choice: a known path with another method is 404, unless reading `http.wrongMethod` says 405. */
export function resolveOperation(method: string, path: string, readings: Readings): Resolved {
  const match = matchRoute(method, path, readings)
  if (match.kind === 'found') return { ok: true, operation: match.operation, parameter: match.parameter }
  const reason = `Cannot ${method} ${path}`
  if (match.kind === 'unknown') return { ok: false, problem: unknownRoute(method, path, reason), allowed: [] }
  const hint = `this path takes ${match.allowed.join(', ')}`
  if (readings['http.wrongMethod'] === '405') {
    return { ok: false, problem: { code: 'wrong-method', reason, hint }, allowed: match.allowed }
  }
  return { ok: false, problem: { code: 'unknown-route', reason, hint }, allowed: [] }
}

function unknownRoute(method: string, path: string, reason: string): Problem {
  const meant = meantPath(method, path)
  return { code: 'unknown-route', reason, ...(meant === null ? {} : { hint: `did you mean ${meant}?` }) }
}

/** Spec: Limits. A path that does not exist counts in the category that it would belong to. */
export function categoryOf(resolved: Resolved, path: string): RateCategory {
  if (resolved.ok) return routeOf(resolved.operation).category
  return path.startsWith('/api/sdk/market-data') ? 'marketData' : 'other'
}

/**
 * Spec: Authentication, scopes. Whether other scopes imply READ is reading `scopes.implied`. Null when the scopes
 * suffice.
 */
export function scopeProblem(
  scopes: ReadonlySet<Scope>,
  operation: OperationId,
  readings: Readings,
): Problem | null {
  const { scope } = routeOf(operation)
  if (scopes.has(scope)) return null
  const isImplied = scopes.has('TRADE') || scopes.has('MARKET_MAKING')
  if (scope === 'READ' && readings['scopes.implied'] === 'read' && isImplied) return null
  const has = scopes.size === 0 ? 'no scope' : [...scopes].join(' ')
  return {
    code: 'insufficient-scope',
    field: 'scope',
    reason: `${scope} is required`,
    hint: `the key has ${has}`,
  }
}

/** The same for an account, whose keys are asked for their scopes only where none of them has the one that it takes. */
export function scopeProblemOf(
  keys: Pick<KeyRing, 'grants' | 'scopesOf'>,
  account: number,
  operation: OperationId,
  readings: Readings,
): Problem | null {
  if (keys.grants(account, routeOf(operation).scope)) return null
  return scopeProblem(keys.scopesOf(account), operation, readings)
}
