import { assert } from '../../numeric/assert.ts'
import {
  type AgentDefinition,
  type AgentSpec,
  createParticipant,
  type Participant,
  type ParticipantContext,
} from './behaviour.ts'
import { marketMaker } from './market-maker.ts'
import { momentum } from './momentum.ts'
import { noise } from './noise.ts'
import { script } from './script.ts'
import { sniper } from './sniper.ts'
import { twap } from './twap.ts'

/** All kinds of agents, in the order of the reference: one is added by its file and its row here. */
const definitions: { readonly [kind: string]: AgentDefinition } = {
  noise,
  momentum,
  market_maker: marketMaker,
  twap,
  sniper,
  script,
}

export const agentKinds: readonly string[] = Object.keys(definitions)

export function definitionOf(kind: string): AgentDefinition {
  const definition = definitions[kind]
  assert(definition !== undefined, `${kind} is a kind of agents`)
  return definition
}

export const createAgent = (spec: AgentSpec, context: ParticipantContext): Participant =>
  createParticipant(spec, context, definitionOf(spec.kind).make)
