import { quoteStatusNames } from '../../engine/codes.ts'
import { oneOfWords, shapeTyped } from '../../shape/shape.ts'
import { describe, listOf, object, oneOf, partial } from '../wire-shapes.ts'
import * as common from './common.ts'
import { operation } from './operation.ts'
import { fill } from './orders.ts'

/* The resource (Spec: Quote), and the bodies, queries and responses of the quote operations. */

export const quoteStatus = describe(
  oneOfWords(...quoteStatusNames),
  'active (live, can be filled), partially_filled (filled on one or both sides), filled (on both), cancelled or expired',
)

export const quote = object({
  quoteId: describe(common.text, 'unique quote identifier'),
  clientQuoteId: describe(common.nullableText, 'as the caller supplied it; null when none was given'),
  asset: describe(common.text, 'asset symbol'),
  bidPrice: describe(common.number, 'price in USD at which the account buys'),
  askPrice: describe(common.number, 'price in USD at which the account sells'),
  bidSize: describe(common.number, 'quantity of the bid, in units of the asset'),
  askSize: describe(common.number, 'quantity of the ask, in units of the asset'),
  bidFilled: describe(common.number, 'quantity filled on the bid side'),
  askFilled: describe(common.number, 'quantity filled on the ask side'),
  status: quoteStatus,
  validForSeconds: describe(common.number, 'validity in seconds, counted from the last time it was set'),
  expiresAt: describe(
    common.timestamp,
    'when the quote expires; after an update as reading quotes.extend says',
  ),
  metadata: describe(common.metadata, 'key-value pairs as the caller supplied them'),
  createdAt: describe(common.timestamp, 'when the quote was created'),
  updatedAt: describe(common.timestamp, 'when the quote last changed'),
})

const { quoteId, asset, bidPrice, askPrice, bidSize, askSize, expiresAt, createdAt } = quote.properties

export const listedQuote = object({
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

export const quoteList = object({
  quotes: describe(listOf(listedQuote), 'the quotes of this page, in the shape of lists'),
  pagination: common.offsetPagination,
})

export const cancelledQuote = object({
  quoteId: describe(common.text, 'the quote that was cancelled'),
  status: quoteStatus,
  cancelledAt: describe(common.timestamp, 'when it was cancelled'),
})

export const cancelledQuotes = object({
  cancelledCount: describe(common.integer, 'how many quotes were cancelled'),
  cancelledQuotes: describe(listOf(common.text), 'their quote ids'),
})

/**
 * The result of one quote of a bulk update. The specification does not show that of a failure (reading
 * `bulk.failure`); there is one shape for both, as in a batch of orders. The id is null when a failed item names
 * none.
 */
export const bulkItem = object(
  {
    success: describe(common.boolean, 'whether the quote was updated'),
    quoteId: describe(common.nullableText, 'the quote; null where the input names none'),
    error: describe(common.text, 'of a failure: why, in words for people'),
    index: describe(common.integer, 'of a failure: position in the input, from 0'),
  },
  ['error', 'index'],
)

export const bulkResult = object({
  results: describe(
    listOf(bulkItem),
    'one per update, in input order; what a failure shows: reading bulk.failure',
  ),
  summary: common.batchSummary,
})

/**
 * The validity of a quote that names none, in seconds. Spec: Limits, validForSeconds 1 to 300, default 30. Choice:
 * fractions are accepted in whole milliseconds.
 */
export const defaultValidForSeconds = 30
export const longestValidForSeconds = 300
export const validForSeconds = describe(
  shapeTyped<number | null>({ type: ['number', 'null'], minimum: 1, maximum: longestValidForSeconds }),
  'validity in seconds from now on, 1 to 300, in whole milliseconds; reading quotes.extend',
)

export const submitQuoteBody = object(
  {
    asset: common.symbol,
    bidPrice: describe(
      common.nonNegativeNumber,
      'buy price, in steps of the trading pair: lower than askPrice',
    ),
    askPrice: describe(common.nonNegativeNumber, 'sell price, in steps of the trading pair'),
    bidSize: describe(
      common.nonNegativeNumber,
      'bid quantity, in steps of the trading pair; 0 for no bid, but not on both sides',
    ),
    askSize: describe(
      common.nonNegativeNumber,
      'ask quantity, in steps of the trading pair; 0 for no ask, but not on both sides',
    ),
    validForSeconds: describe(
      validForSeconds,
      `validity in seconds, 1 to 300, in whole milliseconds: ${defaultValidForSeconds} when left out`,
    ),
    clientQuoteId: common.optionalClientId,
    metadata: common.optionalMetadata,
  },
  ['validForSeconds', 'clientQuoteId', 'metadata'],
)

/** The prices and sizes of an update. Those that are left out or null stay as they are. */
const changedTerms = {
  bidPrice: describe(common.optionalNonNegativeNumber, 'buy price from now on: lower than askPrice'),
  askPrice: describe(common.optionalNonNegativeNumber, 'sell price from now on'),
  bidSize: describe(
    common.optionalNonNegativeNumber,
    'bid quantity from now on; not below what has been filled',
  ),
  askSize: describe(
    common.optionalNonNegativeNumber,
    'ask quantity from now on; not below what has been filled',
  ),
} as const

const terms = ['bidPrice', 'askPrice', 'bidSize', 'askSize'] as const

export const updateQuoteBody = object({ ...changedTerms, validForSeconds }, [...terms, 'validForSeconds'], {
  minProperties: 1,
})

export const bulkUpdateItem = object(
  { quoteId: describe(common.text, 'the quote to update'), ...changedTerms },
  terms,
)

/**
 * The body of a bulk update. Its items are checked one by one as `bulkUpdateItem`. Choice: at most 100 items, as in a
 * batch of orders.
 */
const bulkUpdateBody = describe(
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
  status: describe(oneOf(oneOfWords(...listedQuoteStatuses), common.filterWord), 'only quotes in this state'),
  asset: describe(common.symbol, 'only quotes for this asset'),
  limit: common.limit,
} as const

export const offsetQuotesQuery = object({ ...listed, offset: common.offset }, ['status', 'asset'])

/**
 * The query of the list of quotes under reading `quotes.query`: also by page and by several statuses, as orders are
 * listed.
 */
export const listQuotesQuery = object(
  {
    ...listed,
    offset: describe(common.count(0), 'how many to skip'),
    statuses: describe(listOf(listed.status, { minItems: 1 }), 'only quotes in one of these states'),
    page: describe(common.count(1), 'instead of offset, from 1'),
  },
  ['status', 'asset', 'offset', 'statuses', 'page'],
)

/** The query of the list of the fills of a quote, which only reading `quotes.fills` has. */
const quoteFillsQuery = object({ page: common.page, limit: common.limit })

const { orderId: _, ...fillFields } = fill.properties

export const quoteFill = object({
  ...fillFields,
  quoteId: describe(common.text, 'the quote of which a side was filled'),
})

export const quoteFillList = object({
  fills: describe(listOf(quoteFill), 'one per fill of either side'),
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
    body: partial({ asset: describe(common.symbol, 'only quotes for this asset') }),
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
