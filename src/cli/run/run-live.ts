import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { scriptedPrefix } from '../../api/faults/matches-fault.ts'
import { describeOutcome } from '../../api/request-words.ts'
import { JournalFile } from '../../journal/journal-file.ts'
import { linesOfFile } from '../../journal/lines.ts'
import { formatDuration, millisToIso } from '../../numeric/time-text.ts'
import { millis } from '../../numeric/units.ts'
import type { AwaitAction } from '../../scenario/actions/clients.ts'
import type { CompiledScenario, TimelineEntry } from '../../scenario/compile/compiled.ts'
import type { SourceLocation } from '../../scenario/file/tree.ts'
import { type EvaluatedRun, ExpectationEvaluator } from '../../scenario/run/expectation-evaluator.ts'
import { EffectRecorder } from '../../scenario/run/idle-entries.ts'
import { computeEndMillis, type Refusal, type ScenarioRun } from '../../scenario/run/run-scenario.ts'
import { parseTokenEntry } from '../../scenario/run/script-state.ts'
import type { VenueServer } from '../../server/create-venue-server.ts'
import { type RunningScenario, systemWallClock } from '../../world/clock.ts'
import { createFileJournals } from '../../world/journals/journal-store.ts'
import { noReplayLimit, type ReplayObserver, replayJournal } from '../../world/journals/replay.ts'
import type { World } from '../../world/world.ts'
import { WorldWatch } from '../../world/world-watch.ts'
import { defaultWorld, Worlds } from '../../world/worlds.ts'
import { describeOtherRequests } from '../evidence.ts'
import { ChildExit, CliFailure, usageFailure } from '../failure.ts'
import { writeFile } from '../files.ts'
import { journalFailure } from '../read-journal.ts'
import { runChild } from '../run-child.ts'
import { buildEnvironment } from '../serve/child-environment.ts'
import { serveOnFreePort } from '../serve/local-venue.ts'
import type { Terminal } from '../terminal.ts'
import { version } from '../version.ts'
import type { RunTask } from './run-one.ts'
import {
  type Check,
  type CheckFailure,
  createRunReport,
  judgeChecks,
  makePinCheck,
  type RunReport,
} from './run-report.ts'

export interface ClientRunOptions {
  readonly client: string
  readonly account: string | null
  readonly wallLimitMillis: number
}

/**
 * Runs a scenario with a client: serves it on a free port, starts the client with the variables of `otcsim exec`, and
 * lets the world's clock run as the scenario says. The client is stopped when the world reaches the scenario's end.
 * When the client ends earlier, the rest of the time passes without it. The run is judged from its journal in virtual
 * time, so the same journal always gives the same verdict.
 */
