import { exp } from '../../../src/numeric/portable-math.ts'
import { createStream } from '../../../src/numeric/random.ts'

/** Nanoseconds of one step of geometric Brownian motion, and nothing else. */
export function measureBareStep(best: (work: () => void) => number): number {
  const steps = 2_000_000
  let last = 0
  const millis = best(() => {
    const stream = createStream('7', 'bare', '', 0)
    let price = 50_000
    for (let step = 0; step < steps; step += 1) price *= exp(-5e-9 + 1e-4 * stream.normal())
    last = price
  })
  if (!(last > 0)) throw new Error('A price is above 0')
  return (millis * 1e6) / steps
}
