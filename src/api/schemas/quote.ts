import { quoteStatusNames } from '../../engine/codes.ts'
import { closed, listOf } from './closed.ts'
import * as common from './common.ts'
import type { Schema } from './infer.ts'

/* Spec: Quote, and the bodies, queries and responses of the seven quote operations. */

export const quoteStatus = {
  enum: quoteStatusNames,
} as const satisfies Schema

export const quote = closed({
  quoteId: common.text,
  clientQuoteId: common.nullableText,
  asset: common.text,
  bidPrice: common.number,
  askPrice: common.number,
  bidSize: common.number,
  askSize: common.number,
  bidFilled: common.number,
  askFilled: common.number,
  status: quoteStatus,
  validForSeconds: common.number,
  expiresAt: common.timestamp,
  metadata: common.metadata,
  createdAt: common.timestamp,
  updatedAt: common.timestamp,
})

export const listedQuote = closed({
  quoteId: common.text,
  asset: common.text,
  bidPrice: common.number,
  askPrice: common.number,
  bidSize: common.number,
  askSize: common.number,
  status: quoteStatus,
  expiresAt: common.timestamp,
  createdAt: common.timestamp,
})

export const quoteList = closed({
  quotes: listOf(listedQuote),
  pagination: common.offsetPagination,
})

export const cancelledQuote = closed({
  quoteId: common.text,
  status: quoteStatus,
  cancelledAt: common.timestamp,
})

export const cancelledQuotes = closed({
  cancelledCount: common.integer,
  cancelledQuotes: listOf(common.text),
})

/** The shape of a failed item is not shown: reading `bulk.failure`. */
export const bulkResult = closed({
  results: {
    type: 'array',
    items: {
      anyOf: [
        closed({ success: { const: true }, quoteId: common.text }),
        {
          type: 'object',
          additionalProperties: false,
          required: ['success', 'quoteId'],
          properties: {
            success: { const: false },
            quoteId: common.nullableText,
            error: common.text,
            index: common.integer,
          },
        },
      ],
    },
  },
  summary: common.batchSummary,
})

/** Spec: Limits, validForSeconds 1 to 300, default 30. Choice: whole milliseconds of a second are accepted. */
export const usualValidForSeconds = 30
export const validForSeconds = {
  type: ['number', 'null'],
  minimum: 1,
  maximum: 300,
} as const satisfies Schema

export const submitQuoteBody = {
  type: 'object',
  additionalProperties: false,
  required: ['asset', 'bidPrice', 'askPrice', 'bidSize', 'askSize'],
  properties: {
    asset: common.symbol,
    bidPrice: common.nonNegativeNumber,
    askPrice: common.nonNegativeNumber,
    bidSize: common.nonNegativeNumber,
    askSize: common.nonNegativeNumber,
    validForSeconds: { ...validForSeconds, default: usualValidForSeconds },
    clientQuoteId: common.optionalClientId,
    metadata: common.optionalMetadata,
  },
} as const satisfies Schema

export const updateQuoteBody = {
  type: 'object',
  additionalProperties: false,
  minProperties: 1,
  properties: {
    bidPrice: common.optionalNonNegativeNumber,
    askPrice: common.optionalNonNegativeNumber,
    bidSize: common.optionalNonNegativeNumber,
    askSize: common.optionalNonNegativeNumber,
    validForSeconds,
  },
} as const satisfies Schema

export const cancelAllQuotesBody = {
  type: 'object',
  additionalProperties: false,
  properties: { asset: common.symbol },
} as const satisfies Schema

export const bulkUpdateItem = {
  type: 'object',
  additionalProperties: false,
  required: ['quoteId'],
  properties: {
    quoteId: common.text,
    bidPrice: common.optionalNonNegativeNumber,
    askPrice: common.optionalNonNegativeNumber,
    bidSize: common.optionalNonNegativeNumber,
    askSize: common.optionalNonNegativeNumber,
  },
} as const satisfies Schema

/** Items are checked one by one as `bulkUpdateItem`. Choice: at most 100, as a batch of orders. */
export const bulkUpdateBody = {
  type: 'array',
  minItems: 1,
  maxItems: 100,
  items: {},
} as const satisfies Schema

/** Spec: the list filter takes four of the five statuses; reading `filters.unlisted` decides about the fifth. */
export const listedQuoteStatus = {
  enum: ['active', 'expired', 'filled', 'cancelled'],
} as const satisfies Schema

export const listQuotesQuery = {
  type: 'object',
  additionalProperties: false,
  required: ['limit', 'offset'],
  properties: {
    status: { anyOf: [listedQuoteStatus, quoteStatus] },
    asset: common.symbol,
    limit: common.limit,
    offset: common.offset,
  },
} as const satisfies Schema
