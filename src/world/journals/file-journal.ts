import { existsSync } from 'node:fs'
import {
  type Checkpoint,
  checkpointEnding,
  readCheckpoints,
  writeCheckpoint,
} from '../../journal/checkpoints.ts'
import { decodeEntry, type JournalEntry, SnapshotTable } from '../../journal/entry.ts'
import { compileInitialWorld, decodeHeader, encodeHeader, makeHeader } from '../../journal/header.ts'
import {
  ignoreUnwritable,
  JournalFile,
  JournalUnwritable,
  type SyncPolicy,
  systemCode,
} from '../../journal/journal-file.ts'
import { keepNotesBeside, keepNotesInMemory } from '../../journal/kept-notes.ts'
import {
  deleteProofs,
  findMissingLines,
  type MissingLines,
  type ProvenLines,
  readProofs,
} from '../../journal/missing-lines.ts'
import { assert } from '../../numeric/assert.ts'
import { WorkQueue } from '../work-queue.ts'
import type { World } from '../world.ts'
import {
  captureInitialWorld,
  type Journal,
  type JournalHistory,
  type NewJournal,
  recordWorld,
} from './journal.ts'
import { noReplayLimit, type Replay, replayJournal } from './replay.ts'

/** What is known of a file whose journal goes on. */
interface ContinuedFile {
  /** The sequence of the last snapshot beside the file; 0 when there is none. */
  readonly snapshotSequence: number
}

/** A journal in a file. */
export interface FileJournal extends Journal {
  /**
   * Ends the journal because its world is deleted: deletes the files beside it, and only then calls `setAside`, which
   * moves the file; so a process that is killed in between leaves a whole journal, and never files that prove lines of
   * none. Throws what `setAside` throws; then the journal goes on.
   */
  discardBy(setAside: () => void): void
}

/** The number of lines between two snapshots beside a file: repeating this many takes about a second. */
const linesPerSnapshot = 20_000

/**
 * Writes a world's journal to a file from now on, each line before its caller is answered. Either the world is new and
 * the file empty, or `recoverJournal` has made the world from the file. The file that names the last line and snapshots
 * are kept beside it, unless it `isAlone`.
 */
export function startFileJournal(
  world: World,
  file: JournalFile,
  past: ContinuedFile | NewJournal,
  { isAlone = false }: { readonly isAlone?: boolean } = {},
): FileJournal {
  if ('otcsim' in past) writeHeader(world, file, past)
  const keptSequence = 'otcsim' in past ? world.sequence : past.snapshotSequence
  if (!isAlone) file.keepLastLine()
  const snapshots = isAlone ? null : new SnapshotsBeside(world, file, keptSequence)
  const time = new ClockLines(world, file)
  const sink = {
    checkWritable: () => {
      if (!file.tryAgain()) throw new JournalUnwritable(file.path, file.problem ?? '')
    },
    append: (entry: JournalEntry, text: () => string) => {
      file.append(text(), entry.sequence)
      time.noteLine()
    },
    onTimePassed: () => time.onTimePassed(),
    // A snapshot is taken between two lines, so that it contains what was written and nothing else.
    beforeNextEntry: () => {
      snapshots?.keepAfter(linesPerSnapshot)
    },
  }
  recordWorld(world, sink, new SnapshotTable(), () => undoCommand(world, file))
  // Called by readers and at the end, who need no error: counts that cannot be written are written later, or are lost
  // as they would be by a kill.
  const reportCounts = (): void => {
    if (file.problem === null) ignoreUnwritable(() => world.reportFaultCounts())
  }
  const writeEnd = (): void => {
    reportCounts()
    time.writeEnd()
  }
  const close = (): void => {
    writeEnd()
    world.observe(null)
    // In the middle of an advance, or when a line could not be written, the world is not at the state of its last line.
    const isAtLastLine = !world.workQueue.isHalfDone && file.problem === null
    if (isAtLastLine) snapshots?.keepAfter(linesPerSnapshot / 10)
    snapshots?.finish()
    file.close()
  }
  const discardBy = (setAside: () => void): void => {
    writeEnd()
    snapshots?.finish()
    moveAlone(file, setAside)
    world.observe(null)
    file.close()
  }
  return {
    notes: isAlone ? keepNotesInMemory() : keepNotesBeside(file.path),
    *text() {
      reportCounts()
      for (const { bytes, isEnded } of file.lines()) if (isEnded) yield `${bytes.toString('utf8')}\n`
    },
    readHistory: () => {
      reportCounts()
      return readFileHistory(file)
    },
    problem: () => file.probe(),
    close,
    discard: close,
    discardBy,
  }
}

/** The snapshots beside a journal while it is being written. */
class SnapshotsBeside {
  private readonly world: World
  private readonly file: JournalFile
  /** Snapshots never change, so they are written while the world goes on. */
  private readonly writing = new WorkQueue()
  private keptSequence: number

