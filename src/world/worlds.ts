import type { ForkSource } from '../journal/header.ts'
import { type KeptNotes, keepNotesInMemory } from '../journal/kept-notes.ts'
import { type Line, type ReadJournal, readEntries } from '../journal/lines.ts'
import type { WorldSnapshot } from '../journal/world-snapshot.ts'
import { assert } from '../numeric/assert.ts'
import type { CompiledScenario } from '../scenario/compile/compiled.ts'
import { setClock } from './change-world.ts'
import type { WallClock } from './clock.ts'
import { History } from './history/history.ts'
import type { Journal } from './journals/journal.ts'
import { createMemoryJournals, type JournalStore, type ReplayedJournal } from './journals/journal-store.ts'
import type { Replay } from './journals/replay.ts'
import type { ApiKey } from './keys.ts'
import type { readFailureNotes } from './logs/test-failure.ts'
import { createWorld, forkWorld, type World } from './world.ts'
import type { WorldOptions } from './world-options.ts'

/** Why a world cannot be created, or a key cannot be given: the id or the key is in use. */
export type Conflict =
  | { readonly kind: 'world-exists'; readonly id: string }
  | { readonly kind: 'key-taken'; readonly apiKey: string; readonly world: string }

/** Describes a conflict in words, without a full stop. */
export function conflictText(conflict: Conflict): string {
  return conflict.kind === 'world-exists'
    ? `There is a world ${conflict.id} already`
    : `The key ${conflict.apiKey} belongs to world ${conflict.world}`
}

export type CreateWorldResult =
  | { readonly ok: true; readonly world: World }
  | { readonly ok: false; readonly conflict: Conflict }

export interface HostedOptions extends Omit<WorldOptions, 'wall' | 'id'> {
  /** The world's id; one is taken from a counter when this is absent. */
  readonly id?: string
  /** How long the world may go unused, in wall time, before it is deleted; null means for ever. */
  readonly ttlMillis?: number | null
  /** The state in which the world starts, instead of the scenario's start. */
  readonly snapshot?: WorldSnapshot
  /** Whether keys that the scenario names get new names when another world has theirs; true by default for forks. */
  readonly renamesKeys?: boolean
  /** What the world was forked from; null when it is no fork. It stands in the journal. */
  readonly parent?: ForkSource | null
  /** What the world continues after: its journal has the lines of that, too. */
  readonly past?: ReplayedJournal
}

interface Hosted {
  readonly world: World
  readonly journal: Journal
  readonly ttlMillis: number | null
  usedAtMillis: number
  history: { readonly of: History; usedAtMillis: number } | null
  /** Whether the long work on the world only catches up with real time, which no request has asked for. */
  isCatchingUp: boolean
}

/** A history that has not been read for this long is dropped, because it keeps a second world in memory. */
const historyIdleMillis = 600_000

/** How long one `tick` may spend on moving worlds. */
const tickBudgetMillis = 20
/**
 * How many worlds that have fallen far behind may catch up at the same time without a request for them. Each takes a
 * slice in every round, so a request to one of them waits for the slices of the others again and again.
 */
const maximumCatchingUp = 4

export const defaultWorld = 'default'

/**
 * The worlds of one server. Every key belongs to one world, so the key alone routes a request. Requests without a known
 * key are answered by the default world.
 */
export class Worlds {
  readonly wall: WallClock
  readonly snapshots = new SnapshotStore()
  private readonly journals: JournalStore
  private readonly prepare: ((world: World, isFork: boolean) => void) | null
  private readonly hosted = new Map<string, Hosted>()
  private readonly keys = new Map<string, { readonly key: ApiKey; readonly hosted: Hosted }>()
  private givenIds = 0
  private lastTickedIndex = 0

  /** `prepare` is called with each new world before any request reaches it. */
  constructor(
    wall: WallClock,
    journals: JournalStore = createMemoryJournals(''),
    prepare: ((world: World, isFork: boolean) => void) | null = null,
  ) {
    this.wall = wall
    this.journals = journals
    this.prepare = prepare
  }

