import { buy, immediateOrCancel, limit } from '../../engine/codes.ts'
import { quantitySteps } from '../../numeric/units.ts'
import type { MakeBehaviour } from './behaviour.ts'
import { numberOf, recordOf } from './behaviour.ts'
import type { Parameters } from './parameters.ts'
import { limitTicks, midTicksOf, place, sideOf, takeAtMarket } from './trading.ts'

export const twapParameters: Parameters = {
  side: { kind: 'word', words: ['buy', 'sell'], fallback: null, description: 'Whether it buys or sells.' },
  quantity: { kind: 'quantity', description: 'How much it buys or sells in all.' },
  over: {
    kind: 'duration',
    fallback: '1h',
    minimumMillis: 1,
    description: 'From its first order to the end of its last interval.',
  },
  slices: {
    kind: 'integer',
    fallback: 60,
    minimum: 1,
    maximum: 100_000,
    description: 'Number of equal intervals, each of which begins with an order.',
  },
  limitBps: {
    kind: 'number',
    fallback: 0,
    minimum: 0,
    maximum: 10_000,
    description: 'Maximum distance beyond the mid that it pays; 0 for any price.',
  },
}

/**
 * Fills a quantity in even parts over a span (time-weighted average price). What an interval could not fill is added
 * to the next one; what is left after the last stays unfilled.
 */
export const makeTwap: MakeBehaviour = (spec, _context, read) => {
  let startedAtMillis = -1
  let slicesDone = 0
  let filledSteps = 0
  return {
    begin: (now) => {
      // When it is started again, it continues with the rest.
      const span = read('over') / read('slices')
      startedAtMillis = now - Math.round(slicesDone * span)
      return slicesDone < read('slices') ? now : Number.POSITIVE_INFINITY
    },
    act: (venue) => {
      const { state } = venue
      const [over, slices] = [read('over'), read('slices')]
      slicesDone += 1
      const due = Math.round((read('quantity') * Math.min(slices, slicesDone)) / slices)
      const steps = quantitySteps(Math.max(0, due - filledSteps))
      const side = sideOf(spec.values.get('side') === 'buy')
      const limitBps = read('limitBps')
      const mid = midTicksOf(state, spec.asset)
      const beyond = mid * (1 + ((side === buy ? 1 : -1) * limitBps) / 10_000)
      const order =
        limitBps === 0
          ? takeAtMarket(venue, spec, side, steps)
          : place(venue, spec, {
              side,
              type: limit,
              timeInForce: immediateOrCancel,
              quantitySteps: steps,
              priceTicks: limitTicks(state, spec.asset, side, beyond),
            })
      if (order !== null) filledSteps += state.orders.filledSteps.get(order)
      const next = startedAtMillis + Math.round((slicesDone * over) / slices)
      return slicesDone < slices ? Math.max(state.nowMillis + 1, next) : Number.POSITIVE_INFINITY
    },
    capture: () => ({ startedAtMillis, slicesDone, filledSteps }),
    restore: (captured) => {
      const data = recordOf(captured)
      startedAtMillis = numberOf(data['startedAtMillis'])
      slicesDone = numberOf(data['slicesDone'])
      filledSteps = numberOf(data['filledSteps'])
    },
  }
}
