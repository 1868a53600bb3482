import { millisPerDay, millisPerMinute } from '../../numeric/time-text.ts'
import type { FieldProblem } from '../check-field.ts'
import {
  hundredYearsMillis,
  isIntegerWithin,
  isPrice,
  isWithin,
  noPrice,
  problem,
  spanRange,
  wholeRange,
} from '../check-field.ts'
import type { BootstrapSpec, Candle, Trade, TradeReplaySpec } from '../market-spec.ts'

/* What is wrong with a model made of recorded data: its first bad row. */

export function bootstrapProblem({ candles, meanPieceMillis }: BootstrapSpec): FieldProblem | null {
  const found = candlesProblem(candles)
  if (found !== null) return found
  const spanMillis = candles[0]?.spanMillis ?? 0
  if (spanMillis % millisPerMinute !== 0 || spanMillis > millisPerDay) {
    return problem('model.candles[0].spanMillis', 'is not of whole minutes, up to a day')
  }
  const other = candles.findIndex((candle) => candle.spanMillis !== spanMillis)
  if (other > 0) return problem(`model.candles[${other}].spanMillis`, 'is not that of the first candle')
  return spanRange('model.meanPieceMillis', meanPieceMillis, spanMillis, hundredYearsMillis)
}

/** Recordings found sound, so that worlds that play the same one check its rows once. */
const sound = new WeakSet<readonly Candle[]>()

export function candlesProblem(candles: readonly Candle[]): FieldProblem | null {
  if (sound.has(candles)) return null
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
    if (!isPrice(open)) return problem(field('open'), noPrice)
    if (!isPrice(high)) return problem(field('high'), noPrice)
    if (!isPrice(low)) return problem(field('low'), noPrice)
    if (!isPrice(close)) return problem(field('close'), noPrice)
    if (high < open || high < close) return problem(field('high'), 'is below the open or the close')
    if (low > open || low > close) return problem(field('low'), 'is above the open or the close')
    if (!isWithin(volume, 0, 1e15)) return problem(field('volume'), 'is not from 0 to 1e15')
    freeFromMillis = atMillis + spanMillis
  }
  sound.add(candles)
  return null
}

export function tradesProblem({ trades, gapMillis }: TradeReplaySpec): FieldProblem | null {
  return tradeRowsProblem(trades) ?? wholeRange('model.gapMillis', gapMillis, 1, hundredYearsMillis)
}

export function tradeRowsProblem(trades: readonly Trade[]): FieldProblem | null {
  if (trades.length === 0) return problem('model.trades', 'is empty')
  let previousMillis = Number.MIN_SAFE_INTEGER
  for (const [place, { atMillis, price, quantity }] of trades.entries()) {
    const field = (name: string): string => `model.trades[${place}].${name}`
    if (!isIntegerWithin(atMillis, previousMillis, Number.MAX_SAFE_INTEGER)) {
      return problem(field('atMillis'), 'is not a whole number at or after the trade before')
    }
    if (!isPrice(price)) return problem(field('price'), noPrice)
    if (quantity === 0 || !isWithin(quantity, 0, 1e15))
      return problem(field('quantity'), 'is not above 0 and up to 1e15')
    previousMillis = atMillis
  }
  return null
}
