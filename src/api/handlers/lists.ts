import type { RowList } from '../../engine/tables/row-list.ts'
import type { RecordOf } from '../../shape/shape.ts'
import type { pagination } from '../operations/common.ts'
import type { Readings } from '../readings/readings.ts'

/** One page of the rows of a list that grows at its end. */
export interface Page {
  readonly rows: readonly number[]
  readonly total: number
}

/**
 * The rows at `skip` to `skip + take` of those that pass the filter, newest first (reading `lists.order`), and how
 * many pass in all. Past the end there are none.
 */
export function selectRows(
  list: RowList,
  passes: (row: number) => boolean,
  { skip, take }: { readonly skip: number; readonly take: number },
  readings: Readings,
): Page {
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
