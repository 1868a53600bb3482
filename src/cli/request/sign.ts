import { Command } from 'commander'
import { defaultReadings } from '../../api/readings/readings.ts'
import { hashedSecret, sign } from '../../client/sign.ts'
import type { SignatureRules } from '../../pipeline/signature.ts'
import { defaultWorld } from '../../world/worlds.ts'
import { CliFailure, exitCode } from '../failure.ts'
import { addFlags, aFlag, aSwitch, type FlagsOf, parsedFlag } from '../flags.ts'
import { chosenReadings, gatherReadings } from '../option-parsers.ts'
import { readFile } from '../read-file.ts'
import { applySettings } from '../settings.ts'
import type { Terminal } from '../terminal.ts'

const signFlags = {
  data: { ...aFlag('<text>', 'the body; @FILE takes it from a file, - from standard input'), short: 'd' },
  account: aFlag('<id>', 'sign with the key that a shipped scenario gives this account', { default: 'desk' }),
  key: aFlag('<text>', 'sign with this API key'),
  secret: aFlag('<text>', 'and this API secret'),
  timestamp: aFlag('<ms>', 'sign for this instant instead of the present'),
  readings: parsedFlag(
    gatherReadings,
    '<key=value>',
    'sign as under these: signature.key, signature.query, or a set of readings as @published-client',
  ),
  json: aSwitch('as a JSON object'),
}

type SignOptions = FlagsOf<typeof signFlags>

/** `otcsim sign METHOD PATH`: the three headers of a request, to compare one's own signer with. */
export function signCommand(terminal: Terminal): Command {
  return addFlags(new Command('sign'), signFlags)
    .argument('<method>', 'GET, POST, PATCH or DELETE')
    .argument('<path>', 'such as /orders, below /api/sdk')
    .action(async (method: string, path: string, _options: unknown, command: Command) => {
      await applySettings(command, terminal)
      const options: SignOptions = command.opts()
      printSigned(method, path, options, terminal)
    })
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

export interface Credentials {
  readonly apiKey: string
  readonly apiSecret: string
  /** How the venue verifies signatures; the usual way when it is not known. */
  readonly rules?: SignatureRules
}

/** The key that a shipped scenario gives an account in the default world. */
export const usualCredentials = (account: string): Credentials => ({
  apiKey: `simk_${defaultWorld}_${account}`,
  apiSecret: `sims_${defaultWorld}_${account}`,
})

interface SignedRequest {
  readonly method: string
  /** With the query, if there is one. */
  readonly path: string
  readonly body: string
  readonly timestamp: string
}

/** The three headers of one request. Spec: Authentication. */
export function signedHeaders(request: SignedRequest, credentials: Credentials): Record<string, string> {
  const { method, path, body, timestamp } = request
  const { apiSecret, rules = defaultReadings } = credentials
  const target = rules['signature.query'] === 'exclude' ? path.replace(/\?.*/s, '') : path
  const message = timestamp + method.toUpperCase() + target
  const secret = rules['signature.key'] === 'sha256' ? hashedSecret(apiSecret) : apiSecret
  const signature = sign(secret, message + body)
  return {
    'X-API-Key': credentials.apiKey,
    'X-API-Timestamp': timestamp,
    'X-API-Signature': signature,
  }
}

/** Short paths mean the venue: `/orders` is `/api/sdk/orders`. */
export function fullPath(path: string): string {
  if (/^[a-z]+:\/\//i.test(path))
    throw new CliFailure(exitCode.usage, `"${path}" is a whole address; give its path alone, such as /orders`)
  const rooted = path.startsWith('/') ? path : `/${path}`
  return /^\/(api\/|__admin(\/|$))/.test(rooted) ? rooted : `/api/sdk${rooted}`
}

const maximumBodyBytes = 16 * 1024 * 1024

/**
 * The body that `-d` means: the text itself, a file's with `@`, standard input's with `-`; none when it is not given.
 */
export function bodyOf(data: string | undefined, terminal: Terminal): string {
  if (data === undefined) return ''
  if (data === '-') return terminal.readInput()
  if (!data.startsWith('@')) return data
  return readFile(terminal.cwd, data.slice(1), maximumBodyBytes).toString('utf8')
}