  /**
   * Creates a world and routes its keys. Choice: when a fork's scenario names a key that the original or another world
   * has, the fork's key gets a new name. Returns a conflict when the id is in use, and then when one of the keys belongs
   * to another world.
   */
  create(scenario: CompiledScenario, options: HostedOptions): CreateWorldResult {
    const { parent = null, ttlMillis = null, snapshot, past = null, ...more } = options
    const { renamesKeys = snapshot !== undefined, ...rest } = more
    const id = options.id ?? this.freeId()
    if (this.hosted.has(id)) return { ok: false, conflict: { kind: 'world-exists', id } }
    const about = { ...rest, id, wall: this.wall }
    const world = snapshot === undefined ? createWorld(scenario, about) : forkWorld(snapshot, about)
    world.parent = parent
    const isRenamed = renamesKeys && this.renameTaken(world)
    for (const { apiKey } of world.keys.list()) {
      const conflict = this.findKeyConflict(apiKey)
      if (conflict !== null) return { ok: false, conflict }
    }
    const isOther = snapshot !== undefined || isRenamed
    const journal = this.journals.begin(world, isOther ? world.snapshot() : null, ttlMillis, past)
    // A world that was just recovered from its journal has the keys that the journal says, which may be taken too.
    if (renamesKeys) this.renameTaken(world)
    const hosted: Hosted = {
      world,
      journal,
      ttlMillis,
      usedAtMillis: this.wall.nowMillis(),
      history: null,
      isCatchingUp: false,
    }
    this.hosted.set(id, hosted)
    this.routeKeys(hosted)
    this.prepare?.(world, snapshot !== undefined)
    return { ok: true, world }
  }

  /** The world that answers requests without a known key. */
  get default(): World {
    const hosted = this.hosted.get(defaultWorld)
    assert(hosted !== undefined, 'the default world exists from the start')
    return hosted.world
  }

  /** Returns the world with an id, and counts this as a use of it. */
  get(id: string): World | undefined {
    const hosted = this.hosted.get(id)
    if (hosted !== undefined) hosted.usedAtMillis = this.wall.nowMillis()
    return hosted?.world
  }

  /** Finds a key, revoked ones included, with its world, and counts this as a use of the world. */
  find(apiKey: string): { readonly world: World; readonly key: ApiKey } | null {
    const found = this.keys.get(apiKey)
    if (found === undefined) return null
    found.hosted.usedAtMillis = this.wall.nowMillis()
    return { world: found.hosted.world, key: found.key }
  }

  /** Lists the worlds in order of creation. */
  list(): World[] {
    return [...this.hosted.values()].map(({ world }) => world)
  }

  /**
   * Deletes a world. Returns false when there is none with that id, and for the default world, which always stays.
   * Throws when the world's journal cannot be set aside; then nothing has changed.
   */
  delete(id: string): boolean {
    const hosted = this.hosted.get(id)
    if (hosted === undefined || id === defaultWorld) return false
    hosted.journal.discard()
    for (const { apiKey } of hosted.world.keys.list()) this.keys.delete(apiKey)
    this.snapshots.deleteSnapshots(id)
    this.hosted.delete(id)
    hosted.world.workQueue.abandon()
    hosted.history?.of.workQueue.abandon()
    return true
  }

  /** Lists the worlds that cannot be changed at present, because their journals cannot be written, with the reason. */
  listUnwritable(): { readonly id: string; readonly reason: string }[] {
    return [...this.hosted].flatMap(([id, { journal }]) => {
      const reason = journal.problem()
      return reason === null ? [] : [{ id, reason }]
    })
  }

  /** Returns the journal of a world; null for a world that is not hosted here. */
  journalOf(world: World): Journal | null {
    return this.hosted.get(world.id)?.journal ?? null
  }

  /** Returns the notes on the moments of a world; none, which are kept nowhere, for a world that is not hosted here. */
  notesOf(id: string): KeptNotes {
    return this.hosted.get(id)?.journal.notes ?? keepNotesInMemory()
  }

  /**
   * Returns a world's history, which is created when it is first asked for; null for a world that is not hosted here.
   * A history follows its world only when `follow` is called.
   */
  findHistory(world: World): History | null {
    const hosted = this.hosted.get(world.id)
    if (hosted === undefined || hosted.world !== world) return null
    const usedAtMillis = this.wall.nowMillis()
    hosted.history = { of: hosted.history?.of ?? new History(world, hosted.journal), usedAtMillis }
    return hosted.history.of
  }

  /** Closes all journals and stops all work, because the process is about to end. */
  close(): void {
    for (const { journal } of this.hosted.values()) journal.close()
    this.stopWork()
  }

  /** Stops all long work where it is and drops its callers. Unfinished work leaves no trace in a journal. */
  stopWork(): void {
    for (const { world, history } of this.hosted.values()) {
      world.workQueue.close()
      history?.of.workQueue.close()
    }
  }

