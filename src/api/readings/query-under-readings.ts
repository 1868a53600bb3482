import type { ObjectShape } from '../../shape/wire-shapes.ts'
import {
  orderBookQuery,
  orderBooksQuery,
  shallowBookQuery,
  shallowBooksQuery,
} from '../operations/market-data.ts'
import { listQuotesQuery, offsetQuotesQuery } from '../operations/quotes.ts'
import type { ReadingKey, Readings } from './readings.ts'

/** What an operation's query may have under these readings; a route has what it may have under any. */
export function queryUnder(query: ObjectShape, readings: Readings): ObjectShape {
  const narrower = narrowerQueries.find(({ wide }) => wide === query)
  return narrower === undefined || readings[narrower.reading] !== narrower.value ? query : narrower.query
}

interface NarrowerQuery {
  readonly wide: ObjectShape
  readonly reading: ReadingKey
  readonly value: string
  readonly query: ObjectShape
}

export const narrowerQueries: readonly NarrowerQuery[] = [
  { wide: orderBookQuery, reading: 'depth.maximum', value: '50', query: shallowBookQuery },
  { wide: orderBooksQuery, reading: 'depth.maximum', value: '50', query: shallowBooksQuery },
  { wide: listQuotesQuery, reading: 'quotes.query', value: 'offset', query: offsetQuotesQuery },
]
