import { formatKnownWords } from './nearest-word.ts'

/**
 * What is wrong with one field of what a caller sent. It is a `Problem` (see `errors.ts`) whose field and reason are
 * always known; the reason is worded to follow the name of the field.
 */
export interface InputProblem {
  readonly code: 'invalid-parameter'
  readonly field: string
  readonly reason: string
  /** The name that the caller perhaps meant, or the names that exist. It never becomes part of a documented body. */
  readonly hint?: string
}

/** The result of reading or checking what a caller sent: the value, or the first problem that was found. */
export type InputResult<Value> = { readonly ok: true; readonly value: Value } | InvalidInput

/** The failed case of an `InputResult`. */
export interface InvalidInput {
  readonly ok: false
  readonly problem: InputProblem
}

/** Makes the problem of one field. The reason follows the name of the field: `must be a number`. */
export function inputProblem(field: string, reason: string, hint: string | null = null): InputProblem {
  const problem = { code: 'invalid-parameter', field, reason } as const
  return hint === null ? problem : { ...problem, hint }
}

/** Makes the failed result for one field. The reason follows the name of the field: `must be a number`. */
export function refuseField(field: string, reason: string): InvalidInput {
  return { ok: false, problem: inputProblem(field, reason) }
}

/** Returns the reason of a problem with its hint in parentheses, for texts that have no other place for hints. */
export const reasonAndHint = ({ reason, hint }: Pick<InputProblem, 'reason' | 'hint'>): string =>
  hint === undefined ? reason : `${reason} (${hint})`

/** Returns a problem or a successful answer with a further hint after its own; unchanged when the hint is null. */
export function withHint<Hinted extends Pick<InputProblem, 'hint'>>(
  given: Hinted,
  hint: string | null,
): Hinted {
  if (hint === null) return given
  return { ...given, hint: given.hint === undefined ? hint : `${given.hint}; ${hint}` }
}

/** Returns the problem of one item of a batch. A problem of the item as a whole has `item` as its field, not `body`. */
export function itemProblem(problem: InputProblem): InputProblem {
  return problem.field === 'body' ? { ...problem, field: 'item' } : problem
}

/** Makes the problem of an unknown word. Its hint names the nearest known word, and the others. */
export function unknownWordProblem(
  field: string,
  reason: string,
  word: string,
  known: readonly string[],
): InputProblem {
  // A reason that lists the words needs no second list.
  const others = reason.includes(known.join(', ')) ? [] : known
  return inputProblem(field, reason, formatKnownWords(word, known, others))
}
