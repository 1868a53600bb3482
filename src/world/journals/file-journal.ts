import { decodeEntry, type JournalEntry, SnapshotShelf } from '../../journal/entry.ts'
import { compileBeginning, decodeHeader, encodeHeader, makeHeader } from '../../journal/header.ts'
import { ifWritable, JournalFile, JournalUnwritable, type SyncPolicy } from '../../journal/journal-file.ts'
import { type Leap, newestSnapshots, writeSnapshot } from '../../journal/journal-snapshots.ts'
import { assert } from '../../numeric/assert.ts'
import { WorkQueue } from '../work-queue.ts'
import type { World } from '../world.ts'
import { beginningOf, type Journal, type Newborn, type Past, recordWorld } from './journal.ts'
import { type Replay, replayJournal, toTheEnd } from './replay.ts'

interface Recovered {
  /** The sequence of the last snapshot beside the file; 0 when there is none. */
  readonly keptSequence: number
}

/** Lines between two snapshots; repeating this many takes about a second. */
const linesPerSnapshot = 20_000

/**
 * Writes a world's journal to a file from now on, each line before its caller is answered. Either the world is at its
 * start and the file empty, or the world is what `recoverJournal` made of the file.
 */
export function fileJournal(world: World, file: JournalFile, past: Recovered | Newborn): Journal {
  const isBorn = 'otcsim' in past
  if ('otcsim' in past) {
    const { otcsim, start, ttlMillis = null } = past
    file.append(encodeHeader(makeHeader(beginningOf(world, start), otcsim, ttlMillis)))
  }
  let kept = isBorn ? 0 : past.keptSequence
  /** Snapshots are written while the world goes on: nothing changes them. */
  const writing = new WorkQueue()
  const keep = (): void => {
    kept = world.sequence
    const { offset, hash } = file.end
    const check = world.events.check.value
    const leap = { offset, hash, sequence: kept, check, snapshot: world.snapshot() }
    void writing.begin(writeSnapshot(file.path, leap))
  }
  const time = new TimeLines(world, file)
  const sink = {
    ready: () => {
      if (!file.tryAgain()) throw new JournalUnwritable(file.path, file.problem ?? '')
    },
    take: (_entry: JournalEntry, text: () => string) => {
      file.append(text())
      time.noteLine()
    },
    passed: () => time.passed(),
    // Between lines, so that the snapshot has everything that was written down and nothing else.
    rest: () => {
      if (world.sequence - kept >= linesPerSnapshot) keep()
    },
  }
  recordWorld(world, sink, new SnapshotShelf(), () => undo(world, file))
  /** For callers who only read, or end: what cannot be written then is lost as by a kill, or written later. */
  const reportCounts = (): void => {
    if (file.problem === null) ifWritable(() => world.reportCounts())
  }
  const close = (): void => {
    reportCounts()
    time.end()
    world.observe(null)
    // In the middle of an advance, the world is not at its last line.
    if (!world.workQueue.isHalfDone && world.sequence - kept >= linesPerSnapshot / 10) keep()
    writing.finish()
    file.close()
  }
  return {
    *text() {
      reportCounts()
      for (const { bytes, isEnded } of file.lines()) if (isEnded) yield `${bytes.toString('utf8')}\n`
    },
    past: () => {
      reportCounts()
      return pastOfFile(file)
    },
    problem: () => file.problem,
    close,
    discard: close,
  }
}

/** Lines for the time that passes by itself, where they can be written. */
class TimeLines {
  private readonly world: World
  private readonly file: JournalFile
  private writtenMillis: number
  /** The newest event that is written down, or need not be. */
  private settledEvents: number

  constructor(world: World, file: JournalFile) {
    this.world = world
    this.file = file
    this.writtenMillis = world.now
    this.settledEvents = world.events.lastSequence
  }

  noteLine(): void {
    this.writtenMillis = this.world.now
    this.settledEvents = this.world.events.lastSequence
  }

  /** Nobody may be shown a fill or an expiry that a kill undoes. Prices come again as they were. */
  passed(): void {
    const { events } = this.world
    if (events.concernsClients(this.settledEvents)) this.write()
    else this.settledEvents = events.lastSequence
  }

  /** An orderly end keeps the instant. */
  end(): void {
    if (this.world.now > this.writtenMillis) this.write()
  }

  private write(): void {
    const { world, file } = this
    if (file.problem === null && !world.workQueue.isHalfDone)
      ifWritable(() => world.execute({ kind: 'advance', at: world.now }))
  }
}

/**
 * A command was carried out but could not be written down, so it must not have happened: the world is made again from
 * the file, and brought to the instant at which it was.
 */
