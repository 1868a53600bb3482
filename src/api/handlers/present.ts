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
import { defaultReadings, type ReadingKey, type Readings } from '../readings/readings.ts'
import { closed, itemShape, listOf, type ObjectShape } from '../wire-shapes.ts'
import { clientFields, limitEntries, limitListView } from './client-view.ts'

/**
 * The documented body in the form that the readings ask for: shapes, the fields of the published client, the unit of
 * percents, nulls, the envelope. Handlers only know the full form, which the default readings leave untouched.
 */
export function present(context: ApiContext, operation: OperationId, body: object): object {
  const { now, readings } = context
  if (isAsDocumented(readings)) return body
  const schema: Shape = routeOf(operation).response
  let shown = finished(context, schema, shortened(schema, body, readings))
  if (operation === 'getPosition' && readings['positions.one'] === 'wrapped') shown = { position: shown }
  if (readings.envelope === 'wrapped') shown = { data: shown, timestamp: millisToIso(now) }
  return isObject(shown) ? shown : body
}

/** Whether the readings leave bodies as the handlers make them. They are asked at every request, and rarely change. */
function isAsDocumented(readings: Readings): boolean {
  const known = asDocumented.get(readings)
  if (known !== undefined) return known
  const found = readingsOfBodies.every((key) => readings[key] === defaultReadings[key])
  asDocumented.set(readings, found)
  return found
}

const asDocumented = new WeakMap<Readings, boolean>()

/**
 * A value with what the published client reads, fractions for percents, without nulls, and with a further field in every
 * object that the documented shape closes. What callers gave themselves (metadata) and maps by symbol have no such field,
 * because clients go through their keys. `documented` is the full shape, of which a reduced body has some fields.
 */
function finished(context: ApiContext, documented: Shape, value: unknown): unknown {
  const { readings } = context
  if (documented === risk.riskLimits && readings['limits.form'] === 'list')
    return finished(context, limitEntries, limitListView(context))
  if (typeof value === 'number')
    return readings['percent.unit'] === 'fraction' && documented.format === 'percent'
      ? fraction(value)
      : value
  if (Array.isArray(value)) {
    const items = itemShape(documented)
    return items === undefined ? value : value.map((item) => finished(context, items, item))
  }
  if (!isObject(value) || documented.additionalProperties === true) return value
  const fitting = fittingShape(documented, value)
  const added = readings['answers.clientFields'] === 'added' ? clientFields.get(fitting) : undefined
  const shape = clientShape(fitting, readings)
  const fields = Object.entries({ ...value, ...added?.view(context, value) }).flatMap(([name, field]) => {
    if (field === null && readings.nulls === 'omitted') return []
    const part = shape.properties?.[name] ?? fieldByName(shape, name)
    return [[name, part === undefined ? field : finished(context, part, field)] as const]
  })
  const isOpened = readings['answers.extraFields'] === 'some' && shape.additionalProperties === false
  return Object.fromEntries(isOpened ? [...fields, extraField] : fields)
}

const extraField = ['addedLater', 'a field that the specification does not have'] as const

/** Of several shapes, the one that has most fields of the value. */
function fittingShape(schema: Shape, value: object): Shape {
  const names = Object.keys(value)
  const known = ({ properties = {} }: Shape) => names.filter((name) => Object.hasOwn(properties, name)).length
  return schema.anyOf?.reduce((best, shape) => (known(shape) > known(best) ? shape : best)) ?? schema
}

/** Fields without a fixed name: by symbol, or of a simulated asset, where the names of percents end in `Percent`. */
function fieldByName({ additionalProperties }: Shape, name: string): Shape | undefined {
  if (typeof additionalProperties !== 'object') return undefined
  return name.endsWith('Percent') ? common.percent : additionalProperties
}

/** A hundredth, by moving the decimal point: dividing could round a second time. */
function fraction(percent: number): number {
  const text = String(percent)
  return text.includes('e') ? percent / 100 : Number(`${text}e-2`)
}

