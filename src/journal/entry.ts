import { readFaultRule } from '../api/faults/read-fault-rule.ts'
import { isObject } from '../api/json.ts'
import { resolveReadings } from '../api/readings/readings.ts'
import {
  buy,
  limit,
  market,
  orderStatusNames,
  sell,
  timeInForceNames,
  timesInForce,
  wordForCode,
} from '../engine/codes.ts'
import {
  anyCommand,
  type Command,
  type Outcome,
  orderKinds,
  type PlaceOrderCommand,
} from '../engine/command.ts'
import type { State } from '../engine/state.ts'
import { assert } from '../numeric/assert.ts'
import { element } from '../numeric/columns.ts'
import { isoToMillis, millisToIso } from '../numeric/time-text.ts'
import { millis, priceTicks, quantitySteps } from '../numeric/units.ts'
import { codecFor, type Decode, natural, Undecodable } from './codec.ts'
import { checkText, readCheck } from './header.ts'
import { readSnapshotDocument, snapshotDocument } from './snapshot-document.ts'
import { anyChange, type WorldChange, type WorldSnapshot } from './world-snapshot.ts'

/* The lines after the first, one for each thing that came from outside and changed the world. */

const commandCodec = codecFor<Command>(anyCommand)

export type JournalEntry = CommandEntry | ChangeEntry

export interface CommandEntry {
  readonly kind: 'command'
  /** The number of the line, from 1; it never goes back. */
  readonly sequence: number
  readonly command: Command
  readonly outcome: OutcomeNote
  /** The check over all events since the world began; see `EventCheck`. */
  readonly check: number
  /** The digest of the whole state after every thousandth line, else null. */
  readonly digest: string | null
}

export interface ChangeEntry {
  readonly kind: 'change'
  readonly sequence: number
  readonly change: WorldChange
}

/** The text of a line's object, without its hash. */
export function encodeEntry(entry: JournalEntry, shelf: SnapshotShelf): string {
  const { sequence } = entry
  if (entry.kind === 'change') {
    const { atMillis } = entry.change
    return JSON.stringify({
      sequence,
      at: millisToIso(atMillis),
      change: encodeChange(entry.change, sequence, shelf),
    })
  }
  const { command, outcome, check, digest } = entry
  const line = {
    sequence,
    at: millisToIso(command.at),
    command: withoutAt(commandCodec.encode(command)),
    outcome,
    events: checkText(check),
  }
  return JSON.stringify(digest === null ? line : { ...line, digest })
}

/** Throws an `Undecodable` that names the field. */
export function decodeEntry(json: unknown, shelf: SnapshotShelf): JournalEntry {
  if (!isObject(json)) throw new Undecodable('the line', 'an object')
  const { sequence, at, command, change, outcome, events, digest = null } = json
  if (typeof sequence !== 'number' || !Number.isSafeInteger(sequence) || sequence < 1)
    throw new Undecodable('sequence', 'a whole number from 1')
  const atMillis = typeof at === 'string' ? isoToMillis(at) : null
  if (atMillis === null) throw new Undecodable('at', 'an instant such as 2026-01-05T00:00:00.000Z')
  if (change !== undefined && command !== undefined)
    throw new Undecodable('change', 'absent beside a command')
  if (change !== undefined)
    return { kind: 'change', sequence, change: decodeChange(change, atMillis, sequence, shelf) }
  if (!isObject(command)) throw new Undecodable('command', 'an object')
  if (!isNote(outcome)) throw new Undecodable('outcome', 'an object with "ok"')
  const check = readCheck(events, 'events')
  if (digest !== null && (typeof digest !== 'string' || !/^[0-9a-f]{32}$/.test(digest)))
    throw new Undecodable('digest', '32 hexadecimal digits')
  const decoded = commandCodec.decode({ ...command, at: atMillis }, 'command')
  return { kind: 'command', sequence, command: decoded, outcome, check, digest }
}

export const atMillisOf = (entry: JournalEntry): number =>
  entry.kind === 'command' ? entry.command.at : entry.change.atMillis

/** The line has the instant once, as text that people can read. */
function withoutAt(command: unknown): unknown {
  if (!isObject(command)) return command
  const { at: _, ...rest } = command
  return rest
}

