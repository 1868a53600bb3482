import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { Command } from 'commander'
import type { ReadJournal } from '../../journal/lines.ts'
import { isoToMillis, millisToIso } from '../../numeric/time-text.ts'
import { millis } from '../../numeric/units.ts'
import { systemWallClock } from '../../world/clock.ts'
import { memoryJournals } from '../../world/journals/journal-store.ts'
import type { Replay, Until } from '../../world/journals/replay.ts'
import { replayJournal, toTheEnd } from '../../world/journals/replay.ts'
import { notesName, readFailureNotes, type TestFailure } from '../../world/logs/test-failure.ts'
import { openJournal, pastOf, type Replayed } from '../../world/open-journal.ts'
import type { World } from '../../world/world.ts'
import { defaultWorld, Worlds } from '../../world/worlds.ts'
import { CliFailure, exitCode } from '../failure.ts'
import { readRegularFile } from '../files.ts'
import {
  addFlags,
  aFlag,
  aSwitch,
  type FlagsOf,
  jsonFlag,
  parsedFlag,
  parsePort,
  refuseUnusedFlags,
} from '../flags.ts'
import { damageText, divergenceText, withJournal } from '../read-journal.ts'
import type { ServeOptions } from '../serve/serve.ts'
import { serveWorlds } from '../serve/serve.ts'
import { applySettings } from '../settings.ts'
import type { Terminal } from '../terminal.ts'
import { version } from '../version.ts'

const replayFlags = {
  verify: aSwitch('compare every outcome, event and digest with the journal (always done)'),
  until: aFlag('<place>', 'stop after this sequence, or before the first line after this instant'),
  serve: aSwitch('then serve the world as it stands there; its clock stands still'),
  open: aSwitch('the same, and opens its console in a browser where there is a desktop'),
  port: parsedFlag(parsePort, '<number>', 'where to serve it; 0 takes a free one', {
    default: 0,
    needs: ['serve', 'open'],
  }),
  json: jsonFlag,
}

type ReplayOptions = FlagsOf<typeof replayFlags>

/** `otcsim replay JOURNAL`: carries out a journal again, and names the first line that comes out differently. */
export function replayCommand(terminal: Terminal): Command {
  return addFlags(new Command('replay'), replayFlags)
    .argument('<journal>', 'the file, plain or gzip')
    .action(async (journal: string, _options: unknown, command: Command) => {
      await applySettings(command, terminal)
      refuseUnusedFlags(command, replayFlags, [])
      await replay(journal, command.opts(), terminal)
    })
}

/**
 * Carries a journal out again and checks everything that was written down. Errors: no journal or a damaged one (5); a
 * line that comes out differently (3), which is named.
 */
async function replay(file: string, options: ReplayOptions, terminal: Terminal): Promise<void> {
  const until = untilOf(options.until)
  const startedAt = performance.now()
  const replayed = withJournal(file, terminal, (lines) => replayJournal(lines, until))
  const spentMillis = performance.now() - startedAt
  if (replayed.kind !== 'done') throw refusal(file, replayed, options, terminal)
  const { world, end, lines } = replayed
  if (Number.isFinite(until.atMillis) && until.atMillis > world.now)
    world.time.proceedTo(millis(until.atMillis))
  const facts = { digest: world.digest(), sequence: end.sequence, now: millisToIso(world.now) }
  if (end.torn !== null) terminal.err(`${file}: the last line is not whole, and was left out\n`)
  const serves = options.serve === true || options.open === true
  if (options.json === true && !serves) terminal.out(`${JSON.stringify({ ok: true, ...facts })}\n`)
  else if (!serves) {
    const rate = Math.round((lines / Math.max(spentMillis, 1)) * 1000)
    terminal.out(
      `ok  ${lines} lines, to #${facts.sequence} at ${facts.now}, digest ${facts.digest}  (${rate} lines a second)\n`,
    )
  }
  if (!serves) return
  const shown = showReplayed(file, replayed, terminal)
  await serveShown(shown, options, terminal)
}

/** A world that a replay has made, among worlds that a server can have, and where the console begins in it. */
export interface ShownWorld {
  readonly worlds: Worlds
  readonly world: World
  /** The fragment of the console's address. */
  readonly place: string
  /** Of the test that has failed in it, where that was noted beside the journal. */
  readonly failure: TestFailure | null
}

