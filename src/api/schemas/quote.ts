import { quoteStatusNames } from '../../engine/codes.ts'
import { closed, described, listOf } from './closed.ts'
import * as common from './common.ts'
import type { Schema } from './infer.ts'
import { fill } from './order.ts'

/* Spec: Quote, and the bodies, queries and responses of the seven quote operations. */

export const quoteStatus = {
  enum: quoteStatusNames,
  description:
    'active (live, can be filled), partially_filled (filled on one or both sides), filled, cancelled or expired',
} as const satisfies Schema

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

export const listedQuote = closed({
  quoteId: described(common.text, 'unique quote identifier'),
  asset: described(common.text, 'asset symbol'),
  bidPrice: described(common.number, 'buy price'),
  askPrice: described(common.number, 'sell price'),
  bidSize: described(common.number, 'bid quantity'),
  askSize: described(common.number, 'ask quantity'),
  status: quoteStatus,
  expiresAt: described(common.timestamp, 'when the quote expires'),
  createdAt: described(common.timestamp, 'when the quote was created'),
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
 * The shape of a failed item is not shown: reading `bulk.failure`. One shape for all items, as in a batch of orders. The
 * id is null where a failed item has none.
 */
export const bulkItem = {
  type: 'object',
  additionalProperties: false,
  required: ['success', 'quoteId'],
  properties: {
    success: described(common.boolean, 'whether the quote was updated'),
    quoteId: described(common.nullableText, 'the quote; null where the input names none'),
    error: described(common.text, 'of a failure: why, in words'),
    index: described(common.integer, 'of a failure: position in the input, from 0'),
  },
} as const satisfies Schema

export const bulkResult = closed({
  results: described(listOf(bulkItem), 'one per update, in input order'),
  summary: common.batchSummary,
})

/** Spec: Limits, validForSeconds 1 to 300, default 30. Choice: whole milliseconds of a second are accepted. */
export const usualValidForSeconds = 30
export const validForSeconds = {
  type: ['number', 'null'],
  minimum: 1,
  maximum: 300,
  description: 'validity from now on, 1 to 300, in whole milliseconds',
} as const satisfies Schema

export const submitQuoteBody = {
  type: 'object',
  additionalProperties: false,
  required: ['asset', 'bidPrice', 'askPrice', 'bidSize', 'askSize'],
  properties: {
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
} as const satisfies Schema

/** What is left out, or null, stays as it is. */
const changedTerms = {
  bidPrice: described(common.optionalNonNegativeNumber, 'buy price from now on: lower than askPrice'),
  askPrice: described(common.optionalNonNegativeNumber, 'sell price from now on'),
  bidSize: described(common.optionalNonNegativeNumber, 'bid quantity from now on'),
  askSize: described(common.optionalNonNegativeNumber, 'ask quantity from now on'),
} as const

export const updateQuoteBody = {
  type: 'object',
  additionalProperties: false,
  minProperties: 1,
  properties: {
    ...changedTerms,
    validForSeconds,
  },
} as const satisfies Schema

export const cancelAllQuotesBody = {
  type: 'object',
  additionalProperties: false,
  properties: { asset: described(common.symbol, 'only quotes for this asset') },
} as const satisfies Schema

export const bulkUpdateItem = {
  type: 'object',
  additionalProperties: false,
  required: ['quoteId'],
  properties: {
    quoteId: described(common.text, 'the quote to update'),
    ...changedTerms,
  },
} as const satisfies Schema

/** Items are checked one by one as `bulkUpdateItem`. Choice: at most 100, as a batch of orders. */
export const bulkUpdateBody = {
  type: 'array',
  minItems: 1,
  maxItems: 100,
  items: {},
  description: 'at most 100 updates',
} as const satisfies Schema

/** Spec: the list filter takes four of the five statuses; reading `filters.unlisted` decides about the fifth. */
export const listedQuoteStatus = {
  enum: ['active', 'expired', 'filled', 'cancelled'],
} as const satisfies Schema

/** A word that is no status at all is answered with the documented ones, or taken by that reading. */
export const offsetQuotesQuery = {
  type: 'object',
  additionalProperties: false,
  required: ['limit', 'offset'],
  properties: {
    status: { anyOf: [listedQuoteStatus, common.filterWord], description: 'only quotes in this state' },
    asset: described(common.symbol, 'only quotes for this asset'),
    limit: common.limit,
    offset: common.offset,
  },
} as const satisfies Schema

/** Reading `quotes.query`: by page and by several statuses, too, as orders are listed. */
export const listQuotesQuery = {
  ...offsetQuotesQuery,
  required: ['limit'],
  properties: {
    ...offsetQuotesQuery.properties,
    statuses: {
      type: 'array',
      minItems: 1,
      items: offsetQuotesQuery.properties.status,
      description: 'only quotes in one of these states',
    },
    offset: { type: 'integer', minimum: 0, maximum: common.offset.maximum, description: 'how many to skip' },
    page: {
      type: 'integer',
      minimum: 1,
      maximum: common.page.maximum,
      description: 'instead of offset, from 1',
    },
  },
} as const satisfies Schema

/** Reading `quotes.fills`. */
export const quoteFillsQuery = {
  type: 'object',
  additionalProperties: false,
  required: ['page', 'limit'],
  properties: { page: common.page, limit: common.limit },
} as const satisfies Schema

const { orderId: _, ...ofFill } = fill.properties

export const quoteFill = closed({
  ...ofFill,
  quoteId: described(common.text, 'the quote of which a side was filled'),
})

export const quoteFillList = closed({
  fills: described(listOf(quoteFill), 'one per fill of either side'),
  pagination: common.pagination,
})
