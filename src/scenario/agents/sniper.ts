import { buy, immediateOrCancel, limit, none, type Side, sell } from '../../engine/codes.ts'
import { topOfBook } from '../../engine/reports/top-of-book.ts'
import { type State, stateOf } from '../../engine/state.ts'
import { fundamentalWithOverrides } from '../../market/path-override.ts'
import { createStream } from '../../numeric/random.ts'
import { hundredYearsMillis } from '../../shape/field-problem.ts'
import { number, record, span } from '../../shape/shape.ts'
import {
  type AgentDefinition,
  type AgentSpec,
  type Behaviour,
  capturedNumber,
  capturedRecord,
  capturedStream,
  type ParticipantContext,
  type ReadParameter,
} from './behaviour.ts'
import { limitTicks, place, stepsWorth } from './trading.ts'

export const sniper: AgentDefinition = {
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
  make: makeSniper,
}

/**
 * Hits prices that have not followed the market. It knows where the rest of the world trades (the fundamental, even
 * while this venue's feed stands still), and takes a bid above that, or an ask below it, whoever made them.
 */
function makeSniper(spec: AgentSpec, context: ParticipantContext, read: ReadParameter): Behaviour {
  let stream = createStream(`${context.seed}/agent/${spec.id}`, 'chances', '', 0)
  /** Since when the best price of each side has been wrong; -1 when it is not. */
  const since: [bid: number, ask: number] = [-1, -1]
  return {
    begin: (now) => now,
    act: (venue) => {
      const { state } = venue
      const now = state.nowMillis
      const fair = fairTicksOf(state, spec.asset)
      const { bidTicks, askTicks } = topOfBook(state, spec.asset)
      const edge = read('edgeBps') / 10_000
      const isWrong = [
        bidTicks !== none && bidTicks > fair * (1 + edge),
        askTicks !== none && askTicks < fair * (1 - edge),
      ] as const
      for (const side of [buy, sell]) {
        if (!isWrong[side]) since[side] = -1
        else if (since[side] < 0) since[side] = now
        if (since[side] < 0 || now - since[side] < read('patience')) continue
        // One draw per chance: after it was too late, the agent waits until the price was right again, or for another
        // patience.
        since[side] = now + 1
        if (stream.uniform() >= read('hitShare')) continue
        const taking: Side = side === buy ? sell : buy
        const worst = fair * (side === buy ? 1 + edge : 1 - edge)
        const ticks = limitTicks(state, spec.asset, taking, worst)
        const steps = stepsWorth(state, spec.asset, read('valueUsd'), fair)
        place(venue, spec, {
          side: taking,
          type: limit,
          timeInForce: immediateOrCancel,
          quantitySteps: steps,
          priceTicks: ticks,
        })
      }
      return now + read('every')
    },
    capture: () => ({ stream: [...stream.state()], bidSince: since[0], askSince: since[1] }),
    restore: (captured) => {
      const data = capturedRecord(captured)
      stream = capturedStream(data['stream'])
      since[0] = capturedNumber(data['bidSince'])
      since[1] = capturedNumber(data['askSince'])
    },
  }
}

/** Where the rest of the world trades now, in ticks. */
function fairTicksOf(state: State, asset: number): number {
  const { overrides } = stateOf(state, asset)
  const price = fundamentalWithOverrides(state.market, asset - 1, overrides, state.gridIndex)
  return price / state.assets.traded(asset).tickUsd
}