function undo(world: World, file: JournalFile): void {
  const atMillis = world.now
  const replay = replayFrom(file)
  if (replay.kind !== 'done') throw new JournalUnwritable(file.path, '', 'the journal cannot be read back')
  becomeReplayed(world, replay.world)
  world.time.proceedTo(atMillis)
}

export function becomeReplayed(world: World, replayed: World): void {
  world.restoreFrom(replayed.snapshot(), {}, replayed.running.startScenario)
  world.events.check.value = replayed.events.check.value
}

/**
 * The past in the file of a living world, whose hashes have already been checked. Choice: it goes back to the older
 * of the snapshots beside the file, some 20,000 lines or more; `otcsim replay` has what came before.
 */
function pastOfFile(file: JournalFile): Past {
  const oldestFirst = [...newestSnapshots(file.path)].reverse()
  const { leap, header, offset, shelf } =
    firstOf(oldestFirst, (candidate) => readStart(file, candidate)) ?? readHeader(file)
  const beginning = compileBeginning(decodeHeader(header))
  const begins =
    leap === null ? beginning : { ...beginning, start: { check: leap.check, snapshot: leap.snapshot } }
  const beginsAfter = leap?.sequence ?? beginning.start?.snapshot.sequence ?? 0
  let read = beginsAfter
  let position = offset
  const after = (sequence: number): Iterable<JournalEntry> | null => {
    if (sequence !== read) return null
    const entries: JournalEntry[] = []
    for (const { bytes, offset: start, isEnded } of file.lines(position)) {
      if (!isEnded) break
      const entry = decodeEntry(parse(bytes), shelf)
      entries.push(entry)
      read = entry.sequence
      position = start + bytes.length + 1
    }
    return entries
  }
  return { begins, beginsAfter, after }
}

interface Start {
  readonly leap: Leap | null
  readonly header: unknown
  /** Where the lines that count begin. */
  readonly offset: number
  readonly shelf: SnapshotShelf
}

/** Null when the snapshot does not belong to this file. */
function readStart(file: JournalFile, leap: Leap): Start | null {
  const shelf = new SnapshotShelf()
  let header: unknown = null
  let offset = 0
  let isSealed = false
  for (const { bytes, offset: start, isEnded } of file.lines()) {
    if (!isEnded || start >= leap.offset) break
    if (start === 0) header = parse(bytes)
    else if (bytes.includes('"kind":"restored"')) decodeEntry(parse(bytes), shelf)
    offset = start + bytes.length + 1
    isSealed = bytes.includes(leap.hash)
  }
  return isSealed && offset === leap.offset ? { leap, header, offset, shelf } : null
}

function readHeader(file: JournalFile): Start {
  const [first] = file.lines()
  assert(first !== undefined, 'the journal of a living world has its first line')
  return {
    leap: null,
    header: parse(first.bytes),
    offset: first.bytes.length + 1,
    shelf: new SnapshotShelf(),
  }
}

const parse = (bytes: Buffer): unknown => JSON.parse(bytes.toString('utf8'))

function firstOf<From, To>(list: readonly From[], find: (from: From) => To | null): To | null {
  for (const from of list) {
    const found = find(from)
    if (found !== null) return found
  }
  return null
}

/** A journal's file, ready to be continued, and what was read from it. */
export type Recovery =
  | { readonly kind: 'fresh'; readonly file: JournalFile }
  | {
      readonly kind: 'recovered'
      readonly file: JournalFile
      readonly replay: Extract<Replay, { kind: 'done' }>
    }
  | Extract<Replay, { kind: 'damaged' | 'diverged' }>

/**
 * Reads a journal's file and carries it out, so that it can go on. An unfinished last line is cut off and kept beside
 * the file. A file that is damaged, or that this version carries out differently, is left as it is. The caller holds
 * the lock.
 */
export function recoverJournal(path: string, policy: SyncPolicy): Recovery {
  const file = new JournalFile(path, policy)
  const replay = replayFrom(file)
  if (replay.kind === 'damaged' || replay.kind === 'diverged') {
    file.close()
    return replay
  }
  if (replay.kind === 'empty') {
    file.continueAt(0, '', 0, replay.torn)
    return { kind: 'fresh', file }
  }
  const { offset, hash, sequence, torn } = replay.end
  file.continueAt(offset, hash, sequence, torn)
  return { kind: 'recovered', file, replay }
}

/** From the newest snapshot beside the journal that belongs to it, or from the start when there is none. */
function replayFrom(file: JournalFile): Replay {
  for (const leap of newestSnapshots(file.path)) {
    const replay = replayJournal(file.lines(), toTheEnd, leap)
    if (replay.kind === 'done') return replay
  }
  return replayJournal(file.lines())
}
