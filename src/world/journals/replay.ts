import { Undecodable } from '../../journal/codec.ts'
import {
  atMillisOf,
  type Difference,
  decodeEntry,
  firstDifference,
  type JournalEntry,
  SnapshotShelf,
} from '../../journal/entry.ts'
import {
  type Beginning,
  checkText,
  compileBeginning,
  decodeHeader,
  type JournalHeader,
} from '../../journal/header.ts'
import type { Leap } from '../../journal/journal-snapshots.ts'
import { type Damage, type Line, unsealed } from '../../journal/lines.ts'
import { InvariantError } from '../../numeric/assert.ts'
import { millisToIso } from '../../numeric/time-text.ts'
import type { CompiledScenario } from '../../scenario/compile/compiled.ts'
import type { ActionWitness } from '../../scenario/run/script.ts'
import { repeatChange } from '../change-world.ts'
import { createWorld, isJournaled, type World } from '../world.ts'
import { noteOutcome } from './journal.ts'

/** Where a replay stops: before the first line beyond these. */
export interface Until {
  readonly sequence: number
  readonly atMillis: number
}

export const toTheEnd: Until = { sequence: Number.POSITIVE_INFINITY, atMillis: Number.POSITIVE_INFINITY }

export type Replay =
  | {
      readonly kind: 'done'
      readonly header: JournalHeader
      readonly world: World
      readonly lines: number
      readonly end: JournalEnd
    }
  | { readonly kind: 'diverged'; readonly header: JournalHeader; readonly divergence: Divergence }
  | { readonly kind: 'damaged'; readonly damage: Damage }
  /** The file is empty, or has less than a header. */
  | { readonly kind: 'empty'; readonly torn: Buffer | null }

/** The end of the undamaged part of a journal. */
export interface JournalEnd {
  readonly sequence: number
  readonly hash: string
  readonly offset: number
  /** What was being written when the process ended. */
  readonly torn: Buffer | null
}

/** The first line at which the replay differs from what was written down. */
export interface Divergence extends Difference {
  readonly sequence: number
  readonly atMillis: number
  readonly subject: string
}

export const damageReason = ({ line, offset, reason }: Damage): string =>
  `line ${line} (byte ${offset}) is damaged: ${reason}`

export const divergenceReason = ({ sequence, atMillis, subject, ...difference }: Divergence): string =>
  `DIVERGED at #${sequence} ${subject} t=${millisToIso(atMillis)}: ${difference.field} was ${difference.recorded} and is ${difference.replayed}`

/**
 * Carries a journal out again in a world of its own, and compares every outcome, event and digest with what was
 * written down. A line that is incomplete, out of order or unsound is damage, unless it is the unfinished last one.
 */
export function replayJournal(
  lines: Iterable<Line>,
  until: Until = toTheEnd,
  leap: Leap | null = null,
  watch: ReplayWatch | null = null,
): Replay {
  let playing: Playing | null = null
  let number = 0
  let ahead = leap
  for (const { bytes, offset, isEnded } of lines) {
    number += 1
    const before: JournalEnd = playing?.end ?? { sequence: 0, hash: '', offset: 0, torn: null }
    const hash = unsealed(before.hash, bytes)
    const damaged = (reason: string): Replay => ({
      kind: 'damaged',
      damage: { line: number, offset, reason },
    })
    if (hash === null) {
      const isOneByteOff = unsealed(before.hash, bytes.subarray(0, -1)) !== null
      if (isEnded || isOneByteOff) return damaged(whyUnsound(bytes, number))
      if (playing !== null && ahead === null) return finished({ ...playing, end: { ...before, torn: bytes } })
      return mayBeHeader(bytes) ? { kind: 'empty', torn: bytes } : damaged(whyUnsound(bytes, number))
    }
    try {
      // A whole line that only lacks its line end is kept, and gets one.
      const end: JournalEnd = {
        sequence: before.sequence,
        hash,
        offset: offset + bytes.length + 1,
        torn: null,
      }
      if (playing === null) {
        playing = begin(JSON.parse(bytes.toString('utf8')), end, watch)
        continue
      }
      if (ahead !== null) {
        keepSnapshots(bytes, playing.shelf)
        playing = { ...playing, end }
        if (end.offset < ahead.offset) continue
        const landed = land(playing, ahead)
        if (landed === null) return damaged('it does not belong to the snapshot beside the journal')
        playing = landed
        ahead = null
        continue
      }
      const json: unknown = JSON.parse(bytes.toString('utf8'))
      const entry = decodeEntry(json, playing.shelf)
      if (entry.sequence > until.sequence || atMillisOf(entry) > until.atMillis) break
      if (entry.sequence !== before.sequence + 1)
        return damaged(`its sequence is ${entry.sequence} and should be ${before.sequence + 1}`)
      watch?.comes(playing.world, atMillisOf(entry))
      const difference = carryOut(playing.world, entry)
      watch?.done(playing.world)
      if (difference !== null) {
        const subject = entry.kind === 'command' ? entry.command.kind : entry.change.kind
        const divergence = { ...difference, sequence: entry.sequence, atMillis: atMillisOf(entry), subject }
        return { kind: 'diverged', header: playing.header, divergence }
      }
      playing = { ...playing, lines: playing.lines + 1, end: { ...end, sequence: entry.sequence } }
    } catch (failure) {
      const reason = reasonOf(failure)
      if (reason === null) throw failure
      return damaged(reason)
    }
  }
  if (playing !== null && ahead !== null) return shortOf(ahead)
  return playing === null ? { kind: 'empty', torn: null } : finished(playing)
}

