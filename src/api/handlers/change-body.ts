import { millisToIso } from '../../numeric/time-text.ts'
import type { Shape } from '../../shape/shape.ts'
import type { ApiContext } from '../context.ts'
import { isObject } from '../json.ts'
import * as common from '../operations/common.ts'
import * as marketData from '../operations/market-data.ts'
import { type OperationId, routeOf } from '../operations/operations.ts'
import * as order from '../operations/orders.ts'
import * as portfolio from '../operations/portfolio.ts'
import * as risk from '../operations/risk.ts'
import type { ReadingKey, Readings } from '../readings/readings.ts'
import { areWatched } from '../readings/watched-readings.ts'
import { itemShape, listOf, type ObjectShape, object } from '../wire-shapes.ts'
import { clientFields, limitEntries, limitListView } from './client-view.ts'

/**
 * Changes a documented body to the form that readings ask for: shapes, the fields of the published client, the unit of
 * percents, nulls, the envelope.
 */
export function changeBody(context: ApiContext, operation: OperationId, body: object): object {
  const { now, readings } = context
  const schema: Shape = routeOf(operation).response
  let shown = finish(context, schema, shorten(schema, body, readings))
  if (operation === 'getPosition' && readings['positions.one'] === 'wrapped') shown = { position: shown }
  if (readings.envelope === 'wrapped') shown = { data: shown, timestamp: millisToIso(now) }
  return isObject(shown) ? shown : body
}

/**
 * Converts an answer to the form that the readings ask for: with the fields of the published client, with fractions
 * for percents, without nulls, and with an undocumented field in every object that the documented shape closes.
 * Metadata of callers and maps by symbol get no such field, because clients iterate over their keys. `documented` is
 * the full shape; a reduced body has only some of its fields.
 */
function finish(context: ApiContext, documented: Shape, value: unknown): unknown {
  const { readings } = context
  if (documented === risk.riskLimits && readings['limits.form'] === 'list')
    return finish(context, limitEntries, limitListView(context))
  if (typeof value === 'number')
    return documented.format === 'percent' && readings['percent.unit'] === 'fraction'
      ? toFraction(value)
      : value
  if (Array.isArray(value)) {
    const items = itemShape(documented)
    return items === undefined ? value : value.map((item) => finish(context, items, item))
  }
  if (!isObject(value) || documented.additionalProperties === true) return value
  const fitting = findFittingShape(documented, value)
  const added = findClientFields(fitting, readings)
  const shape = clientShape(fitting, readings)
  const fields = Object.entries({ ...value, ...added?.view(context, value) }).flatMap(([name, field]) => {
    if (field === null && readings.nulls === 'omitted') return []
    const part = shape.properties?.[name] ?? findOpenField(shape, name)
    return [[name, part === undefined ? field : finish(context, part, field)] as const]
  })
  const isOpened = shape.additionalProperties === false && readings['answers.extraFields'] === 'some'
  return Object.fromEntries(isOpened ? [...fields, extraField] : fields)
}

const extraField = ['addedLater', 'a field that the specification does not have'] as const

/** Finds, among the alternatives of a shape, the one that has most of the fields of the value. */
function findFittingShape(schema: Shape, value: object): Shape {
  const names = Object.keys(value)
  const countKnown = ({ properties = {} }: Shape) =>
    names.filter((name) => Object.hasOwn(properties, name)).length
  return (
    schema.anyOf?.reduce((best, shape) => (countKnown(shape) > countKnown(best) ? shape : best)) ?? schema
  )
}

/**
 * Finds the shape of a field without a fixed name: by symbol, or of a simulated asset, where names of percents end in
 * `Percent`.
 */
function findOpenField({ additionalProperties }: Shape, name: string): Shape | undefined {
  if (typeof additionalProperties !== 'object') return undefined
  return name.endsWith('Percent') ? common.percent : additionalProperties
}

/** Converts percent to a fraction by moving the decimal point, because a division could round a second time. */
function toFraction(percent: number): number {
  const text = String(percent)
  return text.includes('e') ? percent / 100 : Number(`${text}e-2`)
}

