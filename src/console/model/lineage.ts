import { compareMoments } from '../../api/noted-moments.ts'
import type { AdminApi } from './admin-api.ts'
import { AdminProblem } from './admin-api.ts'
import type { HistoryEntry, HistoryPage, HistoryPrices, WorldMoment } from './documents.ts'

/*
 * A fork keeps the past of its parent: what happened before it was forked happened to it, too. The server knows of each
 * world where it was forked from, and the page puts the parts together.
 */

/** World that another one was forked from, up to the moment of the fork. */
export interface ForkPoint {
  readonly world: string
  readonly until: WorldMoment
}

/** Past of a world as far back as it is known. */
export interface KnownHistory {
  readonly begins: WorldMoment
  readonly items: readonly HistoryEntry[]
}

const formatWorldPath = (world: string): string => `/worlds/${encodeURIComponent(world)}`

/** Reads which worlds a world goes back to, the first of all first. It ends where a world is gone. */
export async function readAncestors(api: AdminApi, world: string): Promise<readonly ForkPoint[]> {
  const ancestors: ForkPoint[] = []
  for (let id = world; ; ) {
    const parent = await readParent(api, id)
    if (parent === null || ancestors.some((known) => known.world === parent.world)) return ancestors
    ancestors.unshift({ world: parent.world, until: { sequence: parent.sequence, at: parent.at } })
    id = parent.world
  }
}

interface Parent extends WorldMoment {
  readonly world: string
}

async function readParent(api: AdminApi, world: string): Promise<Parent | null> {
  try {
    return (await api.ask<{ readonly parent: Parent | null }>('GET', formatWorldPath(world))).parent ?? null
  } catch (failure) {
    if (failure instanceof AdminProblem && failure.status === 404) return null
    throw failure
  }
}

/**
 * Reads what happened to the ancestors of a world until the fork, which the server works out page by page. Where an
 * ancestor is gone, the past begins later.
 */
export async function readInherited(
  api: AdminApi,
  ancestors: readonly ForkPoint[],
): Promise<KnownHistory | null> {
  const parts: KnownHistory[] = []
  for (const { world, until } of ancestors) {
    const own = await readUntil(api, world, until)
    if (own === null) parts.length = 0
    else parts.push(own)
  }
  const [first] = parts
  if (first === undefined) return null
  const items = parts.flatMap((part) => part.items).map((item, index) => ({ ...item, index }))
  return { begins: first.begins, items }
}

/** Reads the history of a world up to a moment, or all of it for null; null where the world is gone. */
async function readUntil(
  api: AdminApi,
  world: string,
  until: WorldMoment | null,
): Promise<KnownHistory | null> {
  const items: HistoryEntry[] = []
  const isBefore = (item: WorldMoment) => until === null || compareMoments(item, until) <= 0
  for (let from = 0; ; ) {
    try {
      const page = await api.ask<HistoryPage>('GET', `${formatWorldPath(world)}/history?from=${from}`)
      items.push(...page.items.filter(isBefore))
      from = page.next
      if (page.isWhole || !page.items.every(isBefore)) return { begins: page.begins, items }
    } catch (failure) {
      if (failure instanceof AdminProblem && failure.status === 404) return null
      throw failure
    }
  }
}

/** Reads the whole past of a world, that of its ancestors included. */
export async function readWholePast(api: AdminApi, world: string): Promise<KnownHistory> {
  const inherited = await readInherited(api, await readAncestors(api, world))
  const own = await readUntil(api, world, null)
  if (own === null) throw new AdminProblem(404, `There is no world ${world}`)
  return { begins: inherited?.begins ?? own.begins, items: [...(inherited?.items ?? []), ...own.items] }
}

/** Returns the world that a moment is to be asked for: the ancestor that had it, or the world itself. */
export function findWorldAt(
  world: string,
  ancestors: readonly ForkPoint[],
  moment: WorldMoment | null,
): string {
  const ancestor = ancestors.find(({ until }) => moment !== null && compareMoments(moment, until) < 0)
  return ancestor?.world ?? world
}

/**
 * Returns the moment at which two worlds separated: the earlier of their forks from the last world that both go back
 * to. Null if there is none: what they then have in common is chance.
 */
export function findFork(
  [world, ancestors]: readonly [string, readonly ForkPoint[]],
  [other, others]: readonly [string, readonly ForkPoint[]],
): WorldMoment | null {
  const own = [...ancestors, { world, until: null }]
  const theirs = [...others, { world: other, until: null }]
  const common = own.findLast((one) => theirs.some((two) => two.world === one.world))
  const found = theirs.find((two) => two.world === common?.world)
  const forks = [common?.until, found?.until].filter((until) => until !== null && until !== undefined)
  return forks.sort(compareMoments)[0] ?? null
}

/** Puts the prices of an ancestor until the fork before those of the world itself. */
export function joinPrices(before: HistoryPrices, own: HistoryPrices, until: WorldMoment): HistoryPrices {
  const at = Date.parse(until.at)
  const isBefore = ([millis, line]: readonly (number | null)[]) =>
    Number(line) < until.sequence || (line === until.sequence && Number(millis) <= at)
  const rows = before.rows.filter(isBefore)
  return {
    ...own,
    begins: before.begins,
    isWhole: own.isWhole && (before.isWhole || compareMoments(before.reached, until) >= 0),
    stepMs: joinSteps(before.stepMs, own.stepMs),
    rows: [...rows, ...own.rows],
    trades: [...before.trades.filter(isBefore), ...own.trades],
    fills: [...before.fills.filter((fill) => compareMoments(fill, until) <= 0), ...own.fills],
  }
}

/** Returns the shortest step that is a whole multiple of both; 0 where all rows are known. */
function joinSteps(left: number, right: number): number {
  const [less, more] = [Math.min(left, right), Math.max(left, right)]
  if (less === 0) return more
  let step = more
  while (step % less !== 0) step += more
  return step
}
