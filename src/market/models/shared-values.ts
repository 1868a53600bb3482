import { KnownSums } from './known-sums.ts'
import { OutwardValues } from './stepped-path.ts'

/*
 * What paths of the default model have summed up, shared by all markets of a process. A fork, a restored world or the
 * next case of a sweep has the same paths and need not sum again.
 */

/**
 * Returns the levels of a path at the edges of blocks. They are running sums, so a far one is known only once the path
 * was walked there. `name` says all that the path's minutes depend on; markets with an equal name share what any of
 * them has walked through.
 */
export const getSharedEdges = (name: string): OutwardValues => edges.get(name)

/** Returns what blocks add to a trend. `name` says all that the trend's shocks depend on, and which trend it is. */
export const getSharedSums = (name: string): KnownSums => sums.get(name)

/** Values by name, of which those that were asked for last are kept. */
class LastAsked<Value> {
  private readonly most: number
  private readonly create: () => Value
  private readonly byName = new Map<string, Value>()

  constructor(most: number, create: () => Value) {
    this.most = most
    this.create = create
  }

  get(name: string): Value {
    const { byName } = this
    const value = byName.get(name) ?? this.create()
    byName.delete(name)
    byName.set(name, value)
    if (byName.size > this.most) {
      const [oldest = name] = byName.keys()
      byName.delete(oldest)
    }
    return value
  }
}

/** Eight bytes per block, 16 KB for a year. */
const edges = new LastAsked(64, () => new OutwardValues(0))
/** Eight bytes per block, for two trends of each factor: the market, the smaller coins and every asset have one. */
const sums = new LastAsked(128, () => new KnownSums())
