import type { Command } from 'commander'
import { jsonField, parseJson } from '../../api/json.ts'
import { oneOfTexts, withFlag } from '../../api/options.ts'
import { listTradedAssets, prepareStatistics } from '../../engine/reports/statistics.ts'
import { syncPolicies, systemCode } from '../../journal/journal-file.ts'
import { millisToIso } from '../../numeric/time-text.ts'
import { createVenueServer, type VenueServer } from '../../server/create-venue-server.ts'
import { isLoopbackHost } from '../../server/loopback.ts'
import { systemWallClock } from '../../world/clock.ts'
import { accountViews } from '../../world/views/world-views.ts'
import type { World } from '../../world/world.ts'
import { Worlds } from '../../world/worlds.ts'
import { defineCommand } from '../define-command.ts'
import { CliFailure, exitCode, systemReason, usageFailure } from '../failure.ts'
import { removeFile, writeFile } from '../files.ts'
import {
  aFlag,
  aSwitch,
  configFlag,
  defaultPort,
  type FlagsOf,
  pairsOf,
  parseCors,
  parsedFlag,
  parsePort,
  parseToken,
} from '../flags.ts'
import { createPainter, jsonLine, type Paint, type Terminal } from '../terminal.ts'
import { version } from '../version.ts'
import { worldFlags } from './local-venue.ts'
import { createServedLibrary } from './scenario-library.ts'
import { openJournals, openWorlds } from './serve-journal.ts'
import { keysLine, startKeys } from './serve-keys.ts'

const serveFlags = {
  ...worldFlags,
  port: parsedFlag(parsePort, '<number>', 'where to listen; 0 takes a free one', { default: defaultPort }),
  host: aFlag('<address>', 'the address to listen on; beyond this machine only with --admin-token', {
    default: '127.0.0.1',
  }),
  adminPort: parsedFlag(parsePort, '<number>', 'a port of its own for the admin API'),
  adminToken: parsedFlag(parseToken, '<text>', 'the token that callers of the admin API must send'),
  cors: parsedFlag(
    parseCors,
    '<origins>',
    'origins whose pages may call the venue from a browser, comma-separated, or * for all',
  ),
  journal: aFlag('<file>', 'keep a journal of whatever changes the default world, and continue from it'),
  journalDir: aFlag('<folder>', 'keep a journal of every world, a file each, and continue from them'),
  journalSync: withFlag(
    oneOfTexts(...syncPolicies),
    '<policy>',
    'when lines are forced to disk: whenever the system does so, 5 ms later, or before the response',
    { default: 'os' },
  ),
  json: aSwitch('machine-readable lines on stdout instead of the banner'),
  readyFile: aFlag('<file>', 'written when the venue answers, with the content of the ready line'),
  untilInputEnds: aSwitch('end when stdin ends, as it does when the program that started the venue is gone'),
  config: configFlag,
}

type ServeFlags = FlagsOf<typeof serveFlags>

export const serveCommand = defineCommand({
  flags: serveFlags,
  alternatives: [[['journal'], ['journalDir']]],
  note: 'Every option can be set by a variable, too: --ready-file by OTCSIM_READY_FILE.',
  act: (options, terminal, command: Command) =>
    serve({ ...options, chosen: listChosenOptions(command) }, terminal),
})

/** Lists the options that a flag, a variable or the configuration file has set. */
function listChosenOptions(command: Command): ReadonlySet<string> {
  const names = command.options.map((option) => option.attributeName())
  return new Set(names.filter((name) => !['default', undefined].includes(command.getOptionValueSource(name))))
}

export interface ServeOptions extends Omit<ServeFlags, 'journalSync'> {
  readonly journalSync?: ServeFlags['journalSync']
  /** Whether to open the console in a browser. */
  readonly open?: boolean
  /** The fragment of the address at which the console is opened. */
  readonly place?: string
  /** The names of the options that a flag, a variable or the configuration file has set. */
  readonly chosen: ReadonlySet<string>
}

