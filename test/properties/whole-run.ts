import type { Command } from '../../src/engine/command.ts'
import type { VenueConfig } from '../../src/engine/config.ts'
import { Venue } from '../../src/engine/venue.ts'
import { plansOf } from '../arbitraries/commands.ts'
import type { ConfigChoice } from '../arbitraries/configs.ts'
import { crowdedConfig } from '../arbitraries/configs.ts'
import { commandOf } from '../arbitraries/resolve.ts'
import { EngineSubject } from '../model/engine-subject.ts'
import { NaiveVenue } from '../reference/naive-venue.ts'

/** A fixed run: its world and its commands. The twin resolves the rows that the plans mean. */
export function recordedCommands(
  choice: Partial<ConfigChoice>,
  seed: number,
  count: number,
): { readonly config: VenueConfig; readonly commands: readonly Command[] } {
  const config = crowdedConfig(choice)
  const twin = new NaiveVenue(config)
  const commands = plansOf(seed, count).map((plan) => {
    const command = commandOf(plan, twin.world)
    twin.execute(command)
    return command
  })
  return { config, commands }
}

/** The digest after each command. */
export function digestsOf(subject: EngineSubject, commands: readonly Command[]): readonly string[] {
  return commands.map((command) => {
    subject.execute(command)
    return subject.venue.digest()
  })
}

export function opened(config: VenueConfig): EngineSubject {
  return new EngineSubject(config)
}

/** A venue restored from a snapshot of this one. */
export function copyOf(config: VenueConfig, from: EngineSubject): EngineSubject {
  const snapshot = from.venue.snapshot()
  return new EngineSubject(config, (sink) => Venue.restore(config, snapshot, sink))
}
