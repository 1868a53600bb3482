import { Command } from 'commander'
import { gatherPairs } from '../option-parsers.ts'
import { applySettings, configOption } from '../settings.ts'
import type { Terminal } from '../terminal.ts'

/** `otcsim validate FILE...`: says what is wrong with scenario files, without running them. */
export function validateCommand(terminal: Terminal): Command {
  return new Command('validate')
    .description('check scenario files without running them')
    .argument('<files...>', 'scenario files, or names of shipped scenarios')
    .option('--param <name=value>', 'a parameter of the scenario; may be repeated', gatherPairs)
    .addOption(configOption())
    .action(async (files: readonly string[], _options: unknown, command: Command) => {
      await applySettings(command, terminal)
      const { validate } = await import('./validate.ts')
      validate(files, command.opts(), terminal)
    })
}
