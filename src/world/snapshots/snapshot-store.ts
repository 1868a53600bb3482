import type { WorldSnapshot } from '../world-snapshot.ts'

/** A world that snapshots are of. */
interface Owner {
  readonly id: string
  /** What its scenario's script has taken, by name. */
  readonly kept: ReadonlyMap<string, WorldSnapshot>
}

/** A snapshot that a server keeps. */
export interface KeptSnapshot {
  readonly id: string
  /** The world that it belongs to; it is deleted with that. */
  readonly world: string
  readonly snapshot: WorldSnapshot
}

/** The snapshots of a server. Ids are unique on it, and none is given twice. */
export class SnapshotStore {
  private readonly kept = new Map<string, KeptSnapshot>()
  private taken = 0

  add(world: Owner, snapshot: WorldSnapshot): KeptSnapshot {
    this.taken += 1
    const kept = { id: `snap_${this.taken}`, world: world.id, snapshot }
    this.kept.set(kept.id, kept)
    return kept
  }

  /** A snapshot of any world. */
  get(id: string): KeptSnapshot | undefined {
    return this.kept.get(id)
  }

  /**
   * A world's snapshots: first those that were asked for, oldest first, then those that its scenario's script has
   * taken.
   */
  of(world: Owner): KeptSnapshot[] {
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

  /** Deletes what belonged to a world. */
  forget(worldId: string): void {
    for (const { id, world } of [...this.kept.values()]) if (world === worldId) this.kept.delete(id)
  }
}
