import { millisPerDay, millisPerHour } from './time-text.ts'

/* The UTC week and day of an instant in milliseconds since 1970, negative before: no Date, no time zone. */

/** The hour of the day, 0 to 23. */
export function hourOfDay(atMillis: number): number {
  return remainder(Math.floor(atMillis / millisPerHour), 24)
}

/** The day of the week, 0 (Monday) to 6 (Sunday). */
export function dayOfWeek(atMillis: number): number {
  return remainder(Math.floor(atMillis / millisPerDay) + 3, 7) // 1 January 1970 was a Thursday
}

export function isWeekend(atMillis: number): boolean {
  return dayOfWeek(atMillis) >= 5
}

/** Never negative, and never -0, unlike that of `%`. */
function remainder(value: number, divisor: number): number {
  return value - divisor * Math.floor(value / divisor)
}
