import { expect, test } from 'vitest'
import { createOrnsteinUhlenbeckProcess } from '../../../src/market/models/gaussian-process.ts'

/* What makes the values of one process, however its spans are cut. */

test.each([
  [0.001, 1],
  [0.05, 16],
  [0.7, 3],
])(
  'with a pull of %d a minute, spans of %d minutes and twice as many are of one process',
  (pull, minutes) => {
    const sd = 0.3
    const process = createOrnsteinUhlenbeckProcess(0, pull, sd)
    const [one, two] = [process.transition(minutes), process.transition(2 * minutes)]
    expect(one.weight).toBeCloseTo(Math.exp(-pull * minutes), 12)
    expect(two.weight).toBeCloseTo(one.weight ** 2, 12)
    expect(two.deviation ** 2).toBeCloseTo(one.deviation ** 2 * (1 + one.weight ** 2), 12)
    // A value of the long run stays one.
    expect(one.weight ** 2 * sd ** 2 + one.deviation ** 2).toBeCloseTo(sd ** 2, 12)
    // The middle given both ends, as that of any Gaussian chain.
    const middle = process.middle(minutes)
    expect(middle.weight).toBeCloseTo((one.weight * one.deviation ** 2) / two.deviation ** 2, 12)
    expect(middle.deviation).toBeCloseTo(one.deviation ** 2 / two.deviation, 12)
    expect(process.secondVariance).toBeCloseTo((2 * pull * sd ** 2) / 60, 12)
  },
)