/**
 * Returns a documented shape with the fields of the published client (readings `answers.clientFields` and
 * `limits.form`). `shown` is the shape under the other readings, which may have fewer fields.
 */
export function clientShape(schema: Shape, readings: Readings, shown: Shape = schema): Shape {
  if (schema === risk.riskLimits && readings['limits.form'] === 'list') return limitEntries
  const added = findClientFields(schema, readings)?.fields
  if (added === undefined) return shown
  return {
    ...shown,
    required: [...new Set([...(shown.required ?? []), ...(added.required ?? [])])],
    properties: { ...shown.properties, ...added.properties },
  }
}

function findClientFields(schema: Shape, readings: Readings) {
  const fields = clientFields.get(schema)
  return fields !== undefined && readings['answers.clientFields'] === 'added' ? fields : undefined
}

/*
 * Documented shapes that have fewer fields where a reading says so, as the shorter examples of the specification show
 * them. Answers and the OpenAPI document follow from these rows alike: a body loses the fields that its shorter shape
 * does not have.
 */

/** Returns the shape that a documented shape is shortened to under the readings, or the shape itself. */
export function shorterShape(schema: Shape, readings: Readings): Shape {
  const row = shorterShapes.get(schema)
  return row !== undefined && readings[row.reading] === row.value ? row.shape : schema
}

/** Removes from a documented body the fields that its shape does not have under the readings. */
function shorten(schema: Shape, body: object, readings: Readings): object {
  const isShorter = areWatched(readings) || rows.some(({ reading, value }) => readings[reading] === value)
  if (!isShorter) return body
  const short = shortenValue(schema, body, readings)
  return isObject(short) ? short : body
}

function shortenValue(schema: Shape, value: unknown, readings: Readings): unknown {
  if (Array.isArray(value)) {
    const items = itemShape(schema)
    return items === undefined ? value : value.map((item) => shortenValue(items, item, readings))
  }
  const shape = shorterShape(schema, readings)
  if (!isObject(value) || shape.properties === undefined) return value
  const changed = shape === schema ? value : (shorterShapes.get(schema)?.change(value) ?? value)
  const { properties, additionalProperties } = shape
  return Object.fromEntries(
    Object.entries(changed).flatMap(([name, field]): [string, unknown][] => {
      const part = properties[name]
      if (part !== undefined) return [[name, shortenValue(part, field, readings)]]
      return additionalProperties === false ? [] : [[name, field]]
    }),
  )
}

type Body = { readonly [name: string]: unknown }

interface ShorterShape {
  readonly reading: ReadingKey
  /** The value of the reading under which the shape is shorter. */
  readonly value: string
  readonly shape: Shape
  /** Changes what a shape cannot express: the name or form of a field. */
  readonly change: (body: Body) => Body
}

const shorterRow = (
  documented: Shape,
  reading: ReadingKey,
  value: string,
  shape: Shape,
  change: ShorterShape['change'] = (body) => body,
): [Shape, ShorterShape] => [documented, { reading, value, shape, change }]

const { maxQuantity, simulation } = risk
const ofTrades = ['price', 'side', 'orderId', 'feeCurrency']
const plainLimits = object({ used: common.number, limit: common.number, percent: common.percent })
/** The reduced state of a simulation: the exposure, and the position in the asset, whatever its prefix. */
const shortState = {
  type: 'object',
  additionalProperties: common.number,
  required: ['exposure'],
  properties: { exposure: common.number },
} as const satisfies Shape