/** The replayed world alone in a server, where its console begins with whom and what went wrong last. */
export function showReplayed(
  file: string,
  replayed: Replayed,
  terminal: Pick<Terminal, 'cwd' | 'err'>,
): ShownWorld {
  const past = withJournal(file, terminal, (lines) => pastOf(replayed, () => lines))
  const notes = notesBeside(file, terminal)
  const worlds = new Worlds(systemWallClock, memoryJournals(version))
  const made = openJournal(worlds, replayed, { id: defaultWorld, past, notes, otcsim: version })
  if (!made.ok) throw new CliFailure(exitCode.unusableData, 'two accounts have the same key')
  const { world } = made
  const account = world.failure?.account ?? lastAccount(world, past)
  const refused = notes?.requests.findLastIndex(({ status }) => status >= 400 || status === 0) ?? -1
  const words = new URLSearchParams({ world: defaultWorld })
  if (account !== null) words.set('account', account)
  if (refused >= 0) words.set('request', String(refused + 1))
  return { worlds, world, place: `#${words}`, failure: world.failure }
}

/** What was kept with a failed test's journal; null where there is nothing, or it cannot be read. */
function notesBeside(file: string, terminal: Pick<Terminal, 'cwd' | 'err'>) {
  const path = resolve(terminal.cwd, notesName(file))
  const read = existsSync(path) ? readRegularFile(path, maximumNotesBytes) : null
  if (read === null) return null
  const notes = read.ok ? readFailureNotes(read.bytes.toString('utf8')) : null
  if (notes === null)
    terminal.err(`${notesName(file)}: this is not what was kept of a failed test; left out\n`)
  return notes
}

const maximumNotesBytes = 256 * 1024 * 1024

/** Whose command came last: most likely what the journal is about. */
function lastAccount(world: World, past: ReadJournal | null): string | null {
  const entry = past?.entries.findLast((one) => one.kind === 'command' && 'account' in one.command)
  if (entry?.kind !== 'command' || !('account' in entry.command)) return null
  return world.venue.state.accounts.ids[Number(entry.command.account)] ?? null
}

export async function serveShown(
  { worlds, world, place }: ShownWorld,
  options: Pick<ReplayOptions, 'open' | 'json' | 'port'>,
  terminal: Terminal,
): Promise<void> {
  const chosen = new Set(['port'])
  const { scenario } = world
  const serveOptions: ServeOptions = { ...options, place, host: '127.0.0.1', scenario: scenario.name, chosen }
  await serveWorlds(worlds, world, serveOptions, terminal)
}

export function refusal(
  file: string,
  replayed: Exclude<Replay, { readonly kind: 'done' }>,
  options: Pick<ReplayOptions, 'json'>,
  terminal: Terminal,
): CliFailure {
  const tell = (body: object): void => {
    if (options.json === true) terminal.out(`${JSON.stringify({ ok: false, ...body })}\n`)
  }
  switch (replayed.kind) {
    case 'empty':
      tell({ damage: { line: 1, offset: 0, reason: 'there is no header' } })
      return new CliFailure(exitCode.unusableData, `${file}: this is not a journal: there is no header`)
    case 'damaged':
      tell({ damage: replayed.damage })
      return new CliFailure(exitCode.unusableData, damageText(file, replayed.damage))
    case 'diverged': {
      const { atMillis, ...divergence } = replayed.divergence
      tell({
        sequence: divergence.sequence,
        divergence: { ...divergence, at: millisToIso(atMillis) },
      })
      return new CliFailure(
        exitCode.determinismBroken,
        divergenceText(file, replayed.header, replayed.divergence),
      )
    }
  }
}

/** A sequence, with or without a `#`, or an instant. */
function untilOf(text: string | undefined): Until {
  if (text === undefined) return toTheEnd
  if (/^#?\d{1,15}$/.test(text)) return { ...toTheEnd, sequence: Number(text.replace('#', '')) }
  const atMillis = isoToMillis(text)
  if (atMillis === null) {
    throw new CliFailure(
      exitCode.usage,
      `--until takes a sequence such as 250 or an instant such as 2026-01-05T00:05:00Z, not "${text}"`,
    )
  }
  return { ...toTheEnd, atMillis }
}
