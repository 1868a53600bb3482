import type { Operation } from '../operations/operation.ts'
import { everyOperationId, type OperationId, routeOf } from '../operations/operations.ts'
import { tagDescriptions } from './texts.ts'

const tagBySegment: ReadonlyMap<string, keyof typeof tagDescriptions> = new Map([
  ['orders', 'Orders'],
  ['quotes', 'Quotes'],
  ['market-data', 'Market data'],
  ['portfolio', 'Portfolio'],
  ['risk', 'Risk'],
])

/**
 * The operations in the order of the document: of each tag, fixed paths before those with a parameter. So a creation
 * comes before what needs its id, and no reader of the document takes `batch` for an id.
 */
export const documentedOperations: readonly OperationId[] = everyOperationId.toSorted(
  (left, right) => tagIndex(left) - tagIndex(right) || parametersIn(left) - parametersIn(right),
)

export function tagOf({ path }: Operation): keyof typeof tagDescriptions {
  return tagBySegment.get(path.split('/')[3] ?? '') ?? 'Orders'
}

function tagIndex(id: OperationId): number {
  return Object.keys(tagDescriptions).indexOf(tagOf(routeOf(id)))
}

function parametersIn(id: OperationId): number {
  return routeOf(id).path.includes(':') ? 1 : 0
}
