import { assert } from '../../numeric/assert.ts'
import { Float64Column } from '../../numeric/columns.ts'

/*
 * Values at the whole numbers, known from 0 outwards: each new one stands beside one that is known. Each value is
 * kept in eight bytes, so what a process has passed through once can be reached directly ever after.
 */
export class OutwardValues {
  private readonly after = new Float64Column()
  private readonly before = new Float64Column()
  private most = 0
  private least = 0

  constructor(start: number) {
    this.after.set(0, start)
  }

  /** The greatest and the least place that is known. */
  get last(): number {
    return this.most
  }

  get first(): number {
    return this.least
  }

  get(place: number): number {
    assert(place <= this.most && place >= this.least, 'a value is known before it is read')
    return place >= 0 ? this.after.get(place) : this.before.get(-place)
  }

  set(place: number, value: number): void {
    assert(place <= this.most + 1 && place >= this.least - 1, 'values are known from 0 outwards')
    if (place >= 0) {
      this.after.reserve(place + 1)
      this.after.set(place, value)
      this.most = Math.max(this.most, place)
    } else {
      this.before.reserve(1 - place)
      this.before.set(-place, value)
      this.least = Math.min(this.least, place)
    }
  }
}
