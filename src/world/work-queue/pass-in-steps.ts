import { type Millis, millis } from '../../numeric/units.ts'
import type { Steps } from './work-queue.ts'

interface Running {
  readonly now: Millis
  runTo(atMillis: Millis): void
}

/** The world time of the first piece, before it is known how long one takes: about a millisecond of work. */
const firstSpanMillis = 60_000
/** Real time: shorter pieces grow, longer ones shrink. */
const shortMillis = 1
const longMillis = 3

/**
 * Lets time pass up to an instant, or a little less: the last piece is left to the caller. Time may be cut anywhere, so
 * the lengths of the pieces, which depend on the machine, cannot be seen afterwards.
 */
export function* passInSteps(running: Running, atMillis: Millis): Steps<Millis> {
  let span = firstSpanMillis
  while (atMillis - running.now > span) {
    yield
    const begun = performance.now()
    running.runTo(millis(running.now + span))
    const spent = performance.now() - begun
    if (spent < shortMillis) span *= 2
    else if (spent > longMillis) span = Math.max(1, Math.floor(span / 2))
  }
  return atMillis
}
