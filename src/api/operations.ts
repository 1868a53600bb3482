import type { Answer, ApiContext, ApiRequest, BodyInput, Input, ItemsInput } from './context.ts'
import { refuse } from './context.ts'
import { invalid } from './errors.ts'
import type { Read } from './flaw.ts'
import * as activity from './handlers/activity.ts'
import * as marketData from './handlers/market-data.ts'
import * as orders from './handlers/orders.ts'
import * as placeOrders from './handlers/place-orders.ts'
import * as portfolio from './handlers/portfolio.ts'
import * as quotes from './handlers/quotes.ts'
import * as risk from './handlers/risk.ts'
import { updateQuotes } from './handlers/update-quotes.ts'
import { readQuery } from './input/query-string.ts'
import { readBody, readBodyOfItems } from './input/read-body.ts'
import { validate } from './input/validator.ts'
import { queryUnder } from './readings/query-under-readings.ts'
import type { Readings } from './readings/readings.ts'
import { type OperationId, routes } from './routes/routes.ts'
import { noQuery } from './schemas/common.ts'
import type { Infer, ObjectSchema, Schema } from './schemas/infer.ts'

export type Operation = (context: ApiContext, request: ApiRequest) => Answer<object>

/** Every operation as a function of a request that is still text. The types of a route and its handler must agree. */
export const operations: { readonly [Id in OperationId]: Operation } = {
  createOrder: withBody(routes.createOrder, placeOrders.createOrder),
  listOrders: withoutBody(routes.listOrders, orders.listOrders),
  getOrder: withoutBody(routes.getOrder, orders.getOrder),
  getOrderByClientId: withoutBody(routes.getOrderByClientId, orders.getOrderByClientId),
  amendOrder: withBody(routes.amendOrder, orders.amendOrder),
  cancelOrder: withoutBody(routes.cancelOrder, orders.cancelOrder),
  listOrderFills: withoutBody(routes.listOrderFills, orders.listOrderFills),
  createOrders: withItems(routes.createOrders, placeOrders.createOrders),
  cancelOrders: withBody(routes.cancelOrders, orders.cancelOrders),
  submitQuote: withBody(routes.submitQuote, quotes.submitQuote),
  listQuotes: withoutBody(routes.listQuotes, quotes.listQuotes),
  getQuote: withoutBody(routes.getQuote, quotes.getQuote),
  updateQuote: withBody(routes.updateQuote, quotes.updateQuote),
  cancelQuote: withoutBody(routes.cancelQuote, quotes.cancelQuote),
  cancelQuotes: withBody(routes.cancelQuotes, quotes.cancelQuotes),
  listQuoteFills: withoutBody(routes.listQuoteFills, quotes.listQuoteFills),
  updateQuotes: withItems(routes.updateQuotes, updateQuotes),
  listPrices: withoutBody(routes.listPrices, marketData.listPrices),
  getPrice: withoutBody(routes.getPrice, marketData.getPrice),
  getOrderBook: withoutBody(routes.getOrderBook, marketData.getOrderBook),
  listOrderBooks: withoutBody(routes.listOrderBooks, marketData.listOrderBooks),
  listTradingPairs: withoutBody(routes.listTradingPairs, marketData.listTradingPairs),
  listStatistics: withoutBody(routes.listStatistics, marketData.listStatistics),
  listBalances: withoutBody(routes.listBalances, portfolio.listBalances),
  getBalance: withoutBody(routes.getBalance, portfolio.getBalance),
  listPositions: withoutBody(routes.listPositions, portfolio.listPositions),
  getPosition: withoutBody(routes.getPosition, portfolio.getPosition),
  getExposure: withoutBody(routes.getExposure, portfolio.getExposure),
  getAssetExposure: withoutBody(routes.getAssetExposure, portfolio.getAssetExposure),
  getSummary: withoutBody(routes.getSummary, portfolio.getSummary),
  getProfitAndLoss: withoutBody(routes.getProfitAndLoss, portfolio.getProfitAndLoss),
  listTransactions: withoutBody(routes.listTransactions, activity.listTransactions),
  listTrades: withoutBody(routes.listTrades, activity.listTrades),
  getAvailable: withoutBody(routes.getAvailable, portfolio.getAvailable),
  getLimits: withoutBody(routes.getLimits, risk.getLimits),
  checkOrder: withBody(routes.checkOrder, risk.checkOrder),
  getRiskExposure: withoutBody(routes.getRiskExposure, risk.getRiskExposure),
  getAssetRiskExposure: withoutBody(routes.getAssetRiskExposure, risk.getAssetRiskExposure),
  getUtilization: withoutBody(routes.getUtilization, risk.getUtilization),
  getMaxQuantity: withoutBody(routes.getMaxQuantity, risk.getMaxQuantity),
  getMetrics: withoutBody(routes.getMetrics, risk.getMetrics),
  simulateOrder: withBody(routes.simulateOrder, risk.simulateOrder),
}

