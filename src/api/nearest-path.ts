import { nearestWord } from './nearest-word.ts'
import { operationIds, routeOf } from './operations/operations.ts'
import { matchRoute } from './router.ts'

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
