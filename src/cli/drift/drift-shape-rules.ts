import { clientFields, limitEntries } from '../../api/handlers/client-view.ts'
import { isObject } from '../../api/json.ts'
import { everyOperationId, type OperationId, routeOf } from '../../api/operations/operations.ts'
import type { ReadingKey } from '../../api/readings/readings.ts'
import { itemShape } from '../../api/wire-shapes.ts'
import type { Shape } from '../../shape/shape.ts'
import {
  asObject,
  type Exchange,
  type Finding,
  isFilled,
  isSuccess,
  type JsonObject,
  listItems,
  toFinding,
} from './drift-exchange.ts'
import type { AccountHistory, Rule } from './drift-history.ts'

/* Rules about the shapes of answers: which fields they have, and in which form. */

interface Reduction {
  readonly key: ReadingKey
  /** The field that holds the items; '' for the body itself. */
  readonly list: string
  readonly fullField: string
}

const reductions: { readonly [Operation in OperationId]?: Reduction } = {
  getPrice: { key: 'shapes.price', list: '', fullField: 'volume24h' },
  listPrices: { key: 'shapes.price', list: 'prices', fullField: 'volume24h' },
  listTradingPairs: { key: 'shapes.pair', list: 'pairs', fullField: 'quantityStep' },
  listStatistics: { key: 'shapes.stats', list: 'stats', fullField: 'vwap' },
  getBalance: { key: 'shapes.balance', list: '', fullField: 'pendingDeposit' },
  listBalances: { key: 'shapes.balance', list: 'balances', fullField: 'pendingDeposit' },
  listPositions: { key: 'shapes.position', list: 'positions', fullField: 'costBasis' },
  getExposure: { key: 'shapes.exposure', list: '', fullField: 'cashBalance' },
  getSummary: { key: 'shapes.summary', list: '', fullField: 'openPositions' },
  getUtilization: { key: 'shapes.utilization', list: '', fullField: 'breachedLimits' },
}

function checkShape(exchange: Exchange, { showsNulls }: AccountHistory): readonly Finding[] {
  const { operation, body } = exchange
  if (!isSuccess(exchange) || operation === null) return []
  // A venue may add fields to some answers only, so an answer without extra fields shows nothing.
  const found = hasUnknownField(operation, body) ? [toFinding('answers.extraFields', 'some')] : []
  const shape = reductions[operation]
  const sample =
    shape === undefined ? undefined : shape.list === '' ? asObject(body) : listItems(body, shape.list)[0]
  if (shape !== undefined && sample !== undefined && isFilled(sample))
    found.push(toFinding(shape.key, shape.fullField in sample ? 'full' : 'reduced'))
  const fields = asObject(body)
  if (!isFilled(fields)) return found
  const limits = asObject(fields['limits'])
  if (operation === 'getLimits' && isFilled(limits))
    found.push(toFinding('shapes.limits', 'maxOrderValue' in limits ? 'full' : 'reduced'))
  if (operation === 'getMaxQuantity') {
    const details = asObject(fields['details'])
    if (isFilled(details))
      found.push(toFinding('shapes.maxQuantity', isObject(details['byBalance']) ? 'full' : 'reduced'))
  }
  if (operation === 'simulateOrder') found.push(...checkSimulation(fields, exchange))
  if (operation === 'getPosition') found.push(...checkPosition(fields))
  if (operation === 'getAssetExposure')
    found.push(toFinding('exposure.one', 'weight' in fields ? 'entry' : 'risk'))
  if (operation === 'listPositions')
    for (const item of listItems(body, 'positions')) found.push(...checkSign(item))
  const fill = operation === 'listOrderFills' ? listItems(body, 'fills')[0] : undefined
  if (fill !== undefined) found.push(toFinding('fills.side', 'side' in fill ? 'present' : 'absent'))
  const line = listItems(body, 'transactions').find(({ type }) => type !== 'trade')
  if (operation !== 'listTransactions' || line === undefined) return found
  if ('orderId' in line) return [...found, toFinding('transactions.nonTrade', 'null')]
  // A venue that leaves out every field without a value has left out these, whatever this reading says.
  return showsNulls ? [...found, toFinding('transactions.nonTrade', 'omitted')] : found
}

function checkSimulation(fields: JsonObject, { requestBody }: Exchange): readonly Finding[] {
  const state = asObject(fields['currentState'])
  const { asset: asked } = asObject(requestBody)
  if (!isFilled(state)) return []
  const found = [toFinding('shapes.simulation', 'leverage' in state ? 'full' : 'reduced')]
  const prefix = Object.keys(state)
    .find((name) => name.endsWith('Position'))
    ?.slice(0, -'Position'.length)
  if (prefix === undefined || typeof asked !== 'string') return found
  const asset = asked.toLowerCase().replaceAll(/[^a-z0-9]/g, '')
  const fits = [
    ...(prefix === asset ? ['symbol'] : []),
    ...(prefix === 'btc' ? ['btc'] : []),
    ...(prefix === 'asset' ? ['asset'] : []),
  ]
  return fits.length === 0 ? found : [...found, toFinding('simulate.prefix', ...fits)]
}

