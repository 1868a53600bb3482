import type { Side } from '../../engine/codes.ts'
import type { State } from '../../engine/state.ts'
import { millis, priceTicks } from '../../numeric/units.ts'
import type { PriceTerm } from '../file/amounts.ts'
import type { AgentKind, AgentSpec, Participant, ParticipantContext } from './behaviour.ts'
import { createParticipant, type MakeBehaviour, numberOf, recordOf } from './behaviour.ts'
import { makeMarketMaker, marketMakerParameters } from './market-maker.ts'
import { makeMomentum, momentumParameters } from './momentum.ts'
import { makeNoise, noiseParameters } from './noise.ts'
import type { Parameters } from './parameters.ts'
import { makeSniper, sniperParameters } from './sniper.ts'
import { limitTicks, place } from './trading.ts'
import { makeTwap, twapParameters } from './twap.ts'

const scriptParameters: Parameters = {
  rounds: {
    kind: 'integer',
    fallback: 1,
    minimum: 1,
    maximum: 1_000_000,
    description: 'How often it carries out its steps.',
  },
}

/** Carries out fixed steps one after the other, as many times as stated. It decides nothing. */
const makeScriptAgent: MakeBehaviour = (spec, _context, read) => {
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
      done = numberOf(recordOf(captured)['done'])
    },
  }
}

function ticksOf(price: PriceTerm, state: State, asset: number, side: Side) {
  if (price.kind === 'ticks') return price.priceTicks
  const ticks = (state.markTicks.get(asset) * (1_000_000 + price.change)) / 1_000_000
  return limitTicks(state, asset, side, ticks)
}

interface Kind {
  readonly description: string
  readonly parameters: Parameters
  readonly make: MakeBehaviour
}

/** Every kind of agent: what it is, its parameters, and how it behaves. */
export const kinds: { readonly [kind in AgentKind]: Kind } = {
  noise: {
    description: 'Buys and sells at random instants, sizes and prices, without information.',
    parameters: noiseParameters,
    make: makeNoise,
  },
  momentum: {
    description: 'Follows the trend: compares a short average of the mid with a long one.',
    parameters: momentumParameters,
    make: makeMomentum,
  },
  market_maker: {
    description: 'Quotes both sides about the mark, follows it, and skews its quotes against its inventory.',
    parameters: marketMakerParameters,
    make: makeMarketMaker,
  },
  twap: {
    description: 'Buys or sells a quantity in equal parts over a period.',
    parameters: twapParameters,
    make: makeTwap,
  },
  sniper: {
    description: 'Takes prices that have not followed the fundamental one.',
    parameters: sniperParameters,
    make: makeSniper,
  },
  script: {
    description: 'Carries out fixed steps one after the other.',
    parameters: scriptParameters,
    make: makeScriptAgent,
  },
}

/** An agent, ready to run. */
export function createAgent(spec: AgentSpec, context: ParticipantContext): Participant {
  return createParticipant(spec, context, kinds[spec.kind].make)
}
