import { nearestWord } from '../../api/nearest-word.ts'
import type { SourceLocation, Tree } from './tree.ts'

/** What is wrong with a scenario, and where. Expected failures are data: loaders return mistakes and never throw. */
export interface Mistake {
  readonly place: SourceLocation
  /** The path of the wrong value, such as `timeline[2].order.side`; empty for the whole document. */
  readonly path: string
  readonly reason: string
  /** The nearest valid word; null when none is near. */
  readonly nearest: string | null
  /** The first missing key, when a key is missing. Place and path are then those of the mapping that lacks it. */
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

/** A tree as far as it could be read, with the mistakes found in it. Parts that could not be read are `broken`. */
export type ReadTree =
  | { readonly ok: true; readonly value: Tree }
  | { readonly ok: false; readonly problems: readonly Mistake[]; readonly rest: Tree }

export const toReadTree = (tree: Tree, problems: readonly Mistake[]): ReadTree =>
  problems.length === 0 ? { ok: true, value: tree } : { ok: false, problems, rest: tree }

/** The most mistakes that are reported of one file. A reader needs the first ones. */
export const maximumReported = 50

/**
 * The mistakes found in one file. All are counted, and the first `maximumReported` are kept. A name may be marked as
 * uncertain, when a part that cannot be read might declare it: nobody can then say that it is unknown.
 */
export class Mistakes {
  count = 0
  private readonly reported: Mistake[] = []
  /** Names that are declared in parts that cannot be read. */
  readonly uncertainNames = new Set<string>()
  /** Texts that stand where a name should. A name that resembles one of them may have been meant. */
  private misspelt: readonly string[] = []
  private areAllUncertain = false

  add(mistake: Mistake): void {
    this.count += 1
    if (this.reported.length < maximumReported) this.reported.push(mistake)
  }

  isReported({ path, place }: Mistake): boolean {
    return this.reported.some((one) => one.path === path && isSamePlace(one.place, place))
  }

  /** Adds the mistakes of a read tree, and returns the tree. */
  unwrap(read: ReadTree): Tree {
    if (read.ok) return read.value
    for (const mistake of read.problems) this.add(mistake)
    return read.rest
  }

  /**
   * Marks names as uncertain, because a part that cannot be read declares them. Names that resemble one of `misspelt`
   * count as uncertain too.
   */
  markUncertain(names: Iterable<string>, misspelt: readonly string[] = []): void {
    for (const name of names) this.uncertainNames.add(name)
    this.misspelt = misspelt.slice(0, maximumReported)
  }

  /** Marks every name as uncertain, because a file that cannot be read may declare any. */
  markAllUncertain(): void {
    this.areAllUncertain = true
  }

  isUncertain(name: string): boolean {
    return this.areAllUncertain || this.uncertainNames.has(name) || nearestWord(name, this.misspelt) !== null
  }

  /**
   * Returns the mistakes in the order of files (`file` first), lines and columns. A last one counts those beyond the
   * limit.
   */
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

const isSamePlace = (left: SourceLocation, right: SourceLocation): boolean =>
  left.file === right.file && left.line === right.line && left.column === right.column

export const mistakeAt = (
  place: SourceLocation,
  path: string,
  reason: string,
  nearest: string | null = null,
): Mistake => ({
  place,
  path,
  reason,
  nearest,
})

/** Formats a mistake as `file:line:col path: reason. Did you mean "word"?`. Parts that are unknown are left out. */
export function formatMistake(mistake: Mistake): string {
  const { file, line, column } = mistake.place
  const where = line === 0 ? file : `${file}:${line}:${column}`
  const subject = mistake.path === '' ? '' : `${mistake.path}: `
  const hint = mistake.nearest === null ? '' : `. Did you mean "${mistake.nearest}"?`
  const lead = where === '' ? '' : `${where} `
  return `${lead}${subject}${mistake.reason}${hint}`
}

/** Appends a key or an index to a path. Keys that are not plain words are quoted. */
export function joinPath(path: string, step: string | number): string {
  if (typeof step === 'number') return `${path}[${step}]`
  const word = /^[A-Za-z_$][A-Za-z0-9_-]*$/.test(step) ? step : JSON.stringify(step)
  return path === '' ? word : `${path}.${word}`
}
