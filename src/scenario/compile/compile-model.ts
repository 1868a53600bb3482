import { type ModelSpec, readModel } from '../../market/models/price-models.ts'
import type { Candle } from '../../market/recordings/candle.ts'
import type { FieldProblem } from '../../shape/field-problem.ts'
import { complain, type Field, fieldAlong, fieldOf } from '../read/fields.ts'
import { toPlain } from '../read/tree.ts'

/** The model under the key `model`, of an asset or of anything else that has one. Changes count from `price`. */
export function compileModel(
  asset: Field,
  symbol: string,
  price: number,
  candles: readonly Candle[],
): ModelSpec {
  const field = fieldOf(asset, 'model')
  const problems: FieldProblem[] = []
  const model = readModel(
    field === null ? null : Object(toPlain(field.tree)),
    { symbol, price, candles },
    problems,
  )
  for (const { field: path, message } of problems) complain(fieldAlong(field ?? asset, path), message)
  return model
}
