import type { AgentKind, AgentSpec } from './agent-spec.ts'
import { createParticipant, type MakeBehaviour } from './behaviour.ts'
import { makeMarketMaker, marketMakerParameters } from './market-maker.ts'
import { makeMomentum, momentumParameters } from './momentum.ts'
import { makeNoise, noiseParameters } from './noise.ts'
import type { Parameters } from './parameters.ts'
import type { Participant, ParticipantContext } from './participant.ts'
import { makeScriptAgent, scriptParameters } from './script-agent.ts'
import { makeSniper, sniperParameters } from './sniper.ts'
import { makeTwap, twapParameters } from './twap.ts'

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
