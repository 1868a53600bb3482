import { buy, immediateOrCancel, limit } from '../../engine/codes.ts'
import { quantitySteps } from '../../numeric/units.ts'
import { hundredYearsMillis } from '../../shape/field-problem.ts'
import { integer, number, record, span, words } from '../../shape/shape.ts'
import {
  type AgentDefinition,
  type AgentSpec,
  type Behaviour,
  capturedNumber,
  capturedRecord,
  type ParticipantContext,
  type ReadParameter,
} from './behaviour.ts'
import { quantity } from './parameters.ts'
import { limitTicks, midTicksOf, place, sideOf, takeAtMarket } from './trading.ts'

export const twap: AgentDefinition = {
  shape: record(
    {
      side: words(['buy', 'sell'], 'Whether it buys or sells.'),
      quantity: quantity('How much it buys or sells in all.'),
      over: span(1, hundredYearsMillis, 'From its first order to the end of its last interval.', {
        default: 3_600_000,
      }),
      slices: integer(1, 100_000, 'Number of equal intervals, each of which begins with an order.', {
        default: 60,
      }),
      limitBps: number(0, 10_000, 'Maximum distance beyond the mid that it pays; 0 for any price.', {
        default: 0,
      }),
    },
    'Buys or sells a quantity in equal parts over a period.',
  ),
  make: makeTwap,
}

/**
 * Fills a quantity in even parts over a span (time-weighted average price). What an interval could not fill is added
 * to the next one; what is left after the last stays unfilled.
 */
function makeTwap(spec: AgentSpec, _context: ParticipantContext, read: ReadParameter): Behaviour {
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
      const data = capturedRecord(captured)
      startedAtMillis = capturedNumber(data['startedAtMillis'])
      slicesDone = capturedNumber(data['slicesDone'])
      filledSteps = capturedNumber(data['filledSteps'])
    },
  }
}
