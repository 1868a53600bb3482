import type { Side } from '../../engine/codes.ts'
import type { State } from '../../engine/state.ts'
import { millis, priceTicks } from '../../numeric/units.ts'
import { integer, record } from '../../shape/shape.ts'
import type { PriceTerm } from '../file/amounts.ts'
import { type Agent, type AgentSpec, defineAgent } from './behaviour.ts'
import { placeOrder, roundLimitTicks } from './trading.ts'

/** Carries out fixed steps one after the other, as many times as stated. It decides nothing. */
export const script = defineAgent({
  shape: record(
    { rounds: integer(1, 1_000_000, 'How often it carries out its steps.', { default: 1 }) },
    'Carries out fixed steps one after the other.',
  ),
  hasSteps: true,
  initial: () => ({ done: 0 }),
  begin: (agent, now) =>
    isDone(agent) ? Number.POSITIVE_INFINITY : now + waitMillis(agent.spec, agent.state.done),
  act: (agent, venue) => {
    const { spec, state } = agent
    // Steps with no time between them are carried out in one act.
    do {
      const step = spec.steps[state.done % spec.steps.length]
      state.done += 1
      if (step === undefined) break
      if (step.order === null) {
        const at = millis(venue.state.nowMillis)
        venue.execute({ kind: 'cancel-orders', at, account: spec.account, asset: spec.asset, side: null })
      } else {
        const { price, ...order } = step.order
        const ticks =
          price === null ? priceTicks(0) : computeTicks(price, venue.state, spec.asset, order.side)
        placeOrder(venue, spec, { ...order, priceTicks: ticks })
      }
    } while (!isDone(agent) && waitMillis(spec, state.done) === 0 && state.done % spec.steps.length !== 0)
    return isDone(agent)
      ? Number.POSITIVE_INFINITY
      : venue.state.nowMillis + Math.max(1, waitMillis(spec, state.done))
  },
})

const waitMillis = ({ steps }: AgentSpec, done: number): number =>
  steps[done % steps.length]?.afterMillis ?? 0

const isDone = ({ spec, state, read }: Agent<{ done: number }>): boolean =>
  state.done >= spec.steps.length * read('rounds')

function computeTicks(price: PriceTerm, state: State, asset: number, side: Side) {
  if (price.kind === 'ticks') return price.priceTicks
  const ticks = (state.markTicks.get(asset) * (1_000_000 + price.change)) / 1_000_000
  return roundLimitTicks(state, asset, side, ticks)
}
