import { Command } from 'commander'
import { usualAddress } from '../default-port.ts'
import { parseAddress } from '../option-parsers.ts'
import { applySettings } from '../settings.ts'
import type { Terminal } from '../terminal.ts'

/** `otcsim curl METHOD PATH`: one signed request to a running venue. */
export function curlCommand(terminal: Terminal): Command {
  return new Command('curl')
    .description('send one signed request to a running venue')
    .argument('<method>', 'GET, POST, PATCH or DELETE')
    .argument('<path>', 'such as /market-data/prices, below /api/sdk')
    .option('-d, --data <text>', 'the body; @FILE takes it from a file, - from standard input')
    .option('--url <address>', 'where the venue is', parseAddress, usualAddress)
    .option('--account <id>', 'sign with the key of this account instead of the one with the most scopes')
    .option('--key <text>', 'sign with this API key')
    .option('--secret <text>', 'and this API secret')
    .option('--admin-token <text>', 'the token of the admin API, which lists the keys')
    .option('-i, --include', 'print the status and the headers, too')
    .option('--print-curl', 'print an equivalent curl command instead of sending')
    .action(async (method: string, path: string, _options: unknown, command: Command) => {
      await applySettings(command, terminal)
      const { sendSigned } = await import('./curl.ts')
      await sendSigned(method.toUpperCase(), path, command.opts(), terminal)
    })
}
