import type { Checkpoint } from '../../journal/checkpoints.ts'
import { Undecodable } from '../../journal/codec.ts'
import {
  atMillisOf,
  type Difference,
  decodeEntry,
  findDifference,
  type JournalEntry,
  SnapshotTable,
} from '../../journal/entry.ts'
import {
  compileInitialWorld,
  decodeHeader,
  formatCheck,
  type InitialWorld,
  type JournalHeader,
} from '../../journal/header.ts'
import { type JournalMistake, type Line, verifyLine } from '../../journal/lines.ts'
import { InvariantError } from '../../numeric/assert.ts'
import { millisToIso } from '../../numeric/time-text.ts'
import type { CompiledScenario } from '../../scenario/compile/compiled.ts'
import type { ActionObserver } from '../../scenario/run/script.ts'
import { repeatChange } from '../change-world.ts'
import { createWorld, isJournaled, type World } from '../world.ts'
import { noteOutcome } from './journal.ts'

/** Where a replay stops: before the first line with a later sequence or instant. */
export interface ReplayLimit {
  readonly sequence: number
  readonly atMillis: number
}

export const noReplayLimit: ReplayLimit = {
  sequence: Number.POSITIVE_INFINITY,
  atMillis: Number.POSITIVE_INFINITY,
}

/** The result of a replay. */
export type Replay =
  | {
      readonly kind: 'done'
      readonly header: JournalHeader
      readonly world: World
      readonly lines: number
      readonly end: JournalEnd
    }
  | { readonly kind: 'diverged'; readonly header: JournalHeader; readonly divergence: Divergence }
  | { readonly kind: 'damaged'; readonly damage: JournalMistake }
  /** The file is empty, or holds less than a header. */
  | { readonly kind: 'empty'; readonly torn: Buffer | null }

/** The end of the undamaged part of a journal. */
export interface JournalEnd {
  readonly sequence: number
  readonly hash: string
  readonly offset: number
  /** The unfinished last line, which was being written when the process ended; null when there is none. */
  readonly torn: Buffer | null
}

/** The first line at which a replay differs from what was recorded. */
export interface Divergence extends Difference {
  readonly sequence: number
  readonly atMillis: number
  readonly subject: string
}

export const formatDamage = ({ line, offset, reason }: JournalMistake): string =>
  `line ${line} (byte ${offset}) is damaged: ${reason}`

export const formatDivergence = ({ sequence, atMillis, subject, ...difference }: Divergence): string =>
  `DIVERGED at #${sequence} ${subject} t=${millisToIso(atMillis)}: ${difference.field} was ${difference.recorded} and is ${difference.replayed}`

/**
 * Replays a journal in a new world, and compares every outcome, check of events and digest with what was recorded. A line
 * that is incomplete, out of order or has a wrong hash is damage, unless it is the unfinished last one. With a
 * `checkpoint`, the lines before it are only checked, and the replay starts from its snapshot.
 */
export function replayJournal(
  lines: Iterable<Line>,
  until: ReplayLimit = noReplayLimit,
  checkpoint: Checkpoint | null = null,
  observer: ReplayObserver | null = null,
): Replay {
  let progress: ReplayProgress | null = null
  let number = 0
  let pending = checkpoint
  for (const { bytes, offset, isEnded } of lines) {
    number += 1
    const before: JournalEnd = progress?.end ?? { sequence: 0, hash: '', offset: 0, torn: null }
    const hash = verifyLine(before.hash, bytes)
    const stopAtDamage = (reason: string): Replay => ({
      kind: 'damaged',
      damage: { line: number, offset, reason },
    })
    if (hash === null) {
      const isOneByteOff = verifyLine(before.hash, bytes.subarray(0, -1)) !== null
      if (isEnded || isOneByteOff) return stopAtDamage(explainBadHash(bytes, number))
      if (progress !== null && pending === null)
        return toFinishedReplay({ ...progress, end: { ...before, torn: isBlank(bytes) ? null : bytes } })
      return mayBeHeader(bytes) ? { kind: 'empty', torn: bytes } : stopAtDamage(explainBadHash(bytes, number))
    }
    try {
      // A whole line that only lacks its line end is kept, and gets one later.
      const end: JournalEnd = {
        sequence: before.sequence,
        hash,
        offset: offset + bytes.length + 1,
        torn: null,
      }
      if (progress === null) {
        progress = startReplay(JSON.parse(bytes.toString('utf8')), end, observer)
        continue
      }
      if (pending !== null) {
        collectSnapshot(bytes, progress.snapshots)
        progress = { ...progress, end }
        if (end.offset < pending.offset) continue
        const restored = restoreCheckpoint(progress, pending)
        if (restored === null) return stopAtDamage('it does not belong to the snapshot beside the journal')
        progress = restored
        pending = null
        continue
      }
      const json: unknown = JSON.parse(bytes.toString('utf8'))
      const entry = decodeEntry(json, progress.snapshots)
      if (entry.sequence > until.sequence || atMillisOf(entry) > until.atMillis) break
      if (entry.sequence !== before.sequence + 1)
        return stopAtDamage(`its sequence is ${entry.sequence} and should be ${before.sequence + 1}`)
      observer?.beforeLine(progress.world, atMillisOf(entry))
      const difference = repeatAndCompare(progress.world, entry)
      observer?.afterLine(progress.world)
      if (difference !== null) {
        const subject = entry.kind === 'command' ? entry.command.kind : entry.change.kind
        const divergence = { ...difference, sequence: entry.sequence, atMillis: atMillisOf(entry), subject }
        return { kind: 'diverged', header: progress.header, divergence }
      }
      progress = { ...progress, lines: progress.lines + 1, end: { ...end, sequence: entry.sequence } }
    } catch (failure) {
      const reason = explainFailure(failure)
      if (reason === null) throw failure
      return stopAtDamage(reason)
    }
  }
  if (progress !== null && pending !== null) return reportMissingCheckpoint(pending)
  return progress === null ? { kind: 'empty', torn: null } : toFinishedReplay(progress)
}

