import { type Line, type ReadJournal, readEntries } from '../journal/lines.ts'
import type { WorldSnapshot } from '../journal/world-snapshot.ts'
import { assert } from '../numeric/assert.ts'
import type { CompiledScenario } from '../scenario/compile/compiled.ts'
import { setClock } from './change-world.ts'
import type { WallClock } from './clock.ts'
import { History } from './history/history.ts'
import type { Journal } from './journals/journal.ts'
import { continuedJournal, type JournalStore, memoryJournals } from './journals/journal-store.ts'
import type { Replay } from './journals/replay.ts'
import type { ApiKey } from './keys.ts'
import type { readFailureNotes } from './logs/test-failure.ts'
import { createWorld, forkWorld, type World } from './world.ts'
import type { WorldOptions } from './world-options.ts'

export type Conflict =
  | { readonly kind: 'world-exists'; readonly id: string }
  | { readonly kind: 'key-taken'; readonly apiKey: string; readonly world: string }

/** In words, without a full stop. */
export function conflictText(conflict: Conflict): string {
  return conflict.kind === 'world-exists'
    ? `There is a world ${conflict.id} already`
    : `The key ${conflict.apiKey} belongs to world ${conflict.world}`
}

export type Made =
  | { readonly ok: true; readonly world: World }
  | { readonly ok: false; readonly conflict: Conflict }

export interface HostedOptions extends Omit<WorldOptions, 'wall' | 'id'> {
  /** From a counter when absent. */
  readonly id?: string
  /** How long the world may go unused, in wall time; null: for ever. */
  readonly ttlMillis?: number | null
  /** The state that the world starts in, instead of the scenario's start. */
  readonly snapshot?: WorldSnapshot
  /** Whether keys that the scenario names get other names when another world has theirs. */
  readonly renamesKeys?: boolean
  /** Instead of the server's. */
  readonly journals?: JournalStore
}

interface Hosted {
  readonly world: World
  readonly journal: Journal
  readonly ttlMillis: number | null
  usedAtMillis: number
  history: { readonly of: History; usedAtMillis: number } | null
  /** Whether the long work on the world is to catch up with real time, which no request has asked for. */
  isCatchingUp: boolean
}

/** A history that has not been read for this long is dropped, because it holds a second world. */
const historyKeptMillis = 600_000

/** How long one `tick` may take to move worlds. */
const tickBudgetMillis = 20
/**
 * How many worlds that have fallen far behind catch up at a time without being asked: whoever asks for one of them
 * waits, again and again, for a slice of each other one.
 */
const mostCatchingUp = 4

export const defaultWorld = 'default'

/**
 * The worlds of one server. A key belongs to one world, so only the key routes a request; requests that belong to no
 * world are answered in the name of the default one.
 */
export class Worlds {
  readonly wall: WallClock
  readonly snapshots = new SnapshotStore()
  private readonly journals: JournalStore
  private readonly hosted = new Map<string, Hosted>()
  private readonly keys = new Map<string, { readonly key: ApiKey; readonly hosted: Hosted }>()
  private made = 0
  private turn = 0

  constructor(wall: WallClock, journals: JournalStore = memoryJournals('')) {
    this.wall = wall
    this.journals = journals
  }

  /**
   * Makes a world and routes its keys. Choice: a fork gets a new key for one that its scenario names while the world
   * that it was taken of, or another one, has that key. Errors: the id is in use; one of its keys belongs to another
   * world.
   */
  create(scenario: CompiledScenario, options: HostedOptions): Made {
    const { journals = this.journals, ttlMillis = null, snapshot, ...more } = options
    const { renamesKeys = snapshot !== undefined, ...rest } = more
    const id = options.id ?? this.freeId()
    if (this.hosted.has(id)) return { ok: false, conflict: { kind: 'world-exists', id } }
    const about = { ...rest, id, wall: this.wall }
    const world = snapshot === undefined ? createWorld(scenario, about) : forkWorld(snapshot, about)
    const isRenamed = renamesKeys && this.renameTaken(world)
    for (const { apiKey } of world.keys.list()) {
      const conflict = this.conflictOf(apiKey)
      if (conflict !== null) return { ok: false, conflict }
    }
    const isOther = snapshot !== undefined || isRenamed
    const journal = journals.begin(world, isOther ? world.snapshot() : null, ttlMillis)
    // A world that was recovered from its journal has the keys that stand there.
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
    this.register(hosted)
    return { ok: true, world }
  }

  get default(): World {
    const hosted = this.hosted.get(defaultWorld)
    assert(hosted !== undefined, 'the default world is there from the start')
    return hosted.world
  }

  get(id: string): World | undefined {
    const hosted = this.hosted.get(id)
    if (hosted !== undefined) hosted.usedAtMillis = this.wall.nowMillis()
    return hosted?.world
  }

