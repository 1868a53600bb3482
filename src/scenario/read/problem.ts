import type { Place } from './tree.ts'

/** What is wrong with a scenario, and where. Expected failures are data: loaders return these and never throw. */
export interface Problem {
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
  | { readonly ok: false; readonly problems: readonly Problem[] }

export const success = <Value>(value: Value): Result<Value> => ({ ok: true, value })

export const failure = (
  problems: readonly Problem[],
): { readonly ok: false; readonly problems: readonly Problem[] } => ({
  ok: false,
  problems,
})

export const problemAt = (
  place: Place,
  path: string,
  reason: string,
  nearest: string | null = null,
): Problem => ({
  place,
  path,
  reason,
  nearest,
})

/** `file:line:col path: reason. Did you mean "word"?` */
export function problemText(problem: Problem): string {
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
