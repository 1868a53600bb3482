import type { GoldenFill, GoldenRun } from './golden-run.ts'
import type { ReplayedRun } from './replay-run.ts'

/** A difference between a run of the reference and its replay. */
export interface Difference {
  readonly run: string
  readonly id: number
  readonly what: 'join' | 'fill'
  readonly golden: string
  readonly replayed: string
  /** Why it is expected; null for one that is not. */
  readonly reason: string | null
}

export interface Comparison {
  readonly joins: number
  readonly equalJoins: number
  readonly fills: number
  readonly equalFills: number
  /** Those of the orders that are left out for a reason. */
  readonly listedJoins: number
  readonly listedFills: number
  readonly differences: readonly Difference[]
}

/** Compares joins (what stood ahead, within 1e-9) and fills (instant, price, quantity, maker) order by order. */
export function compareRun(run: GoldenRun, replayed: ReplayedRun): Comparison {
  const differences: Difference[] = []
  const counts = { joins: 0, equalJoins: 0, fills: 0, equalFills: 0, listedJoins: 0, listedFills: 0 }
  const isMerged = run.head.isByMillisecond === true
  const merge = isMerged ? mergeFills : (fills: readonly GoldenFill[]) => fills
  const goldenFills = groupById(run.fills)
  const ownFills = groupById(merge(replayed.fills.filter(({ atMillis }) => atMillis <= run.endMillis)))
  const ids = new Set([...run.joins.keys(), ...goldenFills.keys(), ...ownFills.keys()])
  for (const id of [...ids].sort((left, right) => left - right)) {
    const reason = findReason(id, replayed)
    const note = (what: Difference['what'], golden: string, own: string): void => {
      differences.push({ run: run.head.run, id, what, golden, replayed: own, reason })
    }
    const ahead = run.joins.get(id)
    if (ahead !== undefined) {
      const own = replayed.joins.get(id)
      const isEqual = own !== undefined && Math.abs(own - ahead) <= 1e-9
      if (reason === null) counts.joins += 1
      else counts.listedJoins += 1
      if (isEqual && reason === null) counts.equalJoins += 1
      if (!isEqual) note('join', String(ahead), String(own))
    }
    const golden = goldenFills.get(id) ?? []
    const own = ownFills.get(id) ?? []
    const equal = golden.filter((fill, place) => formatFill(fill) === formatFill(own[place]))
    if (reason === null) {
      counts.fills += golden.length
      counts.equalFills += equal.length
    } else counts.listedFills += golden.length
    if (equal.length < golden.length || own.length > golden.length)
      note('fill', golden.map(formatFill).join(' '), own.map(formatFill).join(' '))
  }
  return { ...counts, differences }
}

/** Makes one of the fills of an order within a millisecond; its price is that of the last one, its role is not told. */
function mergeFills(fills: readonly GoldenFill[]): readonly GoldenFill[] {
  const merged = new Map<string, GoldenFill>()
  for (const fill of fills) {
    const key = `${fill.id} ${fill.atMillis}`
    const before = merged.get(key)
    merged.set(key, { ...fill, isMaker: true, steps: fill.steps + (before?.steps ?? 0) })
  }
  return [...merged.values()]
}

function findReason(id: number, { reentered, remainders }: ReplayedRun): string | null {
  if (remainders.has(id)) return 'its remainder crosses (Z4)'
  return reentered.has(id) ? 'it was entered anew by an amendment (Z2)' : null
}

const formatFill = (fill: GoldenFill | undefined): string =>
  fill === undefined ? '' : `${fill.atMillis}:${fill.ticks}x${fill.steps}${fill.isMaker ? 'm' : 't'}`

function groupById(fills: readonly GoldenFill[]): ReadonlyMap<number, readonly GoldenFill[]> {
  const groups = new Map<number, GoldenFill[]>()
  for (const fill of fills) {
    const group = groups.get(fill.id)
    if (group === undefined) groups.set(fill.id, [fill])
    else group.push(fill)
  }
  return groups
}
