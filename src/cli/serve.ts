import { resolveReadings } from '../api/readings.ts'
import type { CompiledScenario } from '../scenario/compiled.ts'
import { isLoopbackHost } from '../server/admin/guard.ts'
import { createVenueServer, type VenueServer } from '../server/create-venue-server.ts'
import type { ClockMode, ClockSettings } from '../world/clock-driver.ts'
import { loadShipped, shippedScenarios } from '../world/shipped-scenarios.ts'
import { systemWallClock } from '../world/wall-clock.ts'
import type { World } from '../world/world.ts'
import { readingsOf } from '../world/world-options.ts'
import { defaultWorld, Worlds } from '../world/worlds.ts'
import { bannerText } from './banner.ts'
import { CliFailure, exitCode, systemReason } from './failure.ts'
import { isPairs } from './option-parsers.ts'
import { readyLine, withdrawReadyFile, writeReadyFile } from './ready.ts'
import { painter, type Terminal } from './terminal.ts'
import { version } from './version.ts'

export interface ServeOptions {
  readonly port: number
  readonly host: string
  readonly scenario: string
  readonly seed?: string
  readonly clock?: ClockMode
  readonly readings?: unknown
  readonly param?: unknown
  readonly adminPort?: number
  readonly adminToken?: string
  readonly json?: boolean
  readonly readyFile?: string
}

/** Serves until it is asked to end. `isPortChosen`: whether another port would be a surprise. */
export async function serve(options: ServeOptions, isPortChosen: boolean, terminal: Terminal): Promise<void> {
  if (options.adminToken === undefined && !isLoopbackHost(hostInUrl(options.host))) {
    throw new CliFailure(
      exitCode.usage,
      `--host ${options.host} is open to other machines and needs --admin-token`,
    )
  }
  // One that an earlier run left behind would say that this one is ready.
  if (options.readyFile !== undefined) withdrawReadyFile(terminal.cwd, options.readyFile)
  const worlds = new Worlds(systemWallClock)
  const world = await makeWorld(worlds, options, terminal)
  let stop: () => void = () => {}
  const stopped = new Promise<void>((resolve) => {
    stop = resolve
  })
  const server = await start(worlds, options, isPortChosen, terminal, stop)
  const silence = terminal.onStop(stop)
  try {
    const ready = readyLine(server, world)
    if (options.readyFile !== undefined) writeReadyFile(terminal.cwd, options.readyFile, ready)
    if (options.json === true) terminal.out(ready)
    else {
      // Since the process began: that is what the user waited for.
      const spent = Math.ceil(performance.now())
      terminal.err(bannerText(server, world, spent, painter(terminal, terminal.isErrTty)))
    }
    await stopped
  } finally {
    if (options.readyFile !== undefined) withdrawReadyFile(terminal.cwd, options.readyFile)
    await server.close()
    silence()
    if (options.json === true) terminal.out('{"event":"shutdown"}\n')
  }
}

async function makeWorld(worlds: Worlds, options: ServeOptions, terminal: Terminal): Promise<World> {
  const compiled = await scenarioOf(options, terminal)
  const overrides = isPairs(options.readings) ? Object.fromEntries(options.readings) : {}
  const readings = resolveReadings(overrides, readingsOf(compiled))
  if (!readings.ok) {
    const { field, reason, hint } = readings.flaw
    throw new CliFailure(
      exitCode.usage,
      `--readings ${field}: ${reason}${hint === undefined ? '' : ` (${hint})`}`,
    )
  }
  const clock: Partial<ClockSettings> = { mode: options.clock ?? compiled.clock.mode ?? 'realtime' }
  const made = worlds.create(compiled, { id: defaultWorld, readings: readings.value, clock })
  if (!made.ok) throw new CliFailure(exitCode.usage, `${options.scenario}: two accounts have the same key`)
  return made.world
}

/** What comes with the package is there as JSON; what reads YAML and recordings is loaded for the rest alone. */
async function scenarioOf(
  { scenario, param, seed }: ServeOptions,
  terminal: Terminal,
): Promise<CompiledScenario> {
  const params = isPairs(param) ? param : new Map<string, string>()
  const shipped = loadShipped(scenario, { params, ...(seed === undefined ? {} : { seed }) })
  // One that is refused has recordings, or a problem that is told better with its line.
  if (shipped?.ok === true) return shipped.value
  const { openScenario } = await import('./scenario-files.ts')
  return openScenario({ scenario, cwd: terminal.cwd, params, seed: seed ?? null }).compiled
}

/** Tries the usual port's neighbours when nobody chose it; a chosen one is taken or refused. */
async function start(
  worlds: Worlds,
  options: ServeOptions,
  isPortChosen: boolean,
  terminal: Terminal,
  onShutdown: () => void,
): Promise<VenueServer> {
  const attempts = isPortChosen ? 1 : 10
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
        version,
        report: (text) => terminal.err(`${text}\n`),
        onShutdown,
      })
    } catch (error) {
      const isBusy = error instanceof Error && 'code' in error && error.code === 'EADDRINUSE'
      if (isBusy && attempt + 1 < attempts) {
        terminal.err(`port ${port} is in use, trying ${port + 1}\n`)
        continue
      }
      const busy = 'port' in Object(error) ? String(Object(error).port) : String(port)
      const reason = isBusy ? `port ${busy} is in use` : systemReason(error)
      throw new CliFailure(exitCode.unreachable, `cannot listen on ${options.host}:${port}: ${reason}`)
    }
  }
}

const hostInUrl = (host: string): string => (host.includes(':') ? `[${host}]` : host)
