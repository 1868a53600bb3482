import type { Shape, TypeName } from '../../shape/shape.ts'
import { clientShape, shorterShape } from '../handlers/change-body.ts'
import type { Json } from '../json.ts'
import * as common from '../operations/common.ts'
import { batchSummary, errorShape, offsetPagination, pagination, side } from '../operations/common.ts'
import * as marketData from '../operations/market-data.ts'
import * as order from '../operations/orders.ts'
import * as portfolio from '../operations/portfolio.ts'
import * as quote from '../operations/quotes.ts'
import * as risk from '../operations/risk.ts'
import type { Readings } from '../readings/readings.ts'
import { itemShape, listOf, object, oneOf } from '../wire-shapes.ts'

/** Returns a reference to a schema that is a component of the document, else the schema itself. */
export function schemaOrReference(schema: Shape, style: SchemaStyle): Json {
  const name = style.names.get(schema)
  return name === undefined ? expandSchema(schema, style) : { $ref: `#/components/schemas/${name}` }
}

/**
 * Returns the named schemas of a document, which are its components. `styleFor` returns the style of each shape,
 * without the names.
 */
export function namedSchemas(
  names: SchemaStyle['names'],
  styleFor: (schema: Shape) => Omit<SchemaStyle, 'names'>,
): { readonly [name: string]: Json } {
  return Object.fromEntries(
    [...names].map(([schema, name]) => [name, expandSchema(schema, { ...styleFor(schema), names })]),
  )
}

/** Returns the info part of a document. */
export const documentInfo = (title: string, version: string, description: string) => ({
  title,
  version,
  description,
  license: { name: 'MIT', url: 'https://opensource.org/license/mit' },
})

/** Describes operations by path and method, in the order in which they are given. */
export function describePaths<Row extends { readonly path: string; readonly method: string }>(
  rows: readonly Row[],
  describe: (row: Row) => Json,
): { readonly [path: string]: { readonly [method: string]: Json } } {
  const paths = new Map<string, (readonly [method: string, operation: Json])[]>()
  for (const row of rows) {
    const path = row.path.replace(/:(\w+)/g, '{$1}')
    const operations = paths.get(path) ?? []
    paths.set(path, operations)
    operations.push([row.method.toLowerCase(), describe(row)])
  }
  return Object.fromEntries([...paths].map(([path, operations]) => [path, Object.fromEntries(operations)]))
}

/** Selects the components that paths refer to, directly or through other components. */
export function selectReferenced(
  paths: Json,
  schemas: { readonly [name: string]: Json | undefined },
): { readonly [name: string]: Json | undefined } {
  const used = new Set<string>()
  const visit = (value: Json): void => {
    for (const [, name = ''] of JSON.stringify(value).matchAll(/"#\/components\/schemas\/(\w+)"/g)) {
      if (used.has(name)) continue
      used.add(name)
      visit(schemas[name] ?? null)
    }
  }
  visit(paths)
  return Object.fromEntries(Object.entries(schemas).filter(([name]) => used.has(name)))
}

function expandSchema(schema: Shape, style: SchemaStyle): Json {
  const shape = openUnion(shapeUnder(schema, style.readings), style)
  const items = itemShape(shape)
  const { items: _, properties, additionalProperties, anyOf, ...rest } = describeValue(shape, style)
  const inner = (part: Shape): Json => schemaOrReference(part, style)
  return {
    ...rest,
    items: items === undefined ? items : inner(items),
    anyOf: anyOf?.map(inner),
    properties:
      properties &&
      Object.fromEntries(Object.entries(properties).map(([name, field]) => [name, inner(field)])),
    additionalProperties:
      typeof additionalProperties === 'object' ? inner(additionalProperties) : additionalProperties,
  }
}

/** How a shape is written in a document. */
export interface SchemaStyle {
  /** The schemas that are components of the document, with their names. */
  readonly names: ReadonlyMap<Shape, string>
  readonly readings: Readings
  /** Whether a value of several types is documented as one of any type, because generators can't make types of it. */
  readonly opensUnions?: boolean
}

/** Leaves a value open that may have several types, besides null. */
function openUnion(schema: Shape, { opensUnions = false }: SchemaStyle): Shape {
  const { type, description } = schema
  const isUnion = opensUnions && Array.isArray(type) && type.filter((name) => name !== 'null').length > 1
  if (!isUnion) return schema
  return description === undefined ? {} : { description }
}

