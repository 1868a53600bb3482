import type { Shape } from '../../shape/shape.ts'
import { isObject } from '../json.ts'
import * as common from '../operations/common.ts'
import * as marketData from '../operations/market-data.ts'
import * as order from '../operations/orders.ts'
import * as portfolio from '../operations/portfolio.ts'
import * as risk from '../operations/risk.ts'
import { closed, itemShape, listOf, type ObjectShape } from '../wire-shapes.ts'
import type { ReadingKey, Readings } from './readings.ts'

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
export function shortened(schema: Shape, body: object, readings: Readings): object {
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

const { riskLimits, maxQuantity, simulation } = risk
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
    riskLimits,
    reduced(
      'shapes.limits',
      only(
        riskLimits,
        ...['maxOrderSize', 'maxDailyVolume', 'maxOpenOrders', 'maxExposure', 'maxExposurePerAsset'],
      ),
      (limits) => mapped(limits, (bySymbol) => filtered(bySymbol, (symbol) => symbol !== 'default')),
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
        mapped({ byBalance, byExposure: byExposureLimit, byOrderSizeLimit }, ({ quantity }) => quantity),
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
        mapped(body, (state, name) =>
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
function mapped(body: Body, change: (part: Body, name: string) => unknown): Body {
  return Object.fromEntries(
    Object.entries(body).map(([name, part]) => [name, isObject(part) ? change(part, name) : part]),
  )
}
