import { exp, log } from '../../numeric/portable-math.ts'
import { createStream, type RandomStream } from '../../numeric/random.ts'
import { hundredYearsMillis } from '../../shape/field-problem.ts'
import { number, record, span } from '../../shape/shape.ts'
import type { JsonData } from '../file/tree.ts'
import {
  type AgentDefinition,
  type AgentSpec,
  type Behaviour,
  capturedNumber,
  capturedNumbers,
  capturedRecord,
  capturedStream,
  type ParticipantContext,
  type ReadParameter,
  type ScriptedVenue,
} from './behaviour.ts'
import { cancel, limitTicks, midTicksOf, rest, sideOf, stepsWorth, takeAtMarket } from './trading.ts'

export const noise: AgentDefinition = {
  shape: record(
    {
      ratePerMinute: number(0.001, 6_000, 'Average orders per minute, independent of each other.', {
        default: 4,
      }),
      medianUsd: number(0.01, 1e9, 'Median value of an order.', { default: 3_000 }),
      sizeSd: number(0, 5, 'Standard deviation of the logarithm of the value.', { default: 1 }),
      limitShare: number(0, 1, 'Share of orders that rest; the others take liquidity.', { default: 0.5 }),
      distanceBps: number(0, 5_000, 'Mean distance of resting orders from the mid.', { default: 10 }),
      lifetime: span(1, hundredYearsMillis, 'How long an order rests before it is cancelled.', {
        default: 120_000,
      }),
    },
    'Buys and sells at random instants, sizes and prices, without information.',
  ),
  make: makeNoise,
}

/** Buys and sells at random moments, with random sizes and prices, knowing nothing. */
function makeNoise(spec: AgentSpec, context: ParticipantContext, read: ReadParameter): Behaviour {
  let stream = createStream(`${context.seed}/agent/${spec.id}`, 'orders', '', 0)
  /** Rows of orders and when they end, oldest first. */
  let resting: { readonly order: number; readonly endsAtMillis: number }[] = []
  let nextOrderMillis = Number.POSITIVE_INFINITY
  const wait = (): number => {
    const mean = 60_000 / read('ratePerMinute')
    return Math.max(1, Math.round(-log(stream.uniform()) * mean))
  }
  const next = (): number => Math.min(nextOrderMillis, resting[0]?.endsAtMillis ?? Number.POSITIVE_INFINITY)
  return {
    begin: (now) => {
      nextOrderMillis = now + wait()
      return next()
    },
    act: (venue) => {
      const { state } = venue
      const now = state.nowMillis
      while (resting[0] !== undefined && resting[0].endsAtMillis <= now) {
        cancel(venue, spec, resting[0].order)
        resting = resting.slice(1)
      }
      if (nextOrderMillis <= now) {
        const order = sendOrder(venue, spec, read, stream)
        if (order !== null) {
          resting.push({ order, endsAtMillis: now + read('lifetime') })
          resting.sort((left, right) => left.endsAtMillis - right.endsAtMillis || left.order - right.order)
        }
        nextOrderMillis = now + wait()
      }
      return next()
    },
    capture: (): JsonData => ({
      stream: [...stream.state()],
      orders: resting.map(({ order }) => order),
      ends: resting.map(({ endsAtMillis }) => endsAtMillis),
      nextOrderMillis: Number.isFinite(nextOrderMillis) ? nextOrderMillis : -1,
    }),
    restore: (captured) => {
      const data = capturedRecord(captured)
      stream = capturedStream(data['stream'])
      const ends = capturedNumbers(data['ends'])
      resting = capturedNumbers(data['orders']).map((order, place) => ({
        order,
        endsAtMillis: ends[place] ?? 0,
      }))
      const at = capturedNumber(data['nextOrderMillis'])
      nextOrderMillis = at < 0 ? Number.POSITIVE_INFINITY : at
    },
  }
}

/** Places one random order; its row if it rests, else null. */
function sendOrder(
  venue: ScriptedVenue,
  spec: AgentSpec,
  read: ReadParameter,
  stream: RandomStream,
): number | null {
  // Drawn whether they are used or not, so that the kind of one order does not shift the draws of the next.
  const [side, size, kind, distance] = [stream.uniform(), stream.normal(), stream.uniform(), stream.uniform()]
  const mid = midTicksOf(venue.state, spec.asset)
  const usd = read('medianUsd') * exp(read('sizeSd') * size)
  const steps = stepsWorth(venue.state, spec.asset, usd, mid)
  const wanted = sideOf(side < 0.5)
  if (kind >= read('limitShare')) {
    takeAtMarket(venue, spec, wanted, steps)
    return null
  }
  const away = (-log(distance) * read('distanceBps')) / 10_000
  const ticks = limitTicks(venue.state, spec.asset, wanted, mid * (side < 0.5 ? 1 - away : 1 + away))
  return rest(venue, spec, wanted, steps, ticks)
}
