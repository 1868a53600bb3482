import { none } from '../../engine/codes.ts'
import { topOfBook } from '../../engine/reports/top-of-book.ts'
import { type State, stateOf } from '../../engine/state.ts'
import { computeFundamental } from '../../market/path-override.ts'
import { createStream, resumeStream } from '../../numeric/random.ts'
import { number, record, span } from '../../shape/shape.ts'
import { hundredYearsMillis } from '../../shape/spec-checks.ts'
import { defineAgent } from './behaviour.ts'
import { computeStepsWorth, roundLimitTicks, takeWithinLimit, toSide } from './trading.ts'

/**
 * Takes prices that have not followed the market. It knows where the rest of the world trades (the fundamental price,
 * even while this venue's feed stands still), and takes a bid above that price or an ask below it, whoever made them.
 */
export const sniper = defineAgent({
  shape: record(
    {
      every: span(1, hundredYearsMillis, 'How often it looks at the book.', { default: 250 }),
      edgeBps: number(
        0,
        5_000,
        'How far the best price must be on the wrong side of the true one, fees included.',
        { default: 5 },
      ),
      patience: span(0, hundredYearsMillis, 'How long a price must have been stale before it is hit.', {
        default: 250,
      }),
      hitShare: number(0, 1, 'Share of its opportunities for which it is fast enough.', { default: 0.9 }),
      valueUsd: number(0.01, 1e9, 'Maximum value that it takes at once.', { default: 100_000 }),
    },
    'Takes prices that have not followed the fundamental one.',
  ),
  /** Since when the best price of each side has been wrong; -1 while it is not. */
  initial: ({ id }, { seed }) => ({
    stream: createStream(`${seed}/agent/${id}`, 'chances', '', 0).state(),
    bidSince: -1,
    askSince: -1,
  }),
  act: ({ spec, state, read }, venue) => {
    const now = venue.state.nowMillis
    const fair = computeFairTicks(venue.state, spec.asset)
    const { bidTicks, askTicks } = topOfBook(venue.state, spec.asset)
    const edge = read('edgeBps') / 10_000
    const stream = resumeStream(state.stream)
    for (const side of ['bid', 'ask'] as const) {
      const since = `${side}Since` as const
      const worst = fair * (side === 'bid' ? 1 + edge : 1 - edge)
      const isWrong =
        side === 'bid' ? bidTicks !== none && bidTicks > worst : askTicks !== none && askTicks < worst
      if (!isWrong) state[since] = -1
      else if (state[since] < 0) state[since] = now
      if (state[since] < 0 || now - state[since] < read('patience')) continue
      // One draw per chance: an agent that was too slow waits until the price is right again, or for another
      // `patience`.
      state[since] = now + 1
      if (stream.uniform() >= read('hitShare')) continue
      const taking = toSide(side === 'ask')
      const ticks = roundLimitTicks(venue.state, spec.asset, taking, worst)
      takeWithinLimit(
        venue,
        spec,
        taking,
        computeStepsWorth(venue.state, spec.asset, read('valueUsd'), fair),
        ticks,
      )
    }
    state.stream = stream.state()
    return now + read('every')
  },
})

/** Returns the price at which the rest of the world trades now, in ticks. */
function computeFairTicks(state: State, asset: number): number {
  const { overrides } = stateOf(state, asset)
  const price = computeFundamental(state.market, asset - 1, overrides, state.gridIndex)
  return price / state.assets.tradedAsset(asset).tickUsd
}
