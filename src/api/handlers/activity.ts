import { buy, sell } from '../../engine/codes.ts'
import {
  listTrades as selectTrades,
  listTransactions as selectTransactions,
} from '../../engine/reports/activity-listings.ts'
import { isoToMillis, millisPerDay } from '../../numeric/time-text.ts'
import { knownAsset } from '../amounts.ts'
import { type AnswerTo, type ApiContext, answer, type InputOf, refuse } from '../context.ts'
import { invalid } from '../errors.ts'
import { flawed, type Read, read } from '../flaw.ts'
import { filterAssets, paginationOf, symbolsOf } from './lists.ts'
import { tradeView, transactionView } from './portfolio.ts'

/** Spec: portfolio/transactions. */
export function listTransactions(
  context: ApiContext,
  input: InputOf<'listTransactions'>,
): AnswerTo<'listTransactions'> {
  const { page, limit, type } = input.query
  const filter = filterAssets(context, symbolsOf(input.query.asset), knownAsset)
  if (!filter.ok) return filter
  const found = selectTransactions(
    context.state,
    context.account,
    { asset: wantedAsset(filter.assets), type: type ?? null },
    { offset: (page - 1) * limit, limit, order: context.readings['lists.order'] },
  )
  return answer({
    transactions: found.rows.map((line) => transactionView(context, line)),
    pagination: paginationOf(page, limit, found.total),
  })
}

/** Spec: portfolio/trades. Errors: 400 for invalid dates. Choice: a date as endDate includes its whole day. */
export function listTrades(context: ApiContext, input: InputOf<'listTrades'>): AnswerTo<'listTrades'> {
  const { page, limit, side, startDate, endDate } = input.query
  const from = readInstant(startDate, 'startDate', 0)
  if (!from.ok) return refuse(invalid(from.flaw))
  const until = readInstant(endDate, 'endDate', millisPerDay)
  if (!until.ok) return refuse(invalid(until.flaw))
  const filter = filterAssets(context, symbolsOf(input.query.asset), knownAsset)
  if (!filter.ok) return filter
  const found = selectTrades(
    context.state,
    context.account,
    {
      asset: wantedAsset(filter.assets),
      side: side === undefined ? null : side === 'buy' ? buy : sell,
      fromMillis: from.value,
      untilMillis: until.value,
    },
    { offset: (page - 1) * limit, limit, order: context.readings['lists.order'] },
  )
  return answer({
    trades: found.rows.map((fill) => tradeView(context, fill)),
    pagination: paginationOf(page, limit, found.total),
  })
}

/** The row of a filter by one asset; -1, which nothing has, for an unknown one; null without a filter. */
function wantedAsset(assets: readonly number[] | null): number | null {
  return assets === null ? null : (assets[0] ?? -1)
}

/**
 * The instant of a date or time. As an end (`dayMillis` above 0) it is the first instant beyond: the end of a date's
 * day, or the millisecond after a time. Of digits finer than a millisecond, which many languages write, it is enough
 * to know whether there are any: trades are at whole milliseconds.
 */
function readInstant(text: string | undefined, field: string, dayMillis: number): Read<number | null> {
  if (text === undefined) return read(null)
  const millis = isoToMillis(text.replace(finerDigits, '$1'))
  if (millis === null) return flawed(field, 'must be an ISO 8601 date, or a time with Z or an offset')
  if (dayMillis === 0) return read(millis + (isFinerThanMillis.test(text) ? 1 : 0))
  return read(millis + (text.length === 10 ? dayMillis : 1))
}

const finerDigits = /(\.[0-9]{3})[0-9]+/
const isFinerThanMillis = /\.[0-9]{3}0*[1-9]/
