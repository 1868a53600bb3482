import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { findMadeId } from '../../api/explain/explain-requests.ts'
import { isFailedRequest } from '../../api/request-words.ts'
import { compileInitialWorld } from '../../journal/header.ts'
import { keepNotesBeside } from '../../journal/kept-notes.ts'
import type { Line, ReadJournal } from '../../journal/lines.ts'
import { isoToMillis, millisToIso } from '../../numeric/time-text.ts'
import { millis } from '../../numeric/units.ts'
import { systemWallClock } from '../../world/clock.ts'
import { createMemoryJournals } from '../../world/journals/journal-store.ts'
import {
  createReplayWorld,
  noReplayLimit,
  type Replay,
  type ReplayLimit,
  replayJournal,
} from '../../world/journals/replay.ts'
import { notesName, readFailureNotes } from '../../world/logs/test-failure.ts'
import type { World } from '../../world/world.ts'
import {
  defaultWorld,
  type FinishedReplay,
  openJournal,
  readReplayedLines,
  Worlds,
} from '../../world/worlds.ts'
import { defineCommand } from '../define-command.ts'
import { findLack, formatEvidence } from '../evidence.ts'
import { CliFailure, dataFailure, exitCode, usageFailure } from '../failure.ts'
import { readRegularFile } from '../files.ts'
import { aFlag, aSwitch, type FlagsOf, jsonFlag, parsedFlag, parsePort } from '../flags.ts'
import { journalFailure, MissingLinesFailure, openEntries, withJournal } from '../read-journal.ts'
import { serveWorlds } from '../serve/serve.ts'
import { formatCount, jsonLine, type Terminal } from '../terminal.ts'
import { version } from '../version.ts'

const replayFlags = {
  verify: aSwitch('compare every outcome, event and digest with the journal (always done)'),
  until: aFlag('<place>', 'stop after this sequence, or before the first line after this instant'),
  serve: aSwitch('then serve the world as it is at that point; its clock stands still'),
  open: aSwitch('serve it, and open its console in a browser where there is a desktop'),
  port: parsedFlag(parsePort, '<number>', 'where to serve it; 0 takes a free one', {
    default: 0,
    needs: ['serve', 'open'],
  }),
  json: jsonFlag,
}

type ReplayOptions = FlagsOf<typeof replayFlags>

export const replayCommand = defineCommand({
  flags: replayFlags,
  takes: { '<journal>': 'the file, plain or gzip' },
  act: replay,
})

/**
 * Runs `otcsim replay`, and says from where to where it has compared. Errors: the journal is missing or damaged (5); a
 * line has another outcome than recorded (3).
 */
async function replay(options: ReplayOptions, terminal: Terminal, file: string): Promise<void> {
  const until = parseUntil(options.until)
  const startedAt = performance.now()
  const replayed = withJudged(file, options.json === true, terminal, (lines) => replayJournal(lines, until))
  const spentMillis = performance.now() - startedAt
  if (replayed.kind !== 'done') throw reportRefusal(file, replayed, options.json === true, terminal)
  const { world, end, lines } = replayed
  const begun = createReplayWorld(replayed.header.world, compileInitialWorld(replayed.header))
  const unverified = options.verify === true ? findUnverified(replayed, until, file, terminal) : null
  if (unverified === null && Number.isFinite(until.atMillis) && until.atMillis > world.now)
    world.time.passTimeTo(millis(until.atMillis))
  const from = { sequence: begun.sequence, now: millisToIso(begun.now) }
  const result = { digest: world.digest(), sequence: end.sequence, now: millisToIso(world.now), from }
  if (end.torn !== null) terminal.err(`${file}: the last line is not whole, and was left out\n`)
  if (options.serve === true || options.open === true) {
    await serveShown(showReplayed(file, replayed, terminal), options, terminal)
    return
  }
  if (unverified !== null) {
    if (options.json === true) terminal.out(jsonLine({ ok: false, ...result, lookedAt: { lines } }))
    const span = `from #${from.sequence} at ${from.now} to #${result.sequence} at ${result.now}`
    throw new CliFailure(exitCode.expectationFailed, `${file}: ${unverified} (${span})`)
  }
  const rate = Math.round((lines / Math.max(spentMillis, 1)) * 1000)
  terminal.out(
    options.json === true
      ? jsonLine({ ok: true, ...result, ...(options.verify === true ? { lookedAt: { lines } } : {}) })
      : `ok  ${formatCount(lines, 'line')}, from #${from.sequence} at ${from.now} to #${result.sequence} at ${result.now}, digest ${result.digest}  (${rate} lines a second)\n${options.verify === true ? `${formatEvidence({ lines })}\n` : ''}`,
  )
}

/** Passes a journal's lines to `read`. Reports missing lines as JSON if asked for. */
function withJudged(
  file: string,
  isJson: boolean,
  terminal: Terminal,
  read: (lines: Iterable<Line>) => Replay,
): Replay {
  try {
    return withJournal(file, terminal, read)
  } catch (failure) {
    if (isJson && failure instanceof MissingLinesFailure) {
      const { kind, last, proven, files } = failure.missing
      terminal.out(jsonLine({ ok: false, missing: { kind, last, proven, files } }))
    }
    throw failure
  }
}

