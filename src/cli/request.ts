import { isUtf8 } from 'node:buffer'
import { indentJson, isObject } from '../api/json.ts'
import { defaultReadings, isReadingKey, resolveReadings } from '../api/readings/readings.ts'
import { hashSecret, sign } from '../client/sign.ts'
import type { SignatureRules } from '../pipeline/authenticate.ts'
import { defaultWorld } from '../world/worlds.ts'
import { defineCommand } from './define-command.ts'
import { CliFailure, exitCode, systemReason, usageFailure } from './failure.ts'
import { readFile } from './files.ts'
import {
  accountFlag,
  aFlag,
  aSwitch,
  defaultAddress,
  type FlagsOf,
  gatherReadings,
  parseAddress,
  parsedFlag,
  resolveChosenReadings,
} from './flags.ts'
import type { OptionAlternatives } from './option-conflicts.ts'
import { jsonLine, jsonText, type Terminal } from './terminal.ts'

const requestFlags = {
  data: { ...aFlag('<text>', 'the body; @FILE takes it from a file, - from standard input'), short: 'd' },
  credentials: {
    key: aFlag('<text>', 'sign with this API key'),
    secret: aFlag('<text>', 'and this API secret'),
  },
}

const requestUsage = '[options] [method] <path>'

const requestWords = {
  '<method>': 'GET, POST, PATCH or DELETE; without one GET, or POST with --data',
  '[path]': 'such as /market-data/prices, below /api/sdk',
}

/** A key that is given signs instead of that of an account. */
const credentialAlternatives: readonly OptionAlternatives[] = [[['account'], ['key', 'secret']]]

/** Reads the method and the path of a request. A path alone means GET, or POST where there is a body, as with curl. */
function readRequestWords(word: string, target: string | undefined, data: string | undefined) {
  if (target !== undefined) return { method: checkMethod(word), path: expandPath(target) }
  if (!word.includes('/')) {
    const shown = word.toUpperCase()
    throw usageFailure(`"${word}" is no path; give one, such as ${shown} /market-data/prices`)
  }
  return { method: data === undefined ? 'GET' : 'POST', path: expandPath(word) }
}

const curlFlags = {
  data: requestFlags.data,
  url: parsedFlag(parseAddress, '<address>', 'where the venue is', { default: defaultAddress }),
  account: accountFlag('sign with the key of'),
  ...requestFlags.credentials,
  adminToken: aFlag('<text>', 'the token of the admin API, which lists the keys'),
  include: { ...aSwitch('print the status and the headers, too'), short: 'i' },
  printCurl: aSwitch('print an equivalent curl command instead of sending'),
}

type CurlOptions = FlagsOf<typeof curlFlags>

export const curlCommand = defineCommand({
  flags: curlFlags,
  takes: requestWords,
  alternatives: credentialAlternatives,
  extend: (command) => command.usage(requestUsage),
  act: sendSigned,
})

async function sendSigned(
  options: CurlOptions,
  terminal: Terminal,
  word: string,
  target: string | undefined,
): Promise<void> {
  const { method, path } = readRequestWords(word, target, options.data)
  const { url } = options
  const body = readBody(options.data, terminal)
  const address: VenueAddress = { url, adminToken: options.adminToken ?? null }
  const identity = path.startsWith('/__admin')
    ? makeAdminHeaders(address)
    : await signAsAsked({ method, path, body }, options, address)
  const headers = { ...(body === '' ? {} : { 'Content-Type': 'application/json' }), ...identity }
  if (options.printCurl === true) {
    terminal.out(`${formatCurl(method, url + path, headers, body)}\n`)
    return
  }
  const response = await send(url + path, { method, headers, ...(body === '' ? {} : { body }) })
  const text = await response.text()
  if (options.include === true) terminal.out(formatHead(response))
  terminal.out(`${indentJson(text)}\n`)
  if (response.ok) return
  const hint = response.headers.get('x-sim-hint')
  const lines = [
    `HTTP ${response.status} ${response.statusText}`,
    ...(hint === null ? [] : [`hint: ${hint}`]),
  ]
  throw new CliFailure(exitCode.expectationFailed, lines.join('\n'))
}

/**
 * Signs with the key that was asked for, at the world's time where its clock follows its clients. Choice: a venue that may
 * be a real one, as its key is given and is no simulator's, is not asked for its time.
 */
async function signAsAsked(
  request: Omit<SignedRequest, 'timestamp'>,
  options: CurlOptions,
  address: VenueAddress,
): Promise<Record<string, string>> {
  const given = readGivenCredentials(options)
  const isSimulated = given === null || given.apiKey.startsWith('simk_')
  const world = isSimulated ? await fetchWorld(address, defaultWorld) : null
  const credentials = given ?? findCredentials(world, options.account ?? null)
  const isOfWorld = world?.accounts.some(({ keys }) => keys.some((key) => key.apiKey === credentials.apiKey))
  const followedMillis = isOfWorld === true ? (world?.followedMillis ?? null) : null
  const timestamp = String(followedMillis ?? Date.now())
  return signHeaders({ ...request, timestamp }, credentials)
}

