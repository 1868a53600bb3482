import { type AccountRecorder, longestLookMillis } from '../../metrics/account-recorder.ts'
import { millis } from '../../numeric/units.ts'
import type { World } from '../../world/world.ts'

/**
 * A world in a backtest that may lag behind the time that the strategy sees. While nothing can happen except that
 * marks move (see `foreseenUntilMillis` of the world), only `nowMillis` moves; the world is brought up to it when
 * somebody needs the world. On the way the account is sampled on the grid of the equity, and looked at often enough
 * in between that the recorder loses nothing.
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
  private nextLookMillis: number

  /** `gridMillis` is the time between two points of the equity. */
  constructor(world: World, recorder: AccountRecorder, gridMillis: number) {
    this.world = world
    this.recorder = recorder
    this.gridMillis = gridMillis
    this.atMillis = world.now
    this.lagsUntilMillis = world.now
    this.nextSampleMillis = firstAfter(world.now, gridMillis)
    this.nextLookMillis = world.now + longestLookMillis
    recorder.sample(world.venue.state)
  }

  /** The present as the strategy sees it. */
  get nowMillis(): number {
    return this.atMillis
  }

  /** Before this instant `nowMillis` may move without the world. */
  get foreseenUntilMillis(): number {
    return this.lagsUntilMillis
  }

  /**
   * Moves time on without a line in a journal, which has the instants of commands and the end. An instant in the past
   * counts as now.
   */
  advanceTo(atMillis: number): void {
    if (atMillis < this.lagsUntilMillis && atMillis >= this.atMillis) this.atMillis = atMillis
    else this.moveOn(Math.max(atMillis, this.atMillis))
  }

  /** Moves only the present, to an instant whose prices are computed ahead. */
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
    if (this.atMillis > this.world.now) this.world.time.proceedTo(millis(this.atMillis))
  }

  capture(): LaggingWorldState {
    return { nextSampleMillis: this.nextSampleMillis, nextLookMillis: this.nextLookMillis }
  }

  restore({ nextSampleMillis, nextLookMillis }: LaggingWorldState): void {
    this.nextSampleMillis = nextSampleMillis
    this.nextLookMillis = nextLookMillis
  }

  private moveOn(atMillis: number): void {
    const { recorder, world } = this
    while (this.nextSampleMillis <= atMillis || this.nextLookMillis <= atMillis) {
      const stopMillis = Math.min(this.nextSampleMillis, this.nextLookMillis)
      this.moveTo(stopMillis)
      if (stopMillis === this.nextSampleMillis) {
        recorder.sample(world.venue.state)
        this.nextSampleMillis += this.gridMillis
      } else recorder.refresh(world.venue.state)
      this.nextLookMillis = stopMillis + longestLookMillis
    }
    this.moveTo(atMillis)
    this.lagsUntilMillis = Math.min(
      world.running.foreseenUntilMillis,
      this.nextSampleMillis,
      this.nextLookMillis,
    )
  }

  private moveTo(atMillis: number): void {
    this.atMillis = Math.max(atMillis, this.world.now)
    this.catchUp()
  }
}

export interface LaggingWorldState {
  readonly nextSampleMillis: number
  readonly nextLookMillis: number
}

/** The first instant after another on a grid that is counted from 1970. */
function firstAfter(atMillis: number, gridMillis: number): number {
  return (Math.floor(atMillis / gridMillis) + 1) * gridMillis
}
