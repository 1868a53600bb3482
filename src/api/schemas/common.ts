import { closed, described } from './closed.ts'
import type { Schema } from './infer.ts'

/* Pieces that several resources share. A percent is a number in percent (2.5 is 2.5 %): its format lets a reading
 * turn it into a fraction. */

export const text = { type: 'string' } as const satisfies Schema
export const nullableText = { type: ['string', 'null'] } as const satisfies Schema
export const number = { type: 'number' } as const satisfies Schema
export const nullableNumber = { type: ['number', 'null'] } as const satisfies Schema
export const boolean = { type: 'boolean' } as const satisfies Schema
export const integer = { type: 'integer' } as const satisfies Schema
export const percent = { type: 'number', format: 'percent' } as const satisfies Schema
export const timestamp = { type: 'string', format: 'date-time' } as const satisfies Schema
export const symbol = {
  type: 'string',
  minLength: 1,
  maxLength: 64,
  description: 'asset symbol',
} as const satisfies Schema
export const side = { enum: ['buy', 'sell'], description: 'buy or sell' } as const satisfies Schema
export const metadata = { type: 'object', additionalProperties: true } as const satisfies Schema
export const numberBySymbol = { type: 'object', additionalProperties: number } as const satisfies Schema

/** Spec: clientOrderId, clientQuoteId, at most 64 characters. Choice: at least one, and no control characters. */
export const clientId = {
  type: 'string',
  minLength: 1,
  maxLength: 64,
  description: 'an identifier of the caller’s own, at most 64 characters',
  pattern: '^[^\\u0000-\\u001f\\u007f]*$',
} as const satisfies Schema

/** The same in a body, where null means that none is given. */
export const optionalClientId = { ...clientId, type: ['string', 'null'] } as const satisfies Schema

/** At most 50 keys; the 4 KiB as JSON are counted where the body is read. */
export const optionalMetadata = {
  type: ['object', 'null'],
  additionalProperties: true,
  maxProperties: 50,
  description: 'custom key-value pairs: at most 50 keys and 4 KiB as JSON',
} as const satisfies Schema

export const positiveNumber = { type: 'number', exclusiveMinimum: 0 } as const satisfies Schema
export const optionalPositiveNumber = {
  type: ['number', 'null'],
  exclusiveMinimum: 0,
} as const satisfies Schema
export const nonNegativeNumber = { type: 'number', minimum: 0 } as const satisfies Schema
export const optionalNonNegativeNumber = { type: ['number', 'null'], minimum: 0 } as const satisfies Schema

/** An ISO 8601 date, or an instant; read where it is used. */
export const dateOrTime = {
  type: 'string',
  minLength: 10,
  maxLength: 40,
  format: 'date-or-time',
} as const satisfies Schema

/** Spec: Limits, page size and page number. Choice: at most what 32 bits hold, so that every client can write it. */
export const page = {
  type: 'integer',
  minimum: 1,
  maximum: 2_147_483_647,
  default: 1,
  description: 'number of the page, from 1',
} as const satisfies Schema
export const limit = {
  type: 'integer',
  minimum: 1,
  maximum: 100,
  default: 50,
  description: 'how many of them a page has',
} as const satisfies Schema
export const offset = {
  type: 'integer',
  minimum: 0,
  maximum: 2_147_483_647,
  default: 0,
  description: 'how many to leave out from the start',
} as const satisfies Schema

/** A word of a filter that no list has: reading `filters.unlisted`. */
export const filterWord = { type: 'string', minLength: 1, maxLength: 64 } as const satisfies Schema

export const symbols = {
  type: 'array',
  minItems: 1,
  items: symbol,
  description: 'asset symbols; all assets when left out',
} as const satisfies Schema

export const pagination = closed({
  page: described(integer, 'number of this page, from 1'),
  limit: described(integer, 'how many of them a page has'),
  total: described(integer, 'how many there are on all pages'),
  totalPages: described(integer, 'how many pages there are; 0 for an empty list'),
})

export const offsetPagination = closed({
  limit: described(integer, 'how many of them an answer has'),
  offset: described(integer, 'how many were left out from the start'),
  total: described(integer, 'how many there are'),
})

export const batchSummary = closed({
  total: described(integer, 'how many items there were'),
  successful: described(integer, 'how many succeeded'),
  failed: described(integer, 'how many failed'),
})

/** A query of an operation that has none: any parameter is unknown. */
export const noQuery = {
  type: 'object',
  additionalProperties: false,
  properties: {},
} as const satisfies Schema
