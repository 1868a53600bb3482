import fc from 'fast-check'
import alea from 'seedrandom/lib/alea.js'
import { describe, expect, it, test } from 'vitest'
import { InvariantError } from '../../src/numeric/assert.ts'
import { Hash128 } from '../../src/numeric/hash.ts'
import {
  createStream,
  makePoissonTable,
  RandomStream,
  resumeStream,
  StreamSeries,
} from '../../src/numeric/random.ts'
import { caseBudget } from '../support/full-run.ts'

describe('streams', () => {
  it('give the same draws for the same four names, and different ones otherwise', () => {
    const draws = (seed: string, purpose: string, asset: string, block: number): string => {
      const stream = createStream(seed, purpose, asset, block)
      return [stream.uniform(), stream.uniform(), stream.uniform()].join(' ')
    }
    expect(draws('7', 'price', 'BTC', 0)).toBe(draws('7', 'price', 'BTC', 0))
    const others = [
      draws('7', 'price', 'BTC', 0),
      draws('8', 'price', 'BTC', 0),
      draws('7', 'flow', 'BTC', 0),
      draws('7', 'price', 'ETH', 0),
      draws('7', 'price', 'BTC', 1),
      draws('7', 'price', 'BTC', -1),
    ]
    expect(new Set(others).size).toBe(others.length)
  })

  it('are those of seedrandom alea under the documented key', () => {
    const stream = createStream('7', 'price', 'BTC', 0)
    expect([stream.uniform(), stream.uniform()]).toEqual([0.20903315254658128, 0.1404269062666943])
  })

  it('are those of seedrandom alea under any key', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.string(), fc.integer(), (seed, asset, block) => {
        const stream = createStream(seed, 'flow', asset, block)
        const theirs = alea(`${seed}/flow/${asset}/${block}`, { state: true })
        for (let draw = 0; draw < 20; draw += 1) expect(stream.uniform()).toBe(theirs.double())
      }),
      { seed: 7, numRuns: caseBudget(1000) },
    )
  })

  it('are the same by themselves and in a series, in whatever order its blocks are asked for', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary' }),
        fc.string(),
        fc.array(fc.oneof(fc.integer(), fc.integer({ min: -30, max: 30 })), { minLength: 1, maxLength: 20 }),
        (seed, asset, blocks) => {
          const series = new StreamSeries(seed, 'flow', asset)
          for (const block of blocks)
            expect(series.at(block).state()).toEqual(createStream(seed, 'flow', asset, block).state())
        },
      ),
      { seed: 7, numRuns: caseBudget(500) },
    )
  })

  it('continue from a saved state as if they had never stopped', () => {
    fc.assert(
      fc.property(fc.string(), fc.nat(50), (seed, skip) => {
        const stream = createStream(seed, 'flow', 'ETH', 3)
        for (let k = 0; k < skip; k++) stream.uniform()
        const twin = resumeStream(stream.state())
        for (let k = 0; k < 5; k++) expect(twin.uniform()).toBe(stream.uniform())
      }),
      { seed: 7, numRuns: caseBudget(200) },
    )
  })

  it('give the same 10,000 draws of every kind on every engine', () => {
    const digest = new Hash128()
    for (let block = 0; block < 100; block++) {
      const stream = createStream('golden', 'test', 'BTC', block)
      for (let k = 0; k < 25; k++) {
        digest.addInteger(stream.uniform())
        digest.addInteger(stream.normal())
        digest.addInteger(stream.poisson(k * k))
        digest.addInteger(stream.integer(1 + k * 1e9))
      }
    }
    expect(digest.digest()).toBe('0cf878e3de36566d95c504cf948c6f04')
  })
})

/** Always the same uniform. */
class Uniforms extends RandomStream {
  draws = 0
  private readonly value: number

  constructor(value: number) {
    super(0, 0, 0, 0)
    this.value = value
  }

  override uniform(): number {
    this.draws += 1
    return this.value
  }
}

test('a Poisson variable is the same from its table', () => {
  const uniforms = fc.oneof(
    fc.double({ min: 2 ** -54, max: 1 - 2 ** -53, noNaN: true }),
    fc.constant(1 - 2 ** -53),
  )
  fc.assert(
    fc.property(
      fc.oneof(fc.constant(0.85), fc.double({ min: 0, max: 256, noNaN: true })),
      uniforms,
      (mean, uniform) => {
        const stream = new Uniforms(uniform)
        expect(stream.poissonFromTable(makePoissonTable(mean))).toBe(stream.poisson(mean))
      },
    ),
    { seed: 7, numRuns: caseBudget(2000) },
  )
})

