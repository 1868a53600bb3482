import { matchRoute } from '../dispatch.ts'
import { nearestWord } from '../flaw.ts'
import type { Method } from '../operations/operation.ts'
import { everyOperationId, type OperationId, operationIds, routeOf } from '../operations/operations.ts'

/** The methods of operations whose paths fit a pattern (see `matchesPath`); empty when none do. */
export function methodsAt(pattern: string): readonly string[] {
  const met = everyOperationId.map(routeOf).filter(({ path }) => meets(pattern, path))
  return routeMethods.filter((method) => met.some((route) => route.method === method))
}

/** Whether an operation has the method and a path that fits the pattern; null stands for any. */
export function reaches(method: string | null, pattern: string | null, operation: OperationId): boolean {
  const route = routeOf(operation)
  return (method === null || method === route.method) && (pattern === null || meets(pattern, route.path))
}

/**
 * The path or pattern that was most likely meant by one that fits no operation; null where it fits, or nothing is near.
 */
export function meantRoute(method: string | null, path: string): string | null {
  if (methodsAt(path).length > 0) return null
  return path.includes('*') ? meantPattern(path) : meantPath(method, path)
}

/** The methods that a request may have: no operation has all of them. */
export const methods: readonly string[] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS']

export const routeMethods: readonly Method[] = ['GET', 'POST', 'PATCH', 'DELETE']

/** The same behind the prefix, or that of an operation. */
function meantPattern(pattern: string): string | null {
  const prefixed = `/api/sdk${pattern}`
  if (methodsAt(prefixed).length > 0) return prefixed
  const isAsLong = (known: string) => known.split('/').length === pattern.split('/').length
  return nearestWord(pattern, routePatterns.filter(isAsLong))
}

/** The paths of all operations as patterns, with a star for the parameter. */
export const routePatterns: readonly string[] = [
  ...new Set(operationIds.map((id) => routeOf(id).path.replace(parameter(), '*'))),
]

/**
 * Whether any path fits both a pattern and a route. Works backwards: `here[at]` is whether some text fits both the rest
 * of the pattern and the rest of the route from `at` on.
 */
function meets(pattern: string, path: string): boolean {
  const parts = partsOf(path)
  let after = parts.map(() => false)
  after.push(true)
  for (let at = parts.length - 1; at >= 0; at -= 1) after[at] = parts[at] === 'more' && after[at + 1] === true
  for (const sign of [...pattern].reverse()) {
    const here = new Array<boolean>(parts.length + 1).fill(false)
    here[parts.length] = sign === '*' && after[parts.length] === true
    for (let at = parts.length - 1; at >= 0; at -= 1) {
      const part = parts[at]
      const skips = (sign === '*' || part === 'more') && here[at + 1] === true
      const ends = sign === '*' && after[at] === true
      const fits = sign !== '*' && (part === sign || ((part === 'one' || part === 'more') && sign !== '/'))
      here[at] = skips || ends || (fits && after[part === 'more' ? at : at + 1] === true)
    }
    after = here
  }
  return after[0] === true
}

/** The characters of a route's path. A parameter is `one` character that is not a slash, then any number `more`. */
function partsOf(path: string): readonly string[] {
  const [before = '', behind] = path.split(parameter())
  return behind === undefined ? [...before] : [...before, 'one', 'more', ...behind]
}

function parameter(): RegExp {
  return /:[^/]+/
}

/**
 * The path that was most likely meant by one that no operation has: `/api/sdk/orders` for `/api/sdk/order`. Null for a
 * path that an operation has, for a pattern with stars, and when no path is near: a scenario may name a path that does
 * not exist on purpose, to expect that no request goes there.
 */
function nearestPath(path: string): string | null {
  if (path.includes('*') || matchRoute('GET', path).kind !== 'unknown') return null
  const isAsLong = (known: string) => known.split('/').length === path.split('/').length
  return nearestWord(path, fixedPaths.filter(isAsLong))
}

/**
 * The same for a path with extra slashes, with its prefix twice, or without its prefix. Null also where nothing is
 * near. `method` is that of the request, null where any will do.
 */
export function meantPath(method: string | null, path: string): string | null {
  const plain = path
    .slice(0, longestPath)
    .replace(/\/{2,}/g, '/')
    .replace(/\/$/, '')
  const repaired = [
    plain,
    plain.replace(/^.+(?=\/api\/sdk\/)/, ''),
    `/api/sdk${plain}`,
    `/api/sdk${plain.replace(/^\/(api|sdk)(?=\/)/, '')}`,
  ]
  const isRoute = (candidate: string): boolean => {
    const { kind } = matchRoute(method ?? 'GET', candidate)
    return kind === 'found' || (method === null && kind === 'wrong-method')
  }
  return repaired.find(isRoute) ?? nearestPath(plain)
}

const longestPath = 1000

const fixedPaths = [...new Set(operationIds.map((id) => routeOf(id).path))].filter(
  (path) => !path.includes(':'),
)