/** Notes are only compared, so extra fields in one do no harm. */
const isNote = (json: unknown): json is OutcomeNote => isObject(json) && typeof json['ok'] === 'boolean'

/** A change as the journal has it. Its instant is a field of the line. */
function encodeChange(change: WorldChange, sequence: number, shelf: SnapshotShelf): unknown {
  const json = changeCodec.encode(change)
  if (!isObject(json)) return json
  const { atMillis: _, ...rest } = json
  if (change.kind !== 'restored') return rest
  return { ...rest, snapshot: shelf.encode(change.snapshot, sequence) }
}

/** Throws an `Undecodable` that names the field. */
function decodeChange(json: unknown, atMillis: number, sequence: number, shelf: SnapshotShelf): WorldChange {
  if (!isObject(json)) throw new Undecodable('change', 'an object')
  const { kind } = json
  // Older journals do not say which keys a reset has renamed.
  const known = kind === 'reset' ? { renamed: [], ...json } : json
  const snapshot = kind === 'restored' ? { snapshot: shelf.decode(json['snapshot'], sequence) } : {}
  return changeCodec.decode({ ...known, ...snapshot, atMillis }, 'change')
}

const readReadings: Decode<unknown> = (json, path) => {
  const given = isObject(json) ? Object.entries(json).map(([key, value]) => [key, String(value)]) : []
  const resolved = resolveReadings(Object.fromEntries(given))
  if (!resolved.ok) throw new Undecodable(`${path}.${resolved.flaw.field}`, resolved.flaw.reason)
  return resolved.value
}

/** A rule in the words that it was written in. */
function ruleWords(rule: unknown): unknown {
  if (!isObject(rule)) return null
  const { forMillis, match, ...rest } = rule
  return withoutNulls({ ...rest, match: isObject(match) ? withoutNulls(match) : {}, forMs: forMillis })
}

const readRule: Decode<unknown> = (json, path) => {
  const match = isObject(json) && isObject(json['match']) ? json['match'] : {}
  // A rule may name what does not exist; then it never strikes. Earlier versions also took paths of no operation.
  const assets = namesIn(match['asset'])
  const accounts = namesIn(match['account'])
  const known = { assets, accounts, mayReachNothing: true } as const
  const read = readFaultRule(json, known)
  if (!read.ok) throw new Undecodable(`${path}.${read.flaw.field}`, `right: it ${read.flaw.reason}`)
  return read.value
}

const namesIn = (name: unknown): string[] => (typeof name === 'string' ? [name] : [])

const withoutNulls = (value: { readonly [key: string]: unknown }): { readonly [key: string]: unknown } =>
  Object.fromEntries(Object.entries(value).filter(([, member]) => member !== null && member !== undefined))

const anything: Decode<unknown> = (json) => json

/** A snapshot depends on the lines before, so it stays as it is here. */
const changeCodec = codecFor<WorldChange>(
  anyChange,
  { rule: readRule, readings: readReadings, entry: anything, snapshot: anything },
  { rule: ruleWords },
)

/**
 * The snapshots in one journal. Each is written once, on the first line that goes back to it, so tests that go back
 * to the same one a thousand times do not make the journal a thousand times as long.
 */
export class SnapshotShelf {
  /** The lines of those that were written. A snapshot that nobody holds any more cannot come again. */
  private readonly places = new WeakMap<WorldSnapshot, number>()
  /** Those that were read, by the number of their line. */
  private readonly held = new Map<number, WorldSnapshot>()

  /** The whole snapshot, or the number of the line that has it. */
  encode(snapshot: WorldSnapshot, sequence: number): unknown {
    const place = this.places.get(snapshot)
    if (place !== undefined) return { sameAs: place }
    this.places.set(snapshot, sequence)
    return snapshotDocument(snapshot)
  }

  /** Throws an `Undecodable` for anything but a valid snapshot or the number of a line that has one. */
  decode(json: unknown, sequence: number): WorldSnapshot {
    if (isObject(json) && json['sameAs'] !== undefined) {
      const snapshot = this.held.get(natural(json['sameAs'], 'change.snapshot.sameAs'))
      if (snapshot === undefined) throw new Undecodable('change.snapshot.sameAs', 'a line with a snapshot')
      return snapshot
    }
    const read = readSnapshotDocument(json)
    if (!read.ok) throw new Undecodable(`change.snapshot.${read.field}`, `right: it ${read.reason}`)
    this.held.set(sequence, read.snapshot)
    return read.snapshot
  }

