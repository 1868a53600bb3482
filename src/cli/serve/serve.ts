import { isLoopbackHost } from '../../server/admin/guard.ts'
import { createVenueServer, type VenueServer } from '../../server/create-venue-server.ts'
import { systemWallClock } from '../../world/clock/wall-clock.ts'
import { systemCodeOf } from '../../world/disk/system-code.ts'
import type { SyncPolicy } from '../../world/journal/file/sync-policies.ts'
import { shippedScenarios } from '../../world/shipped/shipped-scenarios.ts'
import type { World } from '../../world/world.ts'
import { Worlds } from '../../world/worlds.ts'
import { CliFailure, exitCode, systemReason } from '../failure.ts'
import { pairsOf } from '../option-parsers.ts'
import { painter, type Terminal } from '../terminal.ts'
import { version } from '../version.ts'
import { removeFile, writeFile } from '../write-file.ts'
import { bannerText } from './banner.ts'
import type { FirstWorldOptions } from './first-world.ts'
import { openPage } from './open-page.ts'
import { prepareWorld } from './prepare-world.ts'
import { readyLine } from './ready.ts'
import { firstWorld, openJournals } from './serve-journal.ts'

export interface ServeOptions extends FirstWorldOptions {
  readonly port: number
  readonly host: string
  readonly adminPort?: number
  readonly adminToken?: string
  readonly cors?: readonly string[]
  readonly json?: boolean
  readonly readyFile?: string
  readonly journal?: string
  readonly journalDir?: string
  readonly journalSync?: SyncPolicy
  /** Whether the console is opened in a browser. */
  readonly open?: boolean
  /** The options that somebody chose, by flag, variable or file. */
  readonly chosen: ReadonlySet<string>
}

/** Serves until it is asked to end. */
export async function serve(options: ServeOptions, terminal: Terminal): Promise<void> {
  if (options.adminToken === undefined && !isLoopbackHost(hostInUrl(options.host))) {
    throw new CliFailure(
      exitCode.usage,
      `--host ${options.host} is open to other machines and needs --admin-token`,
    )
  }
  // A file that an earlier run left behind would say that this one is ready.
  if (options.readyFile !== undefined) removeFile(terminal.cwd, options.readyFile)
  const journals = await openJournals(options, terminal)
  try {
    const worlds = new Worlds(systemWallClock, journals.keeper)
    const world = await firstWorld(worlds, journals, options, terminal)
    await serveWorlds(worlds, world, options, terminal)
  } finally {
    journals.release()
  }
}

/** Serves worlds that already exist. `world` is the one in the ready line. */
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
  const server = await start(worlds, options, terminal, stop)
  const silence = terminal.onStop(stop)
  let stopPreparing = () => {}
  try {
    const ready = readyLine(server, world)
    if (options.readyFile !== undefined) writeFile(terminal.cwd, options.readyFile, ready)
    if (options.json === true) terminal.out(ready)
    else {
      // Since the process began: the user has waited for all of that.
      const spent = Math.ceil(performance.now())
      terminal.err(bannerText(server, world, spent, painter(terminal, terminal.isErrTty)))
    }
    if (options.open === true) {
      const console = `${server.adminUrl}/console/`
      terminal.err(`console: ${console}\n`)
      openPage(console, terminal)
    }
    stopPreparing = prepareWorld(world)
    await stopped
  } finally {
    stopPreparing()
    try {
      if (options.readyFile !== undefined) removeFile(terminal.cwd, options.readyFile)
    } finally {
      await server.close()
      worlds.close()
      silence()
      if (options.json === true) terminal.out('{"event":"shutdown"}\n')
    }
  }
}

/** Tries the neighbours of the usual port; a port that was chosen is taken or refused. */
async function start(
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
        scenarios: shippedScenarios(),
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
      const isBusy = systemCodeOf(error) === 'EADDRINUSE'
      if (isBusy && attempt + 1 < attempts) {
        terminal.err(`port ${port} is in use, trying ${port + 1}\n`)
        continue
      }
      // The port that is in use may be that of the admin API.
      const refused = 'port' in Object(error) ? String(Object(error).port) : String(port)
      const reason = isBusy ? `port ${refused} is in use` : systemReason(error)
      throw new CliFailure(exitCode.unreachable, `cannot listen on ${options.host}:${refused}: ${reason}`)
    }
  }
}

const hostInUrl = (host: string): string => (host.includes(':') ? `[${host}]` : host)
