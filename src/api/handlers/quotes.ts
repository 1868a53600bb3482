import { none, quoteStatusNames, wordForCode } from '../../engine/codes.ts'
import type { Outcome, QuoteChange } from '../../engine/command.ts'
import type { PairConfig } from '../../engine/config.ts'
import type { Rejection } from '../../engine/rejections.ts'
import { listAccountQuotes } from '../../engine/tables/account-table.ts'
import { assert } from '../../numeric/assert.ts'
import { millisToIso } from '../../numeric/time-text.ts'
import {
  decimalToNumber,
  type Millis,
  millis,
  priceTicks,
  quantitySteps,
  toStepCount,
} from '../../numeric/units.ts'
import type { RecordOf } from '../../shape/shape.ts'
import {
  answer,
  formatId,
  idScheme,
  parseId,
  priceNumber,
  quantityNumber,
  refuse,
  tradedAsset,
  unknownAssetField,
} from '../answer.ts'
import type { ApiContext, Handler } from '../context.ts'
import { type Problem, problemMessage } from '../errors.ts'
import { isProblem, readMetadata, readSteps, readTicks, readValue } from '../input/read-body.ts'
import { type InputProblem, itemProblem } from '../input-problem.ts'
import { jsonField } from '../json.ts'
import type * as schemas from '../operations/quotes.ts'
import {
  bulkUpdateItem,
  defaultValidForSeconds,
  listedQuote,
  listedQuoteStatuses,
} from '../operations/quotes.ts'
import { refuseRejection, toProblem } from '../refusals.ts'
import { reduceTo } from '../wire-shapes.ts'
import { answerBatch, filterAssets, filterWords, makePagination, selectRows, toSymbols } from './lists.ts'
import { fillView } from './orders.ts'

/**
 * Submits a quote (Spec: Submit quote). Errors: 400 for the body, the pair and a crossed quote, 409 for a client id,
 * 422 for risk.
 */
export const submitQuote: Handler<'submitQuote'> = (context, input) => {
  const { assets } = context.state
  const asset = tradedAsset(assets, input.body.asset)
  if (asset === null) return refuse(unknownAssetField)
  const terms = readQuoteNumbers(input.body, assets.tradedAsset(asset).pair)
  if ('code' in terms) return refuse(terms)
  const metadata = readMetadata(input.body.metadata)
  if (!metadata.ok) return refuse(metadata.problem)
  const clientQuoteId = input.body.clientQuoteId ?? null
  const outcome = context.execute({
    kind: 'submit-quote',
    at: context.now,
    account: context.account,
    asset,
    bidPriceTicks: terms.bidPriceTicks ?? priceTicks(0),
    askPriceTicks: terms.askPriceTicks ?? priceTicks(0),
    bidSteps: terms.bidSteps ?? quantitySteps(0),
    askSteps: terms.askSteps ?? quantitySteps(0),
    validForMillis: terms.validForMillis ?? millis(defaultValidForSeconds * 1_000),
    clientQuoteId,
    allowsDuplicateId: clientQuoteId !== null && context.readings['clientId.duplicate'] === 'allow',
    metadata: metadata.value,
  })
  if (outcome.ok) return answer(acceptedQuoteView(context, outcome.row))
  const { rejection } = outcome
  if (rejection.code === 'duplicate-client-id' && context.readings['clientId.duplicate'] === 'return')
    return answer(quoteView(context, rejection.row), 200)
  return refuseRejection(context, rejection, asset)
}

/**
 * Lists the quotes of the caller (Spec: List quotes). The filter takes four of the five statuses. Errors: 400 for the
 * fifth, by reading `filters.unlisted`.
 */
export const listQuotes: Handler<'listQuotes'> = (context, input) => {
  const { quotes } = context.state
  const { limit, page, status } = input.query
  const offset = input.query.offset ?? (page === undefined ? 0 : (page - 1) * limit)
  if (page !== undefined && offset !== (page - 1) * limit) return refuse(otherPage)
  const listed = listedQuoteStatuses
  const one = filterWords(status === undefined ? undefined : [status], listed, 'status', context.readings)
  if (!one.ok) return one
  const several = filterWords(input.query.statuses, listed, 'statuses', context.readings)
  if (!several.ok) return several
  const filter = filterAssets(context, toSymbols(input.query.asset), tradedAsset)
  if (!filter.ok) return filter
  const list = listAccountQuotes(context.state, context.account)
  const passes = (row: number) =>
    (filter.value === null || filter.value.includes(quotes.asset.get(row))) &&
    [one, several].every(({ value }) => value === null || value.includes(quoteStatus(context, row)))
  const found = selectRows(list, passes, { skip: offset, take: limit }, context.readings)
  return answer({
    quotes: found.rows.map((row) => reduceTo(listedQuote, quoteView(context, row))),
    pagination: { limit, offset, total: found.total },
  })
}