  /** The line that was to have the snapshot could not be written. */
  forget(snapshot: WorldSnapshot, sequence: number): void {
    if (this.places.get(snapshot) === sequence) this.places.delete(snapshot)
  }
}

/*
 * The outcome of a command, as the journal has it: enough to say in which field two runs differ, and little enough to
 * be written for each command.
 */

export interface OutcomeNote {
  readonly ok: boolean
  /** The order, quote, transfer, account or asset that was made or changed; -1 for none in particular. */
  readonly row?: number
  /** Why it was refused. */
  readonly code?: string
  /** The order's state right after the command. */
  readonly status?: string
  readonly filledSteps?: number
  /** For a batch, or for all the orders that a cancel-all ended. */
  readonly items?: readonly OutcomeNote[]
}

/**
 * Whether a command belongs in the journal: one that was carried out, or was refused for money or limits (422). Other
 * refusals are mistakes in the request, and change nothing.
 */
export function isJournaled(outcome: Outcome): boolean {
  return outcome.ok || moneyCodes.has(outcome.rejection.code)
}

const moneyCodes: ReadonlySet<string> = new Set(['risk', 'open-orders-limit', 'insufficient-balance'])

export function noteOutcome(command: Command, outcome: Outcome, state: State): OutcomeNote {
  if (!outcome.ok) return { ok: false, code: outcome.rejection.code }
  const isAboutOrders = orderKinds.has(command.kind)
  if (outcome.items.length > 0)
    return { ok: true, items: outcome.items.map((item) => itemNote(item, isAboutOrders, state)) }
  return rowNote(outcome.row, isAboutOrders, state)
}

function itemNote(item: Outcome, isAboutOrders: boolean, state: State): OutcomeNote {
  return item.ok ? rowNote(item.row, isAboutOrders, state) : { ok: false, code: item.rejection.code }
}

function rowNote(row: number, isAboutOrders: boolean, { orders }: State): OutcomeNote {
  if (!isAboutOrders || row < 0 || row >= orders.count) return { ok: true, row }
  const status = orderStatusNames[orders.status.get(row)] ?? ''
  return { ok: true, row, status, filledSteps: orders.filledSteps.get(row) }
}

export interface Difference {
  /** `outcome.items[2].filledSteps`, `events`, `digest`. */
  readonly field: string
  readonly recorded: string
  readonly replayed: string
}

/** The first field in which two plain values differ, in the order of the first one's fields; null when none does. */
export function firstDifference(field: string, recorded: unknown, replayed: unknown): Difference | null {
  if (isBranch(recorded) && isBranch(replayed)) {
    const isList = Array.isArray(recorded)
    for (const key of new Set([...Object.keys(recorded), ...Object.keys(replayed)])) {
      const path = isList ? `${field}[${key}]` : `${field}.${key}`
      const found = firstDifference(path, recorded[key], replayed[key])
      if (found !== null) return found
    }
    return null
  }
  if (recorded === replayed) return null
  return { field, recorded: shown(recorded), replayed: shown(replayed) }
}

const isBranch = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null
const shown = (value: unknown): string => (value === undefined ? 'nothing' : JSON.stringify(value))

/*
 * A journal's lines in memory, oldest first. Nearly all of them are plain orders that were accepted, and those are
 * kept as numbers: as objects they were most of what the garbage collector had to copy in a busy server.
 */

/** Columns of `doubles`: at, quantity, price, filled. */
const doublesPerOrder = 4
/** Columns of `words`: account, asset, codes, row, check. */
const wordsPerOrder = 5
/** A new piece when one is full, not a longer array: doubling one made the collector look at all of it. */
const ordersPerPiece = 256

interface Piece {
  readonly doubles: Float64Array
  readonly words: Int32Array
}

export class EntryList {
  /** By index of the line; absent in a piece without orders. */
  private readonly pieces: (Piece | undefined)[] = []
  private readonly clientIds = new Map<number, string>()
  private readonly others = new Map<number, JournalEntry>()
  /** The sequence of the first line; the others follow without a gap. */
  private firstSequence = 0
  private count = 0

