import type { CompiledScenario } from './compiled.ts'
import type { Participant } from './participant.ts'

/** The agents of a scenario, by their ids, in the order of the file. */
export function createParticipants(
  _scenario: CompiledScenario,
  _seed: string,
): ReadonlyMap<string, Participant> {
  return new Map()
}
