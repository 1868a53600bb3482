import type { Side } from '../../engine/codes.ts'
import type { State } from '../../engine/state.ts'
import { millis, priceTicks } from '../../numeric/units.ts'
import { integer, record } from '../../shape/shape.ts'
import type { PriceTerm } from '../file/amounts.ts'
import {
  type AgentDefinition,
  type AgentSpec,
  type Behaviour,
  capturedNumber,
  capturedRecord,
  type ParticipantContext,
  type ReadParameter,
} from './behaviour.ts'
import { limitTicks, place } from './trading.ts'

export const script: AgentDefinition = {
  shape: record(
    { rounds: integer(1, 1_000_000, 'How often it carries out its steps.', { default: 1 }) },
    'Carries out fixed steps one after the other.',
  ),
  make: makeScript,
  hasSteps: true,
}

/** Carries out fixed steps one after the other, as many times as stated. It decides nothing. */
function makeScript(spec: AgentSpec, _context: ParticipantContext, read: ReadParameter): Behaviour {
  let done = 0
  const waitOf = (count: number): number => spec.steps[count % spec.steps.length]?.afterMillis ?? 0
  const isDone = (): boolean => done >= spec.steps.length * read('rounds')
  return {
    begin: (now) => (isDone() ? Number.POSITIVE_INFINITY : now + waitOf(done)),
    act: (venue) => {
      const { state } = venue
      // Steps without time between them are one act.
      do {
        const step = spec.steps[done % spec.steps.length]
        done += 1
        if (step === undefined) break
        if (step.order === null) {
          const at = millis(state.nowMillis)
          venue.execute({ kind: 'cancel-orders', at, account: spec.account, asset: spec.asset, side: null })
        } else {
          const { price, ...order } = step.order
          const ticks = price === null ? priceTicks(0) : ticksOf(price, state, spec.asset, order.side)
          place(venue, spec, { ...order, priceTicks: ticks })
        }
      } while (!isDone() && waitOf(done) === 0 && done % spec.steps.length !== 0)
      return isDone() ? Number.POSITIVE_INFINITY : state.nowMillis + Math.max(1, waitOf(done))
    },
    capture: () => ({ done }),
    restore: (captured) => {
      done = capturedNumber(capturedRecord(captured)['done'])
    },
  }
}

function ticksOf(price: PriceTerm, state: State, asset: number, side: Side) {
  if (price.kind === 'ticks') return price.priceTicks
  const ticks = (state.markTicks.get(asset) * (1_000_000 + price.change)) / 1_000_000
  return limitTicks(state, asset, side, ticks)
}
