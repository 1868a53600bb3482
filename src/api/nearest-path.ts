import { nearestWord } from './nearest-word.ts'
import { matchRoute } from './router.ts'
import { operationIds, routeOf } from './routes/routes.ts'

/**
 * The path that was most likely meant by one that no operation has: `/api/sdk/orders` for `/api/sdk/order`. Null for a
 * path that an operation has, for a pattern with stars, and where nothing is near: paths that do not exist may be asked for
 * on purpose, to see that nobody goes there.
 */
export function nearestPath(path: string): string | null {
  if (path.includes('*') || matchRoute('GET', path).kind !== 'unknown') return null
  const isAsLong = (known: string) => known.split('/').length === path.split('/').length
  return nearestWord(path, fixedPaths.filter(isAsLong))
}

const fixedPaths = [...new Set(operationIds.map((id) => routeOf(id).path))].filter(
  (path) => !path.includes(':'),
)
