import { createAgent } from '../agents/agent-kinds.ts'
import type { Participant } from '../agents/participant.ts'
import type { CompiledScenario } from '../compile/compiled.ts'

/** The agents of a scenario, by their ids, in the order of the file. */
export function createParticipants(
  { agents, venue }: CompiledScenario,
  seed: string,
): ReadonlyMap<string, Participant> {
  const { startMillis, gridMillis } = venue
  return new Map(agents.map((spec) => [spec.id, createAgent(spec, { seed, startMillis, gridMillis })]))
}
