import { prettyJson } from '../../client/pretty-json.ts'
import { CliFailure, exitCode } from '../failure.ts'
import type { Terminal } from '../terminal.ts'
import { bodyOf } from './body-of.ts'
import { findCredentials, send, type VenueAddress } from './running-venue.ts'
import { type Credentials, fullPath, signedHeaders } from './signing.ts'

export interface CurlOptions {
  readonly data?: string
  readonly url: string
  readonly account?: string
  readonly key?: string
  readonly secret?: string
  readonly adminToken?: string
  readonly include?: boolean
  readonly printCurl?: boolean
}

/** Signs and sends one request, and prints its answer. Fails when the answer is an error. */
export async function sendSigned(
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