describe('distributions', () => {
  const size = 100_000
  const sample = (
    draw: () => number,
  ): { mean: number; variance: number; smallest: number; largest: number } => {
    let sum = 0
    let squares = 0
    let smallest = Number.POSITIVE_INFINITY
    let largest = Number.NEGATIVE_INFINITY
    for (let k = 0; k < size; k++) {
      const value = draw()
      sum += value
      squares += value * value
      smallest = Math.min(smallest, value)
      largest = Math.max(largest, value)
    }
    const mean = sum / size
    return { mean, variance: squares / size - mean * mean, smallest, largest }
  }

  it('uniform lies strictly inside 0 and 1', () => {
    const stream = createStream('7', 'uniform', '', 0)
    const { mean, variance, smallest, largest } = sample(() => stream.uniform())
    expect(Math.abs(mean - 1 / 2)).toBeLessThan(0.004)
    expect(Math.abs(variance - 1 / 12)).toBeLessThan(0.002)
    expect(smallest).toBeGreaterThan(0)
    expect(largest).toBeLessThan(1)
  })

  it('uniform is never 0, even when its generator returns 0', () => {
    expect(resumeStream([0, 0, 0, 0]).uniform()).toBe(2 ** -54)
  })

  it('normal has mean 0, variance 1 and tails', () => {
    const stream = createStream('7', 'normal', '', 0)
    const { mean, variance, smallest, largest } = sample(() => stream.normal())
    expect(Math.abs(mean)).toBeLessThan(0.015)
    expect(Math.abs(variance - 1)).toBeLessThan(0.02)
    expect(smallest).toBeLessThan(-3.5)
    expect(largest).toBeGreaterThan(3.5)
  })

  it('exponential has mean 1 and variance 1, and is never below 0', () => {
    const stream = createStream('7', 'exponential', '', 0)
    const { mean, variance, smallest } = sample(() => stream.exponential())
    expect(Math.abs(mean - 1)).toBeLessThan(5 / Math.sqrt(size))
    expect(Math.abs(variance - 1)).toBeLessThan(5 * Math.sqrt(8 / size))
    expect(smallest).toBeGreaterThanOrEqual(0)
  })

  it.each([2, 2.5, 7, 100])(
    'chi-square of %d degrees of freedom has that mean, and twice that variance',
    (freedom) => {
      const stream = createStream('7', 'chi-square', '', 0)
      const { mean, variance, smallest } = sample(() => stream.chiSquare(freedom))
      expect(Math.abs(mean - freedom)).toBeLessThan(5 * Math.sqrt((2 * freedom) / size))
      expect(Math.abs(variance / (2 * freedom) - 1)).toBeLessThan(0.04)
      expect(smallest).toBeGreaterThan(0)
    },
  )

  it('chi-square of 2 degrees of freedom is exponential: half of it exceeds 2 ln 2', () => {
    const stream = createStream('7', 'median', '', 0)
    let beyond = 0
    for (let k = 0; k < size; k++) if (stream.chiSquare(2) > 2 * Math.LN2) beyond += 1
    expect(Math.abs(beyond / size - 0.5)).toBeLessThan(2.5 / Math.sqrt(size))
    expect(() => stream.chiSquare(1)).toThrow(InvariantError)
    expect(() => stream.chiSquare(1e9)).toThrow(InvariantError)
  })

  it.each([0.01, 1, 12.5, 300])('poisson of mean %d has that mean and variance', (expected) => {
    const stream = createStream('7', 'poisson', '', 0)
    const { mean, variance, smallest } = sample(() => stream.poisson(expected))
    expect(Math.abs(mean - expected)).toBeLessThan(5 * Math.sqrt(expected / size))
    expect(Math.abs(variance / expected - 1)).toBeLessThan(expected < 1 ? 0.15 : 0.03)
    expect(smallest).toBeGreaterThanOrEqual(0)
  })

  it('poisson of mean 0 is 0 and draws nothing', () => {
    const stream = createStream('7', 'poisson', '', 0)
    const before = stream.state()
    expect(stream.poisson(0)).toBe(0)
    expect(stream.state()).toEqual(before)
  })

  it('poisson draws one uniform for each 256 of its mean', () => {
    const drawsOf = (mean: number): number => {
      const stream = new Uniforms(0.5)
      stream.poisson(mean)
      return stream.draws
    }
    expect([0, 0.1, 256, 256.5, 512, 513].map(drawsOf)).toEqual([0, 1, 1, 2, 2, 3])
  })

  it('poisson of the largest and the smallest uniform is finite', () => {
    const at = (uniform: number): RandomStream => new Uniforms(uniform)
    for (const mean of [0.001, 1, 7.7, 60, 256]) {
      const spread = 12 * Math.sqrt(mean) + 30
      expect(at(1 - 2 ** -53).poisson(mean)).toBeLessThan(mean + spread)
      expect(at(2 ** -54).poisson(mean)).toBeLessThanOrEqual(mean)
    }
  })

  it('integer returns each of its values and no others', () => {
    const stream = createStream('7', 'integer', '', 0)
    const counts = [0, 0, 0, 0, 0, 0]
    for (let k = 0; k < 60_000; k++) {
      const value = stream.integer(6)
      counts[value] = (counts[value] ?? 0) + 1
    }
    expect(counts).toHaveLength(6)
    for (const count of counts) expect(Math.abs(count - 10_000)).toBeLessThan(500)
    expect(stream.integer(1)).toBe(0)
    expect(stream.integer(Number.MAX_SAFE_INTEGER)).toBeLessThan(Number.MAX_SAFE_INTEGER)
  })

  it.each([Number.NaN, -1, Number.POSITIVE_INFINITY])('poisson refuses a mean of %d', (mean) => {
    expect(() => createStream('7', 'poisson', '', 0).poisson(mean)).toThrow(InvariantError)
  })

  it.each([0, -1, 1.5, Number.NaN])('integer refuses a bound of %d', (bound) => {
    expect(() => createStream('7', 'integer', '', 0).integer(bound)).toThrow(InvariantError)
  })
})