  constructor(world: World, file: JournalFile, keptSequence: number) {
    this.world = world
    this.file = file
    this.keptSequence = keptSequence
  }

  /** Begins to write a snapshot if there are at least this many lines since the last one. */
  keepAfter(lines: number): void {
    const { world, file } = this
    if (world.sequence - this.keptSequence < lines) return
    this.keptSequence = world.sequence
    const checkpoint = { ...file.end, check: world.events.check.value, snapshot: world.snapshot() }
    void this.writing.begin(writeCheckpoint(file.path, checkpoint, () => file.flush()))
  }

  /** Finishes what has been begun. */
  finish(): void {
    this.writing.finish()
  }
}

function writeHeader(world: World, file: JournalFile, { otcsim, start, ttlMillis = null }: NewJournal): void {
  const header = makeHeader(captureInitialWorld(world, start), otcsim, ttlMillis)
  file.append(encodeHeader(header), world.sequence)
}

/**
 * Deletes the files beside a journal, then moves it. If that fails, the file that names the last line is written
 * again, and the failure is thrown.
 */
function moveAlone(file: JournalFile, move: () => void): void {
  file.leaveLastLine()
  try {
    deleteProofs(file.path)
    move()
  } catch (error) {
    ignoreUnwritable(() => file.keepLastLine())
    throw error instanceof JournalUnwritable ? error : new JournalUnwritable(file.path, systemCode(error))
  }
}

/** Writes lines for time that passes by itself, as far as they can be written. */
class ClockLines {
  private readonly world: World
  private readonly file: JournalFile
  private writtenMillis: number
  /** The sequence of the newest event that the written lines reproduce, or that needs no line. */
  private coveredEvents: number

  constructor(world: World, file: JournalFile) {
    this.world = world
    this.file = file
    this.writtenMillis = world.now
    this.coveredEvents = world.events.lastSequence
  }

  /** Notes that a line was written, which covers everything up to the present. */
  noteLine(): void {
    this.writtenMillis = this.world.now
    this.coveredEvents = this.world.events.lastSequence
  }

  /**
   * Writes an advance if something happened to clients, because nobody may see a fill or an expiry that a kill would
   * undo. Prices need no line: they are a function of time.
   */
  onTimePassed(): void {
    const { events } = this.world
    if (events.hasClientEventsSince(this.coveredEvents)) this.write()
    else this.coveredEvents = events.lastSequence
  }

  /** Writes an advance to the present instant at an orderly end, so that a restart continues from there. */
  writeEnd(): void {
    if (this.world.now > this.writtenMillis) this.write()
  }

  private write(): void {
    const { world, file } = this
    if (file.problem === null && !world.workQueue.isHalfDone)
      ignoreUnwritable(() => world.execute({ kind: 'advance', at: world.now }))
  }
}

/**
 * Undoes a command that was carried out but could not be written: recreates the world from the file, and brings it to
 * the instant that it had reached. When the file does not have all lines any more, nothing is written to it again.
 */
function undoCommand(world: World, file: JournalFile): void {
  const atMillis = world.now
  const { replay } = replayFile(file, readProofs(file.path))
  if (replay.kind !== 'done' || replay.end.hash !== file.end.hash) {
    file.breakOff('the journal cannot be read back')
    throw new JournalUnwritable(file.path, file.problem ?? '')
  }
  restoreFromReplay(world, replay.world)
  world.time.passTimeTo(atMillis)
}

/** Brings a world to the state of a replayed one, including the check of its events. */
export function restoreFromReplay(world: World, replayed: World): void {
  world.restoreFrom(replayed.snapshot(), {}, replayed.running.startScenario)
  world.events.check.value = replayed.events.check.value
}

/**
 * Reads the history of a running world from its file, whose hashes have already been checked. Choice: it goes back to
 * the older of the two snapshots beside the file, 20,000 lines or more; `otcsim replay` reads what came before.
 */
function readFileHistory(file: JournalFile): JournalHistory {
  const oldestFirst = [...readCheckpoints(file.path)].reverse()
  const start = findFirst(oldestFirst, (candidate) => readStart(file, candidate)) ?? readHeader(file)
  const { checkpoint, snapshots } = start
  const ofHeader = compileInitialWorld(decodeHeader(start.header))
  const initialWorld =
    checkpoint === null
      ? ofHeader
      : { ...ofHeader, start: { check: checkpoint.check, snapshot: checkpoint.snapshot } }
  const afterSequence = checkpoint?.sequence ?? ofHeader.start?.snapshot.sequence ?? 0
  let read = afterSequence
  let position = start.linesOffset
  const entriesAfter = (sequence: number): Iterable<JournalEntry> | null => {
    if (sequence !== read) return null
    const entries: JournalEntry[] = []
    for (const { bytes, offset, isEnded } of file.lines(position)) {
      if (!isEnded) break
      const entry = decodeEntry(parseLine(bytes), snapshots)
      entries.push(entry)
      read = entry.sequence
      position = offset + bytes.length + 1
    }
    return entries
  }
  return { initialWorld, afterSequence, entriesAfter }
}

