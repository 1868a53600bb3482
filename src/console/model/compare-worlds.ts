import type { AdminApi } from './admin-api.ts'
import type { HistoryEntry, HistoryPage, WorldMoment } from './documents.ts'
import { compareMoments } from './timeline.ts'

/** History of a world, as far back as it is known. */
export interface KnownHistory {
  readonly begins: WorldMoment
  readonly items: readonly HistoryEntry[]
}

/** First difference between two histories, with the items around it side by side. */
export interface FirstDifference {
  /** Number of items that the histories have in common, from the moment from which both are known. */
  readonly common: number
  readonly isSame: boolean
  readonly rows: readonly DifferenceRow[]
}

export interface DifferenceRow {
  readonly isFirst: boolean
  readonly left: HistoryEntry | null
  readonly right: HistoryEntry | null
}

/** Reads the whole history of a world, which the server computes page by page. */
export async function readWholeHistory(api: AdminApi, world: string): Promise<KnownHistory> {
  const items: HistoryEntry[] = []
  for (;;) {
    const from = (items.at(-1)?.index ?? -1) + 1
    const path = `/worlds/${encodeURIComponent(world)}/history?from=${from}`
    const page = await api.ask<HistoryPage>('GET', path)
    items.push(...page.items)
    if (page.isWhole) return { begins: page.begins, items }
  }
}

const rowsBefore = 2
const rowsAfter = 8

/**
 * Finds the first difference between two histories, from the moment from which both are known. A fork is thus
 * compared with its parent from where it began.
 */
export function findFirstDifference(left: KnownHistory, right: KnownHistory): FirstDifference {
  const from = compareMoments(left.begins, right.begins) > 0 ? left.begins : right.begins
  const [own, others] = [left, right].map(({ items }) =>
    items.filter((item) => compareMoments(item, from) > 0),
  )
  if (own === undefined || others === undefined) return { common: 0, isSame: true, rows: [] }
  const length = Math.max(own.length, others.length)
  const isSameItem = (place: number): boolean => toComparedText(own[place]) === toComparedText(others[place])
  let common = 0
  while (common < length && isSameItem(common)) common += 1
  const rows: DifferenceRow[] = []
  for (let place = Math.max(0, common - rowsBefore); place < Math.min(length, common + rowsAfter); place += 1)
    rows.push({ isFirst: place === common, left: own[place] ?? null, right: others[place] ?? null })
  return { common, isSame: common === length, rows }
}

/** Returns an item as text without its number, which counts from where its own world's history is known. */
const toComparedText = (item: HistoryEntry | undefined): string =>
  JSON.stringify(item === undefined ? null : { ...item, index: 0 })
