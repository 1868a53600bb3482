import { Command, Option } from 'commander'
import { gatherPairs } from './option-parsers.ts'
import { applySettings } from './settings.ts'
import type { Terminal } from './terminal.ts'

/** `otcsim run FILES...`: scenarios in virtual time, judged by their own expectations. */
export function runCommand(terminal: Terminal): Command {
  return new Command('run')
    .description('run scenarios in virtual time and check their expectations')
    .argument('<files...>', 'scenario files, or names of shipped scenarios')
    .addOption(new Option('--reporter <kind>', 'how to report').choices(['pretty', 'json']).default('pretty'))
    .addOption(
      new Option('--param <name=value>', 'a parameter of the scenario; may stand many times').argParser(
        gatherPairs,
      ),
    )
    .option('--seed <text>', "in place of the scenario's seed")
    .option('--config <file>', 'where options come from that no flag or variable gives')
    .action(async (files: readonly string[], _options: unknown, command: Command) => {
      await applySettings(command, terminal)
      const { run } = await import('./run.ts')
      run(files, command.opts(), terminal)
    })
}
