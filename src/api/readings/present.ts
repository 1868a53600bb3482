import { millisToIso } from '../../numeric/time-text.ts'
import type { Shape } from '../../shape/shape.ts'
import { isObject } from '../json.ts'
import { clientFields, limitEntries } from '../operations/client-fields.ts'
import * as common from '../operations/common.ts'
import { percent } from '../operations/common.ts'
import * as marketData from '../operations/market-data.ts'
import { type OperationId, routeOf } from '../operations/operations.ts'
import * as order from '../operations/orders.ts'
import * as portfolio from '../operations/portfolio.ts'
import * as risk from '../operations/risk.ts'
import type { ObjectShape } from '../wire-shapes.ts'
import { closed, itemShape, listOf } from '../wire-shapes.ts'
import type { ReadingKey, Readings } from './readings.ts'

/**
 * The documented body in the form that the readings ask for: shapes, the fields of the published client, the unit of
 * percents, nulls, the envelope. Handlers only know the full form, which the default readings leave untouched.
 * `complete` adds those fields, for which it needs to know the venue.
 */
export function present(
  operation: OperationId,
  body: object,
  nowMillis: number,
  readings: Readings,
  complete: (schema: Shape, body: object) => unknown = (_, same) => same,
): object {
  const schema: Shape = routeOf(operation).response
  let shown: object = shortened(schema, body, readings)
  if (isForClient(readings)) shown = objectOf(complete(schema, shown))
  if (readings['percent.unit'] === 'fraction') shown = objectOf(withFractions(schema, shown, readings))
  if (readings.nulls === 'omitted') shown = objectOf(withoutNulls(shown))
  if (readings['answers.extraFields'] === 'some') shown = objectOf(withExtraFields(schema, shown, readings))
  if (operation === 'getPosition' && readings['positions.one'] === 'wrapped') shown = { position: shown }
  return readings.envelope === 'wrapped' ? { data: shown, timestamp: millisToIso(nowMillis) } : shown
}

function isForClient(readings: Readings): boolean {
  return readings['answers.clientFields'] === 'added' || readings['limits.form'] === 'list'
}

/** Percents are where the schema says so, also in a reduced body, which has some of its fields. */
function withFractions(documented: Shape, value: unknown, readings: Readings): unknown {
  const schema = clientShape(documented, readings)
  if (typeof value === 'number') return schema.format === 'percent' ? fractionOf(value) : value
  if (Array.isArray(value)) {
    const items = itemShape(schema)
    return items === undefined ? value : value.map((item) => withFractions(items, item, readings))
  }
  if (typeof value !== 'object' || value === null) return value
  const properties = propertiesFor(schema, value, readings)
  return mapped(value, (name, field) => {
    const known = properties[name] ?? fieldWithoutName(schema, name)
    return known === undefined ? field : withFractions(known, field, readings)
  })
}

/** Of several shapes, the one that has all fields of the value. */
function propertiesFor(schema: Shape, value: object, readings: Readings): { readonly [name: string]: Shape } {
  const shapes = schema.anyOf?.map((shape) => clientShape(shape, readings)) ?? [schema]
  const names = Object.keys(value)
  const fitting = shapes.find((shape) => names.every((name) => Object.hasOwn(shape.properties ?? {}, name)))
  return fitting?.properties ?? schema.properties ?? {}
}

/** Fields without a fixed name: by symbol, or of a simulated asset, where the names of percents end in `Percent`. */
function fieldWithoutName(schema: Shape, name: string): Shape | undefined {
  if (name.endsWith('Percent')) return percent
  return typeof schema.additionalProperties === 'object' ? schema.additionalProperties : undefined
}

/** A hundredth, by moving the decimal point: dividing could round a second time. */
function fractionOf(percent: number): number {
  const text = String(percent)
  return text.includes('e') ? percent / 100 : Number(`${text}e-2`)
}

/** Metadata is the caller's, so its nulls stay. */
function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls)
  if (typeof value !== 'object' || value === null) return value
  return mapped(value, (name, field) =>
    name === 'metadata' ? field : field === null ? undefined : withoutNulls(field),
  )
}

/** A copy with every field mapped; fields that become undefined are left out. */
function mapped(value: object, change: (name: string, field: unknown) => unknown): object {
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, field]): [string, unknown][] => {
      const changed = change(name, field)
      return changed === undefined ? [] : [[name, changed]]
    }),
  )
}

function objectOf(value: unknown): object {
  return typeof value === 'object' && value !== null ? value : {}
}

/**
 * The schema of a documented shape with what the published client reads: readings `answers.clientFields` and
 * `limits.form`. `shown` is the shape under the other readings, which may have fewer fields.
 */
export function clientShape(schema: Shape, readings: Readings, shown: Shape = schema): Shape {
  if (schema === risk.riskLimits && readings['limits.form'] === 'list') return limitEntries
  const added = readings['answers.clientFields'] === 'added' ? clientFields.get(schema) : undefined
  if (added === undefined) return shown
  return {
    ...shown,
    required: [...new Set([...(shown.required ?? []), ...(added.required ?? [])])],
    properties: { ...shown.properties, ...added.properties },
  }
}

/** A field that no version of the specification has. */
const extraField = 'addedLater'

/**
 * A body with a further field in every object that the documented shape closes. What callers gave themselves (metadata)
 * and maps by symbol are left as they are: clients go through their keys.
 */