/** Where the history of a file starts. */
interface HistoryStart {
  readonly checkpoint: Checkpoint | null
  readonly header: unknown
  /** The offset in bytes of the first line of the history. */
  readonly linesOffset: number
  readonly snapshots: SnapshotTable
}

/** Finds the place of a snapshot in a file. Returns null when the snapshot does not belong to the file. */
function readStart(file: JournalFile, checkpoint: Checkpoint): HistoryStart | null {
  const snapshots = new SnapshotTable()
  let header: unknown = null
  let offset = 0
  let isSealed = false
  for (const { bytes, offset: start, isEnded } of file.lines()) {
    if (!isEnded || start >= checkpoint.offset) break
    if (start === 0) header = parseLine(bytes)
    else if (bytes.includes('"kind":"restored"')) decodeEntry(parseLine(bytes), snapshots)
    offset = start + bytes.length + 1
    isSealed = bytes.includes(checkpoint.hash)
  }
  return isSealed && offset === checkpoint.offset
    ? { checkpoint, header, linesOffset: offset, snapshots }
    : null
}

function readHeader(file: JournalFile): HistoryStart {
  const [first] = file.lines()
  assert(first !== undefined, 'the journal of a running world has its first line')
  return {
    checkpoint: null,
    header: parseLine(first.bytes),
    linesOffset: first.bytes.length + 1,
    snapshots: new SnapshotTable(),
  }
}

const parseLine = (bytes: Buffer): unknown => JSON.parse(bytes.toString('utf8'))

function findFirst<From, To>(list: readonly From[], find: (from: From) => To | null): To | null {
  for (const from of list) {
    const found = find(from)
    if (found !== null) return found
  }
  return null
}

/** A journal's file, ready to be continued, with the replay of what it held; or why it cannot be continued. */
export type Recovery =
  | {
      readonly kind: 'fresh'
      readonly file: JournalFile
      /** What was left of a first line, and is now kept beside the file; null when there was nothing. */
      readonly torn: Buffer | null
    }
  | {
      readonly kind: 'recovered'
      readonly file: JournalFile
      readonly replay: Extract<Replay, { kind: 'done' }>
      /** The paths of the snapshots beside the file that are damaged, so that more lines were repeated. */
      readonly unusable: readonly string[]
    }
  /** Lines are missing that files beside the journal prove. */
  | { readonly kind: 'missing'; readonly missing: MissingLines }
  | Extract<Replay, { kind: 'damaged' | 'diverged' }>

/**
 * Replays a journal's file, so that it can be continued. An unfinished last line is cut off and kept beside the file. A
 * file that lacks lines, is damaged, or that this version replays differently is left as it is, and so is the place of
 * one that is missing. The caller holds the file's lock.
 */
export function recoverJournal(path: string, policy: SyncPolicy): Recovery {
  const proofs = readProofs(path)
  if (!existsSync(path)) {
    const missing = findMissingLines(proofs, null)
    if (missing !== null) return { kind: 'missing', missing }
  }
  const file = new JournalFile(path, policy)
  const recovery = recoverFile(file, proofs)
  if (!('file' in recovery)) file.close()
  return recovery
}

function recoverFile(file: JournalFile, proofs: ProvenLines): Recovery {
  const missing = findMissingLines(proofs, file.descriptor)
  if (missing !== null) return { kind: 'missing', missing }
  const { replay, unusable } = replayFile(file, proofs)
  if (replay.kind === 'damaged' || replay.kind === 'diverged') return replay
  if (replay.kind === 'empty') {
    const { torn } = replay
    file.continueAt({ sequence: 0, offset: 0, hash: '' }, torn)
    return { kind: 'fresh', file, torn }
  }
  const { torn, ...last } = replay.end
  file.continueAt(last, torn)
  return { kind: 'recovered', file, replay, unusable }
}

/**
 * Replays a file from the newest snapshot beside it, or from its first line where there is none that can be used.
 */
function replayFile(file: JournalFile, { journal, checkpoint, unreadable }: ProvenLines) {
  const unusable = unreadable.map((ending) => `${journal}${ending}`)
  const fromSnapshot = checkpoint && replayJournal(file.lines(), noReplayLimit, checkpoint)
  if (checkpoint === null || fromSnapshot?.kind === 'done')
    return { replay: fromSnapshot ?? replayJournal(file.lines()), unusable }
  const path = `${journal}${checkpointEnding}${checkpoint.sequence}`
  return { replay: replayJournal(file.lines()), unusable: [...unusable, path] }
}
