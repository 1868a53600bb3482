import { Command } from 'commander'
import { usualAddress } from '../default-port.ts'
import { CliFailure, exitCode } from '../failure.ts'
import { parseAddress } from '../option-parsers.ts'
import { applySettings } from '../settings.ts'
import type { Terminal } from '../terminal.ts'
import { accountsOf } from './running-venue.ts'

interface KeysOptions {
  readonly url: string
  readonly world: string
  readonly adminToken?: string
  readonly json?: boolean
}

/** `otcsim keys`: the keys of a running venue. */
export function keysCommand(terminal: Terminal): Command {
  return new Command('keys')
    .option('--url <address>', 'where the admin API is', parseAddress, usualAddress)
    .option('--world <id>', 'the world whose keys are listed', 'default')
    .option('--admin-token <text>', 'the token of the admin API')
    .option('--json', 'print JSON')
    .action(async (_options: unknown, command: Command) => {
      await applySettings(command, terminal)
      const options: KeysOptions = command.opts()
      const { url, world, json } = options
      const accounts = await accountsOf({ url, adminToken: options.adminToken ?? null }, world)
      if (accounts === null) {
        throw new CliFailure(exitCode.unreachable, `${url} does not tell the keys of the world "${world}"`)
      }
      if (json === true) {
        terminal.out(`${JSON.stringify({ accounts }, null, 2)}\n`)
        return
      }
      for (const { id, keys } of accounts) {
        for (const { apiKey, apiSecret, scopes } of keys) {
          terminal.out(`${[id, apiKey, apiSecret, scopes.join(' ')].join('\t')}\n`)
        }
      }
    })
}
