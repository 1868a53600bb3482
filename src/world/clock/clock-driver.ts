import { lastWorldMillis, millisToIso, parseDuration } from '../../numeric/time-text.ts'
import { type Millis, millis } from '../../numeric/units.ts'
import type { ClockSettings } from '../world-change.ts'
import type { WallClock } from './wall-clock.ts'

/*
 * Where a world's clock should stand. The engine has no timers: the driver only names the instant, and the world
 * advances to it before it looks at a request.
 */

/**
 * Choice: spec silent; at 100 ms a step, a client that sends one request after another stays within 10 a second of
 * world time.
 */
export const defaultClock: ClockSettings = { mode: 'manual', speed: 1, stepMillis: millis(100) }

/** The longest single advance: 366 days. */
export const longestAdvanceMillis = 366 * 86_400_000

/** Throws a RangeError for anything that is not a span. */
function advanceSpanOf(by: string | number): number {
  const span = typeof by === 'string' ? parseDuration(by) : by
  if (span === null || !Number.isSafeInteger(span) || span < 0 || span > longestAdvanceMillis) {
    throw new RangeError(
      `cannot advance by ${by}: a span is a text such as 30s or 1h, or whole milliseconds, up to 366 days`,
    )
  }
  return span
}

/** The instant after a span. Throws a RangeError for anything that is not a span, and beyond the end of time. */
export function instantAfter(nowMillis: Millis, by: string | number): Millis {
  const atMillis = nowMillis + advanceSpanOf(by)
  if (atMillis > lastWorldMillis) throw new RangeError(`cannot advance by ${by}: ${beyondTime}`)
  return millis(atMillis)
}

export const beyondTime = `time ends at ${millisToIso(lastWorldMillis)}`

export const highestSpeed = 1_000_000

export class ClockDriver {
  private readonly wall: WallClock
  private current: ClockSettings
  private anchorWorldMillis: number
  private anchorWallMillis: number
  /** The wall clock at the last look. */
  private seenWallMillis: number

  constructor(wall: WallClock, settings: ClockSettings, nowMillis: Millis) {
    this.wall = wall
    this.current = settings
    this.anchorWorldMillis = nowMillis
    this.anchorWallMillis = wall.nowMillis()
    this.seenWallMillis = this.anchorWallMillis
  }

  get settings(): ClockSettings {
    return this.current
  }

  /** Takes the settings from now on; time does not jump. */
  change(settings: ClockSettings, nowMillis: Millis): void {
    this.current = settings
    this.moveTo(nowMillis)
  }

  /** The world's clock was moved by an advance or a restore: real time continues from there. */
  moveTo(nowMillis: Millis): void {
    // Only real time counts from an anchor; backtests move the clock a million times, and reading the wall clock
    // costs.
    if (this.current.mode !== 'realtime') return
    this.anchorWorldMillis = nowMillis
    this.anchorWallMillis = this.wall.nowMillis()
  }

  /**
   * Where the clock should stand now. Time never goes back, whatever the wall clock does; when that is set back, real
   * time continues from here.
   */
  presentMillis(nowMillis: Millis): Millis {
    if (this.current.mode !== 'realtime') return nowMillis
    const wallMillis = this.wall.nowMillis()
    if (wallMillis < this.seenWallMillis) this.moveTo(nowMillis)
    this.seenWallMillis = wallMillis
    const elapsed = wallMillis - this.anchorWallMillis
    const present = this.anchorWorldMillis + Math.floor(elapsed * this.current.speed)
    const latest = Math.min(nowMillis + longestAdvanceMillis, lastWorldMillis)
    return millis(Math.max(Math.min(present, latest), nowMillis))
  }

  /** The time of the world for a venue request that arrives now. */
  requestMillis(nowMillis: Millis): Millis {
    if (this.current.mode === 'auto') {
      const next = Math.min(nowMillis + this.current.stepMillis, lastWorldMillis)
      return millis(Math.max(next, nowMillis))
    }
    return this.presentMillis(nowMillis)
  }
}
