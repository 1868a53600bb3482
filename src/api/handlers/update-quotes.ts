import { none } from '../../engine/codes.ts'
import type { Outcome, QuoteUpdate } from '../../engine/command.ts'
import { assert } from '../../numeric/assert.ts'
import type { RecordOf } from '../../shape/shape.ts'
import { type AnswerTo, type ApiContext, answer, type InputOf, refuse } from '../context.ts'
import { invalid, messageOf, type Problem } from '../errors.ts'
import { type Flaw, flawOfItem } from '../flaw.ts'
import { readValue } from '../input/read-body.ts'
import { type bulkResult, bulkUpdateItem } from '../operations/quotes.ts'
import { problemOf } from '../refusals.ts'
import { batchStatus } from './batch-status.ts'
import { hasNumbers, nothingToChange, readQuoteNumbers } from './quote-bodies.ts'
import { ownQuote, quoteProblem } from './quotes.ts'

type BulkJson = RecordOf<typeof bulkResult>
type BulkItem = BulkJson['results'][number]

/** An item that goes to the engine, or why it does not. */
type ReadItem =
  | { readonly quoteId: string; readonly update: QuoteUpdate }
  | { readonly quoteId: string | null; readonly problem: Problem }

/**
 * Spec: Bulk update quotes; the body is an array. Each item is carried out wholly or not at all, independently of the
 * others.
 */
export function updateQuotes(context: ApiContext, input: InputOf<'updateQuotes'>): AnswerTo<'updateQuotes'> {
  const items = input.body.map((item, index) => readItem(context, item, input.flaws?.get(index)))
  const updates = items.flatMap((item) => ('update' in item ? [item.update] : []))
  const outcome: Outcome =
    updates.length === 0
      ? { ok: true, row: none, items: [] }
      : context.execute({ kind: 'update-quotes', at: context.now, account: context.account, updates })
  if (!outcome.ok) return refuse(problemOf(outcome.rejection, context.state.assets, none, context.readings))
  const outcomes = outcome.items.values()
  const results = items.map((item, index) =>
    'update' in item
      ? resultOf(context, item.quoteId, item.update, outcomes.next().value, index)
      : failedItem(context, item.quoteId, item.problem, index),
  )
  const failed = results.filter((result) => !result.success).length
  const summary = { total: results.length, successful: results.length - failed, failed }
  return answer({ results, summary }, batchStatus(context, summary))
}

function readItem(context: ApiContext, item: unknown, flaw: Flaw | undefined): ReadItem {
  if (flaw !== undefined) {
    const quoteId = flaw.field === 'quoteId' ? null : quoteIdIn(item)
    return { quoteId, problem: invalid(flawOfItem(flaw)) }
  }
  const body = readValue(bulkUpdateItem, item, context.readings)
  if (!body.ok) return { quoteId: quoteIdIn(item), problem: invalid(flawOfItem(body.flaw)) }
  const { quoteId } = body.value
  if (!hasNumbers(body.value)) return { quoteId, problem: nothingToChange }
  const quote = ownQuote(context, quoteId)
  if (quote === null) return { quoteId, problem: { code: 'unknown-quote' } }
  const { assets, quotes } = context.state
  const terms = readQuoteNumbers(body.value, assets.traded(quotes.asset.get(quote)).pair)
  if ('code' in terms) return { quoteId, problem: terms }
  return { quoteId, update: { quote, ...terms, validFrom: 'now' } }
}

/** The quote id in an item that cannot be read, if there is one. */
function quoteIdIn(item: unknown): string | null {
  if (typeof item !== 'object' || item === null || !('quoteId' in item)) return null
  return typeof item.quoteId === 'string' ? item.quoteId : null
}

function resultOf(
  context: ApiContext,
  quoteId: string,
  update: QuoteUpdate,
  outcome: Outcome | undefined,
  index: number,
): BulkItem {
  assert(outcome !== undefined, 'a bulk update has an outcome for every item')
  if (outcome.ok) return { success: true, quoteId }
  const asset = context.state.quotes.asset.get(update.quote)
  return failedItem(context, quoteId, quoteProblem(context, outcome.rejection, asset), index)
}

/** Reading `bulk.failure`. */
function failedItem(context: ApiContext, quoteId: string | null, problem: Problem, index: number): BulkItem {
  const item = { success: false, quoteId } as const
  return context.readings['bulk.failure'] === 'plain' ? item : { ...item, error: messageOf(problem), index }
}
