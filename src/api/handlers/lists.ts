import type { RowList } from '../../engine/tables/account-table.ts'
import type { AssetTable } from '../../engine/tables/asset-table.ts'
import type { RecordOf } from '../../shape/shape.ts'
import { answer, refuse } from '../answer.ts'
import type { ApiContext } from '../context.ts'
import type { Problem } from '../errors.ts'
import type { pagination } from '../operations/common.ts'
import type { Readings } from '../readings/readings.ts'

/**
 * Selects the rows at `skip` to `skip + take` of those that pass a filter, newest first unless reading `lists.order`
 * says otherwise, and counts all that pass.
 */
export function selectRows(
  list: RowList,
  passes: (row: number) => boolean,
  { skip, take }: { readonly skip: number; readonly take: number },
  readings: Readings,
) {
  const isNewestFirst = list.count < 2 || readings['lists.order'] === 'newest'
  const rows: number[] = []
  let total = 0
  for (let place = 0; place < list.count; place++) {
    const row = list.at(isNewestFirst ? list.count - 1 - place : place)
    if (!passes(row)) continue
    if (total >= skip && rows.length < take) rows.push(row)
    total++
  }
  return { rows, total }
}

/** Makes the paging part of a list (Spec: Limits, pagination). Choice: an empty list has 0 pages. */
export function makePagination(page: number, limit: number, total: number): RecordOf<typeof pagination> {
  return { page, limit, total, totalPages: Math.ceil(total / limit) }
}

/** The value of a filter of a list, null when the filter is not given, or why the request is refused. */
type Filter<Value> =
  | { readonly ok: true; readonly value: readonly Value[] | null }
  | { readonly ok: false; readonly problem: Problem }

/**
 * Finds the rows of the assets that an optional filter names, in its order and without repetitions; null without a
 * filter. Unknown symbols are left out, or answered with 404 (reading `assets.unknown`).
 */
export function filterAssets(
  context: ApiContext,
  symbols: readonly string[] | undefined,
  find: (assets: AssetTable, symbol: string) => number | null,
): Filter<number> {
  if (symbols === undefined) return { ok: true, value: null }
  const found = new Set<number>()
  for (const symbol of symbols) {
    const asset = find(context.state.assets, symbol)
    if (asset !== null) found.add(asset)
    else if (context.readings['assets.unknown'] === '404') return refuse({ code: 'unknown-asset' })
  }
  return { ok: true, value: [...found] }
}

/** Returns a filter by one symbol as a filter by several. */
export function toSymbols(symbol: string | undefined): readonly string[] | undefined {
  return symbol === undefined ? undefined : [symbol]
}

/** Answers a batch whose items fail one by one. The status of the answer follows from reading `batchStatus`. */
export function answerBatch<Item extends { readonly success: boolean }>(
  { readings }: ApiContext,
  results: readonly Item[],
) {
  const total = results.length
  const failed = results.filter(({ success }) => !success).length
  const isAnyFailed = failed > 0 && readings.batchStatus === '207'
  const isAllFailed = failed > 0 && failed === total && readings.batchStatus === '422'
  const summary = { total, successful: total - failed, failed }
  return answer({ results, summary }, isAnyFailed ? 207 : isAllFailed ? 422 : null)
}

/**
 * Reads a filter by words, of which some may be missing in the documented list (reading `filters.unlisted`). The
 * value is null without a filter, and when every word of the filter is ignored.
 */
export function filterWords(
  words: readonly string[] | undefined,
  listed: readonly string[],
  field: string,
  readings: Readings,
): Filter<string> {
  if (words === undefined) return { ok: true, value: null }
  const known = words.filter((word) => listed.includes(word))
  if (known.length === words.length || readings['filters.unlisted'] === 'accept')
    return { ok: true, value: words }
  if (readings['filters.unlisted'] === 'ignore') return { ok: true, value: known.length === 0 ? null : known }
  return refuse({ code: 'invalid-parameter', field, reason: `must be one of ${listed.join(', ')}` })
}
