import { quoteStatusNames } from '../../engine/codes.ts'
import { oneOfWords, typed } from '../../shape/shape.ts'
import { closed, described, listOf, oneOf, partial } from '../wire-shapes.ts'
import * as common from './common.ts'
import { operation } from './operation.ts'
import { fill } from './orders.ts'

/* The resource (Spec: Quote), and the bodies, queries and responses of the quote operations. */

export const quoteStatus = described(
  oneOfWords(...quoteStatusNames),
  'active (live, can be filled), partially_filled (filled on one or both sides), filled, cancelled or expired',
)

export const quote = closed({
  quoteId: described(common.text, 'unique quote identifier'),
  clientQuoteId: described(common.nullableText, 'as the caller supplied it; null when none was given'),
  asset: described(common.text, 'asset symbol'),
  bidPrice: described(common.number, 'buy price'),
  askPrice: described(common.number, 'sell price'),
  bidSize: described(common.number, 'bid quantity'),
  askSize: described(common.number, 'ask quantity'),
  bidFilled: described(common.number, 'quantity filled on the bid side'),
  askFilled: described(common.number, 'quantity filled on the ask side'),
  status: quoteStatus,
  validForSeconds: described(common.number, 'validity duration'),
  expiresAt: described(common.timestamp, 'when the quote expires'),
  metadata: described(common.metadata, 'key-value pairs as the caller supplied them'),
  createdAt: described(common.timestamp, 'when the quote was created'),
  updatedAt: described(common.timestamp, 'when the quote last changed'),
})

const { quoteId, asset, bidPrice, askPrice, bidSize, askSize, expiresAt, createdAt } = quote.properties

export const listedQuote = closed({
  quoteId,
  asset,
  bidPrice,
  askPrice,
  bidSize,
  askSize,
  status: quoteStatus,
  expiresAt,
  createdAt,
})

export const quoteList = closed({
  quotes: described(listOf(listedQuote), 'the quotes of this page, in the shape of lists'),
  pagination: common.offsetPagination,
})

export const cancelledQuote = closed({
  quoteId: described(common.text, 'the quote that was cancelled'),
  status: quoteStatus,
  cancelledAt: described(common.timestamp, 'when it was cancelled'),
})

export const cancelledQuotes = closed({
  cancelledCount: described(common.integer, 'how many quotes were cancelled'),
  cancelledQuotes: described(listOf(common.text), 'their quote ids'),
})

/**
 * The result of one quote of a bulk update. The specification does not show that of a failure (reading
 * `bulk.failure`); there is one shape for both, as in a batch of orders. The id is null when a failed item names
 * none.
 */
export const bulkItem = closed(
  {
    success: described(common.boolean, 'whether the quote was updated'),
    quoteId: described(common.nullableText, 'the quote; null where the input names none'),
    error: described(common.text, 'of a failure: why, in words'),
    index: described(common.integer, 'of a failure: position in the input, from 0'),
  },
  ['error', 'index'],
)

export const bulkResult = closed({
  results: described(listOf(bulkItem), 'one per update, in input order'),
  summary: common.batchSummary,
})

/**
 * The validity of a quote that names none, in seconds. Spec: Limits, validForSeconds 1 to 300, default 30. Choice:
 * fractions are accepted in whole milliseconds.
 */
export const usualValidForSeconds = 30
export const longestValidForSeconds = 300
export const validForSeconds = described(
  typed<number | null>({ type: ['number', 'null'], minimum: 1, maximum: longestValidForSeconds }),
  'validity from now on, 1 to 300, in whole milliseconds',
)

export const submitQuoteBody = closed(
  {
    asset: common.symbol,
    bidPrice: described(
      common.nonNegativeNumber,
      'buy price, in steps of the trading pair: lower than askPrice',
    ),
    askPrice: described(common.nonNegativeNumber, 'sell price, in steps of the trading pair'),
    bidSize: described(common.nonNegativeNumber, 'bid quantity, in steps of the trading pair'),
    askSize: described(common.nonNegativeNumber, 'ask quantity, in steps of the trading pair'),
    validForSeconds: described(
      validForSeconds,
      `validity, 1 to 300, in whole milliseconds: ${usualValidForSeconds} when left out`,
    ),
    clientQuoteId: common.optionalClientId,
    metadata: common.optionalMetadata,
  },
  ['validForSeconds', 'clientQuoteId', 'metadata'],
)

/** The prices and sizes of an update. Those that are left out or null stay as they are. */
const changedTerms = {
  bidPrice: described(common.optionalNonNegativeNumber, 'buy price from now on: lower than askPrice'),
  askPrice: described(common.optionalNonNegativeNumber, 'sell price from now on'),
  bidSize: described(common.optionalNonNegativeNumber, 'bid quantity from now on'),
  askSize: described(common.optionalNonNegativeNumber, 'ask quantity from now on'),
} as const

const terms = ['bidPrice', 'askPrice', 'bidSize', 'askSize'] as const

