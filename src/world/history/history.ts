import { atMillisOf, type JournalEntry } from '../../journal/entry.ts'
import { tableBytes, type WorldSnapshot } from '../../journal/world-snapshot.ts'
import { type Millis, millis } from '../../numeric/units.ts'
import { repeatEntry } from '../change-world.ts'
import type { Journal, Past } from '../journals/journal.ts'
import { beginWorld } from '../journals/replay.ts'
import { type Steps, WorkQueue } from '../work-queue.ts'
import type { World } from '../world.ts'
import { HistoryIndex, lineItem } from './history-index.ts'
import { countUntil, isAfter, type Moment } from './price-history.ts'

/** The real time between two checkpoints at first, in milliseconds: the most that going back costs. */
const workBetweenMillis = 25
/** How many lines are held; a longer past starts over with what the journal still has. */
const maximumEntries = 200_000
/** How many lines are carried out again before others may have their turn: less than a millisecond's work. */
const linesInPiece = 16

/**
 * A world's past. A second world carries out the journal of the first, a little at a time, and writes down what
 * happens; from snapshots along its way, the world can be made as it was at any moment. The world itself never
 * notices.
 */
export class History {
  private readonly world: World
  private readonly journal: Journal
  private past: Past
  private shadow: World
  private entries: JournalEntry[] = []
  private reachedSequence: number
  private checkpoints = new Checkpoints()
  private workMillis = 0
  private cursor: { readonly world: World; readonly sequence: number } | null = null
  /** Goes up when the past starts over; the indices of items then count from 0 again. */
  generation = 1
  chronicle = new HistoryIndex()
  /** Going far back takes a while, and there is only one world to do it with. */
  readonly workQueue = new WorkQueue()

  constructor(world: World, journal: Journal) {
    this.world = world
    this.journal = journal
    this.past = journal.past()
    this.shadow = this.worldOf(null)
    this.reachedSequence = this.past.beginsAfter
    this.chronicle.look(this.shadow, this.reached)
    this.mark()
  }

  /** The moment up to which the past is known. */
  get reached(): Moment {
    return { sequence: this.reachedSequence, atMillis: this.shadow.now }
  }

  /** The first moment that can be gone back to. */
  get begins(): Moment {
    const { begins, beginsAfter } = this.past
    const atMillis = begins.start?.snapshot.venue.counters[0] ?? begins.scenario.venue.startMillis
    return { sequence: beginsAfter, atMillis }
  }

  /** Follows the world for about this long. Answers whether it is up to date with the world. */
  follow(budgetMillis: number): boolean {
    this.takeLines()
    const startMillis = performance.now()
    let spent = 0
    while (spent < budgetMillis) {
      if (!this.step()) return true
      const now = performance.now() - startMillis
      this.workMillis += now - spent
      spent = now
      if (this.workMillis >= workBetweenMillis * this.checkpoints.stride) this.mark()
    }
    return !this.isBehind
  }

  /**
   * The world as it was at a moment, for reading, and only until anything else is asked for. Null for a moment that is
   * not known, or not known yet. An instant before that of the line counts as the line's; one after that of the next
   * line counts as the next line's.
   */
  *travelTo(moment: Moment): Steps<World | null> {
    if (moment.sequence < this.past.beginsAfter || moment.sequence > this.reachedSequence) return null
    const from = this.startFor(moment)
    const { world } = from
    // While it is on its way, it is at no line.
    this.cursor = null
    let { sequence } = from
    for (; sequence < moment.sequence; sequence += 1) {
      const entry = this.entryAfter(sequence)
      if (entry !== undefined) yield* world.running.runInSteps(millis(atMillisOf(entry)))
      if (entry !== undefined) repeatEntry(world, entry)
      if (sequence % linesInPiece === 0) yield
    }
    const next = this.entryAfter(sequence)
    const latest = next === undefined ? this.shadow.now : atMillisOf(next)
    const atMillis = millis(Math.min(moment.atMillis, latest))
    yield* world.running.runInSteps(atMillis)
    if (atMillis > world.now) world.time.proceedTo(atMillis)
    this.cursor = { world, sequence }
    return world
  }

  private get isBehind(): boolean {
    return this.entryAfter(this.reachedSequence) !== undefined || this.shadow.now < this.world.now
  }

