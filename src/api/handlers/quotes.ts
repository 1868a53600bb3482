import { none } from '../../engine/codes.ts'
import type { Rejection } from '../../engine/rejections.ts'
import { quotesOf } from '../../engine/tables/account-lists.ts'
import { millis, priceTicks, quantitySteps } from '../../numeric/units.ts'
import { tradedAsset, unknownAssetField } from '../assets.ts'
import { type AnswerTo, type ApiContext, answer, type InputOf, idsOf, refuse } from '../context.ts'
import { invalid, type Problem } from '../errors.ts'
import { rowOfId } from '../ids.ts'
import { readMetadata } from '../input/metadata.ts'
import { listedQuoteStatuses, usualValidForSeconds } from '../operations/quotes.ts'
import { problemOf } from '../refusals.ts'
import {
  acceptedQuoteView,
  cancelledQuoteView,
  listedQuoteView,
  quoteFillView,
  quoteId,
  quoteStatus,
  quoteView,
} from '../views/quote-view.ts'
import { filterAssets, symbolsOf } from './asset-filter.ts'
import { paginationOf, selectRows } from './lists.ts'
import { hasNumbers, nothingToChange, readQuoteNumbers } from './quote-bodies.ts'
import { listedWords } from './unlisted.ts'

/** Spec: Submit quote. Errors: 400 for the body, the pair and a crossed quote, 409 for a client id, 422 for risk. */
export function submitQuote(context: ApiContext, input: InputOf<'submitQuote'>): AnswerTo<'submitQuote'> {
  const { assets } = context.state
  const asset = tradedAsset(assets, input.body.asset)
  if (asset === null) return refuse(unknownAssetField)
  const terms = readQuoteNumbers(input.body, assets.traded(asset).pair)
  if ('code' in terms) return refuse(terms)
  const metadata = readMetadata(input.body.metadata)
  if (!metadata.ok) return refuse(invalid(metadata.flaw))
  const outcome = context.execute({
    kind: 'submit-quote',
    at: context.now,
    account: context.account,
    asset,
    bidPriceTicks: terms.bidPriceTicks ?? priceTicks(0),
    askPriceTicks: terms.askPriceTicks ?? priceTicks(0),
    bidSteps: terms.bidSteps ?? quantitySteps(0),
    askSteps: terms.askSteps ?? quantitySteps(0),
    validForMillis: terms.validForMillis ?? millis(usualValidForSeconds * 1_000),
    clientQuoteId: input.body.clientQuoteId ?? null,
    allowsDuplicateId: context.readings['clientId.duplicate'] === 'allow',
    metadata: metadata.value,
  })
  if (outcome.ok) return answer(acceptedQuoteView(context, outcome.row))
  const { rejection } = outcome
  if (rejection.code === 'duplicate-client-id' && context.readings['clientId.duplicate'] === 'return')
    return answer(quoteView(context, rejection.row), 200)
  return refuse(problemOf(rejection, assets, asset, context.readings))
}

/** Spec: List quotes; the filter takes four of the five statuses. Errors: 400 for the fifth, by reading. */
export function listQuotes(context: ApiContext, input: InputOf<'listQuotes'>): AnswerTo<'listQuotes'> {
  const { quotes } = context.state
  const { limit, page, status } = input.query
  const offset = input.query.offset ?? (page === undefined ? 0 : (page - 1) * limit)
  if (page !== undefined && offset !== (page - 1) * limit) return refuse(otherPage)
  const listed = listedQuoteStatuses
  const one = listedWords(status === undefined ? undefined : [status], listed, 'status', context.readings)
  if (!one.ok) return one
  const several = listedWords(input.query.statuses, listed, 'statuses', context.readings)
  if (!several.ok) return several
  const filter = filterAssets(context, symbolsOf(input.query.asset), tradedAsset)
  if (!filter.ok) return filter
  const list = quotesOf(context.state, context.account)
  const passes = (row: number) =>
    (filter.assets === null || filter.assets.includes(quotes.asset.get(row))) &&
    [one, several].every(({ words }) => words === null || words.includes(quoteStatus(context, row)))
  const found = selectRows(list, passes, { skip: offset, take: limit }, context.readings)
  return answer({
    quotes: found.rows.map((row) => listedQuoteView(context, row)),
    pagination: { limit, offset, total: found.total },
  })
}

const otherPage: Problem = {
  code: 'invalid-parameter',
  field: 'page',
  reason: 'does not begin at offset; give one of them',
}

/** Reading `quotes.fills`: the fills of both sides, in the order of `lists.order`. Errors: 404. */
export function listQuoteFills(
  context: ApiContext,
  input: InputOf<'listQuoteFills'>,
): AnswerTo<'listQuoteFills'> {
  const row = ownQuote(context, input.parameter)
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
    pagination: paginationOf(page, limit, rows.length),
  })
}

/** Spec: Get quote. Errors: 404, also for another account's quote. */
export function getQuote(context: ApiContext, input: InputOf<'getQuote'>): AnswerTo<'getQuote'> {
  const row = ownQuote(context, input.parameter)
  return row === null ? refuse({ code: 'unknown-quote' }) : answer(quoteView(context, row))
}

/** Spec: Update quote. Errors: 400 for nothing to change, 404, 400 for the pair, 409 when it is not live, 422. */
export function updateQuote(context: ApiContext, input: InputOf<'updateQuote'>): AnswerTo<'updateQuote'> {
  if (!hasNumbers(input.body)) return refuse(nothingToChange)
  const row = ownQuote(context, input.parameter)
  if (row === null) return refuse({ code: 'unknown-quote' })
  const { assets, quotes } = context.state
  const asset = quotes.asset.get(row)
  const terms = readQuoteNumbers(input.body, assets.traded(asset).pair)
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

/** Spec: Cancel quote. Errors: 404; 409 when it is not live, by reading `quotes.terminal`. */
export function cancelQuote(context: ApiContext, input: InputOf<'cancelQuote'>): AnswerTo<'cancelQuote'> {
  const row = ownQuote(context, input.parameter)
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

/** Spec: Cancel all quotes, in creation order. Errors: 400 for an unknown asset, and then nothing is cancelled. */
export function cancelQuotes(context: ApiContext, input: InputOf<'cancelQuotes'>): AnswerTo<'cancelQuotes'> {
  const { assets } = context.state
  const asset = input.body.asset === undefined ? null : tradedAsset(assets, input.body.asset)
  if (input.body.asset !== undefined && asset === null) return refuse(unknownAssetField)
  const outcome = context.execute({ kind: 'cancel-quotes', at: context.now, account: context.account, asset })
  if (!outcome.ok) return refuse(problemOf(outcome.rejection, assets, none, context.readings))
  const cancelled = outcome.items.flatMap((item) => (item.ok ? [quoteId(context, item.row)] : []))
  return answer({ cancelledCount: cancelled.length, cancelledQuotes: cancelled })
}

/** The row of the caller's quote, or null. */
export function ownQuote(context: ApiContext, id: string): number | null {
  const { quotes } = context.state
  const row = rowOfId(idsOf(context), 'quote', id)
  if (row < 0 || row >= quotes.count) return null
  return quotes.account.get(row) === context.account ? row : null
}

/**
 * Reading `quotes.terminal`. Where a cancel of a quote that is not live is answered, an update of it is still a
 * conflict.
 */
export function quoteProblem(context: ApiContext, rejection: Rejection, asset: number): Problem {
  if (rejection.code !== 'terminal')
    return problemOf(rejection, context.state.assets, asset, context.readings)
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
