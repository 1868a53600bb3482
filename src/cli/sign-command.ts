import { Command } from 'commander'
import { readBody } from './curl-command.ts'
import { CliFailure, exitCode } from './failure.ts'
import { fullPath, signedHeaders, usualCredentials } from './signing.ts'
import type { Terminal } from './terminal.ts'

interface SignOptions {
  readonly data?: string
  readonly account: string
  readonly key?: string
  readonly secret?: string
  readonly timestamp?: string
  readonly json?: boolean
}

/** `otcsim sign METHOD PATH`: the three headers of a request, to compare one's own signer with. */
export function signCommand(terminal: Terminal): Command {
  return new Command('sign')
    .description('print the authentication headers of a request, without sending it')
    .argument('<method>', 'GET, POST, PATCH or DELETE')
    .argument('<path>', 'such as /orders; /api/sdk is put before it')
    .option('-d, --data <text>', 'the body; @FILE takes it from a file, - from standard input')
    .option('--account <id>', 'of a shipped scenario, whose key to sign with', 'desk')
    .option('--key <text>', 'sign with this API key')
    .option('--secret <text>', 'and this API secret')
    .option('--timestamp <ms>', 'instead of the present')
    .option('--json', 'as a JSON object')
    .action((method: string, path: string, options: SignOptions) => {
      const { key, secret, timestamp = String(Date.now()) } = options
      if ((key === undefined) !== (secret === undefined)) {
        throw new CliFailure(exitCode.usage, '--key and --secret go together')
      }
      const credentials =
        key === undefined || secret === undefined
          ? usualCredentials(options.account)
          : { apiKey: key, apiSecret: secret }
      const body = readBody(options.data, terminal)
      const headers = signedHeaders({ method, path: fullPath(path), body, timestamp }, credentials)
      const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\n`)
      terminal.out(options.json === true ? `${JSON.stringify(headers)}\n` : lines.join(''))
    })
}