/**
 * The schema of a documented shape with what the published client reads: readings `answers.clientFields` and
 * `limits.form`. `shown` is the shape under the other readings, which may have fewer fields.
 */
export function clientShape(schema: Shape, readings: Readings, shown: Shape = schema): Shape {
  if (schema === risk.riskLimits && readings['limits.form'] === 'list') return limitEntries
  const added = readings['answers.clientFields'] === 'added' ? clientFields.get(schema)?.fields : undefined
  if (added === undefined) return shown
  return {
    ...shown,
    required: [...new Set([...(shown.required ?? []), ...(added.required ?? [])])],
    properties: { ...shown.properties, ...added.properties },
  }
}

/*
 * Documented shapes that have fewer fields where a reading says so, as the specification's shorter examples show them.
 * Answers and the document follow from the same rows: a body loses what its shorter shape does not have.
 */

/** The shape under these readings, or the documented one. */
export function shorterShape(schema: Shape, readings: Readings): Shape {
  const row = shorterShapes.get(schema)
  return row !== undefined && readings[row.reading] === row.value ? row.shape : schema
}

/** A documented body without the fields that its shape does not have under these readings. */
function shortened(schema: Shape, body: object, readings: Readings): object {
  if (!rows.some(({ reading, value }) => readings[reading] === value)) return body
  const short = shortenedValue(schema, body, readings)
  return isObject(short) ? short : body
}

function shortenedValue(schema: Shape, value: unknown, readings: Readings): unknown {
  if (Array.isArray(value)) {
    const items = itemShape(schema)
    return items === undefined ? value : value.map((item) => shortenedValue(items, item, readings))
  }
  const shape = shorterShape(schema, readings)
  if (!isObject(value) || shape.properties === undefined) return value
  const changed = shape === schema ? value : (shorterShapes.get(schema)?.change(value) ?? value)
  const { properties, additionalProperties } = shape
  return Object.fromEntries(
    Object.entries(changed).flatMap(([name, field]): [string, unknown][] => {
      const part = properties[name]
      if (part !== undefined) return [[name, shortenedValue(part, field, readings)]]
      return additionalProperties === false ? [] : [[name, field]]
    }),
  )
}

type Body = { readonly [name: string]: unknown }

interface ShorterShape {
  readonly reading: ReadingKey
  /** The value of the reading under which it holds. */
  readonly value: string
  readonly shape: Shape
  /** What the shape can't say: another name or form of a field. */
  readonly change: (body: Body) => Body
}

const shorter = (
  documented: Shape,
  reading: ReadingKey,
  value: string,
  shape: Shape,
  change: ShorterShape['change'] = (body) => body,
): [Shape, ShorterShape] => [documented, { reading, value, shape, change }]

const { maxQuantity, simulation } = risk
const ofTrades = ['price', 'side', 'orderId', 'feeCurrency']
const plainLimits = closed({ used: common.number, limit: common.number, percent: common.percent })
/** The exposure, and the position of the asset, whatever its prefix. */
const shortState = {
  type: 'object',
  additionalProperties: common.number,
  required: ['exposure'],
  properties: { exposure: common.number },
} as const satisfies Shape

