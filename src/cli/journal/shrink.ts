import { type OptionKind, withFlag } from '../../api/options.ts'
import { none } from '../../engine/codes.ts'
import type { Command as EngineCommand } from '../../engine/command.ts'
import type { JournalEntry } from '../../journal/entry.ts'
import { compileInitialWorld } from '../../journal/header.ts'
import { createTally } from '../../scenario/actions/requests.ts'
import { evaluatePredicate } from '../../scenario/predicates/evaluate-predicate.ts'
import { findEmptyJudgement } from '../../scenario/predicates/find-constant.ts'
import { parsePredicate } from '../../scenario/predicates/parse-predicate.ts'
import type { Predicate } from '../../scenario/predicates/predicate.ts'
import { type NamedRows, readVenue } from '../../scenario/predicates/readouts.ts'
import { repeatChange, repeatEntry } from '../../world/change-world.ts'
import { startMemoryJournal } from '../../world/journals/journal.ts'
import { createReplayWorld } from '../../world/journals/replay.ts'
import type { World } from '../../world/world.ts'
import { defineCommand } from '../define-command.ts'
import { formatEvidence } from '../evidence.ts'
import { CliFailure, dataFailure, exitCode, usageFailure } from '../failure.ts'
import { refuseOwnInput, writeResult } from '../files.ts'
import { aFlag, type FlagsOf } from '../flags.ts'
import { openEntries } from '../read-journal.ts'
import { formatCount, type Terminal } from '../terminal.ts'

/** The value of `--digest`: a digest, or true when the flag has no value. */
const aDigest: OptionKind<string | true> = {
  expected: 'a digest',
  holds: (value) => typeof value === 'string' || value === true,
}

const shrinkFlags = {
  assert: aFlag('<expression>', 'a predicate, as in scenarios, that should hold at the end and does not'),
  digest: withFlag(aDigest, '[digest]', "keep this digest, or the journal's own"),
  output: { ...aFlag('<file>', 'where the short journal goes instead of standard output'), short: 'o' },
}

type ShrinkOptions = FlagsOf<typeof shrinkFlags>

export const shrinkCommand = defineCommand({
  flags: shrinkFlags,
  takes: { '<journal>': 'the file, plain or gzip' },
  act: shrink,
})

/** Returns whether a world still shows the failure. `rows` maps the journal's own rows to those of this world. */
type FailureTest = (world: World, rows: RowMap) => boolean

/**
 * Runs `otcsim shrink`. Errors: an output that is the journal itself (2), an unusable journal (5), a malformed
 * assertion (2), an assertion that holds (1).
 */
async function shrink(options: ShrinkOptions, terminal: Terminal, file: string): Promise<void> {
  refuseOwnInput(terminal.cwd, file, options.output)
  const journal = openEntries(file, terminal)
  const initialWorld = compileInitialWorld(journal.header)
  const begin = (): World => createReplayWorld(journal.header.world, initialWorld)
  const whole = begin()
  const tracedEntries: TracedEntry[] = []
  for (const entry of journal.entries) {
    try {
      tracedEntries.push(traceEntry(whole, entry))
    } catch {
      throw dataFailure(`${file}: #${entry.sequence} cannot be carried out`)
    }
  }
  const showsFailure = chooseFailureTest(options, whole)
  const holds = (lines: readonly TracedEntry[]): boolean => {
    const world = begin()
    const rows = repeatSome(world, lines)
    if (world.now < whole.now) world.time.passTimeTo(whole.now)
    return showsFailure(world, rows)
  }
  if (!holds(tracedEntries)) {
    throw new CliFailure(exitCode.expectationFailed, `${file}: the whole journal does not show the failure`)
  }
  if (tracedEntries.length === 0 || holds([]))
    throw new CliFailure(
      exitCode.expectationFailed,
      `${file}: nothing is left to show: the failure shows without any of the ${formatCount(tracedEntries.length, 'line')}`,
    )
  const kept = await shrinkList(tracedEntries, holds)
  const world = begin()
  const start = journal.header.start === null ? null : world.snapshot()
  const small = startMemoryJournal(world, { otcsim: journal.header.otcsim, start })
  repeatSome(world, kept)
  // A replay then stops at the instant at which the failure shows.
  if (world.now < whole.now) world.advanceTo(whole.now)
  const lines = [...small.text()]
  writeResult(terminal, options.output, lines.join(''))
  const evidence = formatEvidence({ lines: tracedEntries.length })
  terminal.err(`${formatCount(journal.entries.length, 'line')} shrunk to ${lines.length - 1}\n${evidence}\n`)
}

