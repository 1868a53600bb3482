import { type Command, Option } from 'commander'
import { clockModes } from '../../journal/world-snapshot.ts'
import { gatherPairs, gatherReadings, parseSeed } from '../option-parsers.ts'

/** The options that say what the first world of a venue is. */
export function addWorldOptions(command: Command): Command {
  return command
    .option('--scenario <name>', 'a shipped scenario or a file', 'calm')
    .option('--seed <text>', "instead of the scenario's seed", parseSeed)
    .addOption(
      new Option('--clock <mode>', "instead of the scenario's clock; realtime when it states none").choices([
        ...clockModes,
      ]),
    )
    .option(
      '--readings <key=value>',
      'how to read an open point of the specification, or a set of such readings as @published-client; several comma-separated, or repeated',
      gatherReadings,
    )
    .option('--param <name=value>', 'a parameter of the scenario; may be repeated', gatherPairs)
}
