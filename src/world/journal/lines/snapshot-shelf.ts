import { isObject } from '../../../api/json.ts'
import { readSnapshotDocument, snapshotDocument } from '../../snapshots/snapshot-document.ts'
import type { WorldSnapshot } from '../../world-snapshot.ts'
import { natural, Undecodable } from './codec.ts'

/**
 * The snapshots in one journal. Each is written once, on the first line that goes back to it, so tests that go back
 * to the same one a thousand times do not make the journal a thousand times as long.
 */
export class SnapshotShelf {
  private readonly places = new Map<WorldSnapshot, number>()
  private readonly held = new Map<number, WorldSnapshot>()

  /** The whole snapshot, or the number of the line that has it. */
  encode(snapshot: WorldSnapshot, sequence: number): unknown {
    const place = this.places.get(snapshot)
    if (place !== undefined) return { sameAs: place }
    this.keep(snapshot, sequence)
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
    this.keep(read.snapshot, sequence)
    return read.snapshot
  }

  /** The line could not be written: forget its snapshot. */
  forget(sequence: number): void {
    const snapshot = this.held.get(sequence)
    if (snapshot === undefined) return
    this.held.delete(sequence)
    this.places.delete(snapshot)
  }

  private keep(snapshot: WorldSnapshot, sequence: number): void {
    this.places.set(snapshot, sequence)
    this.held.set(sequence, snapshot)
  }
}