/** Says what a verification lacks: lines to compare, or those up to the place that was asked for. Null when nothing. */
function findUnverified(
  { end, lines, world }: FinishedReplay,
  { atMillis, sequence }: ReplayLimit,
  file: string,
  terminal: Terminal,
): string | null {
  const lack = findLack({ lines }, ['lines'])
  if (lack !== null) return lack
  const last = `looked only as far as #${end.sequence}`
  if (Number.isFinite(sequence) && end.sequence < sequence)
    return `${last}, where the journal ends; #${sequence} was asked for`
  if (!Number.isFinite(atMillis) || atMillis <= world.now) return null
  // Where the journal goes on, the last line before the instant is all that there is to compare.
  const goesOn = openEntries(file, terminal).entries.length > lines
  return goesOn
    ? null
    : `${last} at ${millisToIso(world.now)}, where the journal ends; ${millisToIso(atMillis)} was asked for`
}

export type ShownWorld = ReturnType<typeof showReplayed>

/**
 * Prepares a replayed world to be served alone. `place` is the fragment of the console's address: it selects the
 * account in question, and what the failure is about: an order or quote with the request that made it, or a request.
 * `failure` is the failed test that was noted beside the journal.
 */
export function showReplayed(
  file: string,
  replayed: FinishedReplay,
  terminal: Pick<Terminal, 'cwd' | 'err'>,
) {
  const past = withJournal(file, terminal, (lines) => readReplayedLines(replayed, () => lines))
  const notes = readNotes(file, terminal)
  const kept = keepNotesBeside(resolve(terminal.cwd, file))
  const problem = kept.problem()
  if (problem !== null) terminal.err(`${problem}; ignored\n`)
  const notesOf = (id: string) => (id === defaultWorld && problem === null ? kept : null)
  const worlds = new Worlds(systemWallClock, createMemoryJournals(version, notesOf))
  const made = openJournal(worlds, replayed, { id: defaultWorld, journal: past, notes })
  if (!made.ok) throw dataFailure('two accounts have the same key')
  const { world } = made
  const account = world.failure?.account ?? findLastAccount(world, past)
  const refused = notes?.requests.findLastIndex(isFailedRequest) ?? -1
  const words = new URLSearchParams({ world: defaultWorld })
  if (account !== null) words.set('account', account)
  const about = world.failure?.about ?? null
  if (about !== null) words.set(about.kind, about.id)
  const maker = notes?.requests.findIndex((request) => findMadeId(request)?.id === about?.id) ?? -1
  const selected = about === null ? refused : about.kind === 'request' ? -1 : maker
  if (selected >= 0) words.set('request', String(selected + 1))
  return { worlds, world, place: `#${words}`, failure: world.failure }
}

/**
 * Reads the notes that were kept with a failed test's journal. Returns null when there are none, or they are
 * unreadable.
 */
function readNotes(file: string, terminal: Pick<Terminal, 'cwd' | 'err'>) {
  const path = resolve(terminal.cwd, notesName(file))
  const read = existsSync(path) ? readRegularFile(path, maximumNotesBytes) : null
  if (read === null) return null
  const notes = read.ok ? readFailureNotes(read.bytes.toString('utf8')) : null
  if (notes === null) terminal.err(`${notesName(file)}: these are not the notes of a failed test; ignored\n`)
  return notes
}

const maximumNotesBytes = 256 * 1024 * 1024

/** Finds the account of the last command, which is most likely the one of interest; null when there is none. */
function findLastAccount(world: World, past: ReadJournal | null): string | null {
  const entry = past?.entries.findLast((one) => one.kind === 'command' && 'account' in one.command)
  if (entry?.kind !== 'command' || !('account' in entry.command)) return null
  return world.venue.state.accounts.ids[Number(entry.command.account)] ?? null
}

/** Serves a replayed world on this machine until the terminal asks to stop. */
export async function serveShown(
  { worlds, world, place }: ShownWorld,
  options: Pick<ReplayOptions, 'open' | 'json' | 'port'>,
  terminal: Terminal,
): Promise<void> {
  const { name: scenario } = world.scenario
  const served = { ...options, place, host: '127.0.0.1', scenario, cache: true, chosen: new Set(['port']) }
  await serveWorlds(worlds, world, served, terminal)
}

/** Reports a journal that cannot be replayed, as JSON if asked for, and returns the failure that ends the command. */
function reportRefusal(
  file: string,
  replayed: Exclude<Replay, { readonly kind: 'done' }>,
  isJson: boolean,
  terminal: Terminal,
): CliFailure {
  if (isJson) terminal.out(jsonLine({ ok: false, ...describeRefusal(replayed) }))
  return journalFailure(file, replayed)
}

function describeRefusal(replayed: Exclude<Replay, { readonly kind: 'done' }>): object {
  switch (replayed.kind) {
    case 'empty':
      return { damage: { line: 1, offset: 0, reason: 'there is no header' } }
    case 'damaged':
      return { damage: replayed.damage }
    case 'diverged': {
      const { atMillis, ...divergence } = replayed.divergence
      return { sequence: divergence.sequence, divergence: { ...divergence, at: millisToIso(atMillis) } }
    }
  }
}

/** Parses `--until`: a sequence, with or without a `#`, or an instant. Ends the command for anything else. */
export function parseUntil(text: string | undefined): ReplayLimit {
  if (text === undefined) return noReplayLimit
  if (/^#?\d{1,15}$/.test(text)) return { ...noReplayLimit, sequence: Number(text.replace('#', '')) }
  const atMillis = isoToMillis(text)
  if (atMillis === null) {
    throw usageFailure(
      `--until takes a sequence such as 250 or an instant such as 2026-01-05T00:05:00Z, not "${text}"`,
    )
  }
  return { ...noReplayLimit, atMillis }
}
