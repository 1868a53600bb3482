import type { State } from '../../engine/state.ts'
import { createAgent } from '../agents/agent-kinds.ts'
import type { Participant } from '../agents/participant.ts'
import type { ScriptedVenue } from '../agents/scripted-venue.ts'
import type { CompiledScenario } from '../compile/compiled.ts'
import type { SeenRequest } from '../compile/request-pattern.ts'
import { commandAsRequest } from './command-as-request.ts'
import type { ScriptState } from './script-state.ts'

/** Told of what an agent has done, as the request that a client would have sent for it. */
export type RequestWitness = (request: SeenRequest, state: State) => void

/** The agents of a scenario, in the order of the file. */
export class Participants {
  private readonly byId: ReadonlyMap<string, Participant>
  /** The first key of each account, by which its agents are taken to sign. */
  private readonly apiKeys: ReadonlyMap<string, string>

  constructor({ access, agents, venue }: CompiledScenario, seed: string) {
    const { startMillis } = venue
    this.byId = new Map(agents.map((spec) => [spec.id, createAgent(spec, { seed, startMillis })]))
    this.apiKeys = new Map(access.map(({ id, keys }) => [id, keys[0]?.apiKey ?? '']))
  }

  get(id: string): Participant | undefined {
    return this.byId.get(id)
  }

  /** The next instant at which one of them does something; infinity when none ever does. */
  get nextAtMillis(): number {
    let next = Number.POSITIVE_INFINITY
    // Asked at every step of time, and most scenarios have no agents.
    if (this.byId.size === 0) return next
    for (const participant of this.byId.values()) next = Math.min(next, participant.nextAtMillis)
    return next
  }

  /** Lets those act whose time has come. */
  act(venue: ScriptedVenue, nowMillis: number, witness: RequestWitness): void {
    const apiKeyOf = (account: string) => this.apiKeys.get(account) ?? ''
    for (const participant of this.byId.values()) {
      if (participant.nextAtMillis > nowMillis) continue
      participant.act({
        state: venue.state,
        advance: (at, work) => venue.advance(at, work),
        execute: (command) => {
          const outcome = venue.execute(command)
          for (const request of commandAsRequest(command, outcome, venue.state, apiKeyOf))
            witness(request, venue.state)
          return outcome
        },
      })
    }
  }

  capture(): ScriptState['participants'] {
    return [...this.byId].map(([id, participant]) => [id, participant.capture()])
  }

  restore(captured: ScriptState['participants']): void {
    for (const [id, state] of captured) this.byId.get(id)?.restore(state)
  }
}
