/** The outside world's clock: authentication and rate limits read it, the engine never does. Tests move one by hand. */
export interface WallClock {
  /** Milliseconds since 1970-01-01T00:00:00Z, a whole number. */
  nowMillis(): number
}

export const systemWallClock: WallClock = { nowMillis: () => Date.now() }
