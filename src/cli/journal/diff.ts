import {
  atMillisOf,
  type Difference,
  encodeEntry,
  findDifference,
  type JournalEntry,
  SnapshotTable,
} from '../../journal/entry.ts'
import type { ReadJournal } from '../../journal/lines.ts'
import { millisToIso } from '../../numeric/time-text.ts'
import { repeatEntry } from '../../world/change-world.ts'
import type { PublicEvent } from '../../world/events/describe-event.ts'
import { noReplayLimit, replayJournal } from '../../world/journals/replay.ts'
import { defineCommand } from '../define-command.ts'
import { findLack, formatEvidence } from '../evidence.ts'
import { CliFailure, exitCode } from '../failure.ts'
import { jsonFlag } from '../flags.ts'
import { openEntries, withJournal } from '../read-journal.ts'
import { formatCount, jsonLine, type Terminal } from '../terminal.ts'

export const diffCommand = defineCommand({
  flags: { json: jsonFlag },
  takes: { '<a>': 'a journal, plain or gzip', '<b>': 'another' },
  act: ({ json }, terminal, a: string, b: string) => diff(a, b, json === true, terminal),
})

/** Where two journals diverge. `cause` says whether their inputs differ, or only the outcomes of the same input. */
interface FirstDifference {
  readonly cause: 'header' | 'input' | 'outcome' | 'length'
  /** The sequence of the line; null for the header. */
  readonly sequence: number | null
  readonly field: string
  readonly a: string
  readonly b: string
  /** The first events of the line that differ when both journals are replayed here; null when none do. */
  readonly events: readonly [PublicEvent | null, PublicEvent | null] | null
}

/**
 * Runs `otcsim diff`: reports the first line in which two journals differ. Exit code 1 when they do, and when there is
 * nothing to compare but equal headers.
 */
function diff(first: string, second: string, isJson: boolean, terminal: Terminal): void {
  const [a, b] = [openEntries(first, terminal), openEntries(second, terminal)]
  const difference = findFirstDifference(a, b)
  const explained =
    difference?.cause === 'outcome' || difference?.cause === 'input'
      ? { ...difference, events: findFirstEvents([first, second], difference.sequence ?? 0, terminal) }
      : difference
  const lookedAt = { lines: countCompared(a, b, difference) }
  const lack = difference === null ? findLack(lookedAt, ['lines']) : null
  const same = difference === null && lack === null
  if (isJson) terminal.out(jsonLine({ same, parting: explained, lookedAt }))
  else if (lack === null) terminal.out(formatDifference(explained, first, second, a))
  terminal.err(`${formatEvidence(lookedAt)}\n`)
  if (same) return
  throw new CliFailure(exitCode.expectationFailed, lack ?? `${first} and ${second} differ`)
}

/** Counts the lines that were compared, up to the first that differs. */
function countCompared(a: ReadJournal, b: ReadJournal, difference: FirstDifference | null): number {
  const shared = Math.min(a.entries.length, b.entries.length)
  if (difference === null || difference.cause === 'length') return shared
  if (difference.cause === 'header') return 0
  return a.entries.findIndex(({ sequence }) => sequence === difference.sequence) + 1
}

function findFirstDifference(a: ReadJournal, b: ReadJournal): FirstDifference | null {
  const differing = findDifference('header', selectHeader(a), selectHeader(b))
  if (differing !== null) return toFirstDifference('header', null, differing)
  for (const [index, entry] of a.entries.entries()) {
    const other = b.entries[index]
    if (other === undefined) break
    const cause = findDifference('line', selectInput(entry), selectInput(other))
    if (cause !== null) return toFirstDifference('input', entry.sequence, cause)
    if (entry.kind !== 'command' || other.kind !== 'command') continue
    const { outcome, check, digest } = entry
    const found = findDifference(
      '',
      { outcome, events: check, digest },
      { outcome: other.outcome, events: other.check, digest: other.digest },
    )
    if (found !== null)
      return toFirstDifference('outcome', entry.sequence, { ...found, field: found.field.slice(1) })
  }
  const [longer, shorter] = a.entries.length > b.entries.length ? [a, b] : [b, a]
  const next = longer.entries[shorter.entries.length]
  if (next === undefined) return null
  const difference = {
    field: 'lines',
    recorded: String(a.entries.length),
    replayed: String(b.entries.length),
  }
  return toFirstDifference('length', next.sequence, difference)
}

