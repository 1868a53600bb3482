import * as shapes from '../../api/admin-answers.ts'
import { described, partial, textual } from '../../api/wire-shapes.ts'
import { readSnapshotDocument, snapshotDocument } from '../../journal/snapshot-document.ts'
import { millisToIso } from '../../numeric/time-text.ts'
import type { RecordOf } from '../../shape/shape.ts'
import { typed } from '../../shape/shape.ts'
import { digestView } from '../../world/views/world-views.ts'
import type { World } from '../../world/world.ts'
import type { KeptSnapshot } from '../../world/worlds.ts'
import { atMoment, momentOf } from './find.ts'
import {
  type AdminCall,
  AdminRefusal,
  type AdminRoute,
  inWorld,
  noConflict,
  unknownName,
  wrongField,
} from './route.ts'

const momentSchema = partial({
  sequence: described(typed<number>({ type: 'integer', minimum: 0 }), shapes.pastSequence.description),
  at: textual(shapes.pastInstant.description, { maxLength: 40 }),
})

/** Design, section 9: a snapshot is never consumed; what `GET` downloads, `import` takes as it is. */
export const snapshotRoutes: readonly AdminRoute[] = [
  inWorld('GET', '/snapshots', {
    id: 'listSnapshots',
    summary: 'The snapshots of this world',
    response: shapes.snapshotList,
    answer: (world, { worlds }) => ({ snapshots: worlds.snapshots.of(world).map(snapshotView) }),
  }),
  inWorld('POST', '/snapshots', {
    id: 'takeSnapshot',
    summary: 'Keep the world as it is, or as it was at a moment',
    response: shapes.snapshot,
    status: 201,
    example: { body: {} },
    body: momentSchema,
    answer: takeSnapshot,
  }),
  inWorld('POST', '/snapshots/import', {
    id: 'importSnapshot',
    summary: 'Take in a snapshot that was downloaded',
    response: shapes.snapshot,
    status: 201,
    isDocument: true,
    answer: importSnapshot,
  }),
  inWorld('POST', '/snapshots/:snapshot/restore', {
    id: 'restoreSnapshot',
    summary: 'Put the world back; the snapshot stays',
    response: shapes.digest,
    errors: [409],
    // Errors, in order: 404 the snapshot; 409 one of its keys belongs to another world by now.
    answer: (world, call) => {
      noConflict(call.worlds.restore(world, snapshotOf(world, call).snapshot))
      return digestView(world)
    },
  }),
  inWorld('GET', '/snapshots/:snapshot', {
    id: 'downloadSnapshot',
    summary: 'A snapshot as a document',
    response: shapes.anyDocument,
    answer: (world, call) => snapshotDocument(snapshotOf(world, call).snapshot),
  }),
  inWorld('DELETE', '/snapshots/:snapshot', {
    id: 'deleteSnapshot',
    summary: 'Delete a snapshot',
    response: shapes.deleted,
    errors: [409],
    answer: deleteSnapshot,
  }),
]

/** Of the present, or of a past moment. Errors: 400 the moment; 404 one that is not known. */
function takeSnapshot(world: World, call: AdminCall, body: RecordOf<typeof momentSchema>) {
  const moment = momentOf({ sequence: body.sequence ?? null, at: body.at ?? null })
  const keep = (from: World) => snapshotView(call.worlds.snapshots.add(world, from.snapshot()))
  return moment === null ? keep(world) : atMoment(world, moment, call, keep)
}

/** Errors: 400 for a document that is damaged, of another version, or not ours. */
function importSnapshot(world: World, { worlds }: AdminCall, document: unknown) {
  const read = readSnapshotDocument(document)
  if (!read.ok) throw wrongField(read.field, read.reason)
  return snapshotView(worlds.snapshots.add(world, read.snapshot))
}

function deleteSnapshot(world: World, call: AdminCall) {
  const { id } = snapshotOf(world, call)
  if (call.worlds.snapshots.delete(id)) return { id, deleted: true }
  const reason = `The scenario has taken the snapshot ${id}: it goes with a reset`
  throw new AdminRefusal({ code: 'conflict', reason })
}

/** Choice: a world's path leads only to its own snapshots; `fromSnapshot` accepts one of any world. */
function snapshotOf(world: World, { worlds, params }: AdminCall): KeptSnapshot {
  const id = params['snapshot'] ?? ''
  const own = worlds.snapshots.of(world)
  const kept = own.find((candidate) => candidate.id === id)
  if (kept !== undefined) return kept
  const known = own.map((candidate) => candidate.id)
  throw unknownName('snapshot', id, known)
}

function snapshotView({ id, snapshot }: KeptSnapshot) {
  const { sequence, venue, digest } = snapshot
  return { id, sequence, now: millisToIso(venue.counters[0]), digest }
}
