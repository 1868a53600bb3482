import { element } from '../../numeric/columns.ts'
import { exp, log } from '../../numeric/portable-math.ts'
import { dayOfWeek, hourOfDay, millisPerHour, millisPerMinute } from '../../numeric/time-text.ts'
import { volatilitySeasons } from './market-figures.ts'

/** Season of the week and of the hour, as multiples of the mean. */
export interface Season {
  /** By UTC hour of a weekday, then of a Saturday, then of a Sunday. */
  readonly byHour: Float64Array
  readonly byMinute: Float64Array
}

/** Season of the volatility; its mean square over a week is 1. */
export const volatilitySeason: Season = createVolatilitySeason()

/**
 * Season of the volume; its mean over a week is 1. 1.41 at 14 h, 0.74 at 21 h and 0.78 on weekends are measured
 * (market.md, fact 10). Choice: between them it follows the volatility, and within the hour, too.
 */
export const volumeSeason: Season = createVolumeSeason(
  [
    1.1, 0.98, 0.9, 0.88, 0.78, 0.8, 0.82, 0.86, 0.97, 0.93, 0.95, 0.98, 1.12, 1.28, 1.41, 1.35, 1.25, 1.05,
    1, 0.92, 0.86, 0.74, 0.78, 0.88,
  ],
  0.78 / 1.088,
)

/** Writes the multiples of a season for `count` minutes from `atMillis` on, milliseconds since 1970. */
export function fillSeason(season: Season, atMillis: number, count: number, multiples: Float64Array): void {
  let hourEndMillis = Number.NEGATIVE_INFINITY
  let hourly = 1
  for (let i = 0; i < count; i += 1) {
    const minuteAt = atMillis + i * millisPerMinute
    if (minuteAt >= hourEndMillis) {
      hourly = element(season.byHour, hourOfDay(minuteAt) + 24 * kindOfDay(minuteAt))
      hourEndMillis = (Math.floor(minuteAt / millisPerHour) + 1) * millisPerHour
    }
    multiples[i] = hourly * element(season.byMinute, minuteOfHour(minuteAt))
  }
}

/** Returns the minute of the hour of an instant in milliseconds since 1970. */
export function minuteOfHour(atMillis: number): number {
  const minute = Math.floor(atMillis / millisPerMinute)
  return minute - 60 * Math.floor(minute / 60)
}

/** Returns 0 for an instant on a weekday, 1 on a Saturday and 2 on a Sunday. */
function kindOfDay(atMillis: number): number {
  return Math.max(dayOfWeek(atMillis) - 4, 0)
}

function createVolatilitySeason(): Season {
  const { hoursPower, minutesPower, weekdayHours, weekendHours, ...rest } = volatilitySeasons
  const weekend = raise(rest.weekendToWeekday, rest.weekendPower)
  const sunday = Math.sqrt(rest.sundayToSaturday)
  const byHour = [
    ...weekdayHours.map((value) => raise(value, hoursPower)),
    ...weekendHours.map((value) => (weekend / sunday) * raise(value, hoursPower)),
    ...weekendHours.map((value) => weekend * sunday * raise(value, hoursPower)),
  ]
  const byMinute = rest.minutesOfHour.map((value) => raise(value, minutesPower))
  const square = (value: number): number => value * value
  const hours = Math.sqrt(computeWeekMean(byHour.map(square)))
  const minutes = Math.sqrt(computeMean(byMinute.map(square)))
  return {
    byHour: Float64Array.from(byHour, (value) => value / hours),
    byMinute: Float64Array.from(byMinute, (value) => value / minutes),
  }
}

function createVolumeSeason(hours: readonly number[], weekend: number): Season {
  const weekendHours = hours.map((value) => weekend * value)
  const byHour = [...hours, ...weekendHours, ...weekendHours]
  const mean = computeWeekMean(byHour)
  const { minutesOfHour } = volatilitySeasons
  const minutes = computeMean(minutesOfHour)
  return {
    byHour: Float64Array.from(byHour, (value) => value / mean),
    byMinute: Float64Array.from(minutesOfHour, (value) => value / minutes),
  }
}

/** Returns the mean over a week of 24 values of weekdays, 24 of Saturdays and 24 of Sundays. */
function computeWeekMean(byHour: readonly number[]): number {
  return (5 * computeMean(byHour.slice(0, 24)) + 2 * computeMean(byHour.slice(24))) / 7
}

function raise(value: number, power: number): number {
  return exp(power * log(value))
}

function computeMean(values: readonly number[]): number {
  let sum = 0
  for (const value of values) sum += value
  return sum / values.length
}