  constructor(entries: Iterable<JournalEntry> = []) {
    for (const entry of entries) this.add(entry)
  }

  get length(): number {
    return this.count
  }

  add(entry: JournalEntry): void {
    if (this.count === 0) this.firstSequence = entry.sequence
    assert(entry.sequence === this.firstSequence + this.count, 'a line follows the one before')
    if (!this.addOrder(entry)) this.others.set(this.count, entry)
    this.count += 1
  }

  at(index: number): JournalEntry | undefined {
    return index < this.count ? (this.others.get(index) ?? this.orderAt(index)) : undefined
  }

  /** The present lines from an index on. */
  *from(index: number): Generator<JournalEntry> {
    const end = this.count
    for (let at = index; at < end; at += 1) yield this.others.get(at) ?? this.orderAt(at)
  }

  /** False when the entry is not a plain, accepted order. */
  private addOrder(entry: JournalEntry): boolean {
    if (entry.kind !== 'command' || entry.digest !== null || entry.command.kind !== 'place-order')
      return false
    const { command, outcome } = entry
    const { row, status, filledSteps } = outcome
    const isPlain = outcome.ok && row !== undefined && status !== undefined && filledSteps !== undefined
    const statusCode = statusCodes.get(status ?? '')
    if (!isPlain || statusCode === undefined || command.metadata !== null) return false
    const { doubles, words } = this.pieceFor(this.count)
    const double = (this.count % ordersPerPiece) * doublesPerOrder
    doubles[double] = command.at
    doubles[double + 1] = command.quantitySteps
    doubles[double + 2] = command.priceTicks
    doubles[double + 3] = filledSteps
    const word = (this.count % ordersPerPiece) * wordsPerOrder
    words[word] = command.account
    words[word + 1] = command.asset
    words[word + 2] = codesOf(command) | (statusCode << statusShift)
    words[word + 3] = row
    words[word + 4] = entry.check
    if (command.clientOrderId !== null) this.clientIds.set(this.count, command.clientOrderId)
    return true
  }

  private pieceFor(index: number): Piece {
    const at = Math.floor(index / ordersPerPiece)
    const known = this.pieces[at]
    if (known !== undefined) return known
    const made: Piece = {
      doubles: new Float64Array(ordersPerPiece * doublesPerOrder),
      words: new Int32Array(ordersPerPiece * wordsPerOrder),
    }
    this.pieces[at] = made
    return made
  }

  private orderAt(index: number): CommandEntry {
    const { doubles, words } = this.pieceFor(index)
    const place = index % ordersPerPiece
    const double = (field: number): number => element(doubles, place * doublesPerOrder + field)
    const word = (field: number): number => words[place * wordsPerOrder + field] ?? 0
    const codes = word(2)
    const command: PlaceOrderCommand = {
      kind: 'place-order',
      at: millis(double(0)),
      account: word(0),
      asset: word(1),
      side: (codes & 1) === 0 ? buy : sell,
      type: (codes & 2) === 0 ? limit : market,
      timeInForce: timesInForce[wordForCode(timeInForceNames, (codes >> timeInForceShift) & 255)],
      quantitySteps: quantitySteps(double(1)),
      priceTicks: priceTicks(double(2)),
      clientOrderId: this.clientIds.get(index) ?? null,
      allowsDuplicateId: (codes & 4) !== 0,
      keepsRefused: (codes & 8) !== 0,
      metadata: null,
    }
    const outcome: OutcomeNote = {
      ok: true,
      row: word(3),
      status: wordForCode(orderStatusNames, codes >> statusShift),
      filledSteps: double(3),
    }
    const sequence = this.firstSequence + index
    return { kind: 'command', sequence, command, outcome, check: word(4) >>> 0, digest: null }
  }
}

/** Flags are below; a code is at most a byte. */
const timeInForceShift = 8
const statusShift = 16
const statusCodes: ReadonlyMap<string, number> = new Map(orderStatusNames.map((name, code) => [name, code]))

function codesOf(command: PlaceOrderCommand): number {
  const { side, type, timeInForce, allowsDuplicateId, keepsRefused } = command
  const flags = side | (type << 1) | (allowsDuplicateId ? 4 : 0) | (keepsRefused ? 8 : 0)
  return flags | (timeInForce << timeInForceShift)
}