/** A schema with the keywords that the document uses. */
type ValueSchema = Pick<
  Shape,
  Exclude<keyof Shape, 'format' | 'oneOf' | 'allOf' | 'not' | 'prefixItems' | 'propertyNames' | 'byName'>
> & {
  readonly format?: string
}

/**
 * Returns the schema of a value in the form that code generators need. Words and constants state their type, which
 * some generators would otherwise guess; where null is one of the words, the schema is the named words or null.
 * Numbers are doubles, because without a format some generators make floats with half the digits.
 */
function describeValue(schema: Shape, style: SchemaStyle): ValueSchema {
  const { format, ...rest } = describeWords(schema, style.names)
  switch (format) {
    case 'date-time':
      return { ...rest, format }
    case 'date-or-time':
      return { ...rest, pattern: dateOrTimePattern }
    case 'percent':
      return { ...rest, format: 'double', description: describePercent(rest, style) }
    default:
      return hasType(schema, 'number') ? { ...rest, format: 'double' } : rest
  }
}

function describePercent({ description }: Shape, { readings }: SchemaStyle): string {
  const unit = percentUnits[readings['percent.unit']]
  return description === undefined ? unit : `${description}: ${unit}`
}

const percentUnits = { percent: '2.5 is 2.5 %', fraction: '0.025 is 2.5 %' } as const

function hasType({ type }: Shape, name: TypeName): boolean {
  return typeof type === 'string' ? type === name : type?.includes(name) === true
}

function describeWords(schema: Shape, names: SchemaStyle['names']): Shape {
  const { enum: words, ...rest } = schema
  const values = words ?? (schema.const === undefined ? [] : [schema.const])
  if (values.length === 0 || schema.type !== undefined) return schema
  const named = values.includes(null) ? findNamedWords(values, names) : undefined
  if (named !== undefined) return { ...rest, anyOf: [named, { type: 'null' }] }
  const types = [...new Set(values.map(typeName))]
  const [type] = types
  return { type: type !== undefined && types.length === 1 ? type : types, ...schema }
}

/** Finds the component that has these words, apart from null. */
function findNamedWords(values: readonly unknown[], names: SchemaStyle['names']): Shape | undefined {
  const text = JSON.stringify(values.filter((value) => value !== null))
  return [...names.keys()].find(({ enum: words }) => words !== undefined && JSON.stringify(words) === text)
}

function typeName(value: string | number | boolean | null): TypeName {
  if (value === null) return 'null'
  if (typeof value === 'string') return 'string'
  return typeof value === 'boolean' ? 'boolean' : 'number'
}

/*
 * The pattern of the dates and times that `numeric/time-text` reads, without look-ahead, which several languages
 * lack.
 */

const year = '([1-9][0-9]{3}|0[1-9][0-9]{2}|00[1-9][0-9]|000[1-9])'
/** A year that is divisible by 4, and by 400 if it ends a century. */
const leapYear = '([0-9]{2}(0[48]|[2468][048]|[13579][26])|(0[48]|[2468][048]|[13579][26])00)'
const day =
  '((0[13578]|1[02])-(0[1-9]|[12][0-9]|3[01])|(0[469]|11)-(0[1-9]|[12][0-9]|30)|02-(0[1-9]|1[0-9]|2[0-8]))'
const hourAndMinute = '([01][0-9]|2[0-3]):[0-5][0-9]'
const time = `T${hourAndMinute}:[0-5][0-9](\\.[0-9]{1,9})?(Z|[+-]${hourAndMinute})`

/** Matches an ISO 8601 date, or a time with Z or an offset. */
const dateOrTimePattern = `^(${leapYear}-02-29|${year}-${day})(${time})?$`

/**
 * The names of components: for the shapes that the specification names, in its order, and for words that several of
 * them share. Generators make one type of a named shape, and one for each place of any other.
 */
