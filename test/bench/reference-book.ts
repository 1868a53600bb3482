import type { Level, Met } from './checksum.ts'

/*
 * The plainest correct order book: sorted arrays of arrays, and no index but one map. It is used to make the workloads
 * (to know what rests), and determines what every contender must end with. It shares no code with the engine.
 */

interface Resting {
  readonly order: number
  readonly side: number
  priceTicks: number
  remaining: number
}

interface PriceLevel {
  readonly priceTicks: number
  readonly queue: Resting[]
}

export class ReferenceBook {
  fills = 0
  readonly resting = new Map<number, Resting>()
  private filled: number[] = []
  /** By side, best first. */
  private readonly sides: readonly [PriceLevel[], PriceLevel[]] = [[], []]

  /** Matches, then rests what is left; returns the quantity that traded. */
  place(order: number, side: number, priceTicks: number, quantitySteps: number): number {
    const traded = this.match(side, priceTicks, quantitySteps, null)
    if (traded < quantitySteps) this.rest({ order, side, priceTicks, remaining: quantitySteps - traded })
    return traded
  }

  /** Matches and drops what is left. */
  take(side: number, priceTicks: number, quantitySteps: number): number {
    return this.match(side, priceTicks, quantitySteps, null)
  }

  cancel(order: number): void {
    const resting = this.restingOf(order)
    const levels = this.levelsOf(resting.side)
    const at = placeOf(levels, resting.side, resting.priceTicks)
    const queue = levels[at]?.queue ?? []
    queue.splice(queue.indexOf(resting), 1)
    if (queue.length === 0) levels.splice(at, 1)
    this.resting.delete(order)
  }

  move(order: number, priceTicks: number): number {
    const { side, remaining } = this.restingOf(order)
    this.cancel(order)
    return this.place(order, side, priceTicks, remaining)
  }

  /** Best price of a side, or `otherwise` when it is empty. */
  best(side: number, otherwise: number): number {
    return this.levelsOf(side)[0]?.priceTicks ?? otherwise
  }

  /** Quantity of the first order at the best price, or 0. */
  headSteps(side: number): number {
    return this.levelsOf(side)[0]?.queue[0]?.remaining ?? 0
  }

  /** Makers that were filled since the last call. */
  takeFilled(): readonly number[] {
    const filled = this.filled
    this.filled = []
    return filled
  }

  levels(side: number): readonly Level[] {
    return this.levelsOf(side).map((level): Level => {
      let quantitySteps = 0
      for (const resting of level.queue) quantitySteps += resting.remaining
      return [level.priceTicks, quantitySteps]
    })
  }

  get levelCount(): number {
    return this.sides[0].length + this.sides[1].length
  }

  /** A market order into `side`; records the makers that it meets. */
  sweep(side: number, steps: number): readonly Met[] {
    const met: Met[] = []
    this.match(1 - side, side === 0 ? 0 : Number.MAX_SAFE_INTEGER, steps, met)
    return met
  }

  private match(side: number, priceTicks: number, quantitySteps: number, met: Met[] | null): number {
    const levels = this.levelsOf(1 - side)
    let left = quantitySteps
    for (let level = levels[0]; left > 0 && level !== undefined; level = levels[0]) {
      if (side === 0 ? level.priceTicks > priceTicks : level.priceTicks < priceTicks) break
      const maker = level.queue[0]
      if (maker === undefined) throw new Error('an empty level is in the reference book')
      const steps = Math.min(left, maker.remaining)
      left -= steps
      maker.remaining -= steps
      this.fills += 1
      met?.push([maker.order, steps])
      if (maker.remaining > 0) continue
      level.queue.shift()
      this.resting.delete(maker.order)
      this.filled.push(maker.order)
      if (level.queue.length === 0) levels.shift()
    }
    return quantitySteps - left
  }

  private rest(resting: Resting): void {
    const levels = this.levelsOf(resting.side)
    const at = placeOf(levels, resting.side, resting.priceTicks)
    const level = levels[at]
    if (level?.priceTicks === resting.priceTicks) level.queue.push(resting)
    else levels.splice(at, 0, { priceTicks: resting.priceTicks, queue: [resting] })
    this.resting.set(resting.order, resting)
  }

  private levelsOf(side: number): PriceLevel[] {
    return side === 0 ? this.sides[0] : this.sides[1]
  }

  private restingOf(order: number): Resting {
    const resting = this.resting.get(order)
    if (resting === undefined) throw new Error(`order ${order} does not rest`)
    return resting
  }
}

/** The place where a price is, or would be, among levels sorted best first. */
function placeOf(levels: readonly PriceLevel[], side: number, priceTicks: number): number {
  let low = 0
  let high = levels.length
  while (low < high) {
    const middle = (low + high) >>> 1
    const at = levels[middle]?.priceTicks ?? 0
    if (side === 0 ? at > priceTicks : at < priceTicks) low = middle + 1
    else high = middle
  }
  return low
}
