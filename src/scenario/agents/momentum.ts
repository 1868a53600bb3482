import { buy, sell } from '../../engine/codes.ts'
import { quantitySteps } from '../../numeric/units.ts'
import type { MakeBehaviour } from './behaviour.ts'
import { numbersOf, recordOf } from './behaviour.ts'
import type { Parameters } from './parameters.ts'
import { midTicksOf, positionSteps, stepsWorth, takeAtMarket, usdWorth } from './trading.ts'

export const momentumParameters: Parameters = {
  every: {
    kind: 'duration',
    fallback: '20s',
    minimumMillis: 1,
    description: 'How often it samples the mid.',
  },
  short: {
    kind: 'integer',
    fallback: 20,
    minimum: 1,
    maximum: 10_000,
    below: 'long',
    description: 'Samples in the short average.',
  },
  long: {
    kind: 'integer',
    fallback: 50,
    minimum: 2,
    maximum: 10_000,
    description: 'Samples in the long average; the agent waits until it has this many.',
  },
  thresholdBps: {
    kind: 'number',
    fallback: 1,
    minimum: 0,
    maximum: 10_000,
    description: 'How far the short average must be from the long one.',
  },
  valueUsd: {
    kind: 'number',
    fallback: 5_000,
    minimum: 0.01,
    maximum: 1e9,
    description: 'Value of an order.',
  },
  maxPositionUsd: {
    kind: 'number',
    fallback: 50_000,
    minimum: 0,
    maximum: 1e12,
    description: 'Maximum position, long or short, at which it still adds to it.',
  },
}

/** Follows the trend: buys while a short average of the mid is above a long one, sells while it is below. */
export const makeMomentum: MakeBehaviour = (spec, _context, read) => {
  /** The mids seen so far, oldest first, as many as the long average needs. */
  let mids: number[] = []
  return {
    begin: (now) => now,
    act: (venue) => {
      const { state } = venue
      const long = read('long')
      const short = Math.min(long, read('short'))
      const mid = midTicksOf(state, spec.asset)
      mids = [...mids, mid].slice(-long)
      if (mids.length === long) {
        const gapBps = (average(mids.slice(-short)) / average(mids) - 1) * 10_000
        const threshold = read('thresholdBps')
        const steps = stepsWorth(state, spec.asset, read('valueUsd'), mid)
        const position = positionSteps(state, spec.account, spec.asset)
        const most = read('maxPositionUsd') / usdWorth(state, spec.asset, 1, mid)
        const room = gapBps > threshold ? most - position : gapBps < -threshold ? most + position : 0
        const size = quantitySteps(Math.max(0, Math.min(steps, Math.floor(room))))
        if (size > 0) takeAtMarket(venue, spec, gapBps > 0 ? buy : sell, size)
      }
      return state.nowMillis + read('every')
    },
    capture: () => ({ mids: [...mids] }),
    restore: (captured) => {
      mids = numbersOf(recordOf(captured)['mids'])
    },
  }
}

function average(figures: readonly number[]): number {
  return figures.reduce((sum, figure) => sum + figure, 0) / figures.length
}
