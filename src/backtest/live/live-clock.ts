import type { AdminClient } from './admin-client.ts'

/** The time of a live run: a simulator's, which the run itself moves, or the wall clock's. */
export interface LiveClock {
  readonly nowMillis: number
  advanceTo(atMillis: number): Promise<void>
}

/** A simulator's world on a manual clock. Nobody else moves it, so this side knows where it stands. */
export class SteppedClock implements LiveClock {
  nowMillis: number
  private readonly admin: AdminClient
  private readonly world: string

  constructor(admin: AdminClient, world: string, nowMillis: number) {
    this.admin = admin
    this.world = world
    this.nowMillis = nowMillis
  }

  async advanceTo(atMillis: number): Promise<void> {
    if (atMillis <= this.nowMillis) return
    await this.admin.advanceTo(this.world, atMillis)
    this.nowMillis = atMillis
  }
}

/** The wall clock: an advance is a wait. */
export class WallClock implements LiveClock {
  private readonly isEnded: () => boolean

  /** `isEnded` cuts every wait short once somebody has asked for the end. */
  constructor(isEnded: () => boolean) {
    this.isEnded = isEnded
  }

  get nowMillis(): number {
    return Date.now()
  }

  async advanceTo(atMillis: number): Promise<void> {
    for (;;) {
      const left = atMillis - Date.now()
      if (left <= 0 || this.isEnded()) return
      await new Promise((resolve) => setTimeout(resolve, Math.min(left, longestNapMillis)))
    }
  }
}

const longestNapMillis = 200