async function serve(options: ServeOptions, terminal: Terminal): Promise<void> {
  if (options.adminToken === undefined && !isLoopbackHost(formatHost(options.host))) {
    throw usageFailure(`--host ${options.host} is open to other machines and needs --admin-token`)
  }
  // A file from an earlier run would announce this one before it is ready.
  if (options.readyFile !== undefined) removeFile(terminal.cwd, options.readyFile)
  const journals = await openJournals(options, terminal)
  try {
    const worlds = new Worlds(systemWallClock, journals.store)
    const world = await openWorlds(worlds, journals, options, terminal)
    await serveWorlds(worlds, world, options, terminal)
  } finally {
    journals.release()
  }
}

/** Serves existing worlds until the terminal asks to stop. `world` is the one in the ready line. */
export async function serveWorlds(
  worlds: Worlds,
  world: World,
  options: ServeOptions,
  terminal: Terminal,
): Promise<void> {
  let stop: () => void = () => {}
  const stopped = new Promise<void>((resolve) => {
    stop = resolve
  })
  const server = await listen(worlds, options, terminal, stop)
  const stopListening = terminal.onStop(stop)
  const stopReading = options.untilInputEnds === true ? terminal.onInputEnd(stop) : () => {}
  let stopPreparing = () => {}
  let stopKeys: (() => void) | null = null
  try {
    const ready = formatReadyLine(server, world)
    const console = `${server.adminUrl}/console/${options.place ?? ''}`
    if (options.readyFile !== undefined) writeFile(terminal.cwd, options.readyFile, ready)
    if (options.json !== true) {
      // Counted from the start of the process, because that is how long the user has waited.
      const spentMillis = Math.ceil(process.uptime() * 1000)
      const openConsole = async (): Promise<void> => {
        if (!(await openPage(console, terminal))) terminal.err(`  ${console}\n`)
      }
      const { adminUrl } = server
      const targets = { adminUrl, adminToken: options.adminToken ?? null, world: world.id, openConsole, stop }
      stopKeys = startKeys(targets, terminal)
      const told = { console, spentMillis, hasKeys: stopKeys !== null }
      terminal.err(formatBanner(server, world, told, createPainter(terminal, terminal.isErrTty)))
    } else {
      terminal.out(ready)
      if (options.open === true) terminal.err(`console: ${console}\n`)
    }
    if (options.open === true) await openPage(console, terminal)
    stopPreparing = prepareStatisticsLater(world)
    await stopped
  } finally {
    stopPreparing()
    stopKeys?.()
    try {
      if (options.readyFile !== undefined) removeFile(terminal.cwd, options.readyFile)
    } finally {
      await server.close()
      worlds.close()
      stopReading()
      stopListening()
      if (options.json === true) terminal.out('{"event":"shutdown"}\n')
    }
  }
}

/** Starts the server. A busy default port is replaced by one of the next nine; a busy chosen port is an error. */
async function listen(
  worlds: Worlds,
  options: ServeOptions,
  terminal: Terminal,
  onShutdown: () => void,
): Promise<VenueServer> {
  const attempts = options.chosen.has('port') ? 1 : 10
  for (let attempt = 0; ; attempt += 1) {
    const port = options.port + attempt
    try {
      return await createVenueServer({
        worlds,
        scenarios: createServedLibrary(terminal.cwd, options.cache),
        host: options.host,
        port,
        adminPort: options.adminPort ?? null,
        adminToken: options.adminToken ?? null,
        origins: options.cors ?? [],
        version,
        readings: Object.fromEntries(pairsOf(options.readings)),
        report: (text) => terminal.err(`${text}\n`),
        onShutdown,
      })
    } catch (error) {
      const isBusy = systemCode(error) === 'EADDRINUSE'
      if (isBusy && attempt + 1 < attempts) {
        terminal.err(`port ${port} is in use, trying ${port + 1}\n`)
        continue
      }
      // The busy port may be that of the admin API.
      const refused = 'port' in Object(error) ? String(Object(error).port) : String(port)
      const reason = isBusy ? await explainBusyPort(options.host, refused) : systemReason(error)
      throw new CliFailure(exitCode.unreachable, `cannot listen on ${options.host}:${refused}: ${reason}`)
    }
  }
}

