import {
  hundredYearsMillis,
  isIntegerWithin,
  isPrice,
  isWithin,
  notAPrice,
  problem,
  type SpecProblem,
} from '../../shape/spec-checks.ts'
import type { Candle, Print } from './candle.ts'
import { hasCurrentTable } from './candle-table.ts'

/* Checks of the recorded data that a model is made of. Each stops at the first bad row. */

/** Returns the first problem of recorded candles, or null when they are sound, ascending and do not overlap. */
export function checkCandles(candles: readonly Candle[]): SpecProblem | null {
  // Its rows were checked when the table was made; worlds that play the same recording need not check them
  // again.
  if (hasCurrentTable(candles)) return null
  if (candles.length === 0) return problem('model.candles', 'is empty')
  let freeFromMillis = Number.MIN_SAFE_INTEGER
  for (const [place, candle] of candles.entries()) {
    const { atMillis, spanMillis, open, high, low, close, volume } = candle
    const field = (name: string): string => `model.candles[${place}].${name}`
    if (!isIntegerWithin(atMillis, freeFromMillis, Number.MAX_SAFE_INTEGER)) {
      return problem(field('atMillis'), 'is not a whole number at or after the end of the candle before')
    }
    if (!isIntegerWithin(spanMillis, 1, hundredYearsMillis))
      return problem(field('spanMillis'), 'is not a span')
    if (!isPrice(open)) return problem(field('open'), notAPrice)
    if (!isPrice(high)) return problem(field('high'), notAPrice)
    if (!isPrice(low)) return problem(field('low'), notAPrice)
    if (!isPrice(close)) return problem(field('close'), notAPrice)
    if (high < open || high < close) return problem(field('high'), 'is below the open or the close')
    if (low > open || low > close) return problem(field('low'), 'is above the open or the close')
    if (!isWithin(volume, 0, 1e15)) return problem(field('volume'), 'is not from 0 to 1e15')
    freeFromMillis = atMillis + spanMillis
  }
  return null
}

/** Returns the first problem of recorded trades, or null when they are sound and in order of time. */
export function checkTrades(trades: readonly Print[]): SpecProblem | null {
  if (trades.length === 0) return problem('model.trades', 'is empty')
  let previousMillis = Number.MIN_SAFE_INTEGER
  for (const [place, { atMillis, price, quantity }] of trades.entries()) {
    const field = (name: string): string => `model.trades[${place}].${name}`
    if (!isIntegerWithin(atMillis, previousMillis, Number.MAX_SAFE_INTEGER)) {
      return problem(field('atMillis'), 'is not a whole number at or after the trade before')
    }
    if (!isPrice(price)) return problem(field('price'), notAPrice)
    if (quantity === 0 || !isWithin(quantity, 0, 1e15))
      return problem(field('quantity'), 'is not above 0 and up to 1e15')
    previousMillis = atMillis
  }
  return null
}
