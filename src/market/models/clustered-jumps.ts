import { element } from '../../numeric/columns.ts'
import { exp } from '../../numeric/portable-math.ts'
import { createStream, type RandomStream } from '../../numeric/random.ts'
import { millisPerDay, millisPerMinute } from '../../numeric/time-text.ts'
import { number, type RecordOf, record, span } from '../../shape/shape.ts'
import { CachedMinutes } from './cached-minutes.ts'
import { type CommonDraws, CommonNormals } from './common-draws.ts'
import { blockMinutes } from './stepped-path.ts'

/** Shape of jumps that trigger more jumps; used by the model `hawkes` and by the factors of `market`. */
export const hawkesJumps = record(
  {
    perDay: number(0, 10_000, 'Jumps per day that no other jump triggers.', { default: 0.21 }),
    branching: number(0, 0.95, 'How many others each jump triggers, on average.', { default: 0.3 }),
    decayMillis: span(1000, millisPerDay, 'Mean time from a jump to one that it triggers.', {
      default: 600_000,
    }),
    size: number(0, 1000, 'Size of a jump, in standard deviations of a minute.', { default: 8 }),
    tilt: number(-10, 10, 'A jump is size * (z - tilt).', { default: 0.1 }),
  },
  'Jumps that trigger more jumps.',
)

export type HawkesJumps = RecordOf<typeof hawkesJumps>

/**
 * Returns the average number of jumps in the time that a cluster can last. All of them are read for one block,
 * so a specification bounds it.
 */
export function countJumpsWithinReach(spec: HawkesJumps): number {
  return computeJumpsPerMinute(spec) * computeClusterMinutes(spec)
}

/**
 * Jumps of a Hawkes process as clusters (Hawkes and Oakes 1974): spontaneous jumps come as a Poisson process,
 * and each triggers a Poisson number of others after exponential times, and so on. A block's clusters come from
 * its own stream, so any block's jumps are found by reading as many earlier blocks as a cluster can reach:
 * twenty times its mean depth. A later jump has a probability of about e^-20 and is left out.
 */
export class ClusteredJumps {
  private readonly spec: HawkesJumps
  private readonly common: CommonDraws
  private readonly purpose: string
  private readonly decayMinutes: number
  private readonly reachBlocks: number
  private readonly blocks: CachedMinutes<BlockJumps>

  constructor(spec: HawkesJumps, common: CommonDraws, purpose: string) {
    this.spec = spec
    this.common = common
    this.purpose = purpose
    this.decayMinutes = spec.decayMillis / millisPerMinute
    this.reachBlocks = Math.ceil(computeClusterMinutes(spec) / blockMinutes)
    let places = 2
    while (places <= this.reachBlocks) places *= 2
    this.blocks = new CachedMinutes<BlockJumps>(
      places,
      () => ({ minutes: [], normals: [] }),
      (block, clusters) => this.drawBlock(block, clusters),
    )
  }

  /** Jumps per minute in the long run. */
  get perMinute(): number {
    return computeJumpsPerMinute(this.spec)
  }

  /** Mean sum of the jumps of a minute, in standard deviations of a minute. */
  get meanSize(): number {
    return -this.perMinute * this.spec.size * this.spec.tilt
  }

  /** Mean sum of the squared jumps of a minute, in variances of a minute. */
  get meanSquare(): number {
    return this.perMinute * this.squareOfOne
  }

  /** Mean square of one jump, in variances of a minute. */
  get squareOfOne(): number {
    const { size, tilt } = this.spec
    return size * size * (1 + tilt * tilt)
  }

  /** Adds the sizes of a block's jumps to its minutes, in standard deviations of a minute. */
  addSizes(block: number, sizes: Float64Array): void {
    const { size, tilt } = this.spec
    for (let origin = block - this.reachBlocks; origin <= block; origin += 1) {
      const { minutes, normals } = this.blocks.at(origin)
      for (let i = 0; i < minutes.length; i += 1) {
        const at = Math.floor(minutes[i] ?? 0) - block * blockMinutes
        if (at >= 0 && at < blockMinutes) sizes[at] = element(sizes, at) + size * ((normals[i] ?? 0) - tilt)
      }
    }
  }

  /** Writes the expected jumps per minute at the start of each minute of a block, given the jumps before. */
  fillIntensities(block: number, intensities: Float64Array): void {
    const { perDay, branching } = this.spec
    intensities.fill(perDay / 1440)
    const first = block * blockMinutes
    for (let origin = block - this.reachBlocks; origin <= block; origin += 1) {
      for (const at of this.blocks.at(origin).minutes) {
        for (let i = Math.max(0, Math.ceil(at - first)); i < blockMinutes; i += 1) {
          const decayed = exp((at - first - i) / this.decayMinutes)
          if (decayed < 1e-9) break
          intensities[i] = element(intensities, i) + (branching / this.decayMinutes) * decayed
        }
      }
    }
  }

  private drawBlock(block: number, clusters: BlockJumps): void {
    const { minutes, normals } = clusters
    const { seed, symbol } = this.common.names
    const stream = createStream(seed, `${this.purpose}/jumps`, symbol, block)
    const sizes = new CommonNormals(this.common, `${this.purpose}/sizes`, block)
    const first = block * blockMinutes
    minutes.length = 0
    normals.length = 0
    const own = stream.poisson((this.spec.perDay / 1440) * blockMinutes)
    for (let i = 0; i < own; i += 1) minutes.push(first + stream.uniform() * blockMinutes)
    const endMinute = first + (this.reachBlocks + 1) * blockMinutes
    for (let parent = 0; parent < minutes.length && minutes.length < maximumJumps; parent += 1) {
      this.addOffspring(minutes[parent] ?? 0, endMinute, stream, minutes)
    }
    for (let i = 0; i < minutes.length; i += 1) normals.push(sizes.draw(stream))
  }

  private addOffspring(parent: number, endMinute: number, stream: RandomStream, minutes: number[]): void {
    for (let left = stream.poisson(this.spec.branching); left > 0; left -= 1) {
      const at = parent + this.decayMinutes * stream.exponential()
      if (at < endMinute) minutes.push(at)
    }
  }
}

function computeJumpsPerMinute({ branching, perDay }: HawkesJumps): number {
  return perDay / 1440 / (1 - branching)
}

/** Returns how long a cluster can last, minutes. */
function computeClusterMinutes({ branching, decayMillis }: HawkesJumps): number {
  return (20 * (decayMillis / millisPerMinute)) / (1 - branching)
}

/** Choice: largest number of jumps of one block's clusters, far more than any valid specification makes. */
const maximumJumps = 100_000

/** Jumps of all clusters that begin in one block. */
interface BlockJumps {
  /** Instants in minutes after the market's start, parents before their offspring. */
  readonly minutes: number[]
  readonly normals: number[]
}
