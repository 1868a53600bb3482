import type { FieldProblem } from '../../shape/field-problem.ts'
import { complain, type Field, fieldAlong } from '../read/fields.ts'
import { isWhole, toPlain } from '../read/tree.ts'

/** What the market is to read; null where nothing is stated, or where a part of it is broken. */
export const statedIn = (field: Field | null): object | null =>
  field !== null && isWhole(field.tree) ? Object(toPlain(field.tree)) : null

/**
 * Notes what the market's own checks found, in the words of the file, where the names of spans have no unit: at the
 * place of the field, which is looked for from `start`; what the file does not state is named. Beside a broken part a
 * usual figure was checked, so nothing is noted.
 */
export function complainOfMarket(start: Field, { field, message }: FieldProblem): void {
  if (!isWhole(start.tree)) return
  const { stated, rest } = fieldAlong(start, field.replace(/(Millis|Minutes)\b/g, ''))
  complain(stated, rest === '' ? message : `${rest} ${message}`)
}
