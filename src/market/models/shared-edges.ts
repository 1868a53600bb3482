import { OutwardValues } from './stepped-path.ts'

/*
 * Levels of paths at the edges of blocks, shared by all markets of a process. They are running sums, which only walking
 * there can tell; a fork, a restored world or the next case of a sweep has the same path and need not walk again.
 */

/** Paths whose levels are kept: eight bytes per block, 16 KB for a year, of the 64 that were asked for last. */
const mostPaths = 64
const edgesByPath = new Map<string, OutwardValues>()

/**
 * Returns the levels of a path. `name` says all that the path's minutes depend on; markets with an equal name share
 * what any of them has walked through.
 */
export function getSharedEdges(name: string): OutwardValues {
  const edges = edgesByPath.get(name) ?? new OutwardValues(0)
  edgesByPath.delete(name)
  edgesByPath.set(name, edges)
  if (edgesByPath.size > mostPaths) {
    const [oldest = name] = edgesByPath.keys()
    edgesByPath.delete(oldest)
  }
  return edges
}
