import { Command } from 'commander'
import { addWorldOptions } from '../serve/world-options.ts'
import { applySettings, configOption } from '../settings.ts'
import type { Terminal } from '../terminal.ts'

/** `otcsim exec -- COMMAND`: a program beside a venue of its own. */
export function execCommand(terminal: Terminal): Command {
  return addWorldOptions(new Command('exec'))
    .description('run a program beside a venue of its own, and pass on its exit code')
    .argument('<command...>', 'the program and its words, after --')
    .option(
      '--account <id>',
      'give the program the key of this account instead of the one with the most scopes',
    )
    .addOption(configOption())
    .addHelpText(
      'after',
      '\nThe program finds OTC_BASE_URL, OTC_API_KEY, OTC_API_SECRET, OTC_ADMIN_URL, OTC_WORLD and OTC_ACCOUNTS.',
    )
    .action(async (words: readonly string[], _options: unknown, command: Command) => {
      await applySettings(command, terminal)
      const { exec } = await import('./exec.ts')
      await exec(words, command.opts(), terminal)
    })
}
