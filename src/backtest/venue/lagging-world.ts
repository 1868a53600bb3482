import { type AccountRecorder, longestLookMillis } from '../../metrics/account-recorder.ts'
import { millis } from '../../numeric/units.ts'
import type { World } from '../../world/world.ts'

/**
 * A world in a backtest that may lag behind the time that the strategy sees. While nothing can happen except that
 * marks move (see `idleUntilMillis` of the world), only `nowMillis` moves; the world is brought up to it when somebody
 * needs the world. On the way the account is sampled on the grid of the equity: in idle time from the marks alone, and
 * else at each instant of the grid.
 *
 * Invariants: the world is never ahead of `nowMillis`; a run that lags comes to the same bytes as one that does not.
 */
export class LaggingWorld {
  readonly world: World
  /** Changes whenever the world has moved or may be about to: what was foreseen before may not come true. */
  version = 0
  private readonly recorder: AccountRecorder
  private readonly gridMillis: number
  private atMillis: number
  private lagsUntilMillis: number
  private nextSampleMillis: number

  /** `gridMillis` is the time between two points of the equity. */
  constructor(world: World, recorder: AccountRecorder, gridMillis: number) {
    this.world = world
    this.recorder = recorder
    this.gridMillis = gridMillis
    this.atMillis = world.now
    this.lagsUntilMillis = world.now
    this.nextSampleMillis = firstAfter(world.now, gridMillis)
    recorder.sample(world.venue.state)
  }

  get nowMillis(): number {
    return this.atMillis
  }

  /** Before this instant `nowMillis` may move without the world. */
  get idleUntilMillis(): number {
    return this.lagsUntilMillis
  }

  /**
   * Moves time on without a line in a journal, which has the instants of commands and the end. An instant in the past
   * counts as now.
   */
  advanceTo(atMillis: number): void {
    if (atMillis < this.lagsUntilMillis && atMillis >= this.atMillis) {
      this.atMillis = atMillis
      return
    }
    this.atMillis = Math.max(atMillis, this.atMillis, this.world.now)
    this.catchUp()
    this.lagsUntilMillis = this.world.running.idleUntilMillis
  }

  /** Moves only the present, to an instant before the idle time is over. */
  stand(atMillis: number): void {
    this.atMillis = atMillis
  }

  /** Catches up with a world that has moved by itself, because a fault let time pass during a request. */
  follow(): void {
    this.atMillis = Math.max(this.atMillis, this.world.now)
  }

  /** Brings the world to the present. Whoever calls this may act on it, so nothing is foreseen any more. */
  catchUp(): void {
    this.version += 1
    this.lagsUntilMillis = this.atMillis
    const { world } = this
    while (this.atMillis > world.now) {
      const idleMillis = Math.min(this.atMillis, world.running.idleUntilMillis - 1)
      if (idleMillis > world.now) this.passIdle(idleMillis)
      else this.step()
    }
  }

  /** Moves the world through idle time, up to an instant or to where the recorder has to look at its past. */
  private passIdle(untilMillis: number): void {
    const { gridMillis, nextSampleMillis, recorder, world } = this
    const { state } = world.venue
    recorder.refresh(state)
    const stopMillis = Math.min(untilMillis, recorder.looksAtMillis(state))
    this.nextSampleMillis = recorder.sampleIdle(
      state,
      { nextMillis: nextSampleMillis, stepMillis: gridMillis, untilMillis: stopMillis },
      () => world.time.proceedTo(millis(stopMillis)),
    )
  }

  private step(): void {
    const { gridMillis, recorder, world } = this
    const { state } = world.venue
    const lookMillis = firstAfter(world.now, longestLookMillis)
    const nextMillis = Math.min(this.nextSampleMillis, lookMillis, this.atMillis)
    world.time.proceedTo(millis(Math.max(nextMillis, world.now)))
    if (world.now === lookMillis) recorder.refresh(state)
    for (; this.nextSampleMillis <= world.now; this.nextSampleMillis += gridMillis) recorder.sample(state)
  }
}

/** The first instant after another on a grid that is counted from 1970. */
function firstAfter(atMillis: number, gridMillis: number): number {
  return (Math.floor(atMillis / gridMillis) + 1) * gridMillis
}
