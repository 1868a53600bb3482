import { Command } from 'commander'
import { flagged, type OptionKind } from '../../api/options.ts'
import { none } from '../../engine/codes.ts'
import type { JournalHeader } from '../../journal/header.ts'
import { compileBeginning } from '../../journal/header.ts'
import { readEntries } from '../../journal/lines.ts'
import { emptyTally } from '../../scenario/actions/requests.ts'
import { evaluatePredicate, readVenue } from '../../scenario/predicates/evaluate-predicate.ts'
import { parsePredicate } from '../../scenario/predicates/parse-predicate.ts'
import type { Predicate } from '../../scenario/predicates/predicate.ts'
import type { NamedRows } from '../../scenario/predicates/readouts.ts'
import { figureNames, figureOf } from '../../scenario/predicates/run-figures.ts'
import { memoryJournal } from '../../world/journals/memory-journal.ts'
import { beginWorld } from '../../world/journals/replay.ts'
import type { RowMap, TracedEntry } from '../../world/journals/rework.ts'
import { carryOutSome, trace } from '../../world/journals/rework.ts'
import type { World } from '../../world/world.ts'
import { CliFailure, exitCode } from '../failure.ts'
import { addFlags, aFlag, type FlagsOf } from '../flags.ts'
import { damageText, withJournal } from '../read-journal.ts'
import { applySettings } from '../settings.ts'
import type { Terminal } from '../terminal.ts'
import { writeOutput } from '../write-file.ts'

/** A digest, or true where the flag stands alone. */
const aDigest: OptionKind<string | true> = {
  expected: 'a digest',
  holds: (value) => typeof value === 'string' || value === true,
}

const shrinkFlags = {
  assert: aFlag('<expression>', 'what should hold at the end and does not, in the words of scenarios'),
  digest: flagged(aDigest, '[digest]', "keep this digest, or the journal's own"),
  output: { ...aFlag('<file>', 'where the short journal goes instead of standard output'), short: 'o' },
}

type ShrinkOptions = FlagsOf<typeof shrinkFlags>

/** `otcsim shrink JOURNAL`: the shortest journal that still shows what this one shows. */
export function shrinkCommand(terminal: Terminal): Command {
  return addFlags(new Command('shrink'), shrinkFlags)
    .argument('<journal>', 'the file, plain or gzip')
    .action(async (journal: string, _options: unknown, command: Command) => {
      await applySettings(command, terminal)
      await shrink(journal, command.opts(), terminal)
    })
}

/** Whether a world shows what is looked for. `rows` says where the journal's own orders are in it. */
type Shows = (world: World, rows: RowMap) => boolean

/**
 * Finds the shortest journal that still shows what this one shows: an assertion that fails, or a digest. Errors: an
 * unusable journal (5), a malformed assertion (2), or one that holds (1).
 */
async function shrink(file: string, options: ShrinkOptions, terminal: Terminal): Promise<void> {
  const journal = withJournal(file, terminal, readEntries)
  if ('reason' in journal) throw new CliFailure(exitCode.unusableData, damageText(file, journal))
  const begin = worldMaker(journal.header)
  const whole = begin()
  const traced: TracedEntry[] = []
  for (const entry of journal.entries) {
    try {
      traced.push(trace(whole, entry))
    } catch {
      throw new CliFailure(exitCode.unusableData, `${file}: #${entry.sequence} cannot be carried out`)
    }
  }
  const shows = goalOf(options, whole)
  const holds = (lines: readonly TracedEntry[]): boolean => {
    const world = begin()
    const rows = carryOutSome(world, lines)
    if (world.now < whole.now) world.time.proceedTo(whole.now)
    return shows(world, rows)
  }
  if (!holds(traced)) {
    throw new CliFailure(exitCode.expectationFailed, `${file}: it does not show the failure itself`)
  }
  const kept = await shrinkList(traced, holds)
  const world = begin()
  const start = journal.header.start === null ? null : world.snapshot()
  const small = memoryJournal(world, { otcsim: journal.header.otcsim, start })
  carryOutSome(world, kept)
  // So that a replay stops at the instant at which the failure shows.
  if (world.now < whole.now) world.advanceTo(whole.now)
  const lines = [...small.text()]
  write(lines.join(''), options.output, terminal)
  terminal.err(`${journal.entries.length} lines shrunk to ${lines.length - 1}\n`)
}

function worldMaker(header: JournalHeader): () => World {
  const beginning = compileBeginning(header)
  return () => beginWorld(header.world, beginning)
}

