import { assert, missing } from '../../numeric/assert.ts'
import { element } from '../../numeric/columns.ts'
import { createStream } from '../../numeric/random.ts'
import { CachedMinutes } from './cached-minutes.ts'
import type { GaussianProcess } from './gaussian-process.ts'
import type { StreamNames } from './price-model.ts'

/**
 * Values of a Gaussian Markov process at whole minutes, by Levy's construction: the ends of a span of five
 * centuries are drawn first, then the middle given both ends, and so on down to the minute. A node fills the
 * sixteenths of its span at once, from a stream of its own; seven levels of nodes lie between five centuries
 * and a minute. So any minute costs at most seven nodes, the next one a sixteenth of a node, and it is the same
 * in whatever order minutes are read.
 */
export class MinuteTree {
  private readonly process: GaussianProcess
  private readonly names: StreamNames
  private readonly purpose: string
  private readonly finestMinutes: number
  private readonly lowest: number
  /** Levels of nodes, from the longest span to the shortest; the last four nodes of each level are cached. */
  private readonly levels: readonly CachedMinutes<Float64Array<ArrayBuffer>>[]

  /**
   * Creates a tree. With `finestMinutes` (1, 16, 256...) only multiples of it are read, and nothing finer is
   * drawn.
   */
  constructor(process: GaussianProcess, names: StreamNames, purpose: string, finestMinutes = 1) {
    const lowest = unitMinutes.indexOf(finestMinutes)
    assert(lowest >= 0, 'a tree ends at one of its levels')
    this.finestMinutes = finestMinutes
    this.lowest = lowest
    this.process = process
    this.names = names
    this.purpose = purpose
    this.levels = unitMinutes.map(
      (_, level) =>
        new CachedMinutes(
          4,
          () => new Float64Array(branches + 1),
          (index, values) => this.fill(level, index, values),
        ),
    )
  }

  /** Returns the value at the start of a minute. */
  at(minute: number): number {
    assert(minute >= -longestMinutes && minute < longestMinutes, 'a market lasts at most 510 years')
    const place = minute / this.finestMinutes
    const index = Math.floor(place / branches)
    return element(this.node(this.lowest, index), place - index * branches)
  }

  /** Returns the values at the start of each sixteenth of a node's span, and at its end. */
  private node(level: number, index: number): Float64Array {
    return (this.levels[level] ?? missing('every level of a tree is there')).at(index)
  }

  private fill(level: number, index: number, values: Float64Array): void {
    const unit = unitMinutes[level] ?? 0
    if (level === 0) {
      this.writeEnds(index, values)
    } else {
      const parent = this.node(level - 1, index >> 4)
      values[0] = element(parent, index & 15)
      values[branches] = element(parent, (index & 15) + 1)
    }
    const stream = createStream(this.names.seed, `${this.purpose}/${unit}m`, this.names.symbol, index)
    for (let half = branches / 2; half >= 1; half /= 2) {
      const { weight, deviation } = this.process.middle(half * unit)
      for (let place = half; place < branches; place += 2 * half) {
        const ends = element(values, place - half) + element(values, place + half)
        values[place] = weight * ends + deviation * stream.normal()
      }
    }
  }

  /**
   * Writes the two ends of a longest span. The process is known at minute 0, between the two longest spans, and
   * has the same distribution backwards as forwards.
   */
  private writeEnds(index: number, values: Float64Array): void {
    const { weight, deviation } = this.process.transition(longestMinutes)
    const stream = createStream(this.names.seed, `${this.purpose}/end`, this.names.symbol, index)
    const far = weight * this.process.start + deviation * stream.normal()
    const isAfter = index === 0
    values[0] = isAfter ? this.process.start : far
    values[branches] = isAfter ? far : this.process.start
  }
}

const branches = 16
const longestMinutes = 268_435_456
const unitMinutes = [16_777_216, 1_048_576, 65_536, 4_096, 256, 16, 1]
