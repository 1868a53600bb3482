/** What moves the time of a world: the wall clock, the admin API alone, or each request. */
export const clockModes = ['realtime', 'manual', 'auto'] as const

/** The highest speed of a world's clock, in seconds of the world for each second of the wall clock. */
export const highestSpeed = 1_000_000

/** The longest single advance of a world: 366 days. */
export const longestAdvanceMillis = 366 * 86_400_000