export async function runLive(
  scenario: CompiledScenario,
  { opened, variant }: RunTask,
  options: ClientRunOptions,
  terminal: Terminal,
): Promise<RunReport> {
  const folder = mkdtempSync(join(tmpdir(), 'otcsim-run-'))
  const path = join(folder, 'run.journal')
  const startedAt = performance.now()
  try {
    const end = await serveScenario(scenario, path, options, terminal)
    if (end.kind === 'interrupted') throw new ChildExit(130)
    const run = judgeJournal(scenario, path, end.nowMillis)
    // Choice: a pinned digest is not judged, because it belongs to the run without a client.
    const { pinned } = scenario
    const report = createRunReport({ ...scenario, pinned: null }, run, {
      file: opened.file,
      replay: '',
      requests: end.requests,
      series: null,
      wallMillis: performance.now() - startedAt,
    })
    const checks: readonly Check[] = [
      ...checkClient(scenario, end, opened.file),
      ...report.checks,
      ...(pinned === null
        ? []
        : [{ ...makePinCheck(pinned), unjudged: 'it is of the run without a client' }]),
    ]
    const judged = judgeChecks(checks, null, end.requests)
    const journal = judged.ok ? null : keepJournal(path, `${scenario.name}-${variant.name}`, terminal)
    return journal === null
      ? { ...report, ...judged }
      : { ...report, ...judged, journal, replay: `npx otcsim replay ${journal} --verify` }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Serves the scenario's world with a journal at `path`, and runs the client against it. */
async function serveScenario(
  scenario: CompiledScenario,
  path: string,
  options: ClientRunOptions,
  terminal: Terminal,
): Promise<LiveEnd> {
  const store = createFileJournals(
    defaultWorld,
    { kind: 'fresh', file: new JournalFile(path, 'os'), torn: null },
    version,
  )
  const worlds = new Worlds(systemWallClock, store)
  const clock = { mode: scenario.clock.mode ?? 'realtime' } as const
  const made = worlds.create(scenario, { id: defaultWorld, clock })
  if (!made.ok) throw usageFailure(`${scenario.name}: two accounts have the same key`)
  const server = await serveOnFreePort(worlds, terminal)
  try {
    return await runClient(server, made.world, options, terminal)
  } finally {
    await server.close()
    worlds.close()
  }
}

async function runClient(
  server: VenueServer,
  world: World,
  { client, account, wallLimitMillis }: ClientRunOptions,
  terminal: Terminal,
): Promise<LiveEnd> {
  let stop = (): void => {}
  const met = new WorldWatch()
  world.watch = met
  const watch = watchWorld(world, wallLimitMillis, () => stop())
  let isInterrupted = false
  try {
    const end = await runChild(client, {
      cwd: terminal.cwd,
      env: buildEnvironment(terminal, server, world, account, null),
      timeoutMillis: null,
      // Only the report may go to stdout.
      onOutput: (text) => terminal.err(text),
      onStop: (listener) => {
        stop = listener
        return terminal.onStop(() => {
          isInterrupted = true
          listener()
        })
      },
      graceMillis: 2000,
    })
    // Requests that came after the world's time was over changed nothing that is judged, but they came.
    const { requests, otherRequests } = met.take()
    const ended = { nowMillis: world.now, requests, otherRequests }
    if (isInterrupted) return { ...ended, kind: 'interrupted' }
    return { ...ended, ...(watch.end() ?? { kind: 'client-ended', code: end.code }) }
  } finally {
    watch.close()
  }
}

/** Keeps the journal of a failed run. Returns its file, or null when the journal cannot be written. */
function keepJournal(path: string, name: string, terminal: Terminal): string | null {
  const words = name.toLowerCase().match(/[a-z0-9]+/g) ?? []
  const shown = `.otcsim/${words.join('-').slice(0, 80)}.journal`
  try {
    writeFile(terminal.cwd, shown, readFileSync(path))
  } catch (error) {
    // The failure of the run matters more than that of the copy.
    if (!(error instanceof CliFailure)) throw error
    terminal.err(`${error.message}\n`)
    return null
  }
  return shown
}

/**
 * Replays the journal of a run with a client and judges it like any run: at each instant at which something can change,
 * and after each command. The run ends with the scenario. If its clock has no end, the run ends at `stoodAtMillis` when
 * that is later. When the journal ends earlier, the rest of the time passes without the client.
 */
function judgeJournal(scenario: CompiledScenario, path: string, stoodAtMillis: number): ScenarioRun {
  const { endMillis: stated } = scenario.clock
  const endMillis = stated ?? millis(Math.max(computeEndMillis(scenario), stoodAtMillis))
  const judge = new ExpectationEvaluator(scenario, endMillis, 200)
  const refusals: Refusal[] = []
  const effects = new EffectRecorder()
  const hasFaults = scenario.timeline.some(({ action }) => action.kind === 'fault')
  const look = (world: World): void => {
    judge.evaluate(toJudgedRun(world.running))
    for (const { id, fired } of hasFaults ? world.faults.list(world.now) : [])
      if (fired > 0 && id.startsWith(scriptedPrefix))
        effects.noteStrike(parseTokenEntry(id.slice(scriptedPrefix.length)))
  }
  const passTimeUntil = (world: World, atMillis: number): void => {
    while (world.now < atMillis) {
      world.time.passTimeTo(millis(Math.min(atMillis, judge.nextStop(toJudgedRun(world.running)))))
      look(world)
    }
  }
  const watch: ReplayObserver = {
    scenario,
    onAction: (entry, problem, reason) => {
      effects.noteAct(entry.place)
      if (problem !== null) refusals.push({ entry, problem, reason })
    },
    onStart: look,
    beforeLine: passTimeUntil,
    afterLine: look,
  }
  const descriptor = openSync(path, 'r')
  try {
    const until = { ...noReplayLimit, atMillis: endMillis }
    const replay = replayJournal(linesOfFile(descriptor), until, null, watch)
    if (replay.kind !== 'done') throw journalFailure('the journal of the run', replay)
    const { world } = replay
    passTimeUntil(world, endMillis)
    const { failures, unjudged, counts, aggregates } = judge
    return {
      state: world.venue.state,
      named: world.running.script.named,
      failures,
      unjudged,
      counts,
      aggregates,
      brokenPin: null,
      recorded: [],
      refusals,
      idle: effects.listIdle(scenario, endMillis, world.running.script.named, true),
      sequence: world.sequence,
      digest: world.digest(),
    }
  } finally {
    closeSync(descriptor)
  }
}

/** Converts the current state of a world's scenario to what a judge looks at. */
function toJudgedRun({ script, venue }: RunningScenario): EvaluatedRun {
  const { state } = venue
  return {
    state,
    named: script.named,
    createSource: (firstFill) => script.createSource(state, firstFill),
    nextScriptMillis: () => script.nextAtMillis,
  }
}

/** How a run with a client ended, and the world's time at that moment. */
type LiveEnd = RunUntilEnd & EndReason

interface RunUntilEnd {
  readonly nowMillis: number
  /** How many requests for operations the world has received. */
  readonly requests: number
  /** How many requests the world has received to paths or by methods that the venue does not have. */
  readonly otherRequests: number
}

type EndReason =
  | { readonly kind: 'scenario-ended' }
  | { readonly kind: 'client-ended'; readonly code: number }
  | { readonly kind: 'interrupted' }
  /** An awaited event did not come within its limit of real time. */
  | {
      readonly kind: 'nothing-came'
      readonly entry: TimelineEntry
      readonly limitMillis: number
      readonly seen: string
    }
  | {
      readonly kind: 'too-long'
      readonly limitMillis: number
      readonly waitsFor: readonly string[]
      readonly seen: string
    }

const defaultAwaitMillis = 60_000
const pollMillis = 20

/**
 * Polls a served world, and calls `stop` once the client should end. `end` then returns the reason; before, it returns
 * null.
 */
function watchWorld(world: World, wallLimitMillis: number, stop: () => void) {
  const startedAt = performance.now()
  const awaitedSince = new Map<TimelineEntry, number>()
  let end: EndReason | null = null
  const timer = setInterval(() => {
    // The journal has no line yet for an advance that is under way.
    if (end !== null || world.workQueue.isPaused) return
    world.time.catchUp()
    end = findEnd(world, wallLimitMillis, startedAt, awaitedSince)
    if (end !== null) stop()
  }, pollMillis)
  return { end: () => end, close: () => clearInterval(timer) }
}

function findEnd(
  world: World,
  wallLimitMillis: number,
  startedAt: number,
  awaitedSince: Map<TimelineEntry, number>,
): EndReason | null {
  const { endMillis } = world.scenario.clock
  if (endMillis !== null && world.now >= endMillis) return { kind: 'scenario-ended' }
  const awaits = world.running.script.awaits
  const wallMillis = performance.now()
  for (const entry of [...awaitedSince.keys()]) if (!awaits.includes(entry)) awaitedSince.delete(entry)
  for (const entry of awaits) {
    const { action } = entry
    if (action.kind !== 'await' || action.required === false) continue
    if (!awaitedSince.has(entry)) awaitedSince.set(entry, wallMillis)
    const limitMillis = action.wallTimeoutMillis ?? defaultAwaitMillis
    if (wallMillis - (awaitedSince.get(entry) ?? wallMillis) >= limitMillis)
      return { kind: 'nothing-came', entry, limitMillis, seen: describeLastRequest(world) }
  }
  if (wallMillis - startedAt < wallLimitMillis) return null
  const waitsFor = awaits.map(formatEntryName)
  return {
    kind: 'too-long',
    limitMillis: wallLimitMillis,
    waitsFor,
    seen: describeLastRequest(world),
  }
}

/** Lists the checks of the client itself, besides the scenario's expectations: how it ended, and that it asked anything. */
function checkClient(scenario: CompiledScenario, end: LiveEnd, file: string): readonly Check[] {
  const top = { file, line: 1, column: 1 }
  const asks = 'the client asks the venue for something'
  const isIdle = end.requests === 0 && (end.kind === 'scenario-ended' || end.kind === 'client-ended')
  const got = describeOtherRequests(end.otherRequests) ?? 'no request came at all'
  const idle = { expected: asks, got, places: [top] }
  return [...checkEnd(scenario, end, top), ...(isIdle ? [toCheck(asks, 'nothing was asked', idle, top)] : [])]
}

function checkEnd(scenario: CompiledScenario, end: LiveEnd, top: SourceLocation): readonly Check[] {
  const { startMillis } = scenario.venue
  const stands = `the world stood at ${millisToIso(end.nowMillis)} (+${formatDuration(end.nowMillis - startMillis)})`
  switch (end.kind) {
    case 'nothing-came': {
      const { entry, limitMillis } = end
      const { place } = entry
      const expected = `${formatEntryName(entry)}, within ${formatDuration(limitMillis)} of real time`
      const failure = { expected, got: `it did not come: ${stands}, ${end.seen}`, places: [place] }
      return [toCheck(expected, 'what is awaited comes in real time', failure, place)]
    }
    case 'too-long': {
      const expected = `the run is over within ${formatDuration(end.limitMillis)} of real time`
      const waits = end.waitsFor.length === 0 ? '' : `, waiting for ${end.waitsFor.join(' and for ')}`
      const got = `${stands}${waits}, ${end.seen}; ${describeClock(scenario)}`
      return [toCheck(expected, null, { expected, got, places: [top] }, top)]
    }
    case 'client-ended': {
      const text = 'the client ends with 0'
      const got = `it ended with ${end.code}; ${stands}`
      return [toCheck(text, null, end.code === 0 ? null : { expected: text, got, places: [top] }, top)]
    }
    default:
      return []
  }
}

const toCheck = (
  text: string,
  message: string | null,
  failure: CheckFailure | null,
  place: SourceLocation,
): Check => ({ text, message, place, failure, unjudged: null, evaluations: 1, known: 1 })

/** Describes what moves the clock, which may explain why no time has passed. */
function describeClock({ clock }: CompiledScenario): string {
  switch (clock.mode ?? 'realtime') {
    case 'manual':
      return 'its clock is moved by POST clock/advance only'
    case 'auto':
      return 'its clock is moved by the requests of clients only'
    case 'follow':
      return 'its clock follows the timestamps of clients only'
    case 'realtime':
      return `its clock runs ${clock.speed} times as fast as real time`
  }
}

function formatEntryName({ id, action, place }: TimelineEntry): string {
  const name = id ?? `line ${place.line}`
  return action.kind === 'await' ? `await ${name}: ${formatAwaited(action)}` : name
}

function formatAwaited({ request, that }: AwaitAction): string {
  if (request === undefined) return that?.text ?? ''
  const { method, path, key, account, status } = request
  const parts = [
    [method, path].filter((part) => part !== undefined).join(' ') || 'a request',
    ...(account === undefined ? [] : [`by ${account}`]),
    ...(key === undefined ? [] : [`with the key ${key}`]),
    ...(status === undefined ? [] : [`answered with ${status}`]),
  ]
  return parts.join(' ')
}

function describeLastRequest({ requests }: World): string {
  const count = requests.nextSequence - 1
  const last = requests.since(count - 1).at(-1)
  if (last === undefined) return 'and no request came at all'
  const { method, path, account, status } = last
  const requestsText = count === 1 ? 'the one request that came' : `the last of ${count} requests`
  const isAnswered = status !== 0 && last.lost === null
  const outcome = isAnswered ? `answered with ${status}` : `and had ${describeOutcome(last)}`
  return `${requestsText} was ${method} ${path} by ${account ?? 'nobody'}, ${outcome}`
}