const shorterShapes: ReadonlyMap<Shape, ShorterShape> = new Map([
  shorterRow(order.fill, 'fills.side', 'absent', omitFields(order.fill, 'side')),
  shorterRow(
    portfolio.transaction,
    'transactions.nonTrade',
    'omitted',
    withOptional(portfolio.transaction, ...ofTrades),
    (line) => (line['type'] === 'trade' ? line : filterFields(line, (name) => !ofTrades.includes(name))),
  ),
  shorterRow(
    marketData.price,
    'shapes.price',
    'reduced',
    omitFields(marketData.price, 'volume24h', 'high24h', 'low24h'),
  ),
  shorterRow(
    marketData.tradingPair,
    'shapes.pair',
    'reduced',
    pickFields(marketData.tradingPair, 'base', 'quote', 'minQuantity', 'maxQuantity'),
  ),
  shorterRow(
    marketData.statistics,
    'shapes.stats',
    'reduced',
    omitFields(marketData.statistics, 'change', 'changePercent', 'vwap'),
  ),
  shorterRow(
    portfolio.balance,
    'shapes.balance',
    'reduced',
    omitFields(portfolio.balance, 'pendingDeposit', 'pendingWithdrawal'),
  ),
  shorterRow(
    portfolio.position,
    'shapes.position',
    'reduced',
    omitFields(portfolio.position, 'side', 'marketValue', 'costBasis', 'realizedPnl'),
  ),
  shorterRow(
    portfolio.exposure,
    'shapes.exposure',
    'reduced',
    object({
      ...omitFields(portfolio.exposure, 'cashBalance', 'leverage').properties,
      byAsset: listOf(omitFields(portfolio.assetExposure, 'side')),
    }),
  ),
  shorterRow(
    portfolio.summary,
    'shapes.summary',
    'reduced',
    object({
      ...pickFields(
        portfolio.summary,
        ...['totalValue', 'totalPnl', 'totalPnlPercent', 'dayPnl', 'dayPnlPercent', 'openOrders'],
      ).properties,
      positions: common.integer,
    }),
    (body) => ({ ...body, positions: body['openPositions'] }),
  ),
  shorterRow(
    risk.riskLimits,
    'shapes.limits',
    'reduced',
    omitFields(risk.riskLimits, 'maxOrderValue', 'maxOpenOrdersPerAsset', 'maxLeverage', 'minOrderSize'),
    (limits) => changeParts(limits, (bySymbol) => filterFields(bySymbol, (symbol) => symbol !== 'default')),
  ),
  shorterRow(
    risk.utilization,
    'shapes.utilization',
    'reduced',
    object({
      utilization: object({ exposure: plainLimits, dailyVolume: plainLimits, openOrders: plainLimits }),
    }),
  ),
  shorterRow(
    maxQuantity.properties.details,
    'shapes.maxQuantity',
    'reduced',
    object({ byBalance: common.number, byExposure: common.number, byOrderSizeLimit: common.number }),
    ({ byBalance, byExposureLimit: byExposure, byOrderSizeLimit }) =>
      changeParts({ byBalance, byExposure, byOrderSizeLimit }, ({ quantity }) => quantity),
  ),
  shorterRow(
    simulation,
    'shapes.simulation',
    'reduced',
    object({
      currentState: shortState,
      afterOrder: shortState,
      impact: pickFields(simulation.properties.impact, 'exposureChange', 'exposureChangePercent'),
    }),
    (body) =>
      changeParts(body, (state, name) =>
        name === 'impact'
          ? state
          : filterFields(state, (figure) => figure === 'exposure' || figure.endsWith('Position')),
      ),
  ),
])

const rows = [...shorterShapes.values()]

/** The readings that change the bodies of answers. */
export const readingsOfBodies: readonly ReadingKey[] = [
  ...rows.map(({ reading }) => reading),
  'answers.clientFields',
  'answers.extraFields',
  'envelope',
  'limits.form',
  'nulls',
  'percent.unit',
  'positions.one',
]

function pickFields({ properties }: ObjectShape, ...names: readonly string[]): ObjectShape {
  return object(filterFields(properties, (name) => names.includes(name)))
}

function omitFields({ properties }: ObjectShape, ...names: readonly string[]): ObjectShape {
  return object(filterFields(properties, (name) => !names.includes(name)))
}

function withOptional(schema: ObjectShape, ...names: readonly string[]): ObjectShape {
  return { ...schema, required: schema.required?.filter((name) => !names.includes(name)) ?? [] }
}

function filterFields<Value>(
  record: { readonly [name: string]: Value },
  keeps: (name: string) => boolean,
): { readonly [name: string]: Value } {
  return Object.fromEntries(Object.entries(record).filter(([name]) => keeps(name)))
}

function changeParts(body: Body, change: (part: Body, name: string) => unknown): Body {
  return Object.fromEntries(
    Object.entries(body).map(([name, part]) => [name, isObject(part) ? change(part, name) : part]),
  )
}
