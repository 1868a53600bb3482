import type { OperationId } from '../operations/operations.ts'
import type { ReadingKey, Readings } from './readings.ts'

/*
 * Which fields the readings of shapes leave out of a body, or keep of it: `reduced-shapes` does it to answers, and
 * `openapi/shapes-under-readings` says it in the document.
 */

export const droppedFields = {
  fill: ['side'],
  nonTrade: ['price', 'side', 'orderId', 'feeCurrency'],
  price: ['volume24h', 'high24h', 'low24h'],
  statistics: ['change', 'changePercent', 'vwap'],
  balance: ['pendingDeposit', 'pendingWithdrawal'],
  assetExposure: ['side'],
} as const

export const keptFields = {
  pair: ['base', 'quote', 'minQuantity', 'maxQuantity'],
  position: [
    'asset',
    'quantity',
    'averageEntryPrice',
    'currentPrice',
    'unrealizedPnl',
    'unrealizedPnlPercent',
  ],
  exposure: ['totalExposure', 'netExposure', 'longExposure', 'shortExposure'],
  summary: ['totalValue', 'totalPnl', 'totalPnlPercent', 'dayPnl', 'dayPnlPercent', 'openOrders'],
  limits: ['maxOrderSize', 'maxDailyVolume', 'maxOpenOrders', 'maxExposure', 'maxExposurePerAsset'],
  simulatedImpact: ['exposureChange', 'exposureChangePercent'],
} as const

/**
 * The bodies of an operation as the specification's shorter examples show them, where the readings
 * `shapes.<resource>` (and those that leave out single fields) ask for that. A reduced shape keeps the names of the
 * full one, with two exceptions: `positions` counts the open positions, and `byExposure` is a plain number.
 */
export function reduceShapes(operation: OperationId, body: object, readings: Readings): object {
  const reduction = reductions[operation]
  if (reduction === undefined || readings[reduction.reading] !== reduction.value) return body
  return reduction.list === null ? reduction.change(body) : eachOf(body, reduction.list, reduction.change)
}

type Change = (body: object) => object

interface Reduction {
  readonly reading: ReadingKey
  /** The value of the reading under which the change is made. */
  readonly value: string
  /** The field whose items are changed; null: the body itself. */
  readonly list: string | null
  readonly change: Change
}

const reduced = (resource: ReadingKey, list: string | null, change: Change): Reduction => ({
  reading: resource,
  value: 'reduced',
  list,
  change,
})

const keep =
  (...names: readonly string[]): Change =>
  (body) =>
    Object.fromEntries(Object.entries(body).filter(([name]) => names.includes(name)))

const drop =
  (...names: readonly string[]): Change =>
  (body) =>
    Object.fromEntries(Object.entries(body).filter(([name]) => !names.includes(name)))

const withoutDay = drop(...droppedFields.price)
const withoutPending = drop(...droppedFields.balance)
const shortPosition = keep(...keptFields.position)

const reductions: { readonly [Operation in OperationId]?: Reduction } = {
  listOrderFills: {
    reading: 'fills.side',
    value: 'absent',
    list: 'fills',
    change: drop(...droppedFields.fill),
  },
  listPrices: reduced('shapes.price', 'prices', withoutDay),
  getPrice: reduced('shapes.price', null, withoutDay),
  listTradingPairs: reduced('shapes.pair', 'pairs', keep(...keptFields.pair)),
  listStatistics: reduced('shapes.stats', 'stats', drop(...droppedFields.statistics)),
  listBalances: reduced('shapes.balance', 'balances', withoutPending),
  getBalance: reduced('shapes.balance', null, withoutPending),
  listPositions: reduced('shapes.position', 'positions', shortPosition),
  getPosition: reduced('shapes.position', null, shortPosition),
  getExposure: reduced('shapes.exposure', null, shortExposure),
  getSummary: reduced('shapes.summary', null, shortSummary),
  listTransactions: {
    reading: 'transactions.nonTrade',
    value: 'omitted',
    list: 'transactions',
    change: withoutTradeFields,
  },
  getLimits: reduced('shapes.limits', null, shortLimits),
  getUtilization: reduced('shapes.utilization', null, shortUtilization),
  getMaxQuantity: reduced('shapes.maxQuantity', null, shortMaxQuantity),
  simulateOrder: reduced('shapes.simulation', null, shortSimulation),
}

function shortExposure(body: object): object {
  const fields = keep(...keptFields.exposure, 'byAsset')(body)
  return eachOf(fields, 'byAsset', drop(...droppedFields.assetExposure))
}

function shortSummary(body: object): object {
  return { ...keep(...keptFields.summary)(body), positions: fieldOf(body, 'openPositions') }
}

function withoutTradeFields(line: object): object {
  if (fieldOf(line, 'type') === 'trade') return line
  return drop(...droppedFields.nonTrade)(line)
}

function shortLimits(body: object): object {
  return withField(body, 'limits', (limits) => eachField(keep(...keptFields.limits)(limits), drop('default')))
}

function shortUtilization(body: object): object {
  return withField(keep('utilization')(body), 'utilization', (uses) => eachField(uses, drop('available')))
}

function shortMaxQuantity(body: object): object {
  return withField(body, 'details', (details) => ({
    byBalance: quantityIn(details, 'byBalance'),
    byExposure: quantityIn(details, 'byExposureLimit'),
    byOrderSizeLimit: quantityIn(details, 'byOrderSizeLimit'),
  }))
}

/** The exposure, and the position of the asset, whatever its prefix. */
function shortSimulation(body: object): object {
  const state: Change = (figures) =>
    Object.fromEntries(
      Object.entries(figures).filter(([name]) => name === 'exposure' || name.endsWith('Position')),
    )
  let short = keep('currentState', 'afterOrder', 'impact')(body)
  for (const name of ['currentState', 'afterOrder']) short = withField(short, name, state)
  return withField(short, 'impact', keep(...keptFields.simulatedImpact))
}

function quantityIn(details: object, name: string): unknown {
  const limit = fieldOf(details, name)
  return isObject(limit) ? fieldOf(limit, 'quantity') : limit
}

function eachOf(body: object, list: string, change: Change): object {
  return mapFields(body, (name, value) =>
    name === list && Array.isArray(value)
      ? value.map((item) => (isObject(item) ? change(item) : item))
      : value,
  )
}

function withField(body: object, field: string, change: Change): object {
  return mapFields(body, (name, value) => (name === field && isObject(value) ? change(value) : value))
}

/** Changes the fields that are objects. */
function eachField(body: object, change: Change): object {
  return mapFields(body, (_, value) => (isObject(value) ? change(value) : value))
}

function mapFields(body: object, change: (name: string, value: unknown) => unknown): object {
  return Object.fromEntries(Object.entries(body).map(([name, value]) => [name, change(name, value)]))
}

function fieldOf(body: object, field: string): unknown {
  return Object.entries(body).find(([name]) => name === field)?.[1]
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}
