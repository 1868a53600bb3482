export const clockModes = ['realtime', 'manual', 'auto'] as const

export const highestSpeed = 1_000_000

/** The longest single advance: 366 days. */
export const longestAdvanceMillis = 366 * 86_400_000
