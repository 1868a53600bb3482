import type { Candle } from '../../market/recordings/candle.ts'
import { quantileOfSorted } from '../../numeric/quantile.ts'
import { type PairDefaults, pairDefaults } from './defaults.ts'

const maximumLooks = 4096
/** One bad print, such as a flash crash to a cent, is not what steps are for. */
const tail = 0.01
/** Of a price, far from where ticks and their products stop being exact. */
const maximumTicks = 1e13

/**
 * The steps of a pair that states none, by the price at its start. A recording may go far from there: its least prices
 * tell how fine prices have to be, or a coin that falls to nothing would stand still at the last step, and its greatest
 * ones how fine quantities.
 */
export function usualSteps(price: number, recording: readonly Candle[]): PairDefaults {
  const usual = pairDefaults(price)
  if (recording.length === 0) return usual
  const every = Math.ceil(recording.length / maximumLooks)
  const seen = recording.filter((_, place) => place % every === 0)
  const lows = Float64Array.from(seen, ({ low }) => low).sort()
  const highs = Float64Array.from(seen, ({ high }) => high).sort()
  const least = pairDefaults(Math.min(price, quantileOfSorted(lows, tail)))
  const greatest = pairDefaults(Math.max(price, quantileOfSorted(highs, 1 - tail)))
  const isCountable = Math.max(price, highs.at(-1) ?? price) / Number(least.priceStep) <= maximumTicks
  return {
    priceStep: isCountable ? least.priceStep : usual.priceStep,
    quantityStep: greatest.quantityStep,
    maxQuantity: usual.maxQuantity,
  }
}