/**
 * Returns whether a tail is a probe: bytes that a process wrote to find out whether the disk is full, and could not cut
 * off again before it was killed.
 */
const isBlank = (tail: Buffer): boolean => tail.every((byte) => byte === space)
const space = 32

/** Observes a replay. It may advance the world, and must do nothing else to it. */
export interface ReplayObserver {
  /** A scenario equal to the header's, used in its place because it also knows its places in a file. */
  readonly scenario: CompiledScenario
  /** Called for each action of the scenario. */
  readonly onAction: ActionObserver
  /** Called before the first line. */
  onStart(world: World): void
  /** Called before each line, with the line's instant. */
  beforeLine(world: World, atMillis: number): void
  /** Called after each line. */
  afterLine(world: World): void
}

/** Returns the result of a replay whose journal ends before the place of its checkpoint. */
function reportMissingCheckpoint({ offset }: Checkpoint): Replay {
  const reason = 'it ends before the snapshot beside it'
  return { kind: 'damaged', damage: { line: 0, offset, reason } }
}

/** Collects the snapshot on a line that is not repeated, because a later line may restore it again. */
function collectSnapshot(bytes: Buffer, snapshots: SnapshotTable): void {
  if (bytes.includes('"kind":"restored"')) decodeEntry(JSON.parse(bytes.toString('utf8')), snapshots)
}

/** Continues a replay from a checkpoint's snapshot. Returns null when the checkpoint belongs to another journal. */
function restoreCheckpoint(
  progress: ReplayProgress,
  { offset, hash, sequence, check, snapshot }: Checkpoint,
): ReplayProgress | null {
  const { world, end } = progress
  if (end.offset !== offset || end.hash !== hash) return null
  world.setReadings(snapshot.readings)
  world.restoreFrom(snapshot, {})
  world.events.check.value = check
  return world.sequence === sequence ? { ...progress, end: { ...end, sequence } } : null
}

interface ReplayProgress {
  readonly header: JournalHeader
  readonly world: World
  readonly snapshots: SnapshotTable
  readonly lines: number
  readonly end: JournalEnd
}

const toFinishedReplay = ({ snapshots: _, ...progress }: ReplayProgress): Replay => ({
  kind: 'done',
  ...progress,
})

function startReplay(json: unknown, end: JournalEnd, observer: ReplayObserver | null): ReplayProgress {
  const header = decodeHeader(json)
  const world = createReplayWorld(header.world, compileInitialWorld(header), observer)
  observer?.onStart(world)
  return {
    header,
    world,
    snapshots: new SnapshotTable(),
    lines: 0,
    end: { ...end, sequence: world.sequence },
  }
}

function repeatAndCompare(world: World, entry: JournalEntry): Difference | null {
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
    findDifference('outcome', outcome, note) ??
    findDifference('events', formatCheck(check), formatCheck(world.events.check.value))
  if (difference !== null || digest === null) return difference
  return findDifference('digest', digest, world.digest())
}

/** Explains an error as a mistake in the journal's line; returns null for an error that no line can have caused. */
function explainFailure(failure: unknown): string | null {
  if (failure instanceof Undecodable) return failure.message
  if (failure instanceof SyntaxError) return 'it is not JSON'
  if (failure instanceof InvariantError || failure instanceof RangeError || failure instanceof TypeError)
    return `it cannot be carried out: ${failure.message}`
  return null
}

function explainBadHash(bytes: Buffer, number: number): string {
  if (number === 1 && !mayBeHeader(bytes)) return 'this is not an otcsim journal'
  return 'its hash does not follow from the line before: it was changed, or lines are missing'
}

function mayBeHeader(bytes: Buffer): boolean {
  const start = bytes.toString('latin1', 0, headerStart.length)
  return headerStart.startsWith(start)
}

const headerStart = '{"format":"otcsim-journal"'

/**
 * Creates a world as a journal begins, for its lines to be repeated in. Its wall clock stands still, so that only the
 * lines move its time.
 */
export function createReplayWorld(
  id: string,
  { scenario, seed, clock, readings, start }: InitialWorld,
  observer: ReplayObserver | null = null,
): World {
  const world = createWorld(observer?.scenario ?? scenario, {
    id,
    seed,
    clock,
    readings,
    wall: stoppedWallClock,
    ...(observer === null ? {} : { onAction: observer.onAction }),
  })
  if (start !== null) world.restoreFrom(start.snapshot, {})
  if (start !== null) world.events.check.value = start.check
  return world
}

const stoppedWallClock = { nowMillis: () => 0 }