const otherPage: Problem = {
  code: 'invalid-parameter',
  field: 'page',
  reason: 'does not begin at offset; give one of them',
}

/**
 * Lists the fills of both sides of a quote, in the order of reading `lists.order`. Only reading `quotes.fills` has
 * this operation. Errors: 404.
 */
export const listQuoteFills: Handler<'listQuoteFills'> = (context, input) => {
  const row = findOwnQuote(context, input.parameter)
  if (row === null) return refuse({ code: 'unknown-quote' })
  const { fills, orders, quotes } = context.state
  const rows: number[] = []
  for (const leg of [quotes.bidLeg.get(row), quotes.askLeg.get(row)])
    for (let fill = orders.lastFill.get(leg); fill !== none; fill = fills.previousOfOrder.get(fill))
      rows.push(fill)
  const isNewestFirst = context.readings['lists.order'] === 'newest'
  rows.sort((left, right) => (isNewestFirst ? right - left : left - right))
  const { page, limit } = input.query
  const shown = rows.slice((page - 1) * limit, page * limit)
  return answer({
    fills: shown.map((fill) => quoteFillView(context, row, fill)),
    pagination: makePagination(page, limit, rows.length),
  })
}

/** Returns a quote of the caller (Spec: Get quote). Errors: 404, also for a quote of another account. */
export const getQuote: Handler<'getQuote'> = (context, input) => {
  const row = findOwnQuote(context, input.parameter)
  return row === null ? refuse({ code: 'unknown-quote' }) : answer(quoteView(context, row))
}

/**
 * Updates a quote (Spec: Update quote). Errors, in order: 400 for a body that changes nothing, 404 the quote, 400 for
 * the pair, 409 when the quote is not live, 422 for risk.
 */
export const updateQuote: Handler<'updateQuote'> = (context, input) => {
  if (!hasNumbers(input.body)) return refuse(nothingToChange)
  const row = findOwnQuote(context, input.parameter)
  if (row === null) return refuse({ code: 'unknown-quote' })
  const { assets, quotes } = context.state
  const asset = quotes.asset.get(row)
  const terms = readQuoteNumbers(input.body, assets.tradedAsset(asset).pair)
  if ('code' in terms) return refuse(terms)
  const outcome = context.execute({
    kind: 'update-quote',
    at: context.now,
    account: context.account,
    quote: row,
    ...terms,
    validFrom: context.readings['quotes.extend'],
  })
  return outcome.ok
    ? answer(quoteView(context, row))
    : refuse(quoteProblem(context, outcome.rejection, asset))
}

/** Cancels a quote (Spec: Cancel quote). Errors: 404; 409 when the quote is not live, by reading `quotes.terminal`. */
export const cancelQuote: Handler<'cancelQuote'> = (context, input) => {
  const row = findOwnQuote(context, input.parameter)
  if (row === null) return refuse({ code: 'unknown-quote' })
  const outcome = context.execute({
    kind: 'cancel-quote',
    at: context.now,
    account: context.account,
    quote: row,
  })
  const isAnswered =
    outcome.ok || (outcome.rejection.code === 'terminal' && context.readings['quotes.terminal'] === '200')
  if (isAnswered) return answer(cancelledQuoteView(context, row))
  return refuse(quoteProblem(context, outcome.rejection, none))
}

/**
 * Cancels the live quotes of the caller in the order of their creation (Spec: Cancel all quotes). Errors: 400 for an
 * unknown asset; then nothing is cancelled.
 */
export const cancelQuotes: Handler<'cancelQuotes'> = (context, input) => {
  const { assets } = context.state
  const asset = input.body.asset === undefined ? null : tradedAsset(assets, input.body.asset)
  if (input.body.asset !== undefined && asset === null) return refuse(unknownAssetField)
  const outcome = context.execute({ kind: 'cancel-quotes', at: context.now, account: context.account, asset })
  if (!outcome.ok) return refuseRejection(context, outcome.rejection, none)
  const cancelled = outcome.items.flatMap((item) => (item.ok ? [quoteId(context, item.row)] : []))
  return answer({ cancelledCount: cancelled.length, cancelledQuotes: cancelled })
}