export const schemaNames: ReadonlyMap<Shape, string> = new Map<Shape, string>([
  [side, 'Side'],
  [order.orderType, 'OrderType'],
  [order.timeInForce, 'TimeInForce'],
  [order.orderStatus, 'OrderStatus'],
  [order.order, 'Order'],
  [order.listedOrder, 'ListedOrder'],
  [order.cancelledOrder, 'CancelledOrder'],
  [order.fill, 'Fill'],
  [order.batchResult, 'BatchResult'],
  [order.createOrderBody, 'CreateOrder'],
  [order.amendOrderBody, 'AmendOrder'],
  [quote.quoteStatus, 'QuoteStatus'],
  [quote.quote, 'Quote'],
  [quote.listedQuote, 'ListedQuote'],
  [quote.cancelledQuote, 'CancelledQuote'],
  [quote.bulkResult, 'BulkResult'],
  [quote.submitQuoteBody, 'SubmitQuote'],
  [quote.updateQuoteBody, 'UpdateQuote'],
  [marketData.price, 'Price'],
  [marketData.orderBook, 'OrderBook'],
  [marketData.bookEntry, 'BookEntry'],
  [marketData.tradingPair, 'TradingPair'],
  [marketData.statistics, 'Statistics24h'],
  [portfolio.balance, 'Balance'],
  [portfolio.available, 'AvailableForTrading'],
  [portfolio.position, 'Position'],
  [portfolio.exposure, 'PortfolioExposure'],
  [portfolio.assetExposure, 'AssetExposure'],
  [portfolio.summary, 'PortfolioSummary'],
  [portfolio.profitAndLoss, 'ProfitAndLoss'],
  [portfolio.transaction, 'Transaction'],
  [portfolio.trade, 'Trade'],
  [risk.riskLimits, 'RiskLimits'],
  [risk.preTradeCheck, 'PreTradeCheck'],
  [risk.candidateBody, 'OrderCandidate'],
  [risk.riskExposure, 'RiskExposure'],
  [risk.assetRiskExposure, 'AssetRiskExposure'],
  [risk.utilization, 'LimitUtilization'],
  [risk.limitUse, 'LimitUse'],
  [risk.maxQuantity, 'MaximumQuantity'],
  [risk.metrics, 'RiskMetrics'],
  [risk.simulation, 'OrderSimulation'],
  [pagination, 'Pagination'],
  [offsetPagination, 'OffsetPagination'],
  [batchSummary, 'BatchSummary'],
  [errorShape, 'Error'],
])

/** Returns the shape that a documented shape has under the readings. A test checks each answer against the document. */
function shapeUnder(schema: Shape, readings: Readings): Shape {
  if (schema === errorShape) return errorShapeUnder(readings)
  const shown = clientShape(schema, readings, shorterShape(schema, readings))
  const field = readings.nulls === 'omitted' ? withoutNulls(shown) : shown
  return readings['answers.extraFields'] === 'some' ? allowExtraFields(field) : field
}

/**
 * Removes from an answer the fields that are always there and may be null: reading `nulls` leaves such fields out.
 * Requests have no such fields.
 */
function withoutNulls(schema: Shape): Shape {
  const { properties, required } = schema
  if (properties === undefined || required === undefined) return schema
  const isDropped = (name: string) => {
    const field = properties[name]
    return required.includes(name) && field !== undefined && allowsNull(field)
  }
  return {
    ...schema,
    required: required.filter((name) => !isDropped(name)),
    properties: Object.fromEntries(
      Object.entries(properties).map(([name, field]) => [name, isDropped(name) ? withoutNull(field) : field]),
    ),
  }
}

function allowsNull({ type, enum: values }: Shape): boolean {
  return values?.includes(null) === true || (Array.isArray(type) && type.includes('null'))
}

function withoutNull(schema: Shape): Shape {
  const { type, enum: values, ...rest } = schema
  const isOther = (name: TypeName) => name !== 'null'
  return {
    ...rest,
    ...(values === undefined ? {} : { enum: values.filter((value) => value !== null) }),
    ...(type === undefined ? {} : { type: typeof type === 'string' ? type : type.filter(isOther) }),
  }
}

/**
 * Allows further fields in an answer (reading `answers.extraFields`). The fields of a request are always those that
 * are documented.
 */
function allowExtraFields(schema: Shape): Shape {
  return schema.additionalProperties === false ? { ...schema, additionalProperties: true } : schema
}

const messageShapes = {
  string: errorShape.properties.message,
  array: listOf(common.text),
  list: oneOf(errorShape.properties.message, listOf(common.text)),
} as const

/** Returns the shape of errors under readings `error.typeField` and `error.message`. */
function errorShapeUnder(readings: Readings): Shape {
  const { properties } = errorShape
  const { field, reason, type } = properties.details.properties
  const place = readings['error.typeField']
  const error = object({
    ...properties,
    message: messageShapes[readings['error.message']],
    details:
      place === 'details.type'
        ? properties.details
        : { ...properties.details, properties: { field, reason } },
  })
  if (place !== 'code' && place !== 'errorCode') return error
  return { ...error, properties: { ...error.properties, [place]: type } }
}
