import type { Shape, TypeName } from '../../shape/shape.ts'
import type { ObjectShape } from '../../shape/wire-shapes.ts'
import { closed, listOf } from '../../shape/wire-shapes.ts'
import * as common from '../operations/common.ts'
import { errorShape } from '../operations/common.ts'
import * as marketData from '../operations/market-data.ts'
import * as order from '../operations/orders.ts'
import * as portfolio from '../operations/portfolio.ts'
import * as risk from '../operations/risk.ts'
import { clientShape } from '../readings/client-shape.ts'
import type { ReadingKey, Readings } from '../readings/readings.ts'
import { droppedFields, keptFields } from '../readings/reduced-shapes.ts'

/**
 * The schema of a documented shape under these readings. It mirrors for schemas what `readings/reduced-shapes` does to
 * bodies, by the same lists of fields; a test checks each answer against the document.
 */
export function shapeUnder(schema: Shape, readings: Readings): Shape {
  if (schema === errorShape) return errorUnder(readings)
  const other = otherShapes.get(schema)
  const documented = other === undefined || readings[other.reading] !== other.value ? schema : other.shape
  const shown = clientShape(schema, readings, documented)
  const field = readings.nulls === 'omitted' ? withoutNulls(shown) : shown
  return readings['answers.extraFields'] === 'some' ? opened(field) : field
}

interface OtherShape {
  readonly reading: ReadingKey
  readonly value: string
  readonly shape: Shape
}

const reduced = (reading: ReadingKey, shape: Shape): OtherShape => ({ reading, value: 'reduced', shape })

const { riskLimits, maxQuantity, simulation } = risk
const plainLimits = closed({ used: common.number, limit: common.number, percent: common.percent })
const shortState = {
  type: 'object',
  additionalProperties: common.number,
  required: ['exposure'],
  properties: { exposure: common.number },
} as const satisfies Shape

const otherShapes: ReadonlyMap<Shape, OtherShape> = new Map<Shape, OtherShape>([
  [order.fill, { reading: 'fills.side', value: 'absent', shape: without(order.fill, ...droppedFields.fill) }],
  [
    portfolio.transaction,
    {
      reading: 'transactions.nonTrade',
      value: 'omitted',
      shape: withOptional(portfolio.transaction, ...droppedFields.nonTrade),
    },
  ],
  [marketData.price, reduced('shapes.price', without(marketData.price, ...droppedFields.price))],
  [marketData.tradingPair, reduced('shapes.pair', only(marketData.tradingPair, ...keptFields.pair))],
  [
    marketData.statistics,
    reduced('shapes.stats', without(marketData.statistics, ...droppedFields.statistics)),
  ],
  [portfolio.balance, reduced('shapes.balance', without(portfolio.balance, ...droppedFields.balance))],
  [portfolio.position, reduced('shapes.position', only(portfolio.position, ...keptFields.position))],
  [
    portfolio.exposure,
    reduced(
      'shapes.exposure',
      closed({
        ...only(portfolio.exposure, ...keptFields.exposure).properties,
        byAsset: listOf(without(portfolio.assetExposure, ...droppedFields.assetExposure)),
      }),
    ),
  ],
  [
    portfolio.summary,
    reduced(
      'shapes.summary',
      closed({
        ...only(portfolio.summary, ...keptFields.summary).properties,
        positions: common.integer,
      }),
    ),
  ],
  [riskLimits, reduced('shapes.limits', only(riskLimits, ...keptFields.limits))],
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
    maxQuantity,
    reduced(
      'shapes.maxQuantity',
      closed({
        ...maxQuantity.properties,
        details: closed({
          byBalance: common.number,
          byExposure: common.number,
          byOrderSizeLimit: common.number,
        }),
      }),
    ),
  ],
  [
    simulation,
    reduced(
      'shapes.simulation',
      closed({
        currentState: shortState,
        afterOrder: shortState,
        impact: only(simulation.properties.impact, ...keptFields.simulatedImpact),
      }),
    ),
  ],
])

function only({ properties }: ObjectShape, ...names: readonly string[]): ObjectShape {
  return closed(Object.fromEntries(Object.entries(properties).filter(([name]) => names.includes(name))))
}

function without({ properties }: ObjectShape, ...names: readonly string[]): ObjectShape {
  return closed(Object.fromEntries(Object.entries(properties).filter(([name]) => !names.includes(name))))
}

function withOptional(schema: ObjectShape, ...names: readonly string[]): ObjectShape {
  return { ...schema, required: schema.required?.filter((name) => !names.includes(name)) ?? [] }
}

/**
 * Reading `nulls`: a field of an answer that is always there and may be null is left out instead. Requests have no
 * such fields.
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
      Object.entries(properties).map(([name, field]) => [name, isDropped(name) ? notNull(field) : field]),
    ),
  }
}

function allowsNull({ type, enum: values }: Shape): boolean {
  return values?.includes(null) === true || (Array.isArray(type) && type.includes('null'))
}

function notNull(schema: Shape): Shape {
  const { type, enum: values, ...rest } = schema
  const isOther = (name: TypeName) => name !== 'null'
  return {
    ...rest,
    ...(values === undefined ? {} : { enum: values.filter((value) => value !== null) }),
    ...(type === undefined ? {} : { type: typeof type === 'string' ? type : type.filter(isOther) }),
  }
}

/** Reading `answers.extraFields`; the fields of a request are always those that are documented. */
function opened(schema: Shape): Shape {
  return schema.additionalProperties === false ? { ...schema, additionalProperties: true } : schema
}

/** Readings `error.typeField` and `error.message`. */
function errorUnder(readings: Readings): Shape {
  const { properties } = errorShape
  const { field, reason, type } = properties.details.properties
  const place = readings['error.typeField']
  const error = closed({
    ...properties,
    message: readings['error.message'] === 'array' ? listOf(common.text) : properties.message,
    details:
      place === 'details.type'
        ? properties.details
        : { ...properties.details, properties: { field, reason } },
  })
  if (place !== 'code' && place !== 'errorCode') return error
  return { ...error, properties: { ...error.properties, [place]: type } }
}
