import type { FlowContext } from '../../../src/market/flow/flow.ts'
import { createStream } from '../../../src/numeric/random.ts'

/** Surroundings of takers whose price never moves. */
export const stillAround = (intensityIn: (minute: number) => number = () => 1): FlowContext => ({
  intensityIn,
  fillSeconds: (_, prices) => {
    prices.fill(50_000)
  },
})

/** Surroundings of takers whose price moves a basis point a second, and turns back to where it was each minute. */
export const movingAround = (intensityIn: (minute: number) => number = () => 1): FlowContext => ({
  intensityIn,
  fillSeconds: (minute, prices) => {
    const stream = createStream('7', 'seconds', 'test', minute)
    prices[0] = 50_000
    for (let second = 1; second < 60; second += 1)
      prices[second] = (prices[second - 1] ?? 1) * (1 + 1e-4 * stream.normal())
    prices[60] = 50_000
  },
})
