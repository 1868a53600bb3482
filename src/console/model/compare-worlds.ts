import type { AdminApi } from './admin-api.ts'
import type { HistoryEntry, HistoryPage, WorldMoment } from './documents.ts'
import { compareMoments } from './timeline.ts'

/** What a world has been through, as far back as it is known. */
export interface KnownHistory {
  readonly begins: WorldMoment
  readonly items: readonly HistoryEntry[]
}

/** Two pasts side by side around the first thing that they do not have in common. */
export interface FirstDifference {
  /** How much they have in common, from where both are known. */
  readonly common: number
  readonly isSame: boolean
  readonly rows: readonly DifferenceRow[]
}

export interface DifferenceRow {
  readonly isFirst: boolean
  readonly left: HistoryEntry | null
  readonly right: HistoryEntry | null
}

/** Reads the whole past of a world, which the server works out a little with each request. */
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

/** A fork is compared with its parent from where it began. */
export function findFirstDifference(left: KnownHistory, right: KnownHistory): FirstDifference {
  const from = compareMoments(left.begins, right.begins) > 0 ? left.begins : right.begins
  const [own, others] = [left, right].map(({ items }) =>
    items.filter((item) => compareMoments(item, from) > 0),
  )
  if (own === undefined || others === undefined) return { common: 0, isSame: true, rows: [] }
  const length = Math.max(own.length, others.length)
  const isAlike = (place: number): boolean => toComparedText(own[place]) === toComparedText(others[place])
  let common = 0
  while (common < length && isAlike(common)) common += 1
  const rows: DifferenceRow[] = []
  for (let place = Math.max(0, common - rowsBefore); place < Math.min(length, common + rowsAfter); place += 1)
    rows.push({ isFirst: place === common, left: own[place] ?? null, right: others[place] ?? null })
  return { common, isSame: common === length, rows }
}

/** All of an item but its number, which counts from where its world's past is known. */
const toComparedText = (item: HistoryEntry | undefined): string =>
  JSON.stringify(item === undefined ? null : { ...item, index: 0 })
