import type { Foresight } from './host.ts'

/** How many ticks are foreseen at most. */
const mostTicks = 1024

/*
 * The mids of ticks to come, in blocks. A strategy may do something at any tick, and then the rest of a block is for
 * nothing; so a block is half as long as what was used up since that happened last.
 */
export class MidsAhead {
  /** Row by row, one a tick, of the wanted assets. */
  mids = new Float64Array(0)
  readonly foresight: Foresight
  private readonly places: readonly number[]
  private readonly stepMillis: number
  private firstMillis = 0
  private count = 0
  private version = -1
  /** Ticks of blocks that were used up, one after the other. */
  private usedUp = 0

  /** `places` are those of the assets wanted, `stepMillis` is between two ticks. */
  constructor(foresight: Foresight, places: readonly number[], stepMillis: number) {
    this.foresight = foresight
    this.places = places
    this.stepMillis = stepMillis
  }

  /** Where the row of a tick to come begins; -1 where the host has to be asked. */
  placeOf(atMillis: number): number {
    if (this.version === this.foresight.version) {
      const row = (atMillis - this.firstMillis) / this.stepMillis
      if (row < this.count) return row * this.places.length
    }
    return this.look(atMillis)
  }

  private look(atMillis: number): number {
    const { foresight, places, stepMillis } = this
    const isUsedUp = atMillis >= this.firstMillis + this.count * stepMillis
    this.usedUp = isUsedUp ? this.usedUp + this.count : 0
    this.version = foresight.version
    this.firstMillis = atMillis
    this.count = 0
    const ahead = Math.ceil((foresight.untilMillis - atMillis) / stepMillis)
    if (ahead <= 0) return -1
    const count = Math.min(ahead, Math.max(1, this.usedUp >> 1), mostTicks)
    const wanted = count * places.length
    if (this.mids.length < wanted) this.mids = new Float64Array(2 * wanted)
    for (let place = 0; place < places.length; place += 1) {
      const column = { first: place, step: places.length, count }
      foresight.writeMids(places[place] ?? 0, atMillis, stepMillis, column, this.mids)
    }
    this.count = count
    return 0
  }
}
