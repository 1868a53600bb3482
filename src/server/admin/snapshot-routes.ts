import * as shapes from '../../api/admin-answers.ts'
import { invalid } from '../../api/errors.ts'
import { partial } from '../../api/wire-shapes.ts'
import { readSnapshotDocument, snapshotDocument } from '../../journal/snapshot-document.ts'
import { millisToIso } from '../../numeric/time-text.ts'
import type { RecordOf } from '../../shape/shape.ts'
import { typed } from '../../shape/shape.ts'
import type { World } from '../../world/world.ts'
import type { KeptSnapshot } from '../../world/worlds.ts'
import { atMoment, type Found, found, inWorld, inWorldWith, momentOf, notFound } from './find.ts'
import {
  type AdminAnswer,
  type AdminCall,
  type AdminRoute,
  type Answered,
  bare,
  conflictProblem,
  created,
  ok,
  refused,
  withBody,
  withDocument,
} from './route.ts'
import { digestView } from './views.ts'

const momentSchema = partial({
  sequence: typed<number>({ type: 'integer', minimum: 0 }),
  at: typed<string>({ type: 'string', maxLength: 40 }),
})

/** Design, section 9: a snapshot is never consumed; what `GET` downloads, `import` takes as it is. */
export const snapshotRoutes: readonly AdminRoute[] = [
  bare(
    'GET',
    '/worlds/:world/snapshots',
    { id: 'listSnapshots', summary: 'The snapshots of this world', response: shapes.snapshotList },
    inWorld((world, { worlds }) => ok({ snapshots: worlds.snapshots.of(world).map(snapshotView) })),
  ),
  withBody(
    'POST',
    '/worlds/:world/snapshots',
    {
      id: 'takeSnapshot',
      summary: 'Keep the world as it is, or as it was at a moment',
      response: shapes.snapshot,
      status: 201,
      example: () => ({ body: {} }),
    },
    momentSchema,
    inWorldWith(takeSnapshot),
  ),
  withDocument(
    'POST',
    '/worlds/:world/snapshots/import',
    {
      id: 'importSnapshot',
      summary: 'Take in a snapshot that was downloaded',
      response: shapes.snapshot,
      status: 201,
    },
    inWorldWith(importSnapshot),
  ),
  bare(
    'POST',
    '/worlds/:world/snapshots/:snapshot/restore',
    {
      id: 'restoreSnapshot',
      summary: 'Put the world back; the snapshot stays',
      response: shapes.digest,
      errors: [409],
    },
    inWorld(restoreSnapshot),
  ),
  bare(
    'GET',
    '/worlds/:world/snapshots/:snapshot',
    { id: 'downloadSnapshot', summary: 'A snapshot as a document', response: shapes.anyDocument },
    inWorld(downloadSnapshot),
  ),
  bare(
    'DELETE',
    '/worlds/:world/snapshots/:snapshot',
    { id: 'deleteSnapshot', summary: 'Delete a snapshot', response: shapes.deleted, errors: [409] },
    inWorld(deleteSnapshot),
  ),
]

/** Of the present, or of a past moment. Errors: 400 the moment; 404 one that is not known. */
function takeSnapshot(world: World, body: RecordOf<typeof momentSchema>, call: AdminCall): Answered {
  const moment = momentOf({ sequence: body.sequence ?? null, at: body.at ?? null })
  if (!moment.ok) return moment.answer
  const keep = (from: World) => created(snapshotView(call.worlds.snapshots.add(world, from.snapshot())))
  return moment.value === null ? keep(world) : atMoment(world, moment.value, call, keep)
}

/** Errors: 400 for a document that is damaged, of another version, or not ours. */
function importSnapshot(world: World, document: unknown, { worlds }: AdminCall): AdminAnswer {
  const read = readSnapshotDocument(document)
  if (!read.ok) return refused(invalid({ field: read.field, reason: read.reason }))
  return created(snapshotView(worlds.snapshots.add(world, read.snapshot)))
}

function downloadSnapshot(world: World, call: AdminCall): AdminAnswer {
  const kept = snapshotOf(world, call)
  return kept.ok ? ok(snapshotDocument(kept.value.snapshot)) : kept.answer
}

function deleteSnapshot(world: World, call: AdminCall): AdminAnswer {
  const kept = snapshotOf(world, call)
  if (!kept.ok) return kept.answer
  const { id } = kept.value
  if (call.worlds.snapshots.delete(id)) return ok({ id, deleted: true })
  return refused({
    code: 'conflict',
    reason: `The scenario has taken the snapshot ${id}: it goes with a reset`,
  })
}

/** Errors, in order: 404 the snapshot; 409 one of its keys belongs to another world by now. */
function restoreSnapshot(world: World, call: AdminCall): AdminAnswer {
  const kept = snapshotOf(world, call)
  if (!kept.ok) return kept.answer
  const conflict = call.worlds.restore(world, kept.value.snapshot)
  return conflict === null ? ok(digestView(world)) : refused(conflictProblem(conflict))
}

/** Choice: a world's path leads only to its own snapshots; `fromSnapshot` accepts one of any world. */
function snapshotOf(world: World, { worlds, params }: AdminCall): Found<KeptSnapshot> {
  const id = params['snapshot'] ?? ''
  const own = worlds.snapshots.of(world)
  const kept = own.find((candidate) => candidate.id === id)
  return kept === undefined
    ? notFound(
        'snapshot',
        id,
        own.map((candidate) => candidate.id),
      )
    : found(kept)
}

function snapshotView({ id, snapshot }: KeptSnapshot) {
  const { sequence, venue, digest } = snapshot
  return { id, sequence, now: millisToIso(venue.counters[0]), digest }
}
