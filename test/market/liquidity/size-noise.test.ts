import fc from 'fast-check'
import { expect, it } from 'vitest'
import { SizeNoise } from '../../../src/market/liquidity/size-noise.ts'
import { exp } from '../../../src/numeric/portable-math.ts'
import { createStream } from '../../../src/numeric/random.ts'

const names = { seed: '7', symbol: 'BTC' }
const sd = 0.4
const halfLifeMillis = 5_000
const blockMillis = 12 * halfLifeMillis

/**
 * Returns the factor computed from scratch: all thirteen knots of all levels down to this one, without a cache.
 */
function naiveFactor(side: 0 | 1, level: number, offsetMillis: number): number {
  const block = Math.floor(offsetMillis / blockMillis)
  const starts = createStream(names.seed, 'flicker/ends', names.symbol, block)
  const ends = createStream(names.seed, 'flicker/ends', names.symbol, block + 1)
  const inside = createStream(names.seed, 'flicker', names.symbol, block)
  const lines: number[][] = []
  while (lines.length < 2 * level + 2) {
    const line = [starts.normal()]
    const end = ends.normal()
    for (let left = 11; left >= 1; left -= 1) {
      const kept = 0.5 ** left
      const whole = 1 - 0.25 * kept * kept
      const mean = ((0.5 * (1 - kept * kept)) / whole) * Number(line.at(-1)) + ((kept * 0.75) / whole) * end
      line.push(mean + Math.sqrt((0.75 * (1 - kept * kept)) / whole) * inside.normal())
    }
    lines.push([...line, end])
  }
  const within = (offsetMillis - block * blockMillis) / halfLifeMillis
  const knot = Math.floor(within)
  const after = within - knot
  const [from = 0, to = 0] = lines[2 * level + side]?.slice(knot, knot + 2) ?? []
  const y = ((1 - after) * from + after * to) / Math.sqrt(1 - (1 - after) * after)
  return exp(sd * y - 0.5 * sd * sd)
}

const reads = fc.array(
  fc.record({
    side: fc.constantFrom(0 as const, 1 as const),
    level: fc.nat(9),
    offsetMillis: fc.oneof(
      fc.integer({ min: -3, max: 4 }).map((block) => block * blockMillis),
      fc.integer({ min: -3 * 12, max: 4 * 12 }).map((knot) => knot * halfLifeMillis),
      fc.integer({ min: -3 * blockMillis, max: 4 * blockMillis }),
    ),
  }),
  { minLength: 1, maxLength: 40 },
)

it('gives one factor per instant, whatever was read before', () => {
  fc.assert(
    fc.property(reads, (asked) => {
      const sizeNoise = new SizeNoise(sd, halfLifeMillis, names)
      for (const { side, level, offsetMillis } of asked)
        expect(sizeNoise.factorAt(side, level, offsetMillis)).toBeCloseTo(
          naiveFactor(side, level, offsetMillis),
          12,
        )
    }),
    { numRuns: 200 },
  )
})