interface RouteShape<Query, Body, Response> {
  readonly query: Query
  readonly body: Body
  readonly isBodyOptional?: boolean
  readonly response: Response
}

function withBody<const Query extends ObjectSchema, const Body extends Schema, const Response extends Schema>(
  route: RouteShape<Query, Body, Response>,
  handler: (context: ApiContext, input: BodyInput<Query, Body>) => Answer<Infer<Response> & object>,
): Operation {
  return (context, request) => {
    const isOptional = route.isBodyOptional === true
    const read = readBody(route.body, request.body, isOptional, context.readings)
    if (!read.ok) return refuse(invalid(read.flaw))
    const query = readParameters(route.query, request.query, context.readings)
    if (!query.ok) return refuse(invalid(query.flaw))
    const { body, hint } = read.value
    return hinted(handler(context, { parameter: request.parameter, query: query.value, body }), hint)
  }
}

/** For bodies whose items fail one by one. */
function withItems<
  const Query extends ObjectSchema,
  const Body extends Schema,
  const Response extends Schema,
>(
  route: RouteShape<Query, Body, Response> & { readonly bodyItem: Schema },
  handler: (context: ApiContext, input: ItemsInput<Query, Body>) => Answer<Infer<Response> & object>,
): Operation {
  return (context, request) => {
    const read = readBodyOfItems(route.body, route.bodyItem, request.body, context.readings)
    if (!read.ok) return refuse(invalid(read.flaw))
    const query = readParameters(route.query, request.query, context.readings)
    if (!query.ok) return refuse(invalid(query.flaw))
    const { hint, ...items } = read.value
    return hinted(handler(context, { parameter: request.parameter, query: query.value, ...items }), hint)
  }
}

/** Whatever the outcome is: what was ignored may be why. */
function hinted(outcome: Answer<object>, hint: string | null): Answer<object> {
  if (hint === null) return outcome
  if (outcome.ok) return { ...outcome, hint }
  const { problem } = outcome
  return refuse({ ...problem, hint: problem.hint === undefined ? hint : `${problem.hint}; ${hint}` })
}

/** A body that is sent nevertheless is ignored. */
function withoutBody<const Query extends ObjectSchema, const Response extends Schema>(
  route: RouteShape<Query, null, Response>,
  handler: (context: ApiContext, input: Input<Query>) => Answer<Infer<Response> & object>,
): Operation {
  return (context, request) => {
    const query = readParameters(route.query, request.query, context.readings)
    if (!query.ok) return refuse(invalid(query.flaw))
    return handler(context, { parameter: request.parameter, query: query.value })
  }
}

const hasNothing = ({ properties }: ObjectSchema) => properties === noQuery.properties

function readParameters<const Query extends ObjectSchema>(
  schema: Query,
  raw: string,
  readings: Readings,
): Read<Infer<Query>> {
  // Most requests neither have a query nor may have one.
  if (raw === '' && hasNothing(schema)) return validate(schema, {})
  const allowed = queryUnder(schema, readings)
  const values = readQuery(raw, allowed, {
    ignoresUnknown: readings['query.unknown'] === 'ignore',
    clampsNumbers: readings['params.outOfRange'] === 'clamp',
  })
  if (!values.ok) return values
  const narrow = validate(allowed, values.value)
  const checked = narrow.ok ? validate(schema, values.value) : narrow
  if (checked.ok) return checked
  // A list is one parameter: its elements have no names of their own.
  const { field, ...flaw } = checked.flaw
  return { ok: false, flaw: { ...flaw, field: field.replace(/\[[0-9]+\]$/, '') } }
}