  /** Carries out the next line or the next thing that is due. False when there is nothing left to do. */
  private step(): boolean {
    const entry = this.entryAfter(this.reachedSequence)
    const goalMillis = entry === undefined ? this.world.now : atMillisOf(entry)
    const { shadow, chronicle } = this
    if (shadow.now < goalMillis) {
      const before = shadow.events.lastSequence
      shadow.time.proceedTo(nearer(shadow.running.nextDueMillis, shadow.now, goalMillis))
      this.note(before)
      return true
    }
    if (entry === undefined) return false
    chronicle.add(lineItem(entry, shadow))
    const before = shadow.events.lastSequence
    repeatEntry(shadow, entry)
    this.reachedSequence = entry.sequence
    this.note(before)
    return true
  }

  /** Writes down what has happened to the shadow since an event. */
  private note(before: number): void {
    this.chronicle.addEvents(this.shadow.events.since(before), this.reachedSequence, this.shadow)
    this.chronicle.look(this.shadow, this.reached)
  }

  private takeLines(): void {
    const last = this.entries.at(-1)?.sequence ?? this.past.beginsAfter
    const lines = this.entries.length < maximumEntries ? this.past.after(last) : null
    if (lines === null) this.beginAnew()
    else for (const entry of lines) this.entries.push(entry)
  }

  private beginAnew(): void {
    this.past = this.journal.past()
    this.entries = [...(this.past.after(this.past.beginsAfter) ?? [])]
    this.shadow = this.worldOf(null)
    this.reachedSequence = this.past.beginsAfter
    this.checkpoints = new Checkpoints()
    this.chronicle = new HistoryIndex()
    this.cursor = null
    this.generation += 1
    this.chronicle.look(this.shadow, this.reached)
    this.mark()
  }

  private mark(): void {
    this.workMillis = 0
    this.checkpoints.add(this.reached, this.shadow.snapshot())
  }

  /** The last world that was asked for, if it only has to go forward; else one made from the checkpoint before. */
  private startFor(moment: Moment): { readonly world: World; readonly sequence: number } {
    const checkpoint = this.checkpoints.before(moment)
    const { cursor } = this
    const held = cursor === null ? null : { sequence: cursor.sequence, atMillis: cursor.world.now }
    const mayGoOn = held !== null && !isAfter(held, moment)
    if (cursor !== null && mayGoOn && (checkpoint === null || !isAfter(checkpoint, held))) return cursor
    if (checkpoint === null) return { world: this.worldOf(null), sequence: this.past.beginsAfter }
    return { world: this.worldOf(checkpoint.snapshot), sequence: checkpoint.sequence }
  }

  private entryAfter(sequence: number): JournalEntry | undefined {
    const first = this.entries[0]?.sequence
    return first === undefined ? undefined : this.entries[sequence + 1 - first]
  }

  /** A world as its journal begins, or as it was at a checkpoint. No clock moves it. */
  private worldOf(snapshot: WorldSnapshot | null): World {
    const { begins } = this.past
    if (snapshot === null) return beginWorld(this.world.id, begins)
    const { readings } = snapshot
    return beginWorld(this.world.id, { ...begins, readings, start: { check: 0, snapshot } })
  }
}

/** Stops at every instant at which something is due, so that no more events come at once than a log keeps. */
const nearer = (dueMillis: number, nowMillis: number, goalMillis: number): Millis =>
  millis(Math.min(Math.max(dueMillis, nowMillis + 1), goalMillis))

interface Checkpoint extends Moment {
  readonly snapshot: WorldSnapshot
}

/** When there are more, every second one goes, and from then on they are taken half as often. */
const maximumCheckpoints = 32
const fewestCheckpoints = 3
/** The bound on the bytes of their tables: worlds with many orders keep fewer. */
const maximumBytes = 256 * 1_048_576

/** Snapshots along a world's way, from which its past is made again. */
class Checkpoints {
  private kept: readonly Checkpoint[] = []
  /** How much work lies between two checkpoints; it doubles when they are thinned out. */
  private spread = 1

  get stride(): number {
    return this.spread
  }

  add(moment: Moment, snapshot: WorldSnapshot): void {
    this.kept = [...this.kept, { ...moment, snapshot }]
    const mayStay =
      this.kept.length * tableBytes(snapshot) <= maximumBytes || this.kept.length <= fewestCheckpoints
    if (this.kept.length <= maximumCheckpoints && mayStay) return
    this.kept = this.kept.filter((_, index) => index % 2 === 0)
    this.spread *= 2
  }

  /** The last checkpoint that is not after a moment; null when there is none. */
  before(moment: Moment): Checkpoint | null {
    return this.kept[countUntil(this.kept, moment) - 1] ?? null
  }
}