function chooseFailureTest(options: ShrinkOptions, whole: World): FailureTest {
  if (options.digest !== undefined) {
    const wanted = options.digest === true ? whole.digest() : options.digest
    return (world) => world.digest() === wanted
  }
  if (options.assert === undefined) throw usageFailure('shrink needs --assert EXPRESSION or --digest')
  const predicate = parseAssertion(options.assert, whole)
  // An assertion about something that does not exist is neither true nor false, which is no failure.
  return (world, rows) => evaluatePredicate(predicate, openReadouts(world, whole, rows)) === false
}

/** Parses an assertion. It names orders and quotes by their ids in the journal or by their client ids. */
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
  }
  const parsed = parsePredicate(text, names)
  if (parsed.ok) {
    const empty = findEmptyJudgement(parsed.value.parts)
    if (empty === null) return parsed.value
    throw usageFailure(`--assert: ${empty.part === null ? '' : 'a part '}${empty.reason}: ${text}`)
  }
  const hint = parsed.nearest === null ? '' : `; did you mean "${parsed.nearest}"?`
  throw usageFailure(`--assert: ${parsed.reason} (at character ${parsed.offset + 1}${hint})`)
}

function openReadouts(world: World, whole: World, rows: RowMap) {
  const { state } = world.venue
  const rowIn = (table: 'orders' | 'quotes', prefix: string) => ({
    get: (label: string): number | undefined => {
      const number = new RegExp(`^${prefix}_([1-9]\\d*)$`).exec(label)?.[1]
      const { clientIds } = whole.venue.state[table]
      const row =
        number === undefined ? [...clientIds].find(([, id]) => id === label)?.[0] : Number(number) - 1
      return row === undefined ? undefined : (rows.find(table, row) ?? undefined)
    },
  })
  const named: NamedRows = {
    orders: rowIn('orders', 'ord'),
    quotes: rowIn('quotes', 'quo'),
    transfers: new Map(),
    orderRefusals: new Map(),
    quoteRefusals: new Map(),
    clientOrders: new Map(),
    instants: new Map(),
  }
  return readVenue({ state, rows: named, tallyOf: createTally, firstFill: 0 })
}

/**
 * Finds a short sublist that still fails: it passes without any one of its parts. Items keep their order. `fails` says
 * whether a sublist fails; the whole list must. Source: delta debugging (Zeller and Hildebrandt, 2002).
 */
export async function shrinkList<Item>(
  items: readonly Item[],
  fails: (candidate: readonly Item[]) => boolean | Promise<boolean>,
): Promise<readonly Item[]> {
  let kept = items
  let parts = 2
  while (kept.length >= 2) {
    const smaller = await removeOnePart(kept, parts, fails)
    if (smaller !== null) {
      kept = smaller
      parts = Math.max(2, parts - 1)
    } else if (parts >= kept.length) break
    else parts = Math.min(kept.length, parts * 2)
  }
  return kept.length === 1 && (await fails([])) ? [] : kept
}

