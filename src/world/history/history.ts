import { atMillisOf, type JournalEntry } from '../../journal/entry.ts'
import { sumTableBytes, type WorldSnapshot } from '../../journal/world-snapshot.ts'
import { type Millis, millis } from '../../numeric/units.ts'
import { repeatEntry } from '../change-world.ts'
import type { Journal, JournalHistory } from '../journals/journal.ts'
import { createReplayWorld } from '../journals/replay.ts'
import { readElapsedMillis } from '../real-timers.ts'
import { type Steps, WorkQueue } from '../work-queue.ts'
import type { World } from '../world.ts'
import { HistoryIndex, toLineItem } from './history-index.ts'
import { countUntil, isAfter, type Moment } from './price-history.ts'

/** The work between two checkpoints at first, in milliseconds of real time: about what going back costs at most. */
const workPerCheckpointMillis = 25
/** How many lines a history holds. When there are more, it starts over with what the journal still has. */
const maximumLines = 200_000
/** How many lines make one piece of work: less than a millisecond. */
const linesPerPiece = 16

/**
 * The past of a world. A second world, the shadow, repeats the journal a little at a time while this class records what
 * happens. From checkpoints along the way, the world can be recreated as it was at any moment. None of this affects the
 * world itself.
 */
export class History {
  private readonly world: World
  private readonly journal: Journal
  private journalHistory: JournalHistory
  private shadow: World
  private entries: JournalEntry[] = []
  private reachedSequence: number
  private checkpoints = new Checkpoints()
  private workMillis = 0
  private cursor: { readonly world: World; readonly sequence: number } | null = null
  /** Increases each time the history starts over; the indices of items then start from 0 again. */
  generation = 1
  index = new HistoryIndex()
  /** Callers take turns here, because travelling far back takes long and there is one travelling world. */
  readonly workQueue = new WorkQueue()

  constructor(world: World, journal: Journal) {
    this.world = world
    this.journal = journal
    this.journalHistory = journal.readHistory()
    this.shadow = this.createWorldAt(null)
    this.reachedSequence = this.journalHistory.afterSequence
    this.index.recordPrices(this.shadow, this.lastMoment)
    this.addCheckpoint()
  }

  /** The last moment that this history has reached. */
  get lastMoment(): Moment {
    return { sequence: this.reachedSequence, atMillis: this.shadow.now }
  }

  /** The first moment to which one can travel. */
  get firstMoment(): Moment {
    const { initialWorld, afterSequence } = this.journalHistory
    const atMillis = initialWorld.start?.snapshot.venue.counters[0] ?? initialWorld.scenario.venue.startMillis
    return { sequence: afterSequence, atMillis }
  }

  /** Follows the world for about this much real time. Returns whether the history is up to date. */
  follow(budgetMillis: number): boolean {
    this.readNewLines()
    const startMillis = readElapsedMillis()
    let spent = 0
    while (spent < budgetMillis) {
      if (!this.step()) return true
      const now = readElapsedMillis() - startMillis
      this.workMillis += now - spent
      spent = now
      if (this.workMillis >= workPerCheckpointMillis * this.checkpoints.stride) this.addCheckpoint()
    }
    return !this.isBehind
  }

  /**
   * Recreates the world as it was at a moment, in pieces. The returned world is for reading only, and valid until the
   * next use of this history. Returns null for a moment outside the recorded span. An instant before that of the
   * moment's line counts as the line's, and one after that of the next line as the next line's.
   */
  *travelTo(moment: Moment): Steps<World | null> {
    if (moment.sequence < this.journalHistory.afterSequence || moment.sequence > this.reachedSequence)
      return null
    const from = this.findStart(moment)
    const { world } = from
    // Until the world has arrived, it is at no line, and other callers must not continue from it.
    this.cursor = null
    let { sequence } = from
    for (; sequence < moment.sequence; sequence += 1) {
      const entry = this.entryAfter(sequence)
      if (entry !== undefined) yield* world.running.runInSteps(millis(atMillisOf(entry)))
      if (entry !== undefined) repeatEntry(world, entry)
      if (sequence % linesPerPiece === 0) yield
    }
    const next = this.entryAfter(sequence)
    const latest = next === undefined ? this.shadow.now : atMillisOf(next)
    const atMillis = millis(Math.min(moment.atMillis, latest))
    yield* world.running.runInSteps(atMillis)
    if (atMillis > world.now) world.time.passTimeTo(atMillis)
    this.cursor = { world, sequence }
    return world
  }

  private get isBehind(): boolean {
    return this.entryAfter(this.reachedSequence) !== undefined || this.shadow.now < this.world.now
  }

