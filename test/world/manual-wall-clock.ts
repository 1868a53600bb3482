import type { WallClock } from '../../src/world/clock.ts'

/** A wall clock that only moves when a test moves it. */
export class ManualWallClock implements WallClock {
  private now: number

  constructor(nowMillis = 1_800_000_000_000) {
    this.now = nowMillis
  }

  nowMillis(): number {
    return this.now
  }

  advance(byMillis: number): void {
    this.now += byMillis
  }

  set(nowMillis: number): void {
    this.now = nowMillis
  }
}