  /** Finds a snapshot of any world by its id, whether a caller or a script has taken it. */
  findSnapshot(id: string): KeptSnapshot | undefined {
    return (
      this.snapshots.get(id) ??
      this.list()
        .flatMap((world) => this.snapshots.listSnapshots(world))
        .find((kept) => kept.id === id)
    )
  }

  /** Restores a snapshot, keys included. Returns a conflict when another world has one of those keys by now. */
  restore(world: World, snapshot: WorldSnapshot): Conflict | null {
    const hosted = this.hosted.get(world.id)
    if (hosted === undefined) return null
    for (const apiKey of world.keys.findKeptNames(snapshot)) {
      const conflict = this.findKeyConflict(apiKey)
      if (conflict?.kind === 'key-taken' && conflict.world !== world.id) return conflict
    }
    const old = world.keys.list()
    world.restore(snapshot)
    this.routeKeys(hosted, old)
    return null
  }

  /**
   * Returns a world to its scenario's start and to the keys of the start. Returns null when there is none with that id.
   */
  reset(id: string, seed: string | null): World | null {
    const hosted = this.hosted.get(id)
    if (hosted === undefined) return null
    const { world } = hosted
    const old = world.keys.list()
    const named = world.running.startScenario.access.flatMap(({ keys }) => keys)
    world.reset(seed, this.findTakenKeys(world, named))
    this.routeKeys(hosted, old)
    return world
  }

  /** Finds the world that has a key, as a conflict; null when the key is free. */
  findKeyConflict(apiKey: string): Conflict | null {
    const owner = this.keys.get(apiKey)
    return owner === undefined ? null : { kind: 'key-taken', apiKey, world: owner.hosted.world.id }
  }

  /** Routes a new key of a world. The caller has checked that the key is free. */
  routeKey(world: World, key: ApiKey): void {
    const hosted = this.hosted.get(world.id)
    if (hosted !== undefined) this.keys.set(key.apiKey, { key, hosted })
  }

  /**
   * Deletes worlds that have gone unused for their time to live, and moves worlds in real time to the present. One call
   * takes limited time and the next continues with the world behind the last one, so that a thousand worlds do not hold
   * up a request. A world that has not had its turn catches up when a request for it arrives.
   */
  tick(): void {
    const startMillis = this.wall.nowMillis()
    let catchingUp = 0
    for (const [id, hosted] of this.hosted) {
      const { world, ttlMillis, history } = hosted
      if (hosted.isCatchingUp) catchingUp += 1
      // The wall clock may have been set back, and no use may lie in the future.
      hosted.usedAtMillis = Math.min(hosted.usedAtMillis, startMillis)
      if (history?.of.workQueue.isTaken === true) history.usedAtMillis = startMillis
      if (history !== null && startMillis - history.usedAtMillis >= historyIdleMillis) hosted.history = null
      const isBusy = world.workQueue.isTaken && !hosted.isCatchingUp
      if (isBusy || world.workQueue.waitingCount > 0) hosted.usedAtMillis = startMillis
      if (ttlMillis !== null && startMillis - hosted.usedAtMillis >= ttlMillis) this.expire(id)
    }
    const all = [...this.hosted.values()]
    for (let seen = 0; seen < all.length; seen += 1) {
      this.lastTickedIndex = (this.lastTickedIndex + 1) % all.length
      const hosted = all[this.lastTickedIndex]
      if (hosted === undefined || hosted.world.workQueue.isTaken) continue
      const mayTakeLong = catchingUp < maximumCatchingUp || !hosted.world.time.isFarBehind
      if (mayTakeLong && catchUp(hosted)) catchingUp += 1
      if (this.wall.nowMillis() - startMillis >= tickBudgetMillis) return
    }
  }

  /** Deletes a world whose time to live is over; when its journal cannot be set aside, a later tick tries again. */
  private expire(id: string): void {
    try {
      this.delete(id)
    } catch {}
  }

  /** Gives new names to those of a world's keys that other worlds have. Returns whether there were any. */
  private renameTaken(world: World): boolean {
    const taken = this.findTakenKeys(world, world.keys.list())
    for (const apiKey of taken) world.keys.rename(apiKey)
    return taken.length > 0
  }

  private findTakenKeys(world: World, keys: readonly { readonly apiKey: string | null }[]): string[] {
    return keys.flatMap(({ apiKey }) => {
      const owner = apiKey === null ? undefined : this.keys.get(apiKey)?.hosted.world
      return apiKey === null || owner === undefined || owner.id === world.id ? [] : [apiKey]
    })
  }