function findOwnQuote(context: ApiContext, id: string): number | null {
  const { quotes } = context.state
  const row = parseId(idScheme(context), 'quote', id)
  if (row < 0 || row >= quotes.count) return null
  return quotes.account.get(row) === context.account ? row : null
}

/**
 * Returns the problem that a rejection is to the caller (reading `quotes.terminal`). Where that reading answers a
 * cancel of a quote that is not live, an update of the quote is still a conflict.
 */
function quoteProblem(context: ApiContext, rejection: Rejection, asset: number): Problem {
  if (rejection.code !== 'terminal')
    return toProblem(rejection, context.state.assets, asset, context.readings)
  switch (context.readings['quotes.terminal']) {
    case '404':
      return { code: 'unknown-quote' }
    case '400':
      return { code: 'quote-terminal', status: 400 }
    case '409':
    case '200':
      return { code: 'quote-terminal' }
  }
}

/** The numbers of a quote as they were sent, null for those that were left out. */
type QuoteNumbers = RecordOf<typeof schemas.updateQuoteBody>

type QuoteTerms = Omit<QuoteChange, 'quote' | 'validFrom'>

/**
 * Reads the numbers of a quote in the units of the engine. Errors, in the order of the fields: a violation of the
 * pair, a fraction of a millisecond.
 */
function readQuoteNumbers(numbers: QuoteNumbers, pair: PairConfig): QuoteTerms | Problem {
  const bidPriceTicks = readTicks(numbers.bidPrice, 'bidPrice', pair)
  if (isProblem(bidPriceTicks)) return bidPriceTicks
  const askPriceTicks = readTicks(numbers.askPrice, 'askPrice', pair)
  if (isProblem(askPriceTicks)) return askPriceTicks
  const bidSteps = readSteps(numbers.bidSize, 'bidSize', pair)
  if (isProblem(bidSteps)) return bidSteps
  const askSteps = readSteps(numbers.askSize, 'askSize', pair)
  if (isProblem(askSteps)) return askSteps
  const validForMillis = readSeconds(numbers.validForSeconds)
  if (isProblem(validForMillis)) return validForMillis
  return { bidPriceTicks, askPriceTicks, bidSteps, askSteps, validForMillis }
}

function hasNumbers(numbers: QuoteNumbers): boolean {
  const { bidPrice, askPrice, bidSize, askSize, validForSeconds } = numbers
  return [bidPrice, askPrice, bidSize, askSize, validForSeconds].some((value) => (value ?? null) !== null)
}

const nothingToChange: Problem = {
  code: 'invalid-parameter',
  field: 'bidPrice',
  reason: 'or another field must be given',
}

function readSeconds(value: number | null | undefined): Millis | null | Problem {
  if (value === null || value === undefined) return null
  const count = toStepCount(value, { units: 1, scale: 3 })
  if (count !== null) return millis(count)
  return { code: 'invalid-parameter', field: 'validForSeconds', reason: 'must be a multiple of 0.001' }
}

type BulkItem = RecordOf<typeof schemas.bulkItem>

type BulkItemInput =
  | { readonly quoteId: string; readonly update: QuoteChange }
  | { readonly quoteId: string | null; readonly problem: Problem }

/**
 * Updates several quotes (Spec: Bulk update quotes). Each item of the list is carried out wholly or not at all,
 * independently of the others.
 */
export const updateQuotes: Handler<'updateQuotes'> = (context, input) => {
  const items = input.body.map((item, index) => readItem(context, item, input.problems?.get(index)))
  const updates = items.flatMap((item) => ('update' in item ? [item.update] : []))
  const outcome: Outcome =
    updates.length === 0
      ? { ok: true, row: none, items: [] }
      : context.execute({ kind: 'update-quotes', at: context.now, account: context.account, updates })
  if (!outcome.ok) return refuseRejection(context, outcome.rejection, none)
  const outcomes = outcome.items.values()
  const results = items.map((item, index) =>
    'update' in item
      ? describeItem(context, item.quoteId, item.update, outcomes.next().value, index)
      : describeFailure(context, item.quoteId, item.problem, index),
  )
  return answerBatch(context, results)
}