  find(apiKey: string): { readonly world: World; readonly key: ApiKey } | null {
    const found = this.keys.get(apiKey)
    if (found === undefined) return null
    found.hosted.usedAtMillis = this.wall.nowMillis()
    return { world: found.hosted.world, key: found.key }
  }

  /** In order of creation. */
  list(): World[] {
    return [...this.hosted.values()].map(({ world }) => world)
  }

  /**
   * False for a world that does not exist, and for the default one, which cannot be deleted. Throws when the world's
   * journal cannot be closed for good, and then nothing has changed.
   */
  delete(id: string): boolean {
    const hosted = this.hosted.get(id)
    if (hosted === undefined || id === defaultWorld) return false
    hosted.journal.discard()
    for (const { apiKey } of hosted.world.keys.list()) this.keys.delete(apiKey)
    this.snapshots.forget(id)
    this.hosted.delete(id)
    hosted.world.workQueue.abandon()
    hosted.history?.of.workQueue.abandon()
    return true
  }

  /** The journal of a world, to be replayed; null for a world that is not hosted here. */
  journalOf(world: World): Journal | null {
    return this.hosted.get(world.id)?.journal ?? null
  }

  /** A world's past; null for a world that is not hosted here. It follows the world only when it is asked to. */
  historyOf(world: World): History | null {
    const hosted = this.hosted.get(world.id)
    if (hosted === undefined || hosted.world !== world) return null
    const usedAtMillis = this.wall.nowMillis()
    hosted.history = { of: hosted.history?.of ?? new History(world, hosted.journal), usedAtMillis }
    return hosted.history.of
  }

  /** Writes nothing more: the process is about to end. */
  close(): void {
    for (const { journal } of this.hosted.values()) journal.close()
    this.stopWork()
  }

  /** Stops all long work where it is: nobody waits for it any more, and no journal has a trace of it. */
  stopWork(): void {
    for (const { world, history } of this.hosted.values()) {
      world.workQueue.close()
      history?.of.workQueue.close()
    }
  }

  findSnapshot(id: string): KeptSnapshot | undefined {
    return (
      this.snapshots.get(id) ??
      this.list()
        .flatMap((world) => this.snapshots.of(world))
        .find((kept) => kept.id === id)
    )
  }

  /** Keys included. Answers the conflict when another world has one of the keys by now. */
  restore(world: World, snapshot: WorldSnapshot): Conflict | null {
    const hosted = this.hosted.get(world.id)
    if (hosted === undefined) return null
    for (const apiKey of world.keys.namesOf(snapshot)) {
      const conflict = this.conflictOf(apiKey)
      if (conflict?.kind === 'key-taken' && conflict.world !== world.id) return conflict
    }
    const old = world.keys.list()
    world.restore(snapshot)
    this.register(hosted, old)
    return null
  }

  /** Goes back to the scenario's start, and to the keys of the start. */
  reset(id: string, seed: string | null): World | null {
    const hosted = this.hosted.get(id)
    if (hosted === undefined) return null
    const { world } = hosted
    const old = world.keys.list()
    const named = world.running.startScenario.access.flatMap(({ keys }) => keys)
    world.reset(seed, this.takenOf(world, named))
    this.register(hosted, old)
    return world
  }

  /** The owner of a key, in any world; null when it is free. */
  conflictOf(apiKey: string): Conflict | null {
    const owner = this.keys.get(apiKey)
    return owner === undefined ? null : { kind: 'key-taken', apiKey, world: owner.hosted.world.id }
  }

  /** Routes a new key of a world. The key is free. */
  adopt(world: World, key: ApiKey): void {
    const hosted = this.hosted.get(world.id)
    if (hosted !== undefined) this.keys.set(key.apiKey, { key, hosted })
  }

  /**
   * Drops worlds that have gone unused for their time to live, and moves those in real time to the present: in turns,
   * so that a thousand of them do not hold up a request. A world that has to wait catches up when it is asked.
   */
  tick(): void {
    const startMillis = this.wall.nowMillis()
    let catchingUp = 0
    for (const [id, hosted] of this.hosted) {
      const { world, ttlMillis, history } = hosted
      if (hosted.isCatchingUp) catchingUp += 1
      // The wall clock may have been set back.
      hosted.usedAtMillis = Math.min(hosted.usedAtMillis, startMillis)
      if (history?.of.workQueue.isTaken === true) history.usedAtMillis = startMillis
      if (history !== null && startMillis - history.usedAtMillis >= historyKeptMillis) hosted.history = null
      const isBusy = world.workQueue.isTaken && !hosted.isCatchingUp
      if (isBusy || world.workQueue.waitingCount > 0) hosted.usedAtMillis = startMillis
      if (ttlMillis !== null && startMillis - hosted.usedAtMillis >= ttlMillis) this.expire(id)
    }
    const all = [...this.hosted.values()]
    for (let seen = 0; seen < all.length; seen += 1) {
      this.turn = (this.turn + 1) % all.length
      const hosted = all[this.turn]
      if (hosted === undefined || hosted.world.workQueue.isTaken) continue
      const mayTakeLong = catchingUp < mostCatchingUp || !hosted.world.time.isFarBehind
      if (mayTakeLong && catchUp(hosted)) catchingUp += 1
      if (this.wall.nowMillis() - startMillis >= tickBudgetMillis) return
    }
  }

