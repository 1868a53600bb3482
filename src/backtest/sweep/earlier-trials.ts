import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { type CaseRow, identifyCell, isOnePath, listCells, type SweepPlan } from './plan.ts'
import { mayBeStore, readStore } from './store.ts'
import { groupByCell } from './summary.ts'
import { computeRatio, type OtherTrials } from './sweep-result.ts'

/**
 * Finds the cells that other sweeps have tried on the data of a plan, by the stores in some folders, and returns the
 * Sharpe ratio of each. What was tried before counts as much as what is tried now, whichever strategy it was: the best of
 * all was chosen. A cell that the plan has itself, or that several stores have, counts once; stores that can't be read
 * are named.
 */
export function findEarlierTrials(
  plan: SweepPlan,
  folders: readonly string[],
): Required<Pick<OtherTrials, 'ratios' | 'unread'>> {
  const data = new Set(Object.values(plan.work.scenario.digests))
  const own = new Set(listCells(plan.grid).map((cell) => identifyCell(plan, cell)))
  const found = new Map<string, Map<string, CaseRow>>()
  const unread: string[] = []
  let isOne = isOnePath(plan)
  for (const path of listStores(folders)) {
    const store = readStore(path)
    if (!store.ok && !store.isEmpty) unread.push(path)
    if (!store.ok || !Object.values(store.plan.work.scenario.digests).some((digest) => data.has(digest)))
      continue
    isOne ||= isOnePath(store.plan)
    for (const { parameters, rows } of groupByCell(store.plan, store.rows)) {
      const key = identifyCell(store.plan, parameters)
      if (own.has(key)) continue
      const known = found.get(key) ?? new Map<string, CaseRow>()
      for (const row of rows) known.set(row.id, row)
      found.set(key, known)
    }
  }
  const ratios = [...found.values()].flatMap((rows) => computeRatio([...rows.values()], isOne)?.sharpe ?? [])
  return { ratios, unread }
}

function listStores(folders: readonly string[]): readonly string[] {
  return [...new Set(folders)].flatMap((folder) =>
    existsSync(folder)
      ? readdirSync(folder, { withFileTypes: true })
          .filter((entry) => entry.isFile() && mayBeStore(join(folder, entry.name)))
          .map(({ name }) => join(folder, name))
          .sort()
      : [],
  )
}
