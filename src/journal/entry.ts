import { readFaultRule } from '../api/faults/read-fault-rule.ts'
import { isObject } from '../api/json.ts'
import { resolveReadings } from '../api/readings/readings.ts'
import { anyCommand, type Command } from '../engine/command.ts'
import { isoToMillis, millisToIso } from '../numeric/time-text.ts'
import { codecFor, type Decode, natural, Undecodable } from './codec.ts'
import { formatCheck, readCheck } from './header.ts'
import { makeSnapshotDocument, readSnapshotDocument } from './snapshot-document.ts'
import { anyChange, type WorldChange, type WorldSnapshot } from './world-snapshot.ts'

/* The lines of a journal after the first, one for each thing that came from outside and changed the world. */

const commandCodec = codecFor<Command>(anyCommand)

/** The content of a line after the first: a command with its outcome, or another change. */
export type JournalEntry = CommandEntry | ChangeEntry

/** A command with its outcome, as a line of a journal. */
export interface CommandEntry {
  readonly kind: 'command'
  /** The number of the line, from 1. It never decreases. */
  readonly sequence: number
  readonly command: Command
  readonly outcome: OutcomeSummary
  /** The check over all events since the world began; see `EventCheck`. */
  readonly check: number
  /** The digest of the whole state after every thousandth line; null on all others. */
  readonly digest: string | null
}

/** A change from outside that is not a command, as a line of a journal. */
export interface ChangeEntry {
  readonly kind: 'change'
  readonly sequence: number
  readonly change: WorldChange
}

/** Encodes an entry as the JSON text of a line, without its hash. */
export function encodeEntry(entry: JournalEntry, table: SnapshotTable): string {
  const { sequence } = entry
  if (entry.kind === 'change') {
    const { atMillis } = entry.change
    return JSON.stringify({
      sequence,
      at: millisToIso(atMillis),
      change: encodeChange(entry.change, sequence, table),
    })
  }
  const { command, outcome, check, digest } = entry
  const line = {
    sequence,
    at: millisToIso(command.at),
    command: withoutAt(commandCodec.encode(command)),
    outcome,
    events: formatCheck(check),
  }
  return JSON.stringify(digest === null ? line : { ...line, digest })
}

/** Decodes an entry from the JSON value of a line. Throws an `Undecodable` that names the field. */
export function decodeEntry(json: unknown, table: SnapshotTable): JournalEntry {
  if (!isObject(json)) throw new Undecodable('the line', 'an object')
  const { sequence, at, command, change, outcome, events, digest = null } = json
  if (typeof sequence !== 'number' || !Number.isSafeInteger(sequence) || sequence < 1)
    throw new Undecodable('sequence', 'a whole number from 1')
  const atMillis = typeof at === 'string' ? isoToMillis(at) : null
  if (atMillis === null) throw new Undecodable('at', 'an instant such as 2026-01-05T00:00:00.000Z')
  if (change !== undefined && command !== undefined)
    throw new Undecodable('change', 'absent beside a command')
  if (change !== undefined)
    return { kind: 'change', sequence, change: decodeChange(change, atMillis, sequence, table) }
  if (!isObject(command)) throw new Undecodable('command', 'an object')
  if (!isOutcomeSummary(outcome)) throw new Undecodable('outcome', 'an object with "ok"')
  const check = readCheck(events, 'events')
  if (digest !== null && (typeof digest !== 'string' || !/^[0-9a-f]{32}$/.test(digest)))
    throw new Undecodable('digest', '32 hexadecimal digits')
  const decoded = commandCodec.decode({ ...command, at: atMillis }, 'command')
  return { kind: 'command', sequence, command: decoded, outcome, check, digest }
}

/** Returns the instant of an entry. */
export const atMillisOf = (entry: JournalEntry): number =>
  entry.kind === 'command' ? entry.command.at : entry.change.atMillis

/** Returns an encoded command without its instant, which the line states itself, as readable text. */
function withoutAt(command: unknown): unknown {
  if (!isObject(command)) return command
  const { at: _, ...rest } = command
  return rest
}

/** Returns whether JSON is the summary of an outcome. Summaries are only compared, so extra fields do no harm. */
const isOutcomeSummary = (json: unknown): json is OutcomeSummary =>
  isObject(json) && typeof json['ok'] === 'boolean'

/** Encodes a change as JSON, without its instant, which is a field of the line. */
function encodeChange(change: WorldChange, sequence: number, table: SnapshotTable): unknown {
  const json = changeCodec.encode(change)
  if (!isObject(json)) return json
  const { atMillis: _, ...rest } = json
  if (change.kind !== 'restored') return rest
  return { ...rest, snapshot: table.encode(change.snapshot, sequence) }
}

/** Decodes a change from JSON. Throws an `Undecodable` that names the field. */
function decodeChange(json: unknown, atMillis: number, sequence: number, table: SnapshotTable): WorldChange {
  if (!isObject(json)) throw new Undecodable('change', 'an object')
  const { kind } = json
  // Older journals do not state which keys a reset has renamed.
  const known = kind === 'reset' ? { renamed: [], ...json } : json
  const snapshot = kind === 'restored' ? { snapshot: table.decode(json['snapshot'], sequence) } : {}
  return changeCodec.decode({ ...known, ...snapshot, atMillis }, 'change')
}

