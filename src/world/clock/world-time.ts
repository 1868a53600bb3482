import type { Millis } from '../../numeric/units.ts'
import { passInSteps } from '../work-queue/pass-in-steps.ts'
import type { Steps, WorkQueue } from '../work-queue/work-queue.ts'
import type { ClockSettings } from '../world-change.ts'
import { ClockDriver } from './clock-driver.ts'
import type { WallClock } from './wall-clock.ts'

interface Timed {
  readonly now: Millis
  runTo(atMillis: Millis): void
}

/**
 * A world's time, as its clock moves it: with real time, by a step with each request, or not at all. Nothing here
 * counts as a change from outside; a caller who asks for time to pass uses `World.advanceTo`.
 *
 * Invariant: time never goes back, whatever the wall clock does.
 */
export class WorldTime {
  private readonly running: Timed
  private readonly turns: WorkQueue
  private readonly passed: () => void
  private readonly driver: ClockDriver
  private late = false

  /** `passed` is called whenever the clock has moved the world. */
  constructor(
    running: Timed,
    wall: WallClock,
    settings: ClockSettings,
    turns: WorkQueue,
    passed: () => void = () => undefined,
  ) {
    this.running = running
    this.turns = turns
    this.passed = passed
    this.driver = new ClockDriver(wall, settings, running.now)
  }

  get settings(): ClockSettings {
    return this.driver.settings
  }

  /** Takes the settings from now on; time does not jump. */
  change(settings: ClockSettings): void {
    this.late = false
    this.driver.change(settings, this.running.now)
  }

  /** Where the clock stands by real time, without moving the world; refused requests are told this. */
  get present(): Millis {
    return this.late ? this.running.now : this.driver.presentMillis(this.running.now)
  }

  /** Whether real time is so far ahead that getting there is long work, for which nobody else should wait. */
  get isFarBehind(): boolean {
    const { now } = this.running
    return this.driver.presentMillis(now) - now > farMillis
  }

  /**
   * Whether getting to real time was long work at the last try: only `catchUpInSteps` moves the world until it is not.
   */
  get isLate(): boolean {
    return this.late
  }

  /** Moves a world in real time to the present, unless that is long work, or other work on it is paused. */
  catchUp(): void {
    if (!this.turns.isPaused) this.moveTo(this.present)
  }

  /**
   * The same for one that may have fallen far behind, because the machine was asleep or its speed is more than the
   * machine can do. From then on it only moves here, as far as the machine gets in a second or two each time, until it
   * is no longer late: nobody waits for longer than that.
   */
  *catchUpInSteps(): Steps<void> {
    const atMillis = this.driver.presentMillis(this.running.now)
    const endMillis = performance.now() + patienceMillis
    for (const pause of passInSteps(this.running, atMillis)) {
      this.late = true
      if (performance.now() >= endMillis) return this.passed()
      yield pause
    }
    this.moveTo(atMillis)
    this.late = false
  }

  /** A venue request arrives: the world moves to where its clock stands for it. */
  arrive(): void {
    if (!this.late) this.moveTo(this.driver.requestMillis(this.running.now))
  }

  /** Moves to an instant as if time had passed by itself. */
  proceedTo(atMillis: Millis): void {
    this.running.runTo(atMillis)
    this.goOnFromHere()
  }

  /** The world was advanced explicitly: real time continues from where it is now. */
  goOnFromHere(): void {
    this.late = false
    this.driver.moveTo(this.running.now)
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