/** Looks on while a journal is carried out. It may let time pass with `proceedTo`, and do nothing else to the world. */
export interface ReplayWatch {
  /** Replaces the header's scenario with an equal one that also knows its places in a file. */
  readonly scenario: CompiledScenario
  readonly acted: ActionWitness
  begins(world: World): void
  /** Before a line. */
  comes(world: World, atMillis: number): void
  /** After a line. */
  done(world: World): void
}

/** The journal ends before the place of the snapshot. */
function shortOf({ offset }: Leap): Replay {
  const reason = 'it ends before the snapshot beside it'
  return { kind: 'damaged', damage: { line: 0, offset, reason } }
}

/** Later lines may go back to a snapshot on a line that is passed over. */
function keepSnapshots(bytes: Buffer, shelf: SnapshotShelf): void {
  if (bytes.includes('"kind":"restored"')) decodeEntry(JSON.parse(bytes.toString('utf8')), shelf)
}

/** Null when the journal does not have this hash there. */
function land(playing: Playing, { offset, hash, sequence, check, snapshot }: Leap): Playing | null {
  const { world, end } = playing
  if (end.offset !== offset || end.hash !== hash) return null
  world.setReadings(snapshot.readings)
  world.restoreFrom(snapshot, {})
  world.events.check.value = check
  return world.sequence === sequence ? { ...playing, end: { ...end, sequence } } : null
}

interface Playing {
  readonly header: JournalHeader
  readonly world: World
  readonly shelf: SnapshotShelf
  readonly lines: number
  readonly end: JournalEnd
}

const finished = ({ shelf: _, ...played }: Playing): Replay => ({ kind: 'done', ...played })

function begin(json: unknown, end: JournalEnd, watch: ReplayWatch | null): Playing {
  const header = decodeHeader(json)
  const world = beginWorld(header.world, compileBeginning(header), watch)
  watch?.begins(world)
  return { header, world, shelf: new SnapshotShelf(), lines: 0, end: { ...end, sequence: world.sequence } }
}

function carryOut(world: World, entry: JournalEntry): Difference | null {
  if (entry.kind === 'change') {
    repeatChange(world, entry.change)
    return null
  }
  const { command, outcome, check, digest } = entry
  const result = world.execute(command)
  const note = isJournaled(result)
    ? noteOutcome(command, result, world.venue.state)
    : { ok: false, code: result.ok ? '' : result.rejection.code }
  const difference =
    firstDifference('outcome', outcome, note) ??
    firstDifference('events', checkText(check), checkText(world.events.check.value))
  if (difference !== null || digest === null) return difference
  return firstDifference('digest', digest, world.digest())
}

/** What is wrong with the line when that is the file's fault, else null: a journal is not trusted. */
function reasonOf(failure: unknown): string | null {
  if (failure instanceof Undecodable) return failure.message
  if (failure instanceof SyntaxError) return 'it is not JSON'
  if (failure instanceof InvariantError || failure instanceof RangeError || failure instanceof TypeError)
    return `it cannot be carried out: ${failure.message}`
  return null
}

function whyUnsound(bytes: Buffer, number: number): string {
  if (number === 1 && !mayBeHeader(bytes)) return 'this is not an otcsim journal'
  return 'its hash does not follow from the line before: it was changed, or lines are missing'
}

function mayBeHeader(bytes: Buffer): boolean {
  const start = bytes.toString('latin1', 0, headerStart.length)
  return headerStart.startsWith(start)
}

const headerStart = '{"format":"otcsim-journal"'

/** Time comes from the lines; no clock moves the world between them. */
export function beginWorld(
  id: string,
  { scenario, seed, clock, readings, start }: Beginning,
  watch: { readonly scenario: CompiledScenario; readonly acted: ActionWitness } | null = null,
): World {
  const world = createWorld(watch?.scenario ?? scenario, {
    id,
    seed,
    clock,
    readings,
    wall: stoppedWall,
    ...(watch === null ? {} : { witness: watch.acted }),
  })
  if (start !== null) world.restoreFrom(start.snapshot, {})
  if (start !== null) world.events.check.value = start.check
  return world
}

const stoppedWall = { nowMillis: () => 0 }
