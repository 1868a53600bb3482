import { Command } from 'commander'
import { CliFailure, exitCode } from '../failure.ts'
import { chosenReadings, gatherReadings } from '../option-parsers.ts'
import { applySettings } from '../settings.ts'
import type { Terminal } from '../terminal.ts'
import { bodyOf } from './body-of.ts'
import { fullPath, signedHeaders, usualCredentials } from './signing.ts'

/** `otcsim sign METHOD PATH`: the three headers of a request, to compare one's own signer with. */
export function signCommand(terminal: Terminal): Command {
  return new Command('sign')
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
      const options: SignOptions = command.opts()
      printSigned(method, path, options, terminal)
    })
}

interface SignOptions {
  readonly data?: string
  readonly account: string
  readonly key?: string
  readonly secret?: string
  readonly timestamp?: string
  readonly readings?: unknown
  readonly json?: boolean
}

/** Prints the authentication headers of a request. */
function printSigned(method: string, path: string, options: SignOptions, terminal: Terminal): void {
  const { key, secret, timestamp = String(Date.now()) } = options
  if ((key === undefined) !== (secret === undefined)) {
    throw new CliFailure(exitCode.usage, '--key and --secret go together')
  }
  if (!/^[0-9]{1,16}$/.test(timestamp)) {
    throw new CliFailure(
      exitCode.usage,
      `--timestamp: expected milliseconds since 1970, found "${timestamp}"`,
    )
  }
  if (!/^[A-Za-z]{1,20}$/.test(method))
    throw new CliFailure(exitCode.usage, `"${method}" is not an HTTP method`)
  const credentials =
    key === undefined || secret === undefined
      ? usualCredentials(options.account)
      : { apiKey: key, apiSecret: secret }
  const rules = chosenReadings(options.readings)
  const body = bodyOf(options.data, terminal)
  const headers = signedHeaders({ method, path: fullPath(path), body, timestamp }, { ...credentials, rules })
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\n`)
  terminal.out(options.json === true ? `${JSON.stringify(headers)}\n` : lines.join(''))
}
