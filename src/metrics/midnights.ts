import { element } from '../numeric/columns.ts'
import type { AnyGrid } from './records.ts'
import { toDoubles } from './samples.ts'

/** What an account, or anything else that has a price, was worth on a time grid, and what flowed into it. */
export type ValueGrid = Pick<AnyGrid, 'stepMillis'> & AnyValues & { readonly midnights?: AnyValues }

type AnyValues = Pick<AnyGrid, 'atMillis' | 'equity' | 'flow'>

/** The points of a grid and the midnights between them, in the order of time. */
export interface MergedValues {
  readonly atMillis: Float64Array
  readonly equity: Float64Array
  /** What flowed in since the point before, of either kind. */
  readonly flow: Float64Array
  /** By point: 1 for one of the grid, 0 for a midnight between two of them; null if all are of the grid. */
  readonly isOnGrid: Uint8Array | null
}

/** Merges the points of a grid with the midnights that it does not have. No midnight has the instant of a point. */
export function mergeMidnights({ midnights, ...grid }: ValueGrid): MergedValues {
  const own = new Cursor(grid)
  if (midnights === undefined)
    return { atMillis: own.atMillis, equity: own.equity, flow: own.flow, isOnGrid: null }
  const between = new Cursor(midnights)
  const count = own.atMillis.length + between.atMillis.length
  const [atMillis, equity, flow] = [new Float64Array(count), new Float64Array(count), new Float64Array(count)]
  const isOnGrid = new Uint8Array(count)
  let flowed = 0
  for (let place = 0; place < count; place += 1) {
    const next = own.nextMillis < between.nextMillis ? own : between
    atMillis[place] = next.nextMillis
    equity[place] = element(next.equity, next.place)
    isOnGrid[place] = next === own ? 1 : 0
    next.take()
    flow[place] = next.flowed - flowed
    flowed = next.flowed
  }
  return { atMillis, equity, flow, isOnGrid }
}

/** Reads points one after the other, and sums their flows. */
class Cursor {
  readonly atMillis: Float64Array
  readonly equity: Float64Array
  readonly flow: Float64Array
  place = 0
  /** What has flowed in up to the last point that was taken. */
  flowed = 0

  constructor({ atMillis, equity, flow }: AnyValues) {
    this.atMillis = toDoubles(atMillis)
    this.equity = toDoubles(equity)
    this.flow = toDoubles(flow)
  }

  /** The instant of the next point; infinity after the last one. */
  get nextMillis(): number {
    return this.atMillis[this.place] ?? Number.POSITIVE_INFINITY
  }

  take(): void {
    this.flowed += element(this.flow, this.place)
    this.place += 1
  }
}
