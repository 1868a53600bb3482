import { assert } from '../../numeric/assert.ts'
import type { AgentKind } from './behaviour.ts'
import { marketMaker } from './market-maker.ts'
import { momentum } from './momentum.ts'
import { noise } from './noise.ts'
import { script } from './script.ts'
import { sniper } from './sniper.ts'
import { twap } from './twap.ts'

/** All kinds of agents, in the order of the reference. A new kind is a file of its own and a row here. */
const kinds: { readonly [kind: string]: AgentKind } = {
  noise,
  momentum,
  market_maker: marketMaker,
  twap,
  sniper,
  script,
}

export const agentKinds: readonly string[] = Object.keys(kinds)

export function agentKindOf(name: string): AgentKind {
  const kind = kinds[name]
  assert(kind !== undefined, `${name} is a kind of agents`)
  return kind
}
