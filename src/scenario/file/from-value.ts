import { joinPath, type Problem, problemAt, type ReadTree, treeRead } from './problem.ts'
import { broken, type Entry, maximumDepth, nowhere, scalar, type Tree } from './tree.ts'

/** A scenario that came as a JSON value (the admin API, a library call), as a tree without lines. */
export function treeFromValue(value: unknown): ReadTree {
  const problems: Problem[] = []
  return treeRead(read(value, '', 0, problems), problems)
}

function read(value: unknown, path: string, depth: number, problems: Problem[]): Tree {
  const refuse = (reason: string): Tree => {
    problems.push(problemAt(nowhere, path, reason))
    return broken(nowhere)
  }
  if (depth > maximumDepth) return refuse(`nested deeper than ${maximumDepth} levels`)
  if (value === null || value === undefined) return scalar(nowhere, null, '')
  if (typeof value === 'string' || typeof value === 'boolean') return scalar(nowhere, value, String(value))
  if (typeof value === 'number') {
    return Number.isFinite(value) ? scalar(nowhere, value, String(value)) : refuse('not a finite number')
  }
  if (Array.isArray(value)) {
    const items = value.map((item: unknown, index) => read(item, joinPath(path, index), depth + 1, problems))
    return { kind: 'list', place: nowhere, items }
  }
  if (typeof value !== 'object') return refuse('not JSON')
  const entries = new Map<string, Entry>()
  for (const [key, item] of Object.entries(value)) {
    // A key whose value is undefined is absent, as in JSON.stringify.
    if (item === undefined) continue
    entries.set(key, { keyPlace: nowhere, value: read(item, joinPath(path, key), depth + 1, problems) })
  }
  return { kind: 'mapping', place: nowhere, entries }
}
