import { type ModelSpec, readModel } from '../../market/models/price-models.ts'
import type { Candle } from '../../market/recordings/candle.ts'
import type { FieldProblem } from '../../shape/field-problem.ts'
import { type Field, fieldOf } from '../read/fields.ts'
import { complainOfMarket, statedIn } from './market-flaw.ts'

/** The model under the key `model`, of an asset or of anything else that has one. Changes count from `price`. */
export function compileModel(
  asset: Field,
  symbol: string,
  price: number,
  candles: readonly Candle[],
): ModelSpec {
  const field = fieldOf(asset, 'model')
  const problems: FieldProblem[] = []
  const model = readModel(statedIn(field), { symbol, price, candles }, problems)
  for (const problem of problems) complainOfMarket(field ?? asset, problem)
  return model
}