function readItem(context: ApiContext, item: unknown, problem: InputProblem | undefined): BulkItemInput {
  if (problem !== undefined) {
    const quoteId = problem.field === 'quoteId' ? null : findQuoteId(item)
    return { quoteId, problem: itemProblem(problem) }
  }
  const body = readValue(bulkUpdateItem, item, context.readings)
  if (!body.ok) return { quoteId: findQuoteId(item), problem: itemProblem(body.problem) }
  const { quoteId } = body.value
  if (!hasNumbers(body.value)) return { quoteId, problem: nothingToChange }
  const quote = findOwnQuote(context, quoteId)
  if (quote === null) return { quoteId, problem: { code: 'unknown-quote' } }
  const { assets, quotes } = context.state
  const terms = readQuoteNumbers(body.value, assets.tradedAsset(quotes.asset.get(quote)).pair)
  if ('code' in terms) return { quoteId, problem: terms }
  return { quoteId, update: { quote, ...terms, validFrom: 'now' } }
}

/** Finds the quote id in an item that cannot be read; null when it has none. */
function findQuoteId(item: unknown): string | null {
  const quoteId = jsonField(item, 'quoteId')
  return typeof quoteId === 'string' ? quoteId : null
}

function describeItem(
  context: ApiContext,
  quoteId: string,
  update: QuoteChange,
  outcome: Outcome | undefined,
  index: number,
): BulkItem {
  assert(outcome !== undefined, 'a bulk update has an outcome for every item')
  if (outcome.ok) return { success: true, quoteId }
  const asset = context.state.quotes.asset.get(update.quote)
  return describeFailure(context, quoteId, quoteProblem(context, outcome.rejection, asset), index)
}

/** Describes a failed item (reading `bulk.failure`). */
function describeFailure(
  context: ApiContext,
  quoteId: string | null,
  problem: Problem,
  index: number,
): BulkItem {
  const item = { success: false, quoteId } as const
  return context.readings['bulk.failure'] === 'plain'
    ? item
    : { ...item, error: problemMessage(problem), index }
}

type QuoteJson = RecordOf<typeof schemas.quote>
type QuoteFillJson = RecordOf<typeof schemas.quoteFill>
type CancelledQuoteJson = RecordOf<typeof schemas.cancelledQuote>

/** Returns a quote as it is now (Spec: Quote). */
export function quoteView(context: ApiContext, row: number): QuoteJson {
  const { assets, orders, quotes } = context.state
  const { pair, symbol } = assets.tradedAsset(quotes.asset.get(row))
  const bid = quotes.bidLeg.get(row)
  const ask = quotes.askLeg.get(row)
  return {
    quoteId: quoteId(context, row),
    clientQuoteId: quotes.clientId(row),
    asset: symbol,
    bidPrice: priceNumber(pair, orders.priceTicks.get(bid)),
    askPrice: priceNumber(pair, orders.priceTicks.get(ask)),
    bidSize: quantityNumber(pair, orders.quantitySteps.get(bid)),
    askSize: quantityNumber(pair, orders.quantitySteps.get(ask)),
    bidFilled: quantityNumber(pair, orders.filledSteps.get(bid)),
    askFilled: quantityNumber(pair, orders.filledSteps.get(ask)),
    status: wordForCode(quoteStatusNames, quotes.status.get(row)),
    validForSeconds: decimalToNumber(quotes.validForMillis.get(row), 3),
    expiresAt: millisToIso(quotes.expiresAtMillis.get(row)),
    metadata: quotes.metadata.get(row) ?? {},
    createdAt: millisToIso(quotes.createdAtMillis.get(row)),
    updatedAt: millisToIso(quotes.updatedAtMillis.get(row)),
  }
}

/**
 * Returns a quote as it was accepted: active and with nothing filled, whatever it met at once (Spec: Submit quote,
 * the response).
 */
function acceptedQuoteView(context: ApiContext, row: number): QuoteJson {
  const quote = quoteView(context, row)
  return { ...quote, status: 'active', bidFilled: 0, askFilled: 0, updatedAt: quote.createdAt }
}

function cancelledQuoteView(context: ApiContext, row: number): CancelledQuoteJson {
  return {
    quoteId: quoteId(context, row),
    status: quoteStatus(context, row),
    cancelledAt: millisToIso(context.state.quotes.updatedAtMillis.get(row)),
  }
}

/** Returns a fill of a quote: like that of an order, with the id of the quote in place of the leg. */
function quoteFillView(context: ApiContext, quote: number, fill: number): QuoteFillJson {
  const { orderId: _, fillId, ...rest } = fillView(context, fill)
  return { fillId, quoteId: quoteId(context, quote), ...rest }
}

function quoteId(context: ApiContext, row: number): string {
  return formatId(idScheme(context), 'quote', row)
}

function quoteStatus(context: ApiContext, row: number): QuoteJson['status'] {
  return wordForCode(quoteStatusNames, context.state.quotes.status.get(row))
}