function checkPosition(fields: JsonObject): readonly Finding[] {
  const inner = fields['position']
  const position = isObject(inner) ? inner : fields
  return [
    toFinding('positions.one', isObject(inner) ? 'wrapped' : 'bare'),
    toFinding('shapes.position', 'costBasis' in position ? 'full' : 'reduced'),
    ...checkSign(position),
  ]
}

function checkSign({ quantity, side }: JsonObject): readonly Finding[] {
  if (typeof quantity !== 'number') return []
  if (quantity < 0) return [toFinding('positions.sign', 'signed')]
  return side === 'short' && quantity > 0 ? [toFinding('positions.sign', 'absolute')] : []
}

function checkAddedFields(exchange: Exchange): readonly Finding[] {
  const { operation, body } = exchange
  if (operation === null || !isSuccess(exchange) || !isObject(body)) return []
  if (operation === 'getPosition' && 'position' in body) return []
  const shape: Shape = routeOf(operation).response
  const names = Object.keys(clientFields.get(shape)?.fields.properties ?? {})
  // The reduced shapes have some of these names, too.
  const isOwn = (name: string) =>
    !Object.hasOwn(shape.properties ?? {}, name) && !renamedFields.includes(name)
  const added = names.filter(isOwn)
  if (added.length === 0) return []
  return [toFinding('answers.clientFields', added.some((name) => name in body) ? 'added' : 'none')]
}

function checkLimits(exchange: Exchange): readonly Finding[] {
  if (exchange.operation !== 'getLimits' || !isSuccess(exchange)) return []
  const { limits } = asObject(exchange.body)
  if (Array.isArray(limits)) return [toFinding('limits.form', 'list')]
  return isFilled(asObject(limits)) ? [toFinding('limits.form', 'object')] : []
}

/** Checks the unit of `changePercent`, which a change of at least 0.1 % shows. */
function checkPercents(exchange: Exchange): readonly Finding[] {
  if (exchange.operation !== 'listStatistics' || !isSuccess(exchange)) return []
  return listItems(exchange.body, 'stats').flatMap(({ open, change, changePercent }): readonly Finding[] => {
    if (typeof open !== 'number' || typeof change !== 'number' || typeof changePercent !== 'number') return []
    const share = change / open
    if (!(Math.abs(share) >= 0.001)) return []
    const near = (unit: number): boolean => Math.abs(changePercent / (share * unit) - 1) < 0.1
    return near(100)
      ? [toFinding('percent.unit', 'percent')]
      : near(1)
        ? [toFinding('percent.unit', 'fraction')]
        : []
  })
}

/** Returns whether a successful response has an undocumented field. Metadata and maps by symbol may have any field. */
function hasUnknownField(operation: OperationId, body: unknown): boolean {
  return hasUnknownName(routeOf(operation).response, body)
}

function hasUnknownName(schema: Shape | undefined, value: unknown): boolean {
  if (schema === undefined || typeof value !== 'object' || value === null) return false
  if (Array.isArray(value)) return value.some((item) => hasUnknownName(itemShape(schema), item))
  const { properties = {}, additionalProperties } = schema
  const further = typeof additionalProperties === 'object' ? additionalProperties : undefined
  return Object.entries(value).some(
    ([name, field]) =>
      (additionalProperties === false && !knownNames().has(name)) ||
      hasUnknownName(properties[name] ?? further, field),
  )
}

/** Names that documented fields have under some readings. */
const renamedFields: readonly string[] = ['position', 'positions', 'byExposure']

let names: ReadonlySet<string> | null = null

/** Returns all documented field names. Readings move fields between shapes, so a name counts as known everywhere. */
function knownNames(): ReadonlySet<string> {
  const added = [...[...clientFields.values()].map(({ fields }) => fields), limitEntries]
  const documented = everyOperationId.map((id) => routeOf(id).response)
  names ??= new Set([...renamedFields, ...[...documented, ...added].flatMap(listNames)])
  return names
}

function listNames(shape: Shape): string[] {
  const { properties = {}, anyOf = [], additionalProperties } = shape
  const items = itemShape(shape)
  const parts = [...Object.values(properties), ...anyOf, ...(items === undefined ? [] : [items])]
  if (typeof additionalProperties === 'object') parts.push(additionalProperties)
  return [...Object.keys(properties), ...parts.flatMap(listNames)]
}

export const shapeRules: readonly Rule[] = [checkShape, checkAddedFields, checkLimits, checkPercents]
