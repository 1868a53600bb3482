import type { RowList } from '../../engine/tables/account-table.ts'
import type { AssetTable } from '../../engine/tables/asset-table.ts'
import type { RecordOf } from '../../shape/shape.ts'
import { answer, refuse } from '../answer.ts'
import type { ApiContext } from '../context.ts'
import type { Problem } from '../errors.ts'
import type { pagination } from '../operations/common.ts'
import type { Readings } from '../readings/readings.ts'

/**
 * The rows at `skip` to `skip + take` of those that pass the filter, newest first (reading `lists.order`), and how
 * many pass in all. Past the end there are none.
 */
export function selectRows(
  list: RowList,
  passes: (row: number) => boolean,
  { skip, take }: { readonly skip: number; readonly take: number },
  readings: Readings,
) {
  const isNewestFirst = readings['lists.order'] === 'newest'
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

/** Spec: Limits, pagination. Choice: an empty list has 0 pages. */
export function paginationOf(page: number, limit: number, total: number): RecordOf<typeof pagination> {
  return { page, limit, total, totalPages: Math.ceil(total / limit) }
}

type AssetFilter =
  | { readonly ok: true; readonly assets: readonly number[] | null }
  | { readonly ok: false; readonly problem: Problem }

/**
 * The rows of an optional filter by symbols, in its order and without repetitions; null without a filter. Unknown
 * ones are left out, or give 404 by reading `assets.unknown`.
 */
export function filterAssets(
  context: ApiContext,
  symbols: readonly string[] | undefined,
  find: (assets: AssetTable, symbol: string) => number | null,
): AssetFilter {
  if (symbols === undefined) return { ok: true, assets: null }
  const found = new Set<number>()
  for (const symbol of symbols) {
    const asset = find(context.state.assets, symbol)
    if (asset !== null) found.add(asset)
    else if (context.readings['assets.unknown'] === '404') return refuse({ code: 'unknown-asset' })
  }
  return { ok: true, assets: [...found] }
}

export function symbolsOf(symbol: string | undefined): readonly string[] | undefined {
  return symbol === undefined ? undefined : [symbol]
}

/** The answer to a batch, whose items fail one by one; its status is reading `batchStatus`. */
export function answerBatch<Item extends { readonly success: boolean }>(
  { readings }: ApiContext,
  results: readonly Item[],
) {
  const total = results.length
  const failed = results.filter(({ success }) => !success).length
  const isAnyFailed = readings.batchStatus === '207' && failed > 0
  const isAllFailed = readings.batchStatus === '422' && failed > 0 && failed === total
  const summary = { total, successful: total - failed, failed }
  return answer({ results, summary }, isAnyFailed ? 207 : isAllFailed ? 422 : null)
}

type Words =
  | { readonly ok: true; readonly words: readonly string[] | null }
  | { readonly ok: false; readonly problem: Problem }

/**
 * A filter by words, some of which are not in the documented list: reading `filters.unlisted`. Null means no filter,
 * also when every word of it is to be ignored.
 */
export function listedWords(
  words: readonly string[] | undefined,
  listed: readonly string[],
  field: string,
  readings: Readings,
): Words {
  if (words === undefined) return { ok: true, words: null }
  const known = words.filter((word) => listed.includes(word))
  if (known.length === words.length || readings['filters.unlisted'] === 'accept') return { ok: true, words }
  if (readings['filters.unlisted'] === 'ignore') return { ok: true, words: known.length === 0 ? null : known }
  return refuse({ code: 'invalid-parameter', field, reason: `must be one of ${listed.join(', ')}` })
}
