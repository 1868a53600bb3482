import { Command, Option } from 'commander'
import { resolveReadings } from '../api/readings.ts'
import { isLoopbackHost } from '../server/admin/guard.ts'
import { createVenueServer, type VenueServer } from '../server/create-venue-server.ts'
import { type ClockMode, type ClockSettings, clockModes } from '../world/clock-driver.ts'
import { shippedScenarios } from '../world/shipped-scenarios.ts'
import { systemWallClock } from '../world/wall-clock.ts'
import type { World } from '../world/world.ts'
import { readingsOf } from '../world/world.ts'
import { defaultWorld, Worlds } from '../world/worlds.ts'
import { bannerText } from './banner.ts'
import { CliFailure, exitCode, systemReason } from './failure.ts'
import { gatherPairs, isPairs, parsePort } from './option-parsers.ts'
import { readyLine, withdrawReadyFile, writeReadyFile } from './ready.ts'
import { openScenario } from './scenario-files.ts'
import { applySettings } from './settings.ts'
import { painter, type Terminal } from './terminal.ts'
import { version } from './version.ts'

interface ServeOptions {
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

export const defaultPort = 4010

/** `otcsim serve`, which is also `otcsim` alone: one venue over HTTP until it is asked to end. */
export function serveCommand(terminal: Terminal): Command {
  return new Command('serve')
    .description('serve a venue over HTTP (the default command)')
    .addOption(
      new Option('--port <number>', 'where to listen; 0 takes a free one')
        .argParser(parsePort)
        .default(defaultPort),
    )
    .option(
      '--host <address>',
      'the address to listen on; beyond this machine only with --admin-token',
      '127.0.0.1',
    )
    .option('--scenario <name>', 'a shipped scenario or a file', 'calm')
    .option('--seed <text>', "in place of the scenario's seed")
    .addOption(
      new Option('--clock <mode>', "in place of the scenario's clock; realtime when it states none").choices([
        ...clockModes,
      ]),
    )
    .addOption(
      new Option(
        '--readings <key=value>',
        'how to read an open point of the specification; may stand many times',
      ).argParser(gatherPairs),
    )
    .addOption(
      new Option('--param <name=value>', 'a parameter of the scenario; may stand many times').argParser(
        gatherPairs,
      ),
    )
    .addOption(
      new Option('--admin-port <number>', 'a port of its own for the admin API').argParser(parsePort),
    )
    .option('--admin-token <text>', 'what callers of the admin API must present')
    .option('--json', 'machine-readable lines on stdout instead of the banner')
    .option('--ready-file <file>', 'written when the venue answers, with the same facts as the ready line')
    .option('--config <file>', 'where options come from that no flag or variable gives')
    .addHelpText('after', '\nEvery option can be set by a variable, too: --ready-file by OTCSIM_READY_FILE.')
    .action(async (_options: unknown, command: Command) => {
      applySettings(command, terminal)
      await serve(command.opts(), command.getOptionValueSource('port') !== 'default', terminal)
    })
}

async function serve(options: ServeOptions, isPortChosen: boolean, terminal: Terminal): Promise<void> {
  if (options.adminToken === undefined && !isLoopbackHost(hostInUrl(options.host))) {
    throw new CliFailure(
      exitCode.usage,
      `--host ${options.host} is open to other machines and needs --admin-token`,
    )
  }
  // One that an earlier run left behind would say that this one is ready.
  if (options.readyFile !== undefined) withdrawReadyFile(terminal.cwd, options.readyFile)
  const worlds = new Worlds(systemWallClock)
  const world = makeWorld(worlds, options, terminal)
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

function makeWorld(worlds: Worlds, options: ServeOptions, terminal: Terminal): World {
  const params = isPairs(options.param) ? options.param : new Map<string, string>()
  const { compiled } = openScenario({
    scenario: options.scenario,
    cwd: terminal.cwd,
    params,
    seed: options.seed ?? null,
  })
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
