import type { FieldProblem } from '../../shape/field-problem.ts'
import { complain, type Field, fieldAlong } from '../read/fields.ts'
import { isWhole } from '../read/tree.ts'

/** What the market's own checks found, in the words of the file, where the names of spans have no unit. */
export function inWordsOfFile({ field, message }: FieldProblem): FieldProblem {
  return { field: field.replace(/(Millis|Minutes)\b/g, ''), message }
}

/**
 * Notes it at the place of the field, which is looked for from `start`; what the file does not state is named. Beside
 * a broken part a usual figure was checked, so nothing is noted.
 */
export function complainOfMarket(start: Field, found: FieldProblem): void {
  if (!isWhole(start.tree)) return
  const { field, message } = inWordsOfFile(found)
  const { stated, rest } = fieldAlong(start, field)
  complain(stated, rest === '' ? message : `${rest} ${message}`)
}
