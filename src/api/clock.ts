/**
 * What moves the time of a world: the wall clock, the admin API alone, each request by a step, or each request to the
 * time of the client that has signed it.
 */
export const clockModes = ['realtime', 'manual', 'auto', 'follow'] as const

/** The highest speed of a world's clock, in seconds of the world for each second of the wall clock. */
export const highestSpeed = 1_000_000

/** The longest single advance of a world: 366 days. */
export const longestAdvanceMillis = 366 * 86_400_000

/** How far one request may move a world whose clock follows its clients, unless its settings say otherwise: a day. */
export const defaultJumpMillis = 86_400_000
