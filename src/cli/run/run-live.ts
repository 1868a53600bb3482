import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { JournalFile } from '../../journal/journal-file.ts'
import { linesOfFile } from '../../journal/lines.ts'
import { millis } from '../../numeric/units.ts'
import type { CompiledScenario } from '../../scenario/compile/compiled.ts'
import type { JudgedRun } from '../../scenario/run/run-judge.ts'
import { RunJudge } from '../../scenario/run/run-judge.ts'
import type { Refusal, ScenarioRun } from '../../scenario/run/run-scenario.ts'
import { endOf } from '../../scenario/run/run-scenario.ts'
import type { VenueServer } from '../../server/create-venue-server.ts'
import { systemWallClock } from '../../world/clock.ts'
import { fileJournals } from '../../world/journals/journal-store.ts'
import type { ReplayWatch } from '../../world/journals/replay.ts'
import { replayJournal, toTheEnd } from '../../world/journals/replay.ts'
import type { RunningScenario } from '../../world/script/running-scenario.ts'
import type { World } from '../../world/world.ts'
import { defaultWorld, Worlds } from '../../world/worlds.ts'
import { ChildExit } from '../child-exit.ts'
import { CliFailure, exitCode } from '../failure.ts'
import { damageText, divergenceText } from '../journal-texts.ts'
import { runChild } from '../run-child.ts'
import { environmentOf, serveOnFreePort } from '../serve/local-venue.ts'
import type { Terminal } from '../terminal.ts'
import { version } from '../version.ts'
import { writeFile } from '../write-file.ts'
import { clientCheck, type LiveEnd, watchLive } from './live-limits.ts'
import type { RunTask } from './run-one.ts'
import { type Check, type RunReport, reportOf } from './run-report.ts'

export interface LiveOptions {
  /** A command line for the shell. */
  readonly client: string
  /** The account whose key it is given; null: the one that may do most. */
  readonly account: string | null
  /** How long a run may take in real time. */
  readonly wallLimitMillis: number
}

/**
 * Runs a scenario with a client: serves it on a free port, starts the client with the variables of `otcsim exec`, and
 * lets the world's clock run as the scenario says. The run ends when the world's time has reached the scenario's end,
 * and the client is then ended; when a client ends earlier, the rest of the time passes without it. The run is judged
 * from its journal, in virtual time, so the same journal is always judged the same.
 */
