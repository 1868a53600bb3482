import { invalid, type Problem } from '../../api/errors.ts'
import { nearestWord } from '../../api/nearest-word.ts'
import type { Problem as FormProblem } from '../../scenario/read/problem.ts'
import { type Conflict, conflictText } from '../../world/worlds.ts'

/* What the rooms below find wrong, in the admin API's words. */

/** The first thing that is wrong with a form at `place` in the body; '' when the form is the whole body. */
export function formProblem(problems: readonly FormProblem[], place = ''): Problem {
  const [first] = problems
  if (first === undefined) return { code: 'invalid-parameter' }
  const { path, missing } = first
  const field = [place, path, missing ?? ''].filter((part) => part !== '').join('.')
  const reason = missing === undefined ? first.reason : 'is required'
  const problem = invalid({ field: field === '' ? 'body' : field, reason })
  return first.nearest === null ? problem : { ...problem, hint: `did you mean ${first.nearest}?` }
}

export function conflictProblem(conflict: Conflict): Problem {
  return { code: 'conflict', reason: conflictText(conflict) }
}

/** A name in a body that means nothing, with the name that was perhaps meant. */
export function unknownWord(field: string, reason: string, word: string, known: readonly string[]): Problem {
  const meant = nearestWord(word, known)
  const problem = invalid({ field, reason })
  return meant === null ? problem : { ...problem, hint: `did you mean ${meant}?` }
}