/** Returns the key of `--key` and `--secret`; null when neither is given. */
function readGivenCredentials({ key, secret }: Pick<CurlOptions, 'key' | 'secret'>): Credentials | null {
  if (key !== undefined && secret !== undefined) return { apiKey: key, apiSecret: secret }
  if (key === secret) return null
  throw usageFailure('--key and --secret go together')
}

function formatHead(response: Response): string {
  const lines = [...response.headers].map(([name, value]) => `${name}: ${value}`)
  return `HTTP/1.1 ${response.status} ${response.statusText}\n${lines.join('\n')}\n\n`
}

function formatCurl(method: string, url: string, headers: Record<string, string>, body: string): string {
  const parts = ['curl', '-X', method, quoteWord(url)]
  for (const [name, value] of Object.entries(headers)) parts.push('-H', quoteWord(`${name}: ${value}`))
  if (body !== '') parts.push('--data-raw', quoteWord(body))
  return parts.join(' ')
}

/** Quotes a word for POSIX shells: inside single quotes only the quote itself is special. */
const quoteWord = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`

export const keysCommand = defineCommand({
  flags: {
    url: parsedFlag(parseAddress, '<address>', 'where the admin API is', { default: defaultAddress }),
    world: aFlag('<id>', 'the world whose keys are listed', { default: 'default' }),
    adminToken: aFlag('<text>', 'the token of the admin API'),
    json: aSwitch('print JSON'),
  },
  act: async ({ url, world, adminToken = null, json }, terminal) => {
    const found = await fetchWorld({ url, adminToken }, world)
    if (found === null)
      throw new CliFailure(exitCode.unreachable, `${url} does not list the keys of the world "${world}"`)
    const { accounts } = found
    const lines = accounts.flatMap(({ id, keys }) =>
      keys.map(
        ({ apiKey, apiSecret, scopes }) => `${[id, apiKey, apiSecret, scopes.join(' ')].join('\t')}\n`,
      ),
    )
    terminal.out(json === true ? jsonText({ accounts }) : lines.join(''))
  },
})

interface VenueAddress {
  readonly url: string
  readonly adminToken: string | null
}

type VenueAccount = KeyHolder<Credentials & { readonly scopes: readonly string[] }>

/** Sends one request. Ends the command when nothing answers at the address. */
export async function send(url: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(url, { ...init, redirect: 'manual', signal: AbortSignal.timeout(timeoutMillis) })
  } catch (error) {
    const cause = error instanceof Error && error.cause !== undefined ? error.cause : error
    throw new CliFailure(
      exitCode.unreachable,
      `cannot reach ${url}: ${systemReason(cause)}; is "otcsim serve" running?`,
    )
  }
}

const timeoutMillis = 30_000

/**
 * Fetches a world's accounts, its signature rules, and its time where that follows its clients' clocks, from a server's
 * admin API; null when the API does not list them.
 */
async function fetchWorld(address: VenueAddress, world: string) {
  const headers = makeAdminHeaders(address)
  const response = await send(`${address.url}/__admin/worlds/${encodeURIComponent(world)}`, { headers })
  if (response.status !== 200) return null
  const body: unknown = await response.json().catch(() => null)
  if (!isObject(body) || !Array.isArray(body['accounts'])) return null
  const stated = isObject(body['readings']) ? Object.entries(body['readings']) : []
  const known = stated.filter(([key]) => isReadingKey(key)).map(([key, value]) => [key, String(value)])
  const readings = resolveReadings(Object.fromEntries(known))
  const rules = readings.ok ? readings.value : defaultReadings
  const { mode }: { readonly mode?: unknown } = Object(body['clock'])
  const nowMillis = mode === 'follow' ? Date.parse(String(body['now'])) : Number.NaN
  const followedMillis = Number.isNaN(nowMillis) ? null : nowMillis
  return { accounts: body['accounts'].filter(isAccount), rules, followedMillis }
}

const makeAdminHeaders = ({ adminToken }: VenueAddress): Record<string, string> =>
  adminToken === null ? {} : { Authorization: `Bearer ${adminToken}` }

/**
 * Finds the key to sign with: that of the named account, else the key with the most scopes. A server that does not list
 * its keys is assumed to have those of a shipped scenario.
 */
function findCredentials(world: Awaited<ReturnType<typeof fetchWorld>>, account: string | null): Credentials {
  if (world === null) return defaultCredentials(account ?? 'desk')
  return { ...chooseKey(world.accounts, account), rules: world.rules }
}

interface KeyHolder<Key> {
  readonly id: string
  readonly keys: readonly Key[]
}

/** Chooses the key with the most scopes, of one account or of all. Ends the command when there is no key. */
export function chooseKey<Key extends { readonly scopes: readonly string[] }>(
  accounts: readonly KeyHolder<Key>[],
  account: string | null,
): Key {
  const keys = accounts.flatMap((holder) => (account === null || holder.id === account ? holder.keys : []))
  const [best] = keys.toSorted((left, right) => right.scopes.length - left.scopes.length)
  if (best !== undefined) return best
  const ids = accounts.map(({ id }) => id).join(', ')
  throw usageFailure(`no key for account "${account ?? ''}"; the accounts are ${ids}`)
}

const isAccount = (value: unknown): value is VenueAccount =>
  isObject(value) &&
  typeof value['id'] === 'string' &&
  Array.isArray(value['keys']) &&
  value['keys'].every(
    (key) =>
      isObject(key) &&
      typeof key['apiKey'] === 'string' &&
      typeof key['apiSecret'] === 'string' &&
      Array.isArray(key['scopes']),
  )

const signFlags = {
  data: requestFlags.data,
  account: aFlag('<id>', 'sign with the key that a shipped scenario gives this account', { default: 'desk' }),
  ...requestFlags.credentials,
  timestamp: aFlag('<ms>', 'sign for this instant instead of the present'),
  readings: parsedFlag(
    gatherReadings,
    '<key=value>',
    'sign as under these: signature.key, signature.query, or a set of readings as @published-client',
  ),
  json: aSwitch('as a JSON object'),
}

type SignOptions = FlagsOf<typeof signFlags>

export const signCommand = defineCommand({
  flags: signFlags,
  takes: requestWords,
  alternatives: credentialAlternatives,
  extend: (command) => command.usage(requestUsage),
  act: printSigned,
})

function printSigned(
  options: SignOptions,
  terminal: Terminal,
  word: string,
  target: string | undefined,
): void {
  const { timestamp = String(Date.now()) } = options
  const credentials = readGivenCredentials(options) ?? defaultCredentials(options.account)
  if (!/^[0-9]{1,16}$/.test(timestamp)) {
    throw usageFailure(`--timestamp: expected milliseconds since 1970, found "${timestamp}"`)
  }
  const { method, path } = readRequestWords(word, target, options.data)
  const rules = resolveChosenReadings(options.readings)
  const body = readBody(options.data, terminal)
  const headers = signHeaders({ method, path, body, timestamp }, { ...credentials, rules })
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\n`)
  terminal.out(options.json === true ? jsonLine(headers) : lines.join(''))
}

