import type { FieldProblem } from '../../shape/field-problem.ts'
import { complain, type Field, fieldAlong } from '../read/fields.ts'

/** What the market's own checks found, in the words of the file, where the names of spans have no unit. */
export function inWordsOfFile({ field, message }: FieldProblem): FieldProblem {
  return { field: field.replace(/(Millis|Minutes)\b/g, ''), message }
}

/** Notes it at the place of the field, which is looked for from `start`. */
export function complainOfMarket(start: Field, found: FieldProblem): void {
  const { field, message } = inWordsOfFile(found)
  complain(fieldAlong(start, field), `${field} ${message}`)
}
