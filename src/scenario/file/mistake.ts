import { nearestWord } from '../../api/flaw.ts'
import type { Place, Tree } from './tree.ts'

/** What is wrong with a scenario, and where. Expected failures are data: loaders return these and never throw. */
export interface Mistake {
  readonly place: Place
  /** `timeline[2].order.side`; empty for the whole document. */
  readonly path: string
  readonly reason: string
  /** The nearest valid word, if one is near. */
  readonly nearest: string | null
  /** The first key that is not there, when that is what is wrong; the place and path are those of its parent. */
  readonly missing?: string
}

export type Result<Value> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly problems: readonly Mistake[] }

/** A value, or what is wrong with the one text that it was to be read from. */
export type ReadResult<Value, Wrong extends object> =
  | { readonly ok: true; readonly value: Value }
  | ({ readonly ok: false } & Wrong)

export const success = <Value>(value: Value): { readonly ok: true; readonly value: Value } => ({
  ok: true,
  value,
})

export const failure = (
  problems: readonly Mistake[],
): { readonly ok: false; readonly problems: readonly Mistake[] } => ({
  ok: false,
  problems,
})

/** A tree as far as it could be read, whatever is wrong with it: the rest of it is `broken`. */
export type ReadTree =
  | { readonly ok: true; readonly value: Tree }
  | { readonly ok: false; readonly problems: readonly Mistake[]; readonly rest: Tree }

export const toReadTree = (tree: Tree, problems: readonly Mistake[]): ReadTree =>
  problems.length === 0 ? { ok: true, value: tree } : { ok: false, problems, rest: tree }

/** The most problems that are told of one file: the first ones are what a reader needs. */
export const maximumReported = 50

/** What is found to be wrong with one file. All of it is counted, and the first part of it told. */
export class Mistakes {
  count = 0
  private readonly reported: Mistake[] = []
  /** Names that parts give which cannot be read. */
  readonly uncertainNames = new Set<string>()
  /** Names that are no names: a name like one of them was perhaps meant. */
  private misspelt: readonly string[] = []
  private areAllUncertain = false

  add(problem: Mistake): void {
    this.count += 1
    if (this.reported.length < maximumReported) this.reported.push(problem)
  }

  isReported({ path, place }: Mistake): boolean {
    return this.reported.some((one) => one.path === path && isSamePlace(one.place, place))
  }

  /** What a reader has read, whose problems are noted. */
  take(read: ReadTree): Tree {
    if (read.ok) return read.value
    for (const problem of read.problems) this.add(problem)
    return read.rest
  }

  /** Of a name that a part gives which cannot be read, nobody can say that there is none. */
  markUncertain(names: Iterable<string>, misspelt: readonly string[] = []): void {
    for (const name of names) this.uncertainNames.add(name)
    this.misspelt = misspelt.slice(0, maximumReported)
  }

  /** For a file that cannot be read at all, and may give any name. */
  markAllUncertain(): void {
    this.areAllUncertain = true
  }

  isUncertain(name: string): boolean {
    return this.areAllUncertain || this.uncertainNames.has(name) || nearestWord(name, this.misspelt) !== null
  }

  /** In the order of the files, `file` first, and of their lines. */
  list(file = ''): readonly Mistake[] {
    const files = [...new Set([file, ...this.reported.map(({ place }) => place.file)])]
    const sorted = this.reported.toSorted(
      ({ place: left }, { place: right }) =>
        files.indexOf(left.file) - files.indexOf(right.file) ||
        left.line - right.line ||
        left.column - right.column,
    )
    const omitted = this.count - sorted.length
    if (omitted === 0) return sorted
    return [
      ...sorted,
      mistakeAt({ file, line: 0, column: 0 }, '', `has ${omitted} more mistakes, not listed`),
    ]
  }
}

const isSamePlace = (left: Place, right: Place): boolean =>
  left.file === right.file && left.line === right.line && left.column === right.column

export const mistakeAt = (
  place: Place,
  path: string,
  reason: string,
  nearest: string | null = null,
): Mistake => ({
  place,
  path,
  reason,
  nearest,
})

/** `file:line:col path: reason. Did you mean "word"?` */
export function mistakeText(problem: Mistake): string {
  const { file, line, column } = problem.place
  const where = line === 0 ? file : `${file}:${line}:${column}`
  const subject = problem.path === '' ? '' : `${problem.path}: `
  const hint = problem.nearest === null ? '' : `. Did you mean "${problem.nearest}"?`
  const lead = where === '' ? '' : `${where} `
  return `${lead}${subject}${problem.reason}${hint}`
}

/** The path of a key or an item inside another; keys that are not plain words are quoted. */
export function joinPath(path: string, step: string | number): string {
  if (typeof step === 'number') return `${path}[${step}]`
  const word = /^[A-Za-z_$][A-Za-z0-9_-]*$/.test(step) ? step : JSON.stringify(step)
  return path === '' ? word : `${path}.${word}`
}
