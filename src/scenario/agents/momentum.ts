import { buy, sell } from '../../engine/codes.ts'
import { quantitySteps } from '../../numeric/units.ts'
import { integer, number, record, span } from '../../shape/shape.ts'
import { hundredYearsMillis } from '../../shape/spec-checks.ts'
import { defineAgent } from './behaviour.ts'
import {
  computeMidTicks,
  computeStepsWorth,
  computeUsdWorth,
  positionSteps,
  takeAtMarket,
} from './trading.ts'

/** Follows the trend: buys while a short average of the mid is above a long one, and sells while it is below. */
export const momentum = defineAgent({
  shape: record(
    {
      every: span(1, hundredYearsMillis, 'How often it samples the mid.', { default: 20_000 }),
      short: integer(1, 10_000, 'Samples in the short average.', { default: 20 }),
      long: integer(2, 10_000, 'Samples in the long average; the agent waits until it has this many.', {
        default: 50,
      }),
      thresholdBps: number(0, 10_000, 'How far the short average must be from the long one.', { default: 1 }),
      valueUsd: number(0.01, 1e9, 'Value of an order.', { default: 5_000 }),
      maxPositionUsd: number(
        0,
        1e12,
        'Maximum position, long or short, up to which it adds to its position.',
        {
          default: 50_000,
        },
      ),
    },
    'Follows the trend: compares a short average of the mid with a long one.',
  ),
  below: [['short', 'long']],
  /** The mids seen so far, oldest first, as many as the long average needs. */
  initial: (): { mids: readonly number[] } => ({ mids: [] }),
  act: ({ spec, state, read }, venue) => {
    const long = read('long')
    const short = Math.min(long, read('short'))
    const mid = computeMidTicks(venue.state, spec.asset)
    state.mids = [...state.mids, mid].slice(-long)
    if (state.mids.length === long) {
      const gapBps = (average(state.mids.slice(-short)) / average(state.mids) - 1) * 10_000
      const threshold = read('thresholdBps')
      const steps = computeStepsWorth(venue.state, spec.asset, read('valueUsd'), mid)
      const position = positionSteps(venue.state, spec.account, spec.asset)
      const most = read('maxPositionUsd') / computeUsdWorth(venue.state, spec.asset, 1, mid)
      const room = gapBps > threshold ? most - position : gapBps < -threshold ? most + position : 0
      const size = quantitySteps(Math.max(0, Math.min(steps, Math.floor(room))))
      if (size > 0) takeAtMarket(venue, spec, gapBps > 0 ? buy : sell, size)
    }
    return venue.state.nowMillis + read('every')
  },
})

function average(figures: readonly number[]): number {
  return figures.reduce((sum, figure) => sum + figure, 0) / figures.length
}
