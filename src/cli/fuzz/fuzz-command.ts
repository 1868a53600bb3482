import { Command } from 'commander'
import { parseAddress, wholeNumber } from '../option-parsers.ts'
import { addWorldOptions } from '../serve/world-options.ts'
import { applySettings, configOption } from '../settings.ts'
import type { Terminal } from '../terminal.ts'
import { refuseUnusedFlags } from '../unused-options.ts'

/** `otcsim fuzz`: requests made from the interface's schemas, and answers that it does not have. */
export function fuzzCommand(terminal: Terminal): Command {
  return addWorldOptions(new Command('fuzz'))
    .description(
      'send requests made from the schemas of the interface, and look for answers that it does not have',
    )
    .option('--requests <number>', 'how many', wholeNumber(1, 9_999_999), 500)
    .option('--against <url>', 'test the venue at this address instead of one of its own', parseAddress)
    .option('--key <text>', 'the API key to use there')
    .option('--secret <text>', 'and its secret')
    .option('--json', 'the result as one line of JSON')
    .addOption(configOption())
    .action(async (_options: unknown, command: Command) => {
      await applySettings(command, terminal)
      refuseUnusedFlags(
        command,
        [{ needs: ['against'], options: ['key', 'secret'] }],
        [{ with: 'against', options: ['scenario', 'clock', 'readings', 'param'] }],
      )
      const { fuzz } = await import('./fuzz.ts')
      await fuzz(command.opts(), terminal)
    })
}
