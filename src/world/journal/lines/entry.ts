import { isObject } from '../../../api/json.ts'
import { anyCommand, type Command } from '../../../engine/command.ts'
import { isoToMillis, millisToIso } from '../../../numeric/time-text.ts'
import type { OutcomeNote } from '../../logs/command-note.ts'
import type { WorldChange } from '../../world-change.ts'
import { decodeChange, encodeChange } from './change-codec.ts'
import { Undecodable } from './codec.ts'
import { checkCodec, checkText } from './header.ts'
import { codecFor } from './shape-codec.ts'
import type { SnapshotShelf } from './snapshot-shelf.ts'

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
  const check = checkCodec.decode(events, 'events')
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
