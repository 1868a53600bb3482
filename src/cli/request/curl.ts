import { Command } from 'commander'
import { prettyJson } from '../../api/json.ts'
import { CliFailure, exitCode } from '../failure.ts'
import { addFlags, aFlag, aSwitch, type FlagsOf, parsedFlag } from '../flags.ts'
import { parseAddress, usualAddress } from '../option-parsers.ts'
import { applySettings } from '../settings.ts'
import type { Terminal } from '../terminal.ts'
import type { VenueAddress } from './running-venue.ts'
import { accountsOf, findCredentials, send } from './running-venue.ts'
import type { Credentials } from './sign.ts'
import { bodyOf, fullPath, signedHeaders } from './sign.ts'

const curlFlags = {
  data: { ...aFlag('<text>', 'the body; @FILE takes it from a file, - from standard input'), short: 'd' },
  url: parsedFlag(parseAddress, '<address>', 'where the venue is', { default: usualAddress }),
  account: aFlag('<id>', 'sign with the key of this account instead of the one with the most scopes'),
  key: aFlag('<text>', 'sign with this API key'),
  secret: aFlag('<text>', 'and this API secret'),
  adminToken: aFlag('<text>', 'the token of the admin API, which lists the keys'),
  include: { ...aSwitch('print the status and the headers, too'), short: 'i' },
  printCurl: aSwitch('print an equivalent curl command instead of sending'),
}

type CurlOptions = FlagsOf<typeof curlFlags>

/** `otcsim curl METHOD PATH`: one signed request to a running venue. */
export function curlCommand(terminal: Terminal): Command {
  return addFlags(new Command('curl'), curlFlags)
    .argument('<method>', 'GET, POST, PATCH or DELETE')
    .argument('<path>', 'such as /market-data/prices, below /api/sdk')
    .action(async (method: string, path: string, _options: unknown, command: Command) => {
      await applySettings(command, terminal)
      await sendSigned(method.toUpperCase(), path, command.opts(), terminal)
    })
}

/** Signs and sends one request, and prints its answer. Fails when the answer is an error. */
async function sendSigned(
  method: string,
  target: string,
  options: CurlOptions,
  terminal: Terminal,
): Promise<void> {
  const path = fullPath(target)
  if (!/^[A-Z]{1,20}$/.test(method)) throw new CliFailure(exitCode.usage, `"${method}" is not an HTTP method`)
  const { url } = options
  const body = bodyOf(options.data, terminal)
  const headers: Record<string, string> = body === '' ? {} : { 'Content-Type': 'application/json' }
  const address: VenueAddress = { url, adminToken: options.adminToken ?? null }
  if (!path.startsWith('/__admin')) {
    const credentials = await credentialsOf(options, address)
    const timestamp = String(Date.now())
    Object.assign(headers, signedHeaders({ method, path, body, timestamp }, credentials))
  } else if (address.adminToken !== null) headers['Authorization'] = `Bearer ${address.adminToken}`
  if (options.printCurl === true) {
    terminal.out(`${shellLine(method, url + path, headers, body)}\n`)
    return
  }
  const response = await send(url + path, { method, headers, ...(body === '' ? {} : { body }) })
  const text = await response.text()
  if (options.include === true) terminal.out(headText(response))
  terminal.out(`${prettyJson(text)}\n`)
  if (response.ok) return
  const hint = response.headers.get('x-sim-hint')
  const lines = [
    `HTTP ${response.status} ${response.statusText}`,
    ...(hint === null ? [] : [`hint: ${hint}`]),
  ]
  throw new CliFailure(exitCode.expectationFailed, lines.join('\n'))
}

async function credentialsOf(options: CurlOptions, address: VenueAddress): Promise<Credentials> {
  const { key, secret } = options
  if (key !== undefined && secret !== undefined) return { apiKey: key, apiSecret: secret }
  if (key !== undefined || secret !== undefined) {
    throw new CliFailure(exitCode.usage, '--key and --secret go together')
  }
  return findCredentials(address, options.account ?? null)
}

function headText(response: Response): string {
  const lines = [...response.headers].map(([name, value]) => `${name}: ${value}`)
  return `HTTP/1.1 ${response.status} ${response.statusText}\n${lines.join('\n')}\n\n`
}

function shellLine(method: string, url: string, headers: Record<string, string>, body: string): string {
  const parts = ['curl', '-X', method, quoted(url)]
  for (const [name, value] of Object.entries(headers)) parts.push('-H', quoted(`${name}: ${value}`))
  if (body !== '') parts.push('--data-raw', quoted(body))
  return parts.join(' ')
}

/** For POSIX shells: inside single quotes nothing is special but the quote itself. */
const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`

const keysFlags = {
  url: parsedFlag(parseAddress, '<address>', 'where the admin API is', { default: usualAddress }),
  world: aFlag('<id>', 'the world whose keys are listed', { default: 'default' }),
  adminToken: aFlag('<text>', 'the token of the admin API'),
  json: aSwitch('print JSON'),
}

type KeysOptions = FlagsOf<typeof keysFlags>

/** `otcsim keys`: the keys of a running venue. */
export function keysCommand(terminal: Terminal): Command {
  return addFlags(new Command('keys'), keysFlags).action(async (_options: unknown, command: Command) => {
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
