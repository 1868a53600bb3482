import type { WallClock } from '../world/clock.ts'

/** The platform's function as it was when this module was loaded, before a test has replaced the clock. */
const readRealMillis = Date.now

/**
 * The wall clock of worlds for tests. A test that replaces `Date` stops or moves the clock of the client that it tests,
 * but not this one. A client in the same process signs with the replaced clock, so a timestamp is judged by whichever
 * of the two is nearer to it.
 */
export const testWallClock: WallClock = {
  nowMillis: () => readRealMillis(),
  judgeMillis: (signedMillis) => {
    const real = readRealMillis()
    const replaced = Date.now()
    return Math.abs(replaced - signedMillis) < Math.abs(real - signedMillis) ? replaced : real
  },
}
