import type { ClockSettings } from '../journal/world-snapshot.ts'
import { lastWorldMillis, millisToIso, parseDuration } from '../numeric/time-text.ts'
import { type Millis, millis } from '../numeric/units.ts'
import type { RunningScenario } from './script/running-scenario.ts'
import type { Steps, WorkQueue } from './work-queue.ts'

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

/** The outside world's clock: authentication and rate limits read it, the engine never does. Tests move one by hand. */
export interface WallClock {
  /** Milliseconds since 1970-01-01T00:00:00Z, a whole number. */
  nowMillis(): number
}

export const systemWallClock: WallClock = { nowMillis: () => Date.now() }

/**
 * A world's time, as its clock moves it: with real time, by a step with each request, or not at all. Nothing here
 * counts as a change from outside; a caller who asks for time to pass uses `World.advanceTo`.
 *
 * Invariant: time never goes back, whatever the wall clock does.
 */
export class WorldTime {
  /** For reading; see `change`. */
  settings: ClockSettings
  /**
   * For reading: whether getting to real time was long work at the last try. Then only `catchUpInSteps` moves the world
   * until it is not.
   */
  isLate = false
  private readonly running: RunningScenario
  private readonly wall: WallClock
  private readonly workQueue: WorkQueue
  private readonly passed: () => void
  /** Real time counts from here. */
  private anchorWorldMillis: number
  private anchorWallMillis: number
  /** The wall clock at the last look. */
  private seenWallMillis: number

  /** `passed` is called whenever the clock has moved the world. */
  constructor(
    running: RunningScenario,
    wall: WallClock,
    settings: ClockSettings,
    workQueue: WorkQueue,
    passed: () => void,
  ) {
    this.running = running
    this.wall = wall
    this.settings = settings
    this.workQueue = workQueue
    this.passed = passed
    this.anchorWorldMillis = running.now
    this.anchorWallMillis = wall.nowMillis()
    this.seenWallMillis = this.anchorWallMillis
  }

  /** Takes the settings from now on; time does not jump. */
  change(settings: ClockSettings): void {
    this.settings = settings
    this.goOnFromHere()
  }

  /** Where the clock stands by real time, without moving the world; refused requests are told this. */
  get present(): Millis {
    return this.isLate ? this.running.now : this.realMillis()
  }

  /** Whether real time is so far ahead that getting there is long work, for which nobody else should wait. */
  get isFarBehind(): boolean {
    return this.realMillis() - this.running.now > farMillis
  }

  /** Moves a world in real time to the present, unless that is long work, or other work on it is paused. */
  catchUp(): void {
    if (!this.workQueue.isPaused) this.moveTo(this.present)
  }

  /**
   * The same for one that may have fallen far behind, because the machine was asleep or its speed is more than the
   * machine can do. From then on it only moves here, as far as the machine gets in a second or two each time, until it
   * is no longer late: nobody waits for longer than that.
   */
  *catchUpInSteps(): Steps<void> {
    const atMillis = this.realMillis()
    const endMillis = performance.now() + patienceMillis
    for (const pause of this.running.runInSteps(atMillis)) {
      this.isLate = true
      if (performance.now() >= endMillis) return this.passed()
      yield pause
    }
    this.moveTo(atMillis)
    this.isLate = false
  }

  /** A venue request arrives: the world moves to where its clock stands for it. */
  arrive(): void {
    if (this.isLate) return
    const { mode, stepMillis } = this.settings
    const { now } = this.running
    const stepped = Math.max(Math.min(now + stepMillis, lastWorldMillis), now)
    this.moveTo(mode === 'auto' ? millis(stepped) : this.realMillis())
  }

  /** Moves to an instant as if time had passed by itself. */
  proceedTo(atMillis: Millis): void {
    this.running.runTo(atMillis)
    this.goOnFromHere()
  }

  /** The world was moved by an advance or a restore: real time continues from where it is now. */
  goOnFromHere(): void {
    this.isLate = false
    // Only real time counts from an anchor; backtests move the clock a million times, and reading the wall clock costs.
    if (this.settings.mode !== 'realtime') return
    this.anchorWorldMillis = this.running.now
    this.anchorWallMillis = this.wall.nowMillis()
  }

  /** Where the clock should stand now. When the wall clock is set back, real time continues from here. */
  private realMillis(): Millis {
    const { now } = this.running
    const { mode, speed } = this.settings
    if (mode !== 'realtime') return now
    const wallMillis = this.wall.nowMillis()
    if (wallMillis < this.seenWallMillis) {
      this.anchorWorldMillis = now
      this.anchorWallMillis = wallMillis
    }
    this.seenWallMillis = wallMillis
    const present = this.anchorWorldMillis + Math.floor((wallMillis - this.anchorWallMillis) * speed)
    const latest = Math.min(now + longestAdvanceMillis, lastWorldMillis)
    return millis(Math.max(Math.min(present, latest), now))
  }

  private moveTo(atMillis: Millis): void {
    const { now } = this.running
    this.running.runTo(atMillis)
    if (this.running.now > now) this.passed()
  }
}

/** World time that takes a few milliseconds of work. */
const farMillis = 600_000

/** How long one catching up may take. */
const patienceMillis = 1500
