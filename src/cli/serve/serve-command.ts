import { Command, Option } from 'commander'
import { syncPolicies } from '../../world/journal/file/sync-policies.ts'
import { defaultPort } from '../default-port.ts'
import { parseCors, parsePort, parseToken } from '../option-parsers.ts'
import { applySettings, configOption } from '../settings.ts'
import type { Terminal } from '../terminal.ts'
import type { ServeOptions } from './serve.ts'
import { addWorldOptions } from './world-options.ts'

/** `otcsim serve`, also the default of `otcsim`: one venue over HTTP until it is asked to end. */
export function serveCommand(terminal: Terminal): Command {
  return addWorldOptions(new Command('serve'))
    .description('serve a venue over HTTP (the default command)')
    .option('--port <number>', 'where to listen; 0 takes a free one', parsePort, defaultPort)
    .option(
      '--host <address>',
      'the address to listen on; beyond this machine only with --admin-token',
      '127.0.0.1',
    )
    .option('--admin-port <number>', 'a port of its own for the admin API', parsePort)
    .option('--admin-token <text>', 'what callers of the admin API must present', parseToken)
    .option(
      '--cors <origins>',
      'whose pages may call the venue from a browser: addresses by commas, or * for all',
      parseCors,
    )
    .option('--journal <file>', 'keep a journal of whatever changes the default world, and continue from it')
    .option('--journal-dir <folder>', 'the same for every world, a file each')
    .addOption(
      new Option(
        '--journal-sync <policy>',
        'when lines are forced to the disk: when the system likes, 5 ms later, or before the answer',
      )
        .choices([...syncPolicies])
        .default('os'),
    )
    .option('--json', 'machine-readable lines on stdout instead of the banner')
    .option('--ready-file <file>', 'written when the venue answers, with the same facts as the ready line')
    .addOption(configOption())
    .addHelpText('after', '\nEvery option can be set by a variable, too: --ready-file by OTCSIM_READY_FILE.')
    .action(async (_options: unknown, command: Command) => {
      await applySettings(command, terminal)
      const { serve } = await import('./serve.ts')
      const options = { ...command.opts<ServeOptions>(), chosen: chosenOptions(command) }
      await serve(options, terminal)
    })
}

/** Every option that is not at its default. */
function chosenOptions(command: Command): ReadonlySet<string> {
  const names = command.options.map((option) => option.attributeName())
  return new Set(names.filter((name) => !['default', undefined].includes(command.getOptionValueSource(name))))
}