export const updateQuoteBody = closed({ ...changedTerms, validForSeconds }, [...terms, 'validForSeconds'], {
  minProperties: 1,
})

export const bulkUpdateItem = closed(
  { quoteId: described(common.text, 'the quote to update'), ...changedTerms },
  terms,
)

/**
 * The body of a bulk update. Its items are checked one by one as `bulkUpdateItem`. Choice: at most 100 items, as in a
 * batch of orders.
 */
export const bulkUpdateBody = described(
  listOf(common.anything, { minItems: 1, maxItems: 100 }),
  'at most 100 updates',
)

/**
 * The statuses that the filter of the list takes: four of the five (Spec). Reading `filters.unlisted` decides about
 * the fifth.
 */
export const listedQuoteStatuses = ['active', 'expired', 'filled', 'cancelled'] as const

/**
 * The parameters that every list of quotes has. A word that is not a status is refused with the documented ones, or
 * accepted (reading `filters.unlisted`).
 */
const listed = {
  status: described(
    oneOf(oneOfWords(...listedQuoteStatuses), common.filterWord),
    'only quotes in this state',
  ),
  asset: described(common.symbol, 'only quotes for this asset'),
  limit: common.limit,
} as const

export const offsetQuotesQuery = closed({ ...listed, offset: common.offset }, ['status', 'asset'])

/**
 * The query of the list of quotes under reading `quotes.query`: also by page and by several statuses, as orders are
 * listed.
 */
export const listQuotesQuery = closed(
  {
    ...listed,
    offset: described(common.count(0), 'how many to skip'),
    statuses: described(listOf(listed.status, { minItems: 1 }), 'only quotes in one of these states'),
    page: described(common.count(1), 'instead of offset, from 1'),
  },
  ['status', 'asset', 'offset', 'statuses', 'page'],
)

/** The query of the list of the fills of a quote, which only reading `quotes.fills` has. */
export const quoteFillsQuery = closed({ page: common.page, limit: common.limit })

const { orderId: _, ...fillFields } = fill.properties

export const quoteFill = closed({
  ...fillFields,
  quoteId: described(common.text, 'the quote of which a side was filled'),
})

export const quoteFillList = closed({
  fills: described(listOf(quoteFill), 'one per fill of either side'),
  pagination: common.pagination,
})

/* The quote operations (Spec: Endpoints, Quotes), by the names of the methods of the client. */
export const quotes = {
  submit: operation({
    id: 'submitQuote',
    method: 'POST',
    path: '/api/sdk/quotes',
    scope: 'MARKET_MAKING',
    makes: 'quote',
    body: submitQuoteBody,
    response: quote,
    summary: 'Submit quote',
    errors: [409, 422],
  }),
  list: operation({
    id: 'listQuotes',
    method: 'GET',
    path: '/api/sdk/quotes',
    query: listQuotesQuery,
    response: quoteList,
    summary: 'List quotes',
  }),
  get: operation({
    id: 'getQuote',
    method: 'GET',
    path: '/api/sdk/quotes/:quoteId',
    response: quote,
    summary: 'Get quote',
  }),
  update: operation({
    id: 'updateQuote',
    method: 'PATCH',
    path: '/api/sdk/quotes/:quoteId',
    scope: 'MARKET_MAKING',
    body: updateQuoteBody,
    response: quote,
    summary: 'Update quote',
    errors: [409, 422],
  }),
  cancel: operation({
    id: 'cancelQuote',
    method: 'DELETE',
    path: '/api/sdk/quotes/:quoteId',
    scope: 'MARKET_MAKING',
    response: cancelledQuote,
    summary: 'Cancel quote',
    errors: [409],
  }),
  /**
   * Cancels all live quotes, or those that the filter selects. A filter with an undefined field is refused, because
   * it would cancel all quotes.
   */
  cancelAll: operation({
    id: 'cancelQuotes',
    method: 'DELETE',
    path: '/api/sdk/quotes',
    scope: 'MARKET_MAKING',
    body: partial({ asset: described(common.symbol, 'only quotes for this asset') }),
    isBodyOptional: true,
    response: cancelledQuotes,
    summary: 'Cancel all quotes',
  }),
  /** Updates several quotes, each of which may fail by itself; see `results`. */
  updateBatch: operation({
    id: 'updateQuotes',
    method: 'PATCH',
    path: '/api/sdk/quotes/batch/update',
    scope: 'MARKET_MAKING',
    body: bulkUpdateBody,
    bodyItem: bulkUpdateItem,
    response: bulkResult,
    summary: 'Bulk update quotes',
  }),
  /** Lists the fills of a quote. The specification does not have this operation; reading `quotes.fills` adds it. */
  fills: operation({
    id: 'listQuoteFills',
    method: 'GET',
    path: '/api/sdk/quotes/:quoteId/fills',
    isSpecified: false,
    query: quoteFillsQuery,
    response: quoteFillList,
    summary: 'Get quote fills',
  }),
}