/** How long a program that has the wanted port may take to say what it is, in milliseconds. */
const holderPatienceMillis = 3000

/** Says who has a port, as far as that answers, and what to do. */
async function explainBusyPort(host: string, port: string): Promise<string> {
  const holder = await describeHolder(`http://${formatHost(host)}:${port}`)
  return `port ${port} is in use by ${holder}; --port 0 takes any free port, and --port NUMBER another one`
}

/** Describes the program that has an address. One that does not answer in time may be an otcsim that is busy. */
async function describeHolder(url: string): Promise<string> {
  const signal = AbortSignal.timeout(holderPatienceMillis)
  try {
    const answer = await fetch(`${url}/__admin/info`, { signal })
    const info = parseJson(await answer.text())
    const [name, version, startedAt] = ['name', 'version', 'startedAt'].map((key) => jsonField(info, key))
    if (name !== 'otcsim') return 'another program'
    return `otcsim ${version}, which serves ${url} since ${startedAt}; stop it, or use it as it is`
  } catch {
    return signal.aborted
      ? `a program that did not answer within ${holderPatienceMillis / 1000} s`
      : 'another program'
  }
}

const formatHost = (host: string): string => (host.includes(':') ? `[${host}]` : host)

/** Formats what a program that starts the venue needs to know as one line of JSON (design section 12). */
function formatReadyLine(server: VenueServer, world: World): string {
  const details = {
    event: 'ready',
    url: server.url,
    adminUrl: server.adminUrl,
    port: server.port,
    pid: process.pid,
    seed: world.seed,
    scenario: world.scenario.name,
    world: world.id,
    version,
    accounts: accountViews(world),
  }
  return jsonLine(details)
}

/**
 * The time after the start before preparation begins, so that waiting requests go first. Preparation then takes at most
 * a quarter of the time, in pieces too short to be noticed.
 */
const startDelayMillis = 700
const pauseMillis = 4

/**
 * Prepares statistics between requests, so that the first reader of prices need not wait. Returns how to stop. Errors
 * are ignored: that reader will meet them.
 */
function prepareStatisticsLater(world: World): () => void {
  let timer = setTimeout(step, startDelayMillis).unref()
  function step(): void {
    try {
      const { state } = world.venue
      const assets = listTradedAssets(state)
      for (let piece = 0; piece < 4; piece += 1) prepareStatistics(state, assets)
      if (!prepareStatistics(state, assets)) timer = setTimeout(step, pauseMillis).unref()
    } catch {}
  }
  return () => clearTimeout(timer)
}

/** Opens a page in a browser. Returns false, and does nothing, without a terminal or a desktop. */
async function openPage(url: string, terminal: Terminal): Promise<boolean> {
  const words = terminal.isErrTty ? findOpener(process.platform, terminal.env) : null
  if (words === null) return false
  const [program = '', ...rest] = words
  const { spawn } = await import('node:child_process')
  const child = spawn(program, [...rest, url], { stdio: 'ignore', detached: true })
  child.once('error', () => {})
  child.unref()
  return true
}

/** Finds the command that opens an address on a platform; null when there is no desktop. */
export function findOpener(
  platform: string,
  env: { readonly [name: string]: string | undefined },
): readonly string[] | null {
  if (platform === 'darwin') return ['open']
  // The shell's `start` would cut an address off at its first &.
  if (platform === 'win32') return ['rundll32', 'url.dll,FileProtocolHandler']
  const hasDesktop = (env['DISPLAY'] ?? '') !== '' || (env['WAYLAND_DISPLAY'] ?? '') !== ''
  return hasDesktop ? ['xdg-open'] : null
}

