import { compareMoments } from '../../api/noted-moments.ts'
import type { HistoryEntry } from './documents.ts'
import type { KnownHistory } from './lineage.ts'

/** First difference between two histories, with the items around it side by side. */
export interface FirstDifference {
  /** Number of items that the histories have in common, from the moment from which both are known. */
  readonly common: number
  /** Number of lines of the journal among them: commands, and changes from outside. */
  readonly commonLines: number
  readonly isSame: boolean
  readonly rows: readonly DifferenceRow[]
}

export interface DifferenceRow {
  readonly isFirst: boolean
  readonly left: HistoryEntry | null
  readonly right: HistoryEntry | null
}

const rowsBefore = 2
const rowsAfter = 8

/**
 * Finds the first difference between two histories, from the moment from which both are known. That of a fork begins with
 * its parent's, so what both had before the fork is in common.
 */
export function findFirstDifference(left: KnownHistory, right: KnownHistory): FirstDifference {
  const from = compareMoments(left.begins, right.begins) > 0 ? left.begins : right.begins
  const [own, others] = [left, right].map(({ items }) =>
    items.filter((item) => compareMoments(item, from) > 0),
  )
  if (own === undefined || others === undefined) return { common: 0, commonLines: 0, isSame: true, rows: [] }
  const length = Math.max(own.length, others.length)
  const isSameItem = (place: number): boolean => toComparedText(own[place]) === toComparedText(others[place])
  let common = 0
  while (common < length && isSameItem(common)) common += 1
  const rows: DifferenceRow[] = []
  for (let place = Math.max(0, common - rowsBefore); place < Math.min(length, common + rowsAfter); place += 1)
    rows.push({ isFirst: place === common, left: own[place] ?? null, right: others[place] ?? null })
  const commonLines = own.slice(0, common).filter(({ kind }) => kind !== 'event').length
  return { common, commonLines, isSame: common === length, rows }
}

/** Returns an item as text without its number, which counts from where its own world's history is known. */
const toComparedText = (item: HistoryEntry | undefined): string =>
  JSON.stringify(item === undefined ? null : { ...item, index: 0 })
