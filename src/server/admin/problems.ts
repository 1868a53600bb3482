import { invalid, type Problem } from '../../api/errors.ts'
import type { Flaw } from '../../api/flaw.ts'
import { nearestWord } from '../../api/nearest-word.ts'
import type { Mistake as FormProblem } from '../../scenario/file/mistake.ts'
import { type Conflict, conflictText } from '../../world/worlds.ts'
import type { FormRefusal } from './route.ts'

/* What the rooms below find wrong, in the admin API's words. */

/** What is wrong with a form at `place` in the body; '' when the form is the whole body. */
export function formProblem(problems: readonly FormProblem[], place = ''): FormRefusal {
  const flaws = problems.map((problem) => flawAt(problem, place))
  const [first] = flaws
  if (first === undefined) return { code: 'invalid-parameter' }
  const all = flaws.map(({ field, reason, hint }) => ({
    field,
    reason: hint === undefined ? reason : `${reason} (${hint})`,
  }))
  return { ...invalid(first), all }
}

function flawAt({ path, missing, reason, nearest }: FormProblem, place: string): Flaw {
  const field = [place, path, missing ?? ''].filter((part) => part !== '').join('.')
  const flaw = {
    field: field === '' ? 'body' : field,
    reason: missing === undefined ? reason : 'is required',
  }
  return nearest === null ? flaw : { ...flaw, hint: `did you mean ${nearest}?` }
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
