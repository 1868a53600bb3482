import { buy } from '../../engine/codes.ts'
import { quantitySteps } from '../../numeric/units.ts'
import { integer, number, record, span, words } from '../../shape/shape.ts'
import { hundredYearsMillis } from '../../shape/spec-checks.ts'
import { defineAgent } from './behaviour.ts'
import { quantity } from './parameters.ts'
import { computeMidTicks, roundLimitTicks, takeAtMarket, takeWithinLimit, toSide } from './trading.ts'

/**
 * Fills a quantity in equal parts over a period (time-weighted average price). What one interval could not fill is
 * added to the next one; what is left after the last stays unfilled.
 */
export const twap = defineAgent({
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
  initial: () => ({ startedAtMillis: -1, slicesDone: 0, filledSteps: 0 }),
  begin: ({ state, read }, now) => {
    // When it is started again, it continues with the rest.
    const span = read('over') / read('slices')
    state.startedAtMillis = now - Math.round(state.slicesDone * span)
    return state.slicesDone < read('slices') ? now : Number.POSITIVE_INFINITY
  },
  act: ({ spec, state, read }, venue) => {
    const [over, slices] = [read('over'), read('slices')]
    state.slicesDone += 1
    const due = Math.round((read('quantity') * Math.min(slices, state.slicesDone)) / slices)
    const steps = quantitySteps(Math.max(0, due - state.filledSteps))
    const side = toSide(spec.values.get('side') === 'buy')
    const limitBps = read('limitBps')
    const mid = computeMidTicks(venue.state, spec.asset)
    const beyond = mid * (1 + ((side === buy ? 1 : -1) * limitBps) / 10_000)
    const order =
      limitBps === 0
        ? takeAtMarket(venue, spec, side, steps)
        : takeWithinLimit(venue, spec, side, steps, roundLimitTicks(venue.state, spec.asset, side, beyond))
    if (order !== null) state.filledSteps += venue.state.orders.filledSteps.get(order)
    const next = state.startedAtMillis + Math.round((state.slicesDone * over) / slices)
    return state.slicesDone < slices ? Math.max(venue.state.nowMillis + 1, next) : Number.POSITIVE_INFINITY
  },
})
