import type { PriceLookahead } from './host.ts'

const maximumTicks = 1024

/*
 * The mids of ticks to come, in blocks. The strategy may do something at any tick, and then the rest of a block is
 * wasted; so a block is half as long as what has been used up since that last happened.
 */
export class MidLookahead {
  /** A row for each tick, with the wanted assets side by side. */
  mids = new Float64Array(0)
  readonly foresight: PriceLookahead
  private readonly places: readonly number[]
  private readonly stepMillis: number
  private firstMillis = 0
  private count = 0
  private version = -1
  private usedUp = 0

  /** `places` are those of the assets wanted, `stepMillis` is between two ticks. */
  constructor(foresight: PriceLookahead, places: readonly number[], stepMillis: number) {
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
    const ahead = Math.ceil((foresight.midsUntilMillis - atMillis) / stepMillis)
    if (ahead <= 0) return -1
    const count = Math.min(ahead, Math.max(1, this.usedUp >> 1), maximumTicks)
    const wanted = count * places.length
    if (this.mids.length < wanted) this.mids = new Float64Array(2 * wanted)
    for (let place = 0; place < places.length; place += 1) {
      const column = { first: place, step: places.length, count }
      foresight.writeMids(Number(places[place]), atMillis, stepMillis, column, this.mids)
    }
    this.count = count
    return 0
  }
}
