import { goodTillCancelled, limit, none } from '../../engine/codes.ts'
import { exp, log } from '../../numeric/portable-math.ts'
import { createStream, type RandomState, type RandomStream, resumeStream } from '../../numeric/random.ts'
import { number, record, span } from '../../shape/shape.ts'
import { hundredYearsMillis } from '../../shape/spec-checks.ts'
import { type AgentSpec, defineAgent, type ReadParameter, type ScriptedVenue } from './behaviour.ts'
import {
  cancelOrder,
  computeMidTicks,
  computeStepsWorth,
  placeOrder,
  roundLimitTicks,
  takeAtMarket,
  toSide,
} from './trading.ts'

/** Buys and sells at random instants, with random sizes and prices, without information. */
export const noise = defineAgent({
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
  initial: ({ id }, { seed }): NoiseState => ({
    stream: createStream(`${seed}/agent/${id}`, 'orders', '', 0).state(),
    orders: [],
    ends: [],
    nextOrderMillis: -1,
  }),
  begin: (agent, now) => {
    const stream = resumeStream(agent.state.stream)
    agent.state.nextOrderMillis = now + drawWaitMillis(agent.read, stream)
    agent.state.stream = stream.state()
    return nextActMillis(agent.state)
  },
  act: ({ spec, state, read }, venue) => {
    const now = venue.state.nowMillis
    while ((state.ends[0] ?? Number.POSITIVE_INFINITY) <= now) {
      const [order = none] = state.orders
      cancelOrder(venue, spec, order)
      state.orders = state.orders.slice(1)
      state.ends = state.ends.slice(1)
    }
    if (state.nextOrderMillis <= now) {
      const stream = resumeStream(state.stream)
      const order = sendOrder(venue, spec, read, stream)
      if (order !== null) {
        const endsAtMillis = now + read('lifetime')
        const place = state.ends.filter((end) => end <= endsAtMillis).length
        state.orders = state.orders.toSpliced(place, 0, order)
        state.ends = state.ends.toSpliced(place, 0, endsAtMillis)
      }
      state.nextOrderMillis = now + drawWaitMillis(read, stream)
      state.stream = stream.state()
    }
    return nextActMillis(state)
  },
})

type NoiseState = {
  stream: RandomState
  /** The rows of resting orders. `ends` has the instants at which they are cancelled, soonest first. */
  orders: readonly number[]
  ends: readonly number[]
  /** The instant of the next order; -1 before the first start. */
  nextOrderMillis: number
}

const drawWaitMillis = (read: ReadParameter, stream: RandomStream): number =>
  Math.max(1, Math.round(-log(stream.uniform()) * (60_000 / read('ratePerMinute'))))

const nextActMillis = ({ nextOrderMillis, ends: [first = Number.POSITIVE_INFINITY] }: NoiseState): number =>
  Math.min(nextOrderMillis, first)

/**
 * Places one random order. Returns the row of an order that may rest; null for one that takes liquidity or is
 * refused.
 */
function sendOrder(
  venue: ScriptedVenue,
  spec: AgentSpec,
  read: ReadParameter,
  stream: RandomStream,
): number | null {
  // All four are always drawn, so that the kind of one order does not shift the draws of the next.
  const [side, size, kind, distance] = [stream.uniform(), stream.normal(), stream.uniform(), stream.uniform()]
  const mid = computeMidTicks(venue.state, spec.asset)
  const usd = read('medianUsd') * exp(read('sizeSd') * size)
  const steps = computeStepsWorth(venue.state, spec.asset, usd, mid)
  const wanted = toSide(side < 0.5)
  if (kind >= read('limitShare')) {
    takeAtMarket(venue, spec, wanted, steps)
    return null
  }
  const away = (-log(distance) * read('distanceBps')) / 10_000
  const ticks = roundLimitTicks(venue.state, spec.asset, wanted, mid * (side < 0.5 ? 1 - away : 1 + away))
  return placeOrder(venue, spec, {
    side: wanted,
    type: limit,
    timeInForce: goodTillCancelled,
    quantitySteps: steps,
    priceTicks: ticks,
  })
}