function goalOf(options: ShrinkOptions, whole: World): Shows {
  if (options.digest !== undefined) {
    const wanted = options.digest === true ? whole.digest() : options.digest
    return (world) => world.digest() === wanted
  }
  if (options.assert === undefined)
    throw new CliFailure(exitCode.usage, 'shrink needs --assert EXPRESSION or --digest')
  const predicate = parseAssertion(options.assert, whole)
  // An assertion about something that does not exist is unknown, which is no failure.
  return (world, rows) => evaluatePredicate(predicate, sourceOf(world, whole, rows)) === false
}

/** Orders and quotes are named by their ids in the journal, by their client ids, or by the labels of the scenario. */
function parseAssertion(text: string, whole: World): Predicate {
  const { assets, accounts, orders, quotes } = whole.venue.state
  const ids = (prefix: string, count: number, clientIds: ReadonlyMap<number, string>): Set<string> =>
    new Set([...Array.from({ length: count }, (_, row) => `${prefix}_${row + 1}`), ...clientIds.values()])
  const symbols = Array.from({ length: assets.count - 1 }, (_, index) => index + 1)
  const names = {
    assets: new Map(symbols.map((row) => [assets.symbol(row), row])),
    accounts: new Map(whole.scenario.access.map(({ id }) => [id, accounts.rowOf(id)])),
    orders: ids('ord', orders.count, orders.clientIds),
    quotes: ids('quo', quotes.count, quotes.clientIds),
    labels: new Set<string>(),
    apiKeys: new Set<string>(),
    metrics: figureNames,
  }
  const parsed = parsePredicate(text, names)
  if (parsed.ok) return parsed.predicate
  const hint = parsed.nearest === null ? '' : `; did you mean "${parsed.nearest}"?`
  throw new CliFailure(
    exitCode.usage,
    `--assert: ${parsed.reason} (at character ${parsed.offset + 1}${hint})`,
  )
}

function sourceOf(world: World, whole: World, rows: RowMap) {
  const { state } = world.venue
  const rowOf = (label: string, prefix: string, clientIds: ReadonlyMap<number, string>): number => {
    const match = new RegExp(`^${prefix}_(\\d+)$`).exec(label)
    if (match !== null) return Number(match[1]) - 1
    return [...clientIds].find(([, id]) => id === label)?.[0] ?? none
  }
  const named: NamedRows = {
    orderRow: (label) => {
      const row = rowOf(label, 'ord', whole.venue.state.orders.clientIds)
      return row === none ? null : rows.order(row)
    },
    quoteRow: (label) => {
      const row = rowOf(label, 'quo', whole.venue.state.quotes.clientIds)
      return row === none ? null : rows.quote(row)
    },
    transferRow: () => null,
    orderRefusal: () => null,
    quoteRefusal: () => null,
    clientOrderOf: () => null,
    instantOf: () => null,
  }
  return readVenue(state, {
    rows: named,
    tallyOf: emptyTally,
    firstFill: 0,
    figureOf: (account, name) => figureOf(state, account, name),
  })
}

function write(text: string, output: string | undefined, terminal: Terminal): void {
  if (output === undefined) terminal.out(text)
  else writeOutput(terminal, output, text)
}

/**
 * A sublist that still fails, and that no longer fails without any single part of the last size: delta debugging
 * (Zeller and Hildebrandt, 2002). `fails` says whether a sublist fails; the whole list does. Items keep their order.
 */
export async function shrinkList<Item>(
  items: readonly Item[],
  fails: (candidate: readonly Item[]) => boolean | Promise<boolean>,
): Promise<readonly Item[]> {
  let kept = items
  let parts = 2
  while (kept.length >= 2) {
    const smaller = await withoutOnePart(kept, parts, fails)
    if (smaller !== null) {
      kept = smaller
      parts = Math.max(2, parts - 1)
    } else if (parts >= kept.length) break
    else parts = Math.min(kept.length, parts * 2)
  }
  return kept.length === 1 && (await fails([])) ? [] : kept
}

/** The first failing list that lacks one of the parts; null when each of them is needed. */
async function withoutOnePart<Item>(
  items: readonly Item[],
  parts: number,
  fails: (candidate: readonly Item[]) => boolean | Promise<boolean>,
): Promise<readonly Item[] | null> {
  for (let part = 0; part < parts; part += 1) {
    const from = Math.floor((items.length * part) / parts)
    const to = Math.floor((items.length * (part + 1)) / parts)
    const candidate = [...items.slice(0, from), ...items.slice(to)]
    if (candidate.length > 0 && (await fails(candidate))) return candidate
  }
  return null
}
