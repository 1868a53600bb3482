import type { Operation } from '../operations/operation.ts'
import type { OperationId } from '../operations/operations.ts'
import { everyOperationId, routeOf } from '../operations/operations.ts'
import { defaultReadings, type Readings, readingKeys } from '../readings/readings.ts'

/* The prose of the document. */

export const tagDescriptions = {
  Orders: 'Create, amend, cancel and list orders, alone and in batches.',
  Quotes: 'Two-sided quotes of market makers.',
  'Market data': 'Prices, order books, trading pairs and statistics.',
  Portfolio: 'Balances, positions, exposure, profit and loss, and what happened.',
  Risk: 'Limits and their use, and orders that are only checked.',
} as const

/** Names the readings that are not at their defaults, because they decide what a client sees. */
export function venueDescription(readings: Readings): string {
  const changed = readingKeys.filter((key) => readings[key] !== defaultReadings[key])
  return [
    'Orders, quotes, market data, portfolio and risk of an over-the-counter digital asset venue, simulated.',
    'Every request is signed: X-API-Signature is the lower-case hexadecimal HMAC-SHA256, keyed with the API secret, ' +
      'of the timestamp, the method, the path and the body, one after the other.',
    'Invalid HTTP is refused before an operation is known, with 408, 417 or 431 in the shape of an error.',
    changed.length === 0
      ? 'Every open point of the specification is read in the default way (`x-readings`).'
      : `Open points of the specification that are not read in the default way: ${changed
          .map((key) => `\`${key}=${readings[key]}\``)
          .join(', ')}.`,
  ].join('\n\n')
}

/** Spec: Errors, HTTP status codes. */
export function statusDescription(status: number): string {
  return descriptions.get(status) ?? 'Error'
}

const descriptions: ReadonlyMap<number, string> = new Map([
  [200, 'Success'],
  [201, 'Created'],
  [207, 'Some items failed'],
  [400, 'Invalid parameters'],
  [401, 'Invalid or missing API key or authentication'],
  [403, 'Insufficient scope'],
  [404, 'Resource does not exist'],
  [409, 'The resource is done, or its client id has been used'],
  [413, 'Payload Too Large'],
  [415, 'Unsupported Media Type'],
  [422, 'Risk check failed'],
  [429, 'Rate limit exceeded'],
  [500, 'Internal Server Error'],
])

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
