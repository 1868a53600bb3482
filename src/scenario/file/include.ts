import { joinPath, type Mistakes, mistakeAt, type ReadTree } from './mistake.ts'
import {
  child,
  describeTree,
  type Entry,
  type Mapping,
  type SourceLocation,
  scalar,
  type Tree,
} from './tree.ts'

/** Reads an included file. `name` is relative to `from`, the file that includes it. */
export type ReadInclude = (name: string, from: string) => IncludeAnswer

export type IncludeAnswer =
  | { readonly ok: true; readonly parsed: ReadTree; readonly file: string }
  | { readonly ok: false; readonly reason: string }

/** The most files that one scenario may include. */
const maximumFiles = 100
const maximumDepth = 16

/**
 * Merges the files that `include` names under the scenario. Lists (timeline, expect) are put before its own, accounts
 * and agents with the same id are replaced, other mappings are merged key by key, and where both state a value the
 * including file wins. Mistakes: no reader, no such file, a file that includes itself, a timeline that would be
 * included twice, and the mistakes in the files. A file that cannot be included is skipped; from then on any name may
 * be one that it declares.
 */
export function joinIncludes(
  tree: Tree,
  file: string,
  read: ReadInclude | undefined,
  mistakes: Mistakes,
): Tree {
  return join(tree, [file], { read, mistakes, files: 0, appendedFiles: new Set() })
}

interface Run {
  readonly read: ReadInclude | undefined
  readonly mistakes: Mistakes
  files: number
  /** The files whose timeline or expectations have been included. */
  readonly appendedFiles: Set<string>
}

function join(tree: Tree, chain: readonly string[], run: Run): Tree {
  const names = child(tree, 'include')
  if (tree.kind !== 'mapping' || names === null) return tree
  const entries = new Map([...tree.entries].filter(([key]) => key !== 'include'))
  let base: Tree | null = null
  const list = names.kind === 'list' ? names.items : [names]
  for (const [index, name] of list.entries()) {
    const included = readIncludedFile(name, joinPath('include', index), chain, run)
    if (included !== null) base = base === null ? included : merge(base, included, '')
  }
  const own: Mapping = { ...tree, entries }
  return base === null ? own : merge(base, own, '')
}

function readIncludedFile(name: Tree, path: string, chain: readonly string[], run: Run): Tree | null {
  const refuse = (reason: string): null => {
    run.mistakes.add(mistakeAt(name.place, path, reason))
    run.mistakes.markAllUncertain()
    return null
  }
  if (name.kind !== 'scalar' || typeof name.value !== 'string') return refuse('expected the name of a file')
  if (run.read === undefined) return refuse('other files can only be read from scenario files, not here')
  if (chain.length > maximumDepth) return refuse(`files include each other deeper than ${maximumDepth}`)
  run.files += 1
  if (run.files > maximumFiles) return refuse(`more than ${maximumFiles} files`)
  const answer = run.read(name.value, chain.at(-1) ?? '')
  if (!answer.ok) return refuse(answer.reason)
  const { parsed, file } = answer
  if (chain.includes(file)) return refuse(`goes round in a circle: ${[...chain, file].join(' > ')}`)
  const part = run.mistakes.unwrap(parsed)
  if (part.kind === 'broken') {
    run.mistakes.markAllUncertain()
    return null
  }
  if (part.kind !== 'mapping')
    return refuse(`${file} holds no part of a scenario: expected a mapping, found ${describeTree(part)}`)
  if (appended.some((key) => child(part, key) !== null)) {
    if (run.appendedFiles.has(file))
      return refuse(`${file} is included a second time, and would happen twice`)
    run.appendedFiles.add(file)
  }
  return join(part, [...chain, file], run)
}

const joinedById = ['accounts', 'agents']
const appended = ['timeline', 'expect']
/** Keys that describe the file itself. They are ignored in included files. */
const ownKeys = ['name', 'description', 'matrix', '$schema']

function merge(base: Tree, over: Tree, key: string): Tree {
  if (base.kind === 'list' && over.kind === 'list') {
    if (appended.includes(key)) return { ...over, items: [...base.items, ...over.items] }
    if (joinedById.includes(key)) return { ...over, items: joinById(base.items, over.items) }
    return over
  }
  if (base.kind !== 'mapping' || over.kind !== 'mapping') return over
  // A model, flow or liquidity with a kind replaces the earlier one as a whole.
  if (over.entries.has('kind')) return over
  const entries = new Map<string, Entry>()
  for (const [name, entry] of base.entries) {
    if (key === '' && ownKeys.includes(name)) continue
    const isStory = key === '' && appended.includes(name)
    entries.set(name, isStory ? { ...entry, value: markAllIfReached(entry.value) } : entry)
  }
  for (const [name, entry] of over.entries) {
    const before = entries.get(name)
    entries.set(
      name,
      before === undefined
        ? entry
        : { keyPlace: entry.keyPlace, value: merge(before.value, entry.value, key === '' ? name : '-') },
    )
  }
  return { ...over, entries }
}

/**
 * Marks every entry of an included timeline or list of expectations as `ifReached`. Choice: a file may be included
 * for its beginning only, so the run may end before it does.
 */
const markAllIfReached = (story: Tree): Tree =>
  story.kind === 'list' ? { ...story, items: story.items.map(markIfReached) } : story

function markIfReached(item: Tree): Tree {
  if (item.kind !== 'mapping' || item.entries.has('ifReached')) return item
  const value = scalar(item.place, true, 'true')
  return { ...item, entries: new Map([...item.entries, ['ifReached', { keyPlace: item.place, value }]]) }
}

function joinById(base: readonly Tree[], over: readonly Tree[]): readonly Tree[] {
  const ids = new Set(over.map(idOf))
  return [...base.filter((item) => !ids.has(idOf(item))), ...over]
}

function idOf(item: Tree): string | SourceLocation {
  const id = child(item, 'id')
  return id?.kind === 'scalar' ? String(id.value) : item.place
}