const readReadings: Decode<unknown> = (json, path) => {
  const given = isObject(json) ? Object.entries(json).map(([key, value]) => [key, String(value)]) : []
  const resolved = resolveReadings(Object.fromEntries(given))
  if (!resolved.ok) throw new Undecodable(`${path}.${resolved.problem.field}`, resolved.problem.reason)
  return resolved.value
}

/** Encodes a fault rule in the words of the admin API. */
function encodeRule(rule: unknown): unknown {
  if (!isObject(rule)) return null
  const { forMillis, match, ...rest } = rule
  return withoutNulls({ ...rest, match: isObject(match) ? withoutNulls(match) : {}, forMs: forMillis })
}

const readRule: Decode<unknown> = (json, path) => {
  const match = isObject(json) && isObject(json['match']) ? json['match'] : {}
  // A rule may name what does not exist, and then never matches. Earlier versions also accepted paths of no operation.
  const assets = listNames(match['asset'])
  const accounts = listNames(match['account'])
  const known = { assets, accounts, allowsAnyRoute: true } as const
  const read = readFaultRule(json, known)
  if (!read.ok) throw new Undecodable(`${path}.${read.problem.field}`, `valid: it ${read.problem.reason}`)
  return read.value
}

const listNames = (name: unknown): string[] => (typeof name === 'string' ? [name] : [])

const withoutNulls = (value: { readonly [key: string]: unknown }): { readonly [key: string]: unknown } =>
  Object.fromEntries(Object.entries(value).filter(([, member]) => member !== null && member !== undefined))

const anything: Decode<unknown> = (json) => json

/** The codec of changes, except for snapshots, which depend on earlier lines and are left as they are. */
const changeCodec = codecFor<WorldChange>(
  anyChange,
  { rule: readRule, readings: readReadings, entry: anything, snapshot: anything },
  { rule: encodeRule },
)

/**
 * The snapshots in one journal. Each is written once, on the first line that restores it, so that tests that restore one a
 * thousand times do not make the journal a thousand times as long.
 */
export class SnapshotTable {
  /** The numbers of the lines on which snapshots were written. A snapshot that is garbage cannot be restored again. */
  private readonly writtenLines = new WeakMap<WorldSnapshot, number>()
  /** The snapshots that were read, by the number of their line. */
  private readonly snapshotsByLine = new Map<number, WorldSnapshot>()

  /** Encodes a snapshot: as its document the first time, then as the number of the line that has it. */
  encode(snapshot: WorldSnapshot, sequence: number): unknown {
    const place = this.writtenLines.get(snapshot)
    if (place !== undefined) return { sameAs: place }
    this.writtenLines.set(snapshot, sequence)
    return makeSnapshotDocument(snapshot)
  }

  /** Decodes a snapshot. Throws an `Undecodable` for anything but a valid document or the number of a line that has one. */
  decode(json: unknown, sequence: number): WorldSnapshot {
    if (isObject(json) && json['sameAs'] !== undefined) {
      const snapshot = this.snapshotsByLine.get(natural(json['sameAs'], 'change.snapshot.sameAs'))
      if (snapshot === undefined) throw new Undecodable('change.snapshot.sameAs', 'a line with a snapshot')
      return snapshot
    }
    const read = readSnapshotDocument(json)
    if (!read.ok) throw new Undecodable(`change.snapshot.${read.field}`, `valid: it ${read.reason}`)
    this.snapshotsByLine.set(sequence, read.snapshot)
    return read.snapshot
  }

  /** Forgets that a snapshot was written on a line, because the line could not be written. */
  forget(snapshot: WorldSnapshot, sequence: number): void {
    if (this.writtenLines.get(snapshot) === sequence) this.writtenLines.delete(snapshot)
  }
}

/**
 * The outcome of a command in a journal: enough to say in which field two runs differ, and little enough to be written for
 * each command.
 */
export interface OutcomeSummary {
  readonly ok: boolean
  /** The row of the order, quote, transfer, account or asset that was made or changed; -1 for none in particular. */
  readonly row?: number
  /** The code of the refusal. */
  readonly code?: string
  /** The order's status right after the command. */
  readonly status?: string
  readonly filledSteps?: number
  /** The outcomes of the parts of a batch, or of all orders that a cancel-all ended. */
  readonly items?: readonly OutcomeSummary[]
}

/** A field in which a replay differs from the recorded run. */
export interface Difference {
  /** The path of the field, such as `outcome.items[2].filledSteps`, `events` or `digest`. */
  readonly field: string
  readonly recorded: string
  readonly replayed: string
}

/** Finds the first field in which two plain values differ, in the order of the first one's fields; null if they are equal. */
export function findDifference(field: string, recorded: unknown, replayed: unknown): Difference | null {
  if (isBranch(recorded) && isBranch(replayed)) {
    const isList = Array.isArray(recorded)
    for (const key of new Set([...Object.keys(recorded), ...Object.keys(replayed)])) {
      const path = isList ? `${field}[${key}]` : `${field}.${key}`
      const found = findDifference(path, recorded[key], replayed[key])
      if (found !== null) return found
    }
    return null
  }
  if (recorded === replayed) return null
  return { field, recorded: show(recorded), replayed: show(replayed) }
}

const isBranch = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null
const show = (value: unknown): string => (value === undefined ? 'nothing' : JSON.stringify(value))