function withExtraFields(documented: Shape | undefined, value: unknown, readings: Readings): unknown {
  if (documented === undefined || typeof value !== 'object' || value === null) return value
  const schema = clientShape(documented, readings)
  if (Array.isArray(value)) return value.map((item) => withExtraFields(itemShape(schema), item, readings))
  const shape = shapeOf(schema, value, readings)
  const further = typeof shape.additionalProperties === 'object' ? shape.additionalProperties : undefined
  const fields = Object.entries(value).map(([name, field]): [string, unknown] => [
    name,
    withExtraFields(shape.properties?.[name] ?? further, field, readings),
  ])
  return Object.fromEntries(shape.additionalProperties === false ? [...fields, extra] : fields)
}

const extra: [string, unknown] = [extraField, 'a field that the specification does not have']

/** Of several shapes, the one that has most fields of the value. */
function shapeOf(schema: Shape, value: object, readings: Readings): Shape {
  const shapes = schema.anyOf?.map((shape) => clientShape(shape, readings)) ?? []
  const names = Object.keys(value)
  const fitting = ({ properties = {} }: Shape) =>
    names.filter((name) => Object.hasOwn(properties, name)).length
  return shapes.reduce((best, shape) => (fitting(shape) > fitting(best) ? shape : best), shapes[0] ?? schema)
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
  const changed = shape === schema ? value : (shorterShapes.get(schema)?.change?.(value) ?? value)
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
  readonly change?: (body: Body) => Body
}

const reduced = (reading: ReadingKey, shape: Shape, change?: ShorterShape['change']): ShorterShape => ({
  reading,
  value: 'reduced',
  shape,
  ...(change === undefined ? {} : { change }),
})

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

const shorterShapes: ReadonlyMap<Shape, ShorterShape> = new Map<Shape, ShorterShape>([
  [order.fill, { reading: 'fills.side', value: 'absent', shape: without(order.fill, 'side') }],
  [
    portfolio.transaction,
    {
      reading: 'transactions.nonTrade',
      value: 'omitted',
      shape: withOptional(portfolio.transaction, ...ofTrades),
      change: (line) =>
        line['type'] === 'trade' ? line : filtered(line, (name) => !ofTrades.includes(name)),
    },
  ],
  [marketData.price, reduced('shapes.price', without(marketData.price, 'volume24h', 'high24h', 'low24h'))],
  [
    marketData.tradingPair,
    reduced('shapes.pair', only(marketData.tradingPair, 'base', 'quote', 'minQuantity', 'maxQuantity')),
  ],
  [
    marketData.statistics,
    reduced('shapes.stats', without(marketData.statistics, 'change', 'changePercent', 'vwap')),
  ],
  [
    portfolio.balance,
    reduced('shapes.balance', without(portfolio.balance, 'pendingDeposit', 'pendingWithdrawal')),
  ],
  [
    portfolio.position,
    reduced(
      'shapes.position',
      only(
        portfolio.position,
        ...[
          'asset',
          'quantity',
          'averageEntryPrice',
          'currentPrice',
          'unrealizedPnl',
          'unrealizedPnlPercent',
        ],
      ),
    ),
  ],
  [
    portfolio.exposure,
    reduced(
      'shapes.exposure',
      closed({
        ...only(portfolio.exposure, 'totalExposure', 'netExposure', 'longExposure', 'shortExposure')
          .properties,
        byAsset: listOf(without(portfolio.assetExposure, 'side')),
      }),
    ),
  ],
  [
    portfolio.summary,
    reduced(
      'shapes.summary',
      closed({
        ...only(
          portfolio.summary,
          ...['totalValue', 'totalPnl', 'totalPnlPercent', 'dayPnl', 'dayPnlPercent', 'openOrders'],
        ).properties,
        positions: common.integer,
      }),
      (body) => ({ ...body, positions: body['openPositions'] }),
    ),
  ],
  [
    risk.riskLimits,
    reduced(
      'shapes.limits',
      only(
        risk.riskLimits,
        ...['maxOrderSize', 'maxDailyVolume', 'maxOpenOrders', 'maxExposure', 'maxExposurePerAsset'],
      ),
      (limits) => changedParts(limits, (bySymbol) => filtered(bySymbol, (symbol) => symbol !== 'default')),
    ),
  ],
  [
    risk.utilization,
    reduced(
      'shapes.utilization',
      closed({
        utilization: closed({ exposure: plainLimits, dailyVolume: plainLimits, openOrders: plainLimits }),
      }),
    ),
  ],
  [
    maxQuantity.properties.details,
    reduced(
      'shapes.maxQuantity',
      closed({ byBalance: common.number, byExposure: common.number, byOrderSizeLimit: common.number }),
      ({ byBalance, byExposureLimit, byOrderSizeLimit }) =>
        changedParts(
          { byBalance, byExposure: byExposureLimit, byOrderSizeLimit },
          ({ quantity }) => quantity,
        ),
    ),
  ],
  [
    simulation,
    reduced(
      'shapes.simulation',
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
  ],
])

const rows = [...shorterShapes.values()]

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

/** Changes the fields that are objects. */
function changedParts(body: Body, change: (part: Body, name: string) => unknown): Body {
  return Object.fromEntries(
    Object.entries(body).map(([name, part]) => [name, isObject(part) ? change(part, name) : part]),
  )
}
