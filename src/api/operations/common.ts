import type { Metadata } from '../../engine/metadata.ts'
import { oneOfWords, shapeTyped } from '../../shape/shape.ts'
import { errorTypes } from '../error-types.ts'
import { describe, listOf, mapShape, object, partial, withDefault } from '../wire-shapes.ts'

/*
 * Shapes that several resources share. A percent is a number in percent (2.5 is 2.5 %); its format lets a reading
 * turn it into a fraction.
 */

export const text = shapeTyped<string>({ type: 'string' })
export const nullableText = shapeTyped<string | null>({ type: ['string', 'null'] })
export const number = shapeTyped<number>({ type: 'number' })
export const nullableNumber = shapeTyped<number | null>({ type: ['number', 'null'] })
/** Any value: it is checked where it is used. */
export const anything = shapeTyped<unknown>({})
export const boolean = shapeTyped<boolean>({ type: 'boolean' })
export const integer = shapeTyped<number>({ type: 'integer' })
export const percent = shapeTyped<number>({ type: 'number', format: 'percent' })
export const timestamp = shapeTyped<string>({ type: 'string', format: 'date-time' })
const symbolText = { type: 'string', minLength: 1, maxLength: 64 } as const
export const symbol = describe(shapeTyped<string>(symbolText), 'asset symbol')
export const side = describe(oneOfWords('buy', 'sell'), 'buy or sell')
export const metadata = shapeTyped<Metadata>({ type: 'object', additionalProperties: true })
export const numberBySymbol = mapShape(number)

/**
 * An id of the caller (Spec: clientOrderId, clientQuoteId, at most 64 characters). Choice: it has at least one
 * character, and no control characters.
 */
export const clientId = shapeTyped<string>({
  ...symbolText,
  description:
    'an identifier of the caller’s own, at most 64 characters; a second use is refused, or as reading clientId.duplicate says',
  pattern: '^[^\\u0000-\\u001f\\u007f]*$',
})

/** A client id in a body, where null means that none is given. */
export const optionalClientId = shapeTyped<string | null>({ ...clientId, type: ['string', 'null'] })

/** Metadata of at most 50 keys. Its bound of 4 KiB as JSON is checked where the body is read. */
export const optionalMetadata = shapeTyped<Metadata | null>({
  type: ['object', 'null'],
  additionalProperties: true,
  maxProperties: 50,
  description: 'custom key-value pairs, given back as they are: at most 50 keys and 4 KiB as JSON',
})

export const positiveNumber = shapeTyped<number>({ type: 'number', exclusiveMinimum: 0 })
export const optionalPositiveNumber = shapeTyped<number | null>({
  type: ['number', 'null'],
  exclusiveMinimum: 0,
})
export const nonNegativeNumber = shapeTyped<number>({ type: 'number', minimum: 0 })
export const optionalNonNegativeNumber = shapeTyped<number | null>({ type: ['number', 'null'], minimum: 0 })

/** An ISO 8601 date or instant, which the handler reads. */
export const dateOrTime = shapeTyped<string>({
  type: 'string',
  minLength: 10,
  maxLength: 40,
  format: 'date-or-time',
})

/** The highest count in a query. Choice: spec silent, it is what 32 bits hold, so that every client can write it. */
const mostRows = 2_147_483_647
/** Returns the shape of a whole number. Spec: Limits, page size and page number. */
export const count = (minimum: number, maximum = mostRows) =>
  shapeTyped<number>({ type: 'integer', minimum, maximum })
export const page = describe(
  withDefault(count(1), 1),
  'number of the page, from 1; one past the end is empty',
)
export const limit = describe(
  withDefault(count(1, 100), 50),
  'how many of them a page has; others are refused or clamped, by reading params.outOfRange',
)
export const offset = describe(withDefault(count(0), 0), 'how many to leave out from the start')

/** A word of a filter that is not documented (reading `filters.unlisted`). */
export const filterWord = shapeTyped<string>(symbolText)

export const symbols = describe(listOf(symbol, { minItems: 1 }), 'asset symbols; all assets when left out')

export const pagination = object(
  {
    page: describe(integer, 'number of this page, from 1'),
    limit: describe(integer, 'how many of them a page has'),
    total: describe(integer, 'how many there are on all pages'),
    totalPages: describe(integer, 'how many pages there are; 0 for an empty list'),
  },
  [],
  { description: 'which page this is, and how many there are' },
)

export const offsetPagination = object(
  {
    limit: describe(integer, 'how many of them an answer has'),
    offset: describe(integer, 'how many were left out from the start'),
    total: describe(integer, 'how many there are'),
  },
  [],
  { description: 'which part of the list this is, and how long it is' },
)

export const batchSummary = object(
  {
    total: describe(integer, 'how many items there were'),
    successful: describe(integer, 'how many succeeded'),
    failed: describe(integer, 'how many failed'),
  },
  [],
  { description: 'how many items there were, and what became of them' },
)

/** The query of an operation without parameters. Any parameter is unknown. */
export const noQuery = object({})

/**
 * The details of an error (Spec: Errors). Reading `error.typeField` decides which field has the type name; this is
 * the default.
 */
const details = partial(
  {
    field: describe(text, 'the field that is wrong'),
    reason: describe(text, 'what is wrong with it'),
    type: describe(
      oneOfWords(...errorTypes),
      'the error type; reading error.typeField says in which field it stands',
    ),
  },
  [],
  { description: 'where and why, as far as it is known' },
)
export const errorShape = object({
  statusCode: describe(integer, 'the HTTP status'),
  message: describe(text, 'what is wrong, for people; a list of texts by reading error.message'),
  error: describe(text, 'the HTTP status phrase, such as Bad Request'),
  details,
})
