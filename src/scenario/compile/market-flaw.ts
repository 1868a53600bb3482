import type { FieldProblem } from '../../market/check-field.ts'
import { type Field, fieldAlong, problemOf } from '../read/fields.ts'
import type { Problem } from '../read/problem.ts'

/** What the market's own checks found, in the words of the file: spans have no unit in their names there. */
export function inWordsOfFile({ field, message }: FieldProblem): FieldProblem {
  return { field: field.replace(/(Millis|Minutes)\b/g, ''), message }
}

/** The same as a problem of the file, at the place of the field, found from `start`. */
export function marketFlaw(start: Field, found: FieldProblem): Problem {
  const { field, message } = inWordsOfFile(found)
  return problemOf(fieldAlong(start, field), `${field} ${message}`)
}
