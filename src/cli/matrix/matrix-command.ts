import { availableParallelism } from 'node:os'
import { Command } from 'commander'
import { wholeNumber } from '../option-parsers.ts'
import { addWorldOptions } from '../serve/world-options.ts'
import { applySettings, configOption } from '../settings.ts'
import type { Terminal } from '../terminal.ts'

/** `otcsim matrix -- COMMAND`: which readings and faults break a client's own tests. */
export function matrixCommand(terminal: Terminal): Command {
  return addWorldOptions(new Command('matrix'))
    .description(
      "run a client's own tests under every reading and fault, in a world each, and say what breaks them",
    )
    .argument('<command...>', 'what runs the tests, after --')
    .option(
      '--depth <number>',
      '1: one value at a time; 2: then combinations in which every two values meet',
      wholeNumber(1, 2),
      2,
    )
    .option('--pairwise', 'the same as --depth 2, as it is by default')
    .option('--only <names>', 'only these readings and faults, comma-separated', (text) => text.split(','))
    .option('--require <names>', 'fail for only these readings and faults, comma-separated', (text) =>
      text.split(','),
    )
    .option('--no-faults', 'vary readings alone')
    .option('--pins <file>', 'readings that are known, and do not vary; readings.json when it is there')
    .option('--jobs <number>', 'how many run at a time', wholeNumber(1, 256), availableParallelism())
    .option('--timeout <seconds>', 'how long one run may take', wholeNumber(1, 86_400), 300)
    .option(
      '--account <id>',
      'give the tests the key of this account instead of the one with the most scopes',
    )
    .option('--json', 'the result as one line of JSON')
    .addOption(configOption())
    .addHelpText(
      'after',
      '\nThe tests find OTC_BASE_URL, OTC_API_KEY, OTC_API_SECRET, OTC_ADMIN_URL, OTC_WORLD and OTC_ACCOUNTS. What they print' +
        '\nas TAP, JUnit or JSON of vitest or jest, on stdout or into the file named by OTC_REPORT_FILE, names the tests that break.',
    )
    .action(async (words: readonly string[], _options: unknown, command: Command) => {
      await applySettings(command, terminal)
      const { matrix } = await import('./matrix.ts')
      await matrix(words, command.opts(), terminal)
    })
}
