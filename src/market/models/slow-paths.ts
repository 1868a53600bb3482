import { element } from '../../numeric/columns.ts'
import { log } from '../../numeric/portable-math.ts'
import { createStream } from '../../numeric/random.ts'
import { createOrnsteinUhlenbeckProcess } from './gaussian-process.ts'
import { MinuteTree } from './minute-tree.ts'
import type { StreamNames } from './price-model.ts'
import { blockMinutes } from './stepped-path.ts'

/** Minutes between two values of a path that is drawn within blocks. */
export const partMinutes = 16
export const partsOfBlock = blockMinutes / partMinutes

/**
 * Creates a stationary Ornstein-Uhlenbeck process of variance 1 that is drawn every so many minutes: 16, or 256
 * for once a block. Readers go from one value to the next in a straight line, which processes that need longer
 * to change do not show.
 */
export function createSlowPath(
  halfLifeMinutes: number,
  everyMinutes: number,
  names: StreamNames,
  purpose: string,
): MinuteTree {
  const start = createStream(names.seed, `${purpose}/start`, names.symbol, 0).normal()
  const process = createOrnsteinUhlenbeckProcess(start, log(2) / halfLifeMinutes, 1)
  return new MinuteTree(process, names, purpose, everyMinutes)
}

/** Straight line over a block through what a path is at both ends. */
export class BlockLine {
  private readonly path: MinuteTree

  constructor(halfLifeMinutes: number, names: StreamNames, purpose: string) {
    this.path = createSlowPath(halfLifeMinutes, blockMinutes, names, purpose)
  }

  /** Writes the values at the starts of the sixteen parts of a block, and at its end. */
  fillParts(index: number, values: Float64Array): void {
    const from = this.path.at(index * blockMinutes)
    const step = (this.path.at((index + 1) * blockMinutes) - from) / partsOfBlock
    for (let part = 0; part <= partsOfBlock; part += 1) values[part] = from + part * step
  }
}

/** Writes the weighted sum of two paths at the starts of the sixteen parts of a block, and at its end. */
export function fillWeighted(
  index: number,
  [left, leftWeight]: readonly [MinuteTree, number],
  [right, rightWeight]: readonly [MinuteTree, number],
  values: Float64Array,
): void {
  for (let part = 0; part <= partsOfBlock; part += 1) {
    const minute = index * blockMinutes + part * partMinutes
    values[part] = leftWeight * left.at(minute) + rightWeight * right.at(minute)
  }
}

/** Returns the value at a minute of a block, on the straight line between two parts. */
export function interpolateParts(values: Float64Array, minute: number): number {
  const part = Math.floor(minute / partMinutes)
  const from = element(values, part)
  return from + ((element(values, part + 1) - from) * (minute - part * partMinutes)) / partMinutes
}