  /** A world whose journal cannot be closed now is dropped when it can. */
  private expire(id: string): void {
    try {
      this.delete(id)
    } catch {}
  }

  /** Gives new names to a world's keys that belong to others. Answers whether there were any. */
  private renameTaken(world: World): boolean {
    const taken = this.takenOf(world, world.keys.list())
    for (const apiKey of taken) world.keys.rename(apiKey)
    return taken.length > 0
  }

  private takenOf(world: World, keys: readonly { readonly apiKey: string | null }[]): string[] {
    return keys.flatMap(({ apiKey }) => {
      const owner = apiKey === null ? undefined : this.keys.get(apiKey)?.hosted.world
      return apiKey === null || owner === undefined || owner.id === world.id ? [] : [apiKey]
    })
  }

  /** Routes the keys that a world has now, and no longer those that it had. */
  private register(hosted: Hosted, old: readonly ApiKey[] = []): void {
    for (const { apiKey } of old) this.keys.delete(apiKey)
    for (const key of hosted.world.keys.list()) this.keys.set(key.apiKey, { key, hosted })
  }

  private freeId(): string {
    do this.made += 1
    while (this.hosted.has(`w${this.made}`))
    return `w${this.made}`
  }
}

/** In slices if the world has fallen far behind. Answers whether that is long work, which has begun. */
function catchUp(hosted: Hosted): boolean {
  const { workQueue, time } = hosted.world
  const ended = () => {
    hosted.isCatchingUp = false
  }
  try {
    const moved = workQueue.begin(time.catchUpInSteps())
    if (!(moved instanceof Promise)) return false
    hosted.isCatchingUp = true
    moved.then(ended, ended)
    return true
  } catch {
    // The next request to the world meets the same problem, and reports it.
    return false
  }
}

export interface KeptSnapshot {
  readonly id: string
  /** The world that it belongs to; it is deleted with that. */
  readonly world: string
  readonly snapshot: WorldSnapshot
}

/** The snapshots of a server. Ids are unique on it, and none is given twice. */
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

  /** First those that were asked for, oldest first, then those that the scenario's script has taken. */
  of(world: World): KeptSnapshot[] {
    const scripted = [...world.kept].map(([name, snapshot]) => ({
      id: `${world.id}.${name}`,
      world: world.id,
      snapshot,
    }))
    return [...[...this.kept.values()].filter((kept) => kept.world === world.id), ...scripted]
  }

  delete(id: string): boolean {
    return this.kept.delete(id)
  }

  forget(worldId: string): void {
    for (const { id, world } of [...this.kept.values()]) if (world === worldId) this.kept.delete(id)
  }
}

export type Replayed = Extract<Replay, { readonly kind: 'done' }>

/** A served world keeps its lines in memory; beyond this many, its journal begins where the replay ended. */
const maximumLinesHeld = 200_000

/** The lines that were carried out, so that the console and snapshots can go back to any of them; null of too many. */
export function pastOf({ end, lines }: Replayed, read: () => Iterable<Line>): ReadJournal | null {
  if (lines > maximumLinesHeld) return null
  const past = readEntries(read())
  if (!('header' in past)) return null
  return { header: past.header, entries: past.entries.filter(({ sequence }) => sequence <= end.sequence) }
}

export interface OpenOptions {
  /** From a counter when absent. */
  readonly id?: string
  readonly otcsim: string
  readonly past: ReadJournal | null
  /** What was kept with a failed test's journal. */
  readonly notes: ReturnType<typeof readFailureNotes>
}

/**
 * Makes the replayed world one of a server's, with the requests and the failed test that were kept beside its journal.
 * Its clock stands still until somebody moves it.
 */
export function openJournal(
  worlds: Worlds,
  { world: replayed }: Replayed,
  { past, notes, otcsim, ...about }: OpenOptions,
): Made {
  const { scenario, seed, readings } = replayed
  const made = worlds.create(scenario, {
    ...{ ...about, seed, readings, snapshot: replayed.snapshot() },
    journals: continuedJournal(replayed, past, otcsim),
  })
  if (!made.ok) return made
  const { world } = made
  setClock(world, { mode: 'manual' })
  for (const { sequence: _, requestId: __, ...request } of notes?.requests ?? [])
    world.requests.add({ ...request, requestBody: Buffer.from(request.requestBody) })
  world.failure = notes?.failure ?? null
  return made
}