/** Returns the first list that still fails without one of its parts; null when every part is needed. */
async function removeOnePart<Item>(
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

/*
 * Replaying a part of a journal. Rows are numbered in order of creation, so leaving out a line changes the numbers of
 * later orders, quotes, transfers and accounts. Later lines are translated to the new numbers. Lines about something
 * that no longer exists are left out as well.
 */

/** A line, and the rows that it created when the whole journal was replayed. */
type TracedEntry = ReturnType<typeof traceEntry>

/** The numbers of rows in each table before a line and after it. */
type RowsMade = ReturnType<typeof countAround>

const tables = ['orders', 'quotes', 'transfers', 'accounts'] as const

type RowCounts = ReturnType<typeof countRows>

function traceEntry(world: World, entry: JournalEntry) {
  return { entry, made: countAround(world, () => repeatEntry(world, entry)) }
}

function countAround(world: World, act: () => void) {
  const before = countRows(world)
  act()
  return { before, after: countRows(world) }
}

function countRows({ venue }: World) {
  const { orders, quotes, transfers, accounts } = venue.state
  return { orders: orders.count, quotes: quotes.count, transfers: transfers.count, accounts: accounts.count }
}

/** Maps rows of the whole journal to rows of a partial replay. */
class RowMap {
  private readonly rows = new Map<string, number>()
  private readonly base: RowCounts

  constructor(world: World) {
    this.base = countRows(world)
  }

  /**
   * Finds the row in the partial replay; null when it was not created. Rows from before the first line keep their
   * numbers.
   */
  find(table: keyof RowCounts, row: number): number | null {
    return row < this.base[table] ? row : (this.rows.get(`${table} ${row}`) ?? null)
  }

  /** Pairs the rows that a line created in the whole journal with those that it creates now. */
  addPairs(then: RowsMade, now: RowsMade): void {
    for (const table of tables) {
      const [from, to] = [then.before[table], now.before[table]]
      const count = Math.min(then.after[table] - from, now.after[table] - to)
      for (let place = 0; place < count; place += 1) this.rows.set(`${table} ${from + place}`, to + place)
    }
  }
}

/**
 * Repeats some of a journal's lines in a world that is at the journal's start. Lines that depend on a missing line are
 * skipped. Returns the map from the journal's rows to those of the world.
 */
function repeatSome(world: World, lines: readonly TracedEntry[]): RowMap {
  const map = new RowMap(world)
  for (const { entry, made } of lines) {
    const act = prepareEntry(entry, world, map)
    if (act !== null)
      map.addPairs(
        made,
        countAround(world, () => attempt(act)),
      )
  }
  return map
}

/** Returns what repeats a line; null when its subject does not exist here, or its time has passed. */
function prepareEntry(entry: JournalEntry, world: World, map: RowMap): (() => unknown) | null {
  if (entry.kind === 'change') return () => repeatChange(world, entry.change)
  const command = translateCommand(entry.command, map)
  return command === null || command.at < world.now ? null : () => world.execute(command)
}

/** Runs `act`, and ignores its error: a line about something that does not exist is skipped. */
function attempt(act: () => unknown): void {
  try {
    act()
  } catch (failure) {
    if (!(failure instanceof Error)) throw failure
  }
}

/** Translates a command to the rows of the partial replay; null when its subject does not exist there. */
function translateCommand(command: EngineCommand, map: RowMap): EngineCommand | null {
  if (command.kind === 'place-orders') {
    const placements = command.placements.flatMap((placement) => {
      const account = map.find('accounts', placement.account)
      return account === null ? [] : [{ ...placement, account }]
    })
    return { ...command, placements }
  }
  if (command.kind === 'create-account') return command
  const whose = 'account' in command ? map.find('accounts', command.account) : none
  if (whose === null) return null
  if (command.kind === 'update-quotes') {
    const updates = command.updates.flatMap((update) => {
      const quote = map.find('quotes', update.quote)
      return quote === null ? [] : [{ ...update, quote }]
    })
    return { ...command, account: whose, updates }
  }
  return translateTarget('account' in command ? { ...command, account: whose } : command, map)
}

function translateTarget(command: EngineCommand, map: RowMap): EngineCommand | null {
  if ('order' in command) {
    const order = map.find('orders', command.order)
    return order === null ? null : { ...command, order }
  }
  if ('quote' in command) {
    const quote = map.find('quotes', command.quote)
    return quote === null ? null : { ...command, quote }
  }
  if (command.kind === 'settle-transfer') {
    const transfer = map.find('transfers', command.transfer)
    return transfer === null ? null : { ...command, transfer }
  }
  return command
}
