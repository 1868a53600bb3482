import { instant } from './figures.ts'
import { paragraph } from './html.ts'

/** Gross exposure over equity; NaN, a gap, where no equity is left. */
export function leverageOf(gross: readonly number[], equity: readonly number[]): readonly number[] {
  return gross.map((value, place) => {
    const own = Number(equity[place])
    return own > 0 ? value / own : Number.NaN
  })
}

/**
 * When an account was beyond its leverage, or had nothing left, and what the venue does then; empty where neither
 * happened.
 */
export function leverageNote(
  atMillis: readonly number[],
  leverage: readonly number[],
  maxLeverage: number | null,
): string {
  const above = placesOf(leverage, (value) => maxLeverage !== null && value > maxLeverage * rounding)
  const lost = placesOf(leverage, Number.isNaN)
  const at = (places: readonly number[]): string =>
    `at ${places.length} of ${atMillis.length} points of the grid, first at ${instant(Number(atMillis[Number(places[0])]))}`
  const parts = [
    ...(above.length === 0 ? [] : [`Leverage was above its limit of ${maxLeverage} ${at(above)}.`]),
    ...(lost.length === 0 ? [] : [`No equity was left ${at(lost)}.`]),
  ]
  if (parts.length === 0) return ''
  const rule =
    'The venue refuses orders that would add to such an exposure, and closes no position by itself.'
  return paragraph([...parts, rule].join(' '), 'warning')
}

function placesOf(values: readonly number[], holds: (value: number) => boolean): readonly number[] {
  return values.flatMap((value, place) => (holds(value) ? [place] : []))
}

/** A cash account that holds only assets has a leverage of 1, except for rounding. */
const rounding = 1 + 1e-9
