import type { RecordedLiquidity } from '../../market/liquidity/liquidity.ts'
import type { ModelSpec } from '../../market/models/price-models.ts'
import { decimalToNumber, decimalToText } from '../../numeric/units.ts'
import { addMistake, childField, type Field } from '../file/fields.ts'
import type { ReadBook } from '../file/recorded-books.ts'

/** Compiles the model of a recorded book, whose mid is the price. */
export function compileBook(asset: Field, liquidity: RecordedLiquidity, read: ReadBook): ModelSpec {
  const model = childField(asset, 'model')
  if (model !== null) addMistake(model, 'the price of a recorded book is its mid, so it has no model')
  const { gapAfterMillis, gaps } = liquidity
  const { priceStep, quantityStep } = read
  return {
    kind: 'book',
    book: read.book,
    tickUsd: decimalToNumber(priceStep.units, priceStep.scale),
    stepUnits: decimalToNumber(quantityStep.units, quantityStep.scale),
    gaps,
    gapAfterMillis,
  }
}

/** Writes the steps of a recorded book as decimals, for its pair. */
export const writeBookSteps = ({ priceStep, quantityStep }: ReadBook) => ({
  priceStep: decimalToText(priceStep.units, priceStep.scale),
  quantityStep: decimalToText(quantityStep.units, quantityStep.scale),
})
