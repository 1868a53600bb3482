import { element } from '../../numeric/columns.ts'
import {
  hundredYearsMillis,
  isIntegerWithin,
  isPrice,
  isWithin,
  notAPrice,
  problem,
  type SpecProblem,
} from '../../shape/spec-checks.ts'
import {
  type Candles,
  type CandleTable,
  countCandles,
  getCandleTable,
  isKnownSound,
  noteSound,
} from './candle-table.ts'
import { getTradeTable, type Trades } from './trade-table.ts'

/* Checks of the recorded data that a model is made of. Each stops at the first bad row. */

/** Returns the first problem of recorded candles, or null when they are sound, ascending and do not overlap. */
export function checkCandles(candles: Candles): SpecProblem | null {
  // Worlds that play the same recording need not check its rows again.
  if (isKnownSound(candles)) return null
  const count = countCandles(candles)
  if (count === 0) return problem('model.candles', 'is empty')
  const table = getCandleTable(candles)
  let freeFromMillis = Number.MIN_SAFE_INTEGER
  for (let place = 0; place < count; place += 1) {
    const found = checkCandle(table, place, freeFromMillis)
    if (found !== null) return { ...found, field: `model.candles[${place}].${found.field}` }
    freeFromMillis = element(table.endMillis, place)
  }
  noteSound(candles)
  return null
}

function checkCandle(table: CandleTable, place: number, freeFromMillis: number): SpecProblem | null {
  const atMillis = element(table.atMillis, place)
  if (!isIntegerWithin(atMillis, freeFromMillis, Number.MAX_SAFE_INTEGER))
    return problem('atMillis', 'is not a whole number at or after the end of the candle before')
  if (!isIntegerWithin(element(table.endMillis, place) - atMillis, 1, hundredYearsMillis))
    return problem('spanMillis', 'is not a span')
  for (const name of ['open', 'high', 'low', 'close'] as const)
    if (!isPrice(element(table[name], place))) return problem(name, notAPrice)
  const [open, high, low, close] = [
    element(table.open, place),
    element(table.high, place),
    element(table.low, place),
    element(table.close, place),
  ]
  if (high < open || high < close) return problem('high', 'is below the open or the close')
  if (low > open || low > close) return problem('low', 'is above the open or the close')
  return isWithin(element(table.volume, place), 0, 1e15) ? null : problem('volume', 'is not from 0 to 1e15')
}

/** Returns the first problem of recorded trades, or null when they are sound and in order of time. */
export function checkTrades(trades: Trades): SpecProblem | null {
  const { atMillis, count, price, quantity } = getTradeTable(trades)
  if (count === 0) return problem('model.trades', 'is empty')
  let previousMillis = Number.MIN_SAFE_INTEGER
  for (let place = 0; place < count; place += 1) {
    const field = (name: string): string => `model.trades[${place}].${name}`
    const at = element(atMillis, place)
    if (!isIntegerWithin(at, previousMillis, Number.MAX_SAFE_INTEGER)) {
      return problem(field('atMillis'), 'is not a whole number at or after the trade before')
    }
    if (!isPrice(element(price, place))) return problem(field('price'), notAPrice)
    const amount = element(quantity, place)
    if (amount === 0 || !isWithin(amount, 0, 1e15))
      return problem(field('quantity'), 'is not above 0 and up to 1e15')
    previousMillis = at
  }
  return null
}