  /** Moves the shadow to the next line or the next instant at which something is due. Returns false at the present. */
  private step(): boolean {
    const entry = this.entryAfter(this.reachedSequence)
    const targetMillis = entry === undefined ? this.world.now : atMillisOf(entry)
    const { shadow, index: chronicle } = this
    if (shadow.now < targetMillis) {
      const before = shadow.events.lastSequence
      shadow.time.passTimeTo(nextStopMillis(shadow.running.nextDueMillis, shadow.now, targetMillis))
      this.recordEvents(before)
      return true
    }
    if (entry === undefined) return false
    chronicle.add(toLineItem(entry, shadow))
    const before = shadow.events.lastSequence
    repeatEntry(shadow, entry)
    this.reachedSequence = entry.sequence
    this.recordEvents(before)
    return true
  }

  /** Records the shadow's prices and what has happened to it since an event. */
  private recordEvents(before: number): void {
    this.index.addEvents(this.shadow.events.since(before), this.reachedSequence, this.shadow)
    this.index.recordPrices(this.shadow, this.lastMoment)
  }

  private readNewLines(): void {
    const last = this.entries.at(-1)?.sequence ?? this.journalHistory.afterSequence
    const lines = this.entries.length < maximumLines ? this.journalHistory.entriesAfter(last) : null
    if (lines === null) this.restart()
    else for (const entry of lines) this.entries.push(entry)
  }

  private restart(): void {
    this.journalHistory = this.journal.readHistory()
    this.entries = [...(this.journalHistory.entriesAfter(this.journalHistory.afterSequence) ?? [])]
    this.shadow = this.createWorldAt(null)
    this.reachedSequence = this.journalHistory.afterSequence
    this.checkpoints = new Checkpoints()
    this.index = new HistoryIndex()
    this.cursor = null
    this.generation += 1
    this.index.recordPrices(this.shadow, this.lastMoment)
    this.addCheckpoint()
  }

  private addCheckpoint(): void {
    this.workMillis = 0
    this.checkpoints.add(this.lastMoment, this.shadow.snapshot())
  }

  /**
   * Returns a world from which a moment is reached by going forward: the last world that was asked for if it is nearest,
   * else a new one from the last checkpoint before the moment.
   */
  private findStart(moment: Moment): { readonly world: World; readonly sequence: number } {
    const checkpoint = this.checkpoints.before(moment)
    const { cursor } = this
    const held = cursor === null ? null : { sequence: cursor.sequence, atMillis: cursor.world.now }
    const mayGoOn = held !== null && !isAfter(held, moment)
    if (cursor !== null && mayGoOn && (checkpoint === null || !isAfter(checkpoint, held))) return cursor
    if (checkpoint === null)
      return { world: this.createWorldAt(null), sequence: this.journalHistory.afterSequence }
    return { world: this.createWorldAt(checkpoint.snapshot), sequence: checkpoint.sequence }
  }

  private entryAfter(sequence: number): JournalEntry | undefined {
    const first = this.entries[0]?.sequence
    return first === undefined ? undefined : this.entries[sequence + 1 - first]
  }

  /** Creates a world as it was at a checkpoint, or as its journal begins for null. No clock moves the world. */
  private createWorldAt(snapshot: WorldSnapshot | null): World {
    const { initialWorld } = this.journalHistory
    if (snapshot === null) return createReplayWorld(this.world.id, initialWorld)
    const { readings } = snapshot
    return createReplayWorld(this.world.id, { ...initialWorld, readings, start: { check: 0, snapshot } })
  }
}

/**
 * Returns the next instant at which something is due, at most `targetMillis`. With a stop at each, no more events arise at
 * once than an event log keeps.
 */
const nextStopMillis = (dueMillis: number, nowMillis: number, targetMillis: number): Millis =>
  millis(Math.min(Math.max(dueMillis, nowMillis + 1), targetMillis))

interface Checkpoint extends Moment {
  readonly snapshot: WorldSnapshot
}

/** When there are more checkpoints, every second one is dropped, and from then on they are taken half as often. */
const maximumCheckpoints = 32
/** Checkpoints are not dropped for their size when there are no more than this. */
const fewestCheckpoints = 3
/** The bound on the bytes of all checkpoints' tables, so that worlds with many orders keep fewer. */
const maximumBytes = 256 * 1_048_576

/** Snapshots of a world at several moments, from which its past is recreated. */
class Checkpoints {
  private kept: readonly Checkpoint[] = []
  /** How many times the initial work lies between two checkpoints; it doubles when they are thinned out. */
  private strideFactor = 1

  get stride(): number {
    return this.strideFactor
  }

  add(moment: Moment, snapshot: WorldSnapshot): void {
    this.kept = [...this.kept, { ...moment, snapshot }]
    const mayStay =
      this.kept.length * sumTableBytes(snapshot) <= maximumBytes || this.kept.length <= fewestCheckpoints
    if (this.kept.length <= maximumCheckpoints && mayStay) return
    this.kept = this.kept.filter((_, index) => index % 2 === 0)
    this.strideFactor *= 2
  }

  /** Returns the last checkpoint that is not after a moment; null when there is none. */
  before(moment: Moment): Checkpoint | null {
    return this.kept[countUntil(this.kept, moment) - 1] ?? null
  }
}
