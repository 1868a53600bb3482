import type { Readings } from './readings.ts'
import type { OperationId } from './routes/routes.ts'

/**
 * The bodies of an operation as the shorter examples of the specification show them, where the readings
 * `shapes.<resource>` (and those that leave out single fields) ask for it.
 */
export function reduceShapes(operation: OperationId, body: object, readings: Readings): object {
  const reduction = reductions[operation]
  return reduction === undefined ? body : reduction(body, readings)
}

type Reduction = (body: object, readings: Readings) => object

const reductions: { readonly [Operation in OperationId]?: Reduction } = {
  listOrderFills: (body, readings) =>
    readings['fills.side'] === 'present' ? body : eachOf(body, 'fills', (fill) => without(fill, ['side'])),
  listPrices: (body, readings) =>
    readings['shapes.price'] === 'full' ? body : eachOf(body, 'prices', (price) => without(price, dayFields)),
  getPrice: (body, readings) => (readings['shapes.price'] === 'full' ? body : without(body, dayFields)),
  listTradingPairs: (body, readings) =>
    readings['shapes.pair'] === 'full' ? body : eachOf(body, 'pairs', (pair) => only(pair, pairFields)),
  listStatistics: (body, readings) =>
    readings['shapes.stats'] === 'full'
      ? body
      : eachOf(body, 'stats', (entry) => only(entry, statisticsFields)),
}

const dayFields = ['volume24h', 'high24h', 'low24h']
const pairFields = ['base', 'quote', 'minQuantity', 'maxQuantity']
const statisticsFields = ['asset', 'high', 'low', 'open', 'close', 'volume', 'volumeUsd', 'trades']

function eachOf(body: object, list: string, change: (item: object) => object): object {
  return Object.fromEntries(
    Object.entries(body).map(([name, value]) => [
      name,
      name === list && Array.isArray(value) ? value.map(change) : value,
    ]),
  )
}

function only(value: object, names: readonly string[]): object {
  return Object.fromEntries(Object.entries(value).filter(([name]) => names.includes(name)))
}

function without(value: object, names: readonly string[]): object {
  return Object.fromEntries(Object.entries(value).filter(([name]) => !names.includes(name)))
}