  /** Routes the keys that a world has now, and stops routing the `old` ones. */
  private routeKeys(hosted: Hosted, old: readonly ApiKey[] = []): void {
    for (const { apiKey } of old) this.keys.delete(apiKey)
    for (const key of hosted.world.keys.list()) this.keys.set(key.apiKey, { key, hosted })
  }

  private freeId(): string {
    do this.givenIds += 1
    while (this.hosted.has(`w${this.givenIds}`))
    return `w${this.givenIds}`
  }
}

/**
 * Moves a world in real time to the present, in slices when it has fallen far behind. Returns whether that is long work,
 * which then continues after this call.
 */
function catchUp(hosted: Hosted): boolean {
  const { workQueue, time } = hosted.world
  const endCatchUp = () => {
    hosted.isCatchingUp = false
  }
  try {
    const moved = workQueue.begin(time.catchUpInSteps())
    if (!(moved instanceof Promise)) return false
    hosted.isCatchingUp = true
    moved.then(endCatchUp, endCatchUp)
    return true
  } catch {
    // The next request to the world runs into the same failure and reports it.
    return false
  }
}

export interface KeptSnapshot {
  readonly id: string
  /** The id of the world that the snapshot belongs to and with which it is deleted. */
  readonly world: string
  readonly snapshot: WorldSnapshot
}

/** The snapshots that callers have taken on one server. No id is ever given twice. */
class SnapshotStore {
  private readonly kept = new Map<string, KeptSnapshot>()
  private taken = 0

  add(world: World, snapshot: WorldSnapshot): KeptSnapshot {
    this.taken += 1
    const kept = { id: `snap_${this.taken}`, world: world.id, snapshot }
    this.kept.set(kept.id, kept)
    return kept
  }

  get(id: string): KeptSnapshot | undefined {
    return this.kept.get(id)
  }

  /** Lists a world's snapshots: those that callers have taken, oldest first, then those that its script has taken. */
  listSnapshots(world: World): KeptSnapshot[] {
    const scripted = [...world.scriptSnapshots].map(([name, snapshot]) => ({
      id: `${world.id}.${name}`,
      world: world.id,
      snapshot,
    }))
    return [...[...this.kept.values()].filter((kept) => kept.world === world.id), ...scripted]
  }

  delete(id: string): boolean {
    return this.kept.delete(id)
  }

  deleteSnapshots(worldId: string): void {
    for (const { id, world } of [...this.kept.values()]) if (world === worldId) this.kept.delete(id)
  }
}

export type FinishedReplay = Extract<Replay, { readonly kind: 'done' }>

/**
 * A served world keeps its lines in memory. When there are more than this, its journal begins where the replay ended.
 */
const maximumLinesHeld = 200_000

/**
 * Reads the lines that a replay has carried out, so that the console can return to any of them. Returns null when there
 * are too many to keep in memory.
 */
export function readReplayedLines(
  { end, lines }: FinishedReplay,
  read: () => Iterable<Line>,
): ReadJournal | null {
  if (lines > maximumLinesHeld) return null
  const journal = readEntries(read())
  if (!('header' in journal)) return null
  const entries = journal.entries.filter(({ sequence }) => sequence <= end.sequence)
  return { header: journal.header, entries }
}

export interface OpenJournalOptions {
  /** The world's id; one is taken from a counter when this is absent. */
  readonly id?: string
  /** The lines that were carried out; null when there are too many to keep in memory. */
  readonly journal: ReadJournal | null
  /** What was saved beside the journal of a failed test; null when there is nothing. */
  readonly notes: ReturnType<typeof readFailureNotes>
}

/**
 * Adds a replayed world to a server, with the requests and the test failure that were saved beside its journal. Its
 * clock stands still until somebody moves it.
 */
export function openJournal(
  worlds: Worlds,
  { world: replayed }: FinishedReplay,
  { journal, notes, ...about }: OpenJournalOptions,
): CreateWorldResult {
  const { scenario, seed, readings } = replayed
  const made = worlds.create(scenario, {
    ...{ ...about, seed, readings, snapshot: replayed.snapshot() },
    past: { replayed, read: journal },
  })
  if (!made.ok) return made
  const { world } = made
  setClock(world, { mode: 'manual' })
  for (const { sequence: _, requestId: __, ...request } of notes?.requests ?? [])
    world.requests.add({ ...request, requestBody: Buffer.from(request.requestBody) })
  world.failure = notes?.failure ?? null
  return made
}