interface BannerFacts {
  /** The address of the console. */
  readonly console: string
  /** How long the start has taken. */
  readonly spentMillis: number
  /** Whether single keys act on the world. */
  readonly hasKeys: boolean
}

function formatBanner(
  server: VenueServer,
  world: World,
  { console, spentMillis, hasKeys }: BannerFacts,
  paint: Paint,
): string {
  const rows = accountViews(world).flatMap(({ id, keys }) => keys.map((key) => ({ id, ...key })))
  const padColumn = (name: 'id' | 'apiKey' | 'apiSecret', text: string): string =>
    text.padEnd(Math.max(...rows.map((row) => row[name].length)))
  const shown = rows.slice(0, maximumKeys)
  const keyLines = shown.map(({ id, apiKey, apiSecret, scopes }) => {
    const words = [padColumn('id', id), padColumn('apiKey', apiKey), padColumn('apiSecret', apiSecret)]
    return `    ${words.join('  ')}  ${paint('dim', scopes.join(' '))}`
  })
  const symbol = world.scenario.venue.assets[1]?.symbol ?? 'BTC'
  const path = `/market-data/prices/${symbol}`
  const reader = rows.find((row) => row.scopes.includes('READ'))
  const target = server.port === defaultPort ? '' : ` --url ${server.url}`
  const followed = world.clock.mode === 'follow' ? world.now : null
  return [
    '',
    `  ${paint('bold', `otcsim ${version}`)}  ready in ${spentMillis} ms    seed "${world.seed}"   scenario ${world.scenario.name}   clock ${world.clock.mode}`,
    '',
    `  ${paint('green', '➜')} API      ${paint('cyan', `${server.url}/api/sdk`)}`,
    `  ${paint('green', '➜')} Console  ${paint('cyan', console)}`,
    `  ${paint('green', '➜')} Docs     ${paint('cyan', `${server.adminUrl}/docs/`)}`,
    `  ${paint('green', '➜')} Admin    ${paint('cyan', server.adminUrl)}`,
    '',
    '  Keys and secrets (public test values, never use them elsewhere)',
    ...keyLines,
    ...(rows.length > shown.length
      ? [`    and ${rows.length - shown.length} more: npx otcsim keys${target}`]
      : []),
    '',
    ...(followed === null
      ? []
      : [
          "  Time goes where your program's clock goes",
          `    start that at ${millisToIso(followed)} (${followed}), not at the machine's time`,
          '',
        ]),
    '  Try',
    `    npx otcsim curl${target} GET ${path}`,
    `    npx otcsim curl${target} POST /orders -d '{"side":"buy","asset":"${symbol}","quantity":1,"orderType":"market"}'`,
    ...(reader === undefined
      ? []
      : [`    ${formatCurlLine(server.url, `/api/sdk${path}`, reader, followed)}`]),
    '',
    hasKeys ? `  ${paint('bold', 'Keys')}  ${keysLine}` : '  Ctrl-C ends it',
    '',
    '',
  ].join('\n')
}

const maximumKeys = 8
/**
 * Formats a line for any shell with curl and openssl. It signs when it runs, so its signature never expires; for a world
 * that follows its clients' clocks it signs for an instant of that world.
 */
function formatCurlLine(
  url: string,
  path: string,
  key: { readonly apiKey: string; readonly apiSecret: string },
  followedMillis: number | null,
): string {
  const instant = followedMillis === null ? '$(date +%s)000' : String(followedMillis)
  const message = `"$T""GET${path}"`
  const signature = `$(printf %s ${message} | openssl dgst -sha256 -hmac ${key.apiSecret} | sed 's/.* //')`
  return `T=${instant}; curl -s ${url}${path} -H "X-API-Key: ${key.apiKey}" -H "X-API-Timestamp: $T" -H "X-API-Signature: ${signature}"`
}
