import { element } from '../../numeric/columns.ts'
import { hourOfDay, isWeekend, millisPerHour, millisPerMinute } from '../../numeric/time-text.ts'

/**
 * Seasons of day and week, as multiples of the mean, by UTC hour. Volatility: mean |r| by hour, with 1.06 on
 * weekdays and 0.85 on weekends (market.md, fact 10 and section 2b), scaled so that the mean square over a week
 * is 1. Volume: 1.41 at 14 h and 0.74 at 21 h are measured, as is 0.78 on weekends; Choice: between them it
 * follows the volatility, scaled to a mean of 1.
 */
export interface Season {
  readonly byHour: Float64Array
  readonly weekend: number
  readonly weekday: number
}

/** Season of the volatility; its mean square over a week is 1. */
export const volatilitySeason: Season = createSeason(
  [
    1.22, 1.01, 0.9, 0.92, 0.76, 0.82, 0.87, 0.91, 1.04, 0.91, 0.93, 0.95, 1.14, 1.15, 1.28, 1.15, 1.09, 0.94,
    0.98, 0.98, 1.07, 1, 0.96, 1.04,
  ],
  1.06,
  0.85,
  (value) => value * value,
  Math.sqrt,
)

/** Season of the volume; its mean over a week is 1. */
export const volumeSeason: Season = createSeason(
  [
    1.1, 0.98, 0.9, 0.88, 0.78, 0.8, 0.82, 0.86, 0.97, 0.93, 0.95, 0.98, 1.12, 1.28, 1.41, 1.35, 1.25, 1.05,
    1, 0.92, 0.86, 0.74, 0.78, 0.88,
  ],
  1.088,
  0.78,
  (value) => value,
  (value) => value,
)

/** Returns the multiple of a season at an instant in milliseconds since 1970. */
export function seasonAt(season: Season, atMillis: number): number {
  const hourly = element(season.byHour, hourOfDay(atMillis))
  return hourly * (isWeekend(atMillis) ? season.weekend : season.weekday)
}

/** Writes the multiples of a season for `count` minutes from `atMillis` on. */
export function fillSeason(season: Season, atMillis: number, count: number, multiples: Float64Array): void {
  let hourEndMillis = Number.NEGATIVE_INFINITY
  let multiple = 1
  for (let i = 0; i < count; i += 1) {
    const minuteAt = atMillis + i * millisPerMinute
    if (minuteAt >= hourEndMillis) {
      multiple = seasonAt(season, minuteAt)
      hourEndMillis = (Math.floor(minuteAt / millisPerHour) + 1) * millisPerHour
    }
    multiples[i] = multiple
  }
}

/** Creates a season scaled so that the mean of its weighed values over a week is 1. */
function createSeason(
  byHour: readonly number[],
  weekday: number,
  weekend: number,
  weigh: (value: number) => number,
  unweigh: (value: number) => number,
): Season {
  let sum = 0
  for (const value of byHour) sum += weigh(value)
  const mean = (sum / byHour.length) * ((5 * weigh(weekday) + 2 * weigh(weekend)) / 7)
  return { byHour: Float64Array.from(byHour, (value) => value / unweigh(mean)), weekday, weekend }
}
