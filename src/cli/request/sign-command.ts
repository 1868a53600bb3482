import { Command } from 'commander'
import { gatherReadings } from '../option-parsers.ts'
import { applySettings } from '../settings.ts'
import type { Terminal } from '../terminal.ts'
import type { SignOptions } from './sign.ts'

/** `otcsim sign METHOD PATH`: the three headers of a request, to compare one's own signer with. */
export function signCommand(terminal: Terminal): Command {
  return new Command('sign')
    .description('print the authentication headers of a request, without sending it')
    .argument('<method>', 'GET, POST, PATCH or DELETE')
    .argument('<path>', 'such as /orders, below /api/sdk')
    .option('-d, --data <text>', 'the body; @FILE takes it from a file, - from standard input')
    .option('--account <id>', 'sign with the key that a shipped scenario gives this account', 'desk')
    .option('--key <text>', 'sign with this API key')
    .option('--secret <text>', 'and this API secret')
    .option('--timestamp <ms>', 'sign for this instant instead of the present')
    .option(
      '--readings <key=value>',
      'sign as under these: signature.key, signature.query, or a set of readings as @published-client',
      gatherReadings,
    )
    .option('--json', 'as a JSON object')
    .action(async (method: string, path: string, _options: unknown, command: Command) => {
      await applySettings(command, terminal)
      const { printSigned } = await import('./sign.ts')
      const options: SignOptions = command.opts()
      printSigned(method, path, options, terminal)
    })
}