const shorterShapes: ReadonlyMap<Shape, ShorterShape> = new Map([
  shorter(order.fill, 'fills.side', 'absent', without(order.fill, 'side')),
  shorter(
    portfolio.transaction,
    'transactions.nonTrade',
    'omitted',
    withOptional(portfolio.transaction, ...ofTrades),
    (line) => (line['type'] === 'trade' ? line : filtered(line, (name) => !ofTrades.includes(name))),
  ),
  shorter(
    marketData.price,
    'shapes.price',
    'reduced',
    without(marketData.price, 'volume24h', 'high24h', 'low24h'),
  ),
  shorter(
    marketData.tradingPair,
    'shapes.pair',
    'reduced',
    only(marketData.tradingPair, 'base', 'quote', 'minQuantity', 'maxQuantity'),
  ),
  shorter(
    marketData.statistics,
    'shapes.stats',
    'reduced',
    without(marketData.statistics, 'change', 'changePercent', 'vwap'),
  ),
  shorter(
    portfolio.balance,
    'shapes.balance',
    'reduced',
    without(portfolio.balance, 'pendingDeposit', 'pendingWithdrawal'),
  ),
  shorter(
    portfolio.position,
    'shapes.position',
    'reduced',
    without(portfolio.position, 'side', 'marketValue', 'costBasis', 'realizedPnl'),
  ),
  shorter(
    portfolio.exposure,
    'shapes.exposure',
    'reduced',
    closed({
      ...without(portfolio.exposure, 'cashBalance', 'leverage').properties,
      byAsset: listOf(without(portfolio.assetExposure, 'side')),
    }),
  ),
  shorter(
    portfolio.summary,
    'shapes.summary',
    'reduced',
    closed({
      ...only(
        portfolio.summary,
        ...['totalValue', 'totalPnl', 'totalPnlPercent', 'dayPnl', 'dayPnlPercent', 'openOrders'],
      ).properties,
      positions: common.integer,
    }),
    (body) => ({ ...body, positions: body['openPositions'] }),
  ),
  shorter(
    risk.riskLimits,
    'shapes.limits',
    'reduced',
    without(risk.riskLimits, 'maxOrderValue', 'maxOpenOrdersPerAsset', 'maxLeverage', 'minOrderSize'),
    (limits) => changedParts(limits, (bySymbol) => filtered(bySymbol, (symbol) => symbol !== 'default')),
  ),
  shorter(
    risk.utilization,
    'shapes.utilization',
    'reduced',
    closed({
      utilization: closed({ exposure: plainLimits, dailyVolume: plainLimits, openOrders: plainLimits }),
    }),
  ),
  shorter(
    maxQuantity.properties.details,
    'shapes.maxQuantity',
    'reduced',
    closed({ byBalance: common.number, byExposure: common.number, byOrderSizeLimit: common.number }),
    ({ byBalance, byExposureLimit: byExposure, byOrderSizeLimit }) =>
      changedParts({ byBalance, byExposure, byOrderSizeLimit }, ({ quantity }) => quantity),
  ),
  shorter(
    simulation,
    'shapes.simulation',
    'reduced',
    closed({
      currentState: shortState,
      afterOrder: shortState,
      impact: only(simulation.properties.impact, 'exposureChange', 'exposureChangePercent'),
    }),
    (body) =>
      changedParts(body, (state, name) =>
        name === 'impact'
          ? state
          : filtered(state, (figure) => figure === 'exposure' || figure.endsWith('Position')),
      ),
  ),
])

const rows = [...shorterShapes.values()]

const readingsOfBodies: readonly ReadingKey[] = [
  ...rows.map(({ reading }) => reading),
  'answers.clientFields',
  'answers.extraFields',
  'envelope',
  'limits.form',
  'nulls',
  'percent.unit',
  'positions.one',
]

function only({ properties }: ObjectShape, ...names: readonly string[]): ObjectShape {
  return closed(filtered(properties, (name) => names.includes(name)))
}

function without({ properties }: ObjectShape, ...names: readonly string[]): ObjectShape {
  return closed(filtered(properties, (name) => !names.includes(name)))
}

function withOptional(schema: ObjectShape, ...names: readonly string[]): ObjectShape {
  return { ...schema, required: schema.required?.filter((name) => !names.includes(name)) ?? [] }
}

function filtered<Value>(
  record: { readonly [name: string]: Value },
  keeps: (name: string) => boolean,
): { readonly [name: string]: Value } {
  return Object.fromEntries(Object.entries(record).filter(([name]) => keeps(name)))
}

function changedParts(body: Body, change: (part: Body, name: string) => unknown): Body {
  return Object.fromEntries(
    Object.entries(body).map(([name, part]) => [name, isObject(part) ? change(part, name) : part]),
  )
}