function toFirstDifference(
  cause: FirstDifference['cause'],
  sequence: number | null,
  difference: Difference,
): FirstDifference {
  const { field, recorded, replayed } = difference
  return { cause, sequence, field, a: recorded, b: replayed, events: null }
}

/** Selects the parts of a header that two journals must share. The world's name may differ. */
function selectHeader({ header }: ReadJournal): object {
  const { seed, scenario, clock, readings, start, otcsim } = header
  return { seed, scenario: { name: scenario.name, digest: scenario.digest }, clock, readings, start, otcsim }
}

/** Selects the input of a line, without its outcome, as the journal has it. */
function selectInput(entry: JournalEntry): unknown {
  const json: unknown = JSON.parse(encodeEntry(entry, new SnapshotTable()))
  if (typeof json !== 'object' || json === null) return json
  return Object.fromEntries(
    Object.entries(json).filter(([key]) => ['sequence', 'at', 'command', 'change'].includes(key)),
  )
}

/** Replays both journals up to the line at which they diverge, and finds the first event of that line that differs. */
function findFirstEvents(
  names: readonly [string, string],
  sequence: number,
  terminal: Terminal,
): FirstDifference['events'] {
  const [a, b] = names.map((name) => repeatLine(name, sequence, terminal) ?? null)
  if (!a || !b) return null
  const index = [...a, ...b].findIndex((_, place) => serializeEvent(a[place]) !== serializeEvent(b[place]))
  return index === -1 ? null : [a[index] ?? null, b[index] ?? null]
}

/** Formats an event for comparison, without its sequence. */
const serializeEvent = (event: PublicEvent | undefined): string => JSON.stringify({ ...event, sequence: 0 })

/** Replays a journal up to a line, and returns the line's events. Null when the replay diverges from the journal. */
function repeatLine(name: string, sequence: number, terminal: Terminal): readonly PublicEvent[] | null {
  return withJournal(name, terminal, (lines) => {
    const before = replayJournal(lines, { ...noReplayLimit, sequence: sequence - 1 })
    if (before.kind !== 'done') return null
    const seen = before.world.events.lastSequence
    const entry = openEntries(name, terminal).entries.find((line) => line.sequence === sequence)
    if (entry === undefined) return null
    repeatEntry(before.world, entry)
    return before.world.eventsSince(seen)
  })
}

const causes = {
  header: 'their headers differ',
  input: 'the input differs',
  outcome: 'the input is the same, but its outcome differs',
  length: 'one is longer',
} as const

function formatDifference(
  difference: FirstDifference | null,
  first: string,
  second: string,
  a: ReadJournal,
): string {
  if (difference === null) return `the same: ${formatCount(a.entries.length, 'line')}\n`
  const { cause, sequence, field, events } = difference
  const entry = a.entries.find((line) => line.sequence === sequence)
  const what = entry?.kind === 'command' ? entry.command.kind : entry?.change.kind
  const about = entry === undefined ? '' : ` ${what} t=${millisToIso(atMillisOf(entry))}`
  const where = sequence === null ? 'in the header' : `at #${sequence}${about}`
  const lines = [
    `they diverge ${where}: ${causes[cause]}`,
    `  ${field}`,
    `    ${first}: ${difference.a}`,
    `    ${second}: ${difference.b}`,
  ]
  if (events !== null) {
    const [one, other] = events.map((event) => JSON.stringify(event))
    lines.push('  the first event that differs', `    ${first}: ${one}`, `    ${second}: ${other}`)
  }
  return `${lines.join('\n')}\n`
}
