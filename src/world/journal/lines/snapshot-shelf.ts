import { isObject } from '../../../api/json.ts'
import { readSnapshotDocument, snapshotDocument } from '../../snapshots/snapshot-document.ts'
import type { WorldSnapshot } from '../../world-snapshot.ts'
import { natural, Undecodable } from './codec.ts'

/**
 * The snapshots in one journal. Each is written once, on the first line that goes back to it, so tests that go back
 * to the same one a thousand times do not make the journal a thousand times as long.
 */
export class SnapshotShelf {
  /** The lines of those that were written. A snapshot that nobody holds any more cannot come again. */
  private readonly places = new WeakMap<WorldSnapshot, number>()
  /** Those that were read, by the number of their line. */
  private readonly held = new Map<number, WorldSnapshot>()

  /** The whole snapshot, or the number of the line that has it. */
  encode(snapshot: WorldSnapshot, sequence: number): unknown {
    const place = this.places.get(snapshot)
    if (place !== undefined) return { sameAs: place }
    this.places.set(snapshot, sequence)
    return snapshotDocument(snapshot)
  }

  /** Throws an `Undecodable` for anything but a valid snapshot or the number of a line that has one. */
  decode(json: unknown, sequence: number): WorldSnapshot {
    if (isObject(json) && json['sameAs'] !== undefined) {
      const snapshot = this.held.get(natural.decode(json['sameAs'], 'change.snapshot.sameAs'))
      if (snapshot === undefined) throw new Undecodable('change.snapshot.sameAs', 'a line with a snapshot')
      return snapshot
    }
    const read = readSnapshotDocument(json)
    if (!read.ok) throw new Undecodable(`change.snapshot.${read.field}`, `right: it ${read.reason}`)
    this.held.set(sequence, read.snapshot)
    return read.snapshot
  }

  /** The line that was to have the snapshot could not be written. */
  forget(snapshot: WorldSnapshot, sequence: number): void {
    if (this.places.get(snapshot) === sequence) this.places.delete(snapshot)
  }
}