export async function runLive(
  scenario: CompiledScenario,
  { opened, variant }: RunTask,
  options: LiveOptions,
  terminal: Terminal,
): Promise<RunReport> {
  const folder = mkdtempSync(join(tmpdir(), 'otcsim-run-'))
  const path = join(folder, 'run.journal')
  const startedAt = performance.now()
  try {
    const end = await live(scenario, path, options, terminal)
    if (end.kind === 'interrupted') throw new ChildExit(130)
    const run = judgeLive(scenario, path, end.nowMillis)
    const check = clientCheck(scenario, end, opened.file)
    const report = reportOf({
      // Choice: a pinned digest is that of the run without clients, so it says nothing about one with a client.
      scenario: { ...scenario, pinned: null },
      run,
      file: opened.file,
      replay: '',
      series: null,
      wallMillis: performance.now() - startedAt,
    })
    const checks: readonly Check[] = check === null ? report.checks : [check, ...report.checks]
    const ok = checks.every(({ failure }) => failure === null)
    const replay = ok ? '' : keep(path, `${scenario.name}-${variant.name}`, terminal)
    return { ...report, checks, ok, replay }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Runs the client against the served world, with everything that happens going into a journal. */
async function live(
  scenario: CompiledScenario,
  path: string,
  options: LiveOptions,
  terminal: Terminal,
): Promise<LiveEnd> {
  const keeper = fileJournals(defaultWorld, { kind: 'fresh', file: new JournalFile(path, 'os') }, version)
  const worlds = new Worlds(systemWallClock, keeper)
  const clock = { mode: scenario.clock.mode ?? 'realtime' } as const
  const made = worlds.create(scenario, { id: defaultWorld, clock })
  if (!made.ok) throw new CliFailure(exitCode.usage, `${scenario.name}: two accounts have the same key`)
  const server = await serveOnFreePort(worlds, terminal)
  try {
    return await withClient(server, made.world, options, terminal)
  } finally {
    await server.close()
    worlds.close()
  }
}

async function withClient(
  server: VenueServer,
  world: World,
  { client, account, wallLimitMillis }: LiveOptions,
  terminal: Terminal,
): Promise<LiveEnd> {
  let stop: () => void = () => {}
  const watch = watchLive(world, wallLimitMillis, () => stop())
  let isInterrupted = false
  try {
    const end = await runChild(client, {
      cwd: terminal.cwd,
      env: { ...terminal.env, ...environmentOf(server, world, account) },
      timeoutMillis: null,
      // stdout is for the report.
      said: (text) => terminal.err(text),
      onStop: (listener) => {
        stop = listener
        return terminal.onStop(() => {
          isInterrupted = true
          listener()
        })
      },
      graceMillis: 2000,
    })
    if (isInterrupted) return { kind: 'interrupted', nowMillis: world.now }
    return watch.end() ?? { kind: 'client-ended', code: end.code, nowMillis: world.now }
  } finally {
    watch.close()
  }
}

/**
 * Keeps the journal of a run that has failed. Answers the command that replays it, empty where there is no room for it.
 */
function keep(path: string, name: string, terminal: Terminal): string {
  const words = name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
  const shown = `.otcsim/${words.slice(0, 80)}.journal`
  try {
    writeFile(terminal.cwd, shown, readFileSync(path))
  } catch (error) {
    // The run's own failure is what matters.
    if (!(error instanceof CliFailure)) throw error
    terminal.err(`${error.message}\n`)
    return ''
  }
  return `otcsim replay ${shown} --verify`
}

/**
 * Carries out the journal of a scenario's run with a client, and judges it as a run without one is judged: wherever
 * anything can change, and after each command. It ends where the scenario does; one whose clock has no end ends where
 * it last stood, if that is later. When the journal ends first, the rest of the time passes without the client.
 */
function judgeLive(scenario: CompiledScenario, path: string, stoodAtMillis: number): ScenarioRun {
  const { endMillis: stated } = scenario.clock
  const endMillis = stated ?? millis(Math.max(endOf(scenario), stoodAtMillis))
  const judge = new RunJudge(scenario, endMillis, 200)
  const refusals: Refusal[] = []
  const look = (world: World): void => judge.look(judgedRun(world.running))
  const passUntil = (world: World, atMillis: number): void => {
    while (world.now < atMillis) {
      world.time.proceedTo(millis(Math.min(atMillis, judge.nextStop(judgedRun(world.running)))))
      look(world)
    }
  }
  const watch: ReplayWatch = {
    scenario,
    acted: (entry, problem, reason) => {
      if (problem !== null) refusals.push({ entry, problem, reason })
    },
    begins: look,
    comes: passUntil,
    done: look,
  }
  const descriptor = openSync(path, 'r')
  try {
    const until = { ...toTheEnd, atMillis: endMillis }
    const replay = replayJournal(linesOfFile(descriptor), until, null, watch)
    if (replay.kind === 'diverged')
      throw new CliFailure(
        exitCode.determinismBroken,
        divergenceText('the journal of the run', replay.header, replay.divergence),
      )
    if (replay.kind !== 'done') {
      const damage =
        replay.kind === 'damaged' ? replay.damage : { line: 1, offset: 0, reason: 'there is no header' }
      throw new CliFailure(exitCode.unusableData, damageText('the journal of the run', damage))
    }
    const { world } = replay
    passUntil(world, endMillis)
    const { failures, aggregates } = judge
    return {
      state: world.venue.state,
      named: world.running.script.named,
      failures,
      aggregates,
      brokenPin: null,
      recorded: [],
      refusals,
      sequence: world.sequence,
      digest: world.digest(),
    }
  } finally {
    closeSync(descriptor)
  }
}

/** The run of a world's scenario so far, to be judged. */
function judgedRun({ script, venue }: RunningScenario): JudgedRun {
  const { state } = venue
  return {
    state,
    named: script.named,
    sourceOf: (firstFill) => script.sourceOf(state, firstFill),
    scriptAtMillis: () => script.nextAtMillis,
  }
}