export interface Credentials {
  readonly apiKey: string
  readonly apiSecret: string
  /** How the venue verifies signatures; by the default readings when absent. */
  readonly rules?: SignatureRules
}

/** Returns the key that a shipped scenario gives an account in the default world. */
const defaultCredentials = (account: string): Credentials => ({
  apiKey: `simk_${defaultWorld}_${account}`,
  apiSecret: `sims_${defaultWorld}_${account}`,
})

interface SignedRequest {
  readonly method: string
  /** The path with its query, if it has one. */
  readonly path: string
  readonly body: string
  readonly timestamp: string
}

/** Signs a request. Returns its three authentication headers. Spec: Authentication. */
function signHeaders(request: SignedRequest, credentials: Credentials): Record<string, string> {
  const { method, path, body, timestamp } = request
  const { apiSecret, rules = defaultReadings } = credentials
  const target = rules['signature.query'] === 'exclude' ? path.replace(/\?.*/s, '') : path
  const message = timestamp + method.toUpperCase() + target
  const secret = rules['signature.key'] === 'sha256' ? hashSecret(apiSecret) : apiSecret
  const signature = sign(secret, message + body)
  return {
    'X-API-Key': credentials.apiKey,
    'X-API-Timestamp': timestamp,
    'X-API-Signature': signature,
  }
}

function checkMethod(word: string): string {
  if (/^[A-Za-z]{1,20}$/.test(word)) return word.toUpperCase()
  throw usageFailure(`"${word}" is not an HTTP method`)
}

/** Expands a short path: `/orders` becomes `/api/sdk/orders`. Ends the command for a whole address. */
function expandPath(path: string): string {
  if (/^[a-z]+:\/\//i.test(path))
    throw usageFailure(`"${path}" is a whole address; give its path alone, such as /orders`)
  const rooted = path.startsWith('/') ? path : `/${path}`
  return /^\/(api\/|__admin(\/|$))/.test(rooted) ? rooted : `/api/sdk${rooted}`
}

const maximumBodyBytes = 16 * 1024 * 1024

/**
 * Reads the body that `--data` states: the text itself, `@FILE`, or `-` for standard input. Returns '' without
 * `--data`.
 */
function readBody(data: string | undefined, terminal: Terminal): string {
  if (data === undefined) return ''
  if (data === '-') return terminal.readInput()
  if (!data.startsWith('@')) return data
  const file = data.slice(1)
  const bytes = readFile(terminal.cwd, file, maximumBodyBytes)
  // Other bytes would be signed and sent than those of the file.
  if (!isUtf8(bytes)) throw usageFailure(`cannot read ${file}: it is not UTF-8 text`)
  return bytes.toString('utf8')
}
