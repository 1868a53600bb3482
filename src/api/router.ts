import { isServed } from './dispatch.ts'
import { everyOperationId, type OperationId, routeOf } from './operations/operations.ts'
import { defaultReadings, type Readings } from './readings/readings.ts'

export type Match =
  | { readonly kind: 'found'; readonly operation: OperationId; readonly parameter: string }
  /** A known path with another method: the methods that it has, for an Allow header. */
  | { readonly kind: 'wrong-method'; readonly allowed: readonly string[] }
  | { readonly kind: 'unknown' }

/**
 * The operation of a method and a raw path without its query. Case matters, and so does every slash; a fixed path is
 * never read as one with a parameter, so `/orders/batch` has no GET. Nothing is decoded, because no id or symbol needs
 * it. `parameter` is '' when there is none.
 */
export function matchRoute(method: string, path: string, readings: Readings = defaultReadings): Match {
  const fixed = fixedPaths.get(path)
  const candidate = fixed === undefined ? parameterPath(path) : { operations: fixed, parameter: '' }
  if (candidate === undefined) return unknown
  const { operations, parameter } = candidate
  const operation = operations.get(method)
  if (operation !== undefined && isServed(operation, readings)) return { kind: 'found', operation, parameter }
  const allowed = [...operations].flatMap(([name, other]) => (isServed(other, readings) ? [name] : []))
  return allowed.length === 0 ? unknown : { kind: 'wrong-method', allowed }
}

type Operations = ReadonlyMap<string, OperationId>

interface Candidate {
  readonly operations: Operations
  readonly parameter: string
}

const unknown: Match = { kind: 'unknown' }
const fixedPaths = new Map<string, Operations>()
/** By what stands before the parameter and after it: `/api/sdk/orders/` and `/fills`. */
const parameterPaths = new Map<string, Map<string, Operations>>()
indexRoutes()

/** The parameter is the last segment, or the one before a last segment that is fixed. */
function parameterPath(path: string): Candidate | undefined {
  const last = path.lastIndexOf('/')
  return (
    parameterBetween(path, last, path.length) ?? parameterBetween(path, path.lastIndexOf('/', last - 1), last)
  )
}

function parameterBetween(path: string, slash: number, end: number): Candidate | undefined {
  if (slash < 0 || end - slash < 2) return undefined
  const operations = parameterPaths.get(path.slice(0, slash + 1))?.get(path.slice(end))
  return operations === undefined ? undefined : { operations, parameter: path.slice(slash + 1, end) }
}

function indexRoutes(): void {
  const fixed = new Map<string, Map<string, OperationId>>()
  const byPrefix = new Map<string, Map<string, Map<string, OperationId>>>()
  for (const operation of everyOperationId) {
    const { method, path } = routeOf(operation)
    const colon = path.indexOf(':')
    if (colon === -1) {
      entry(fixed, path).set(method, operation)
      continue
    }
    const end = path.indexOf('/', colon)
    const suffix = end === -1 ? '' : path.slice(end)
    const prefix = path.slice(0, colon)
    const bySuffix = byPrefix.get(prefix) ?? new Map<string, Map<string, OperationId>>()
    byPrefix.set(prefix, bySuffix)
    entry(bySuffix, suffix).set(method, operation)
  }
  for (const [path, operations] of fixed) fixedPaths.set(path, operations)
  for (const [prefix, bySuffix] of byPrefix) parameterPaths.set(prefix, bySuffix)
}

function entry(map: Map<string, Map<string, OperationId>>, key: string): Map<string, OperationId> {
  const known = map.get(key)
  if (known !== undefined) return known
  const made = new Map<string, OperationId>()
  map.set(key, made)
  return made
}

/** A request target as its path and its raw query, which has its question mark or is empty. */
export function splitTarget(target: string): { readonly path: string; readonly query: string } {
  const mark = target.indexOf('?')
  return mark === -1
    ? { path: target, query: '' }
    : { path: target.slice(0, mark), query: target.slice(mark) }
}
