import * as shapes from '../../api/admin-answers.ts'
import * as bodies from '../../api/admin-bodies.ts'
import * as pastShapes from '../../api/admin-past.ts'
import { makeSnapshotDocument, readSnapshotDocument } from '../../journal/snapshot-document.ts'
import { lastWorldMillis, millisToIso } from '../../numeric/time-text.ts'
import type { RecordOf } from '../../shape/shape.ts'
import type { History } from '../../world/history/history.ts'
import type { Moment } from '../../world/history/price-history.ts'
import { readTextInSteps } from '../../world/journals/journal.ts'
import { equityView, type FollowedHistory, itemsView, pricesView } from '../../world/views/history-views.ts'
import { digestView } from '../../world/views/world-views.ts'
import { type Steps, WorkQueue } from '../../world/work-queue.ts'
import type { World } from '../../world/world.ts'
import type { KeptSnapshot } from '../../world/worlds.ts'
import { documentedSnapshot } from './documented-bodies.ts'
import {
  type AdminCall,
  AdminRefusal,
  type AdminRoute,
  findNamedAccount,
  findTradedAsset,
  inWorld,
  parseInstant,
  requireNoConflict,
  unknownName,
  wrongField,
} from './route.ts'

/**
 * The operations that show a world's past. Choice: the past is worked out when it is asked for, a little with each
 * request, so that other requests need not wait; `isWhole` says whether that is finished.
 */
export const historyRoutes: readonly AdminRoute[] = [
  inWorld('GET', '/history', {
    id: 'listHistory',
    summary: 'What happened, item by item; each request works out more of the past',
    response: pastShapes.history,
    query: { from: pastShapes.index },
    example: { query: { from: '0' } },
    answer: listItems,
  }),
  inWorld('GET', '/history/prices', {
    id: 'listPastPrices',
    summary: 'An asset’s marks, best prices and trades over its whole life, or a part of it',
    response: pastShapes.pastPrices,
    query: {
      asset: shapes.tradedAsset,
      account: shapes.viewedAccount,
      sequence: pastShapes.pastSequence,
      at: pastShapes.pastInstant,
      from: pastShapes.spanStart,
      to: pastShapes.spanEnd,
      spans: pastShapes.spans,
    },
    required: ['asset'],
    example: ({ accountId }) => ({ query: { account: accountId, spans: '400' } }),
    answer: listPrices,
  }),
  inWorld('GET', '/history/equity', {
    id: 'listPastEquity',
    summary: 'What an account was worth over the world’s life, or a part of it',
    response: pastShapes.pastEquity,
    query: {
      account: shapes.viewedAccount,
      sequence: pastShapes.pastSequence,
      at: pastShapes.pastInstant,
      from: pastShapes.spanStart,
      to: pastShapes.spanEnd,
      spans: pastShapes.spans,
    },
    required: ['account'],
    example: ({ accountId }) => ({ query: { account: accountId, spans: '400' } }),
    answer: listEquity,
  }),
]

const defaultSpans = 400
const maximumSpans = 4000

/** Lists the items from an index on. Errors: 400 for a `from` that is no index. */
function listItems(world: World, call: AdminCall) {
  const from = call.query.get('from') ?? '0'
  if (!/^\d{1,15}$/.test(from)) throw wrongField('from', 'must be the index of an item')
  return useHistory(world, call, (followed) => itemsView(followed, Number(from)))
}

/**
 * Lists how an asset's prices have moved, in the history that a moment belongs to. Errors, in order: 400 a missing
 * asset; 404 an unknown asset; 400 the moment, the span, the number of parts that the span is cut into.
 */
function listPrices(world: World, call: AdminCall) {
  const { query } = call
  const asset = query.get('asset')
  if (asset === null) throw wrongField('asset', 'is required')
  findTradedAsset(world, asset)
  const span = readSpan(query)
  const account = query.get('account')
  return useHistory(world, call, (followed) => pricesView(followed, { asset, account, ...span }))
}

/**
 * Lists how the equity of an account has moved, in the history that a moment belongs to. Errors, in order: 400 a missing
 * account; 404 an unknown account; 400 the moment, the span, the number of parts that the span is cut into.
 */
function listEquity(world: World, call: AdminCall) {
  const id = call.query.get('account')
  if (id === null) throw wrongField('account', 'is required')
  const account = findNamedAccount(world, id)
  const span = readSpan(call.query)
  return useHistory(world, call, (followed) => equityView(followed, { account, ...span }))
}

/**
 * Reads the part of a history that a query asks for. Errors, in order: 400 the moment, the span, the number of parts that
 * the span is cut into.
 */
function readSpan(query: URLSearchParams) {
  const moment = parseMoment({ sequence: query.get('sequence'), at: query.get('at') })
  const fromMillis = parseInstant('from', query.get('from') ?? millisToIso(0))
  const toMillis = parseInstant('to', query.get('to') ?? millisToIso(lastWorldMillis))
  const asked = query.get('spans') ?? String(defaultSpans)
  const spans = /^[1-9]\d{0,3}$/.test(asked) ? Number(asked) : 0
  if (spans < 1 || spans > maximumSpans)
    throw wrongField('spans', `must be a whole number from 1 to ${maximumSpans}`)
  return { moment, fromMillis, toMillis, spans }
}

/** The operation that downloads a journal. It takes turns with everything else, because a journal may be long. */
export const journalRoutes: readonly AdminRoute[] = [
  inWorld('GET', '/journal', {
    id: 'getJournal',
    summary: 'The journal: everything that came from outside, one line each, for replay',
    response: shapes.anyDocument,
    mediaType: 'application/x-ndjson',
    answer: (world, { worlds }) => {
      const journal = worlds.journalOf(world)
      if (journal === null) throw new AdminRefusal({ code: 'unknown-resource' })
      return new WorkQueue().begin(readTextInSteps(journal))
    },
  }),
]

/**
 * The operations on snapshots. A snapshot is never used up, and `import` takes what `GET` downloads as it is. Design,
 * section 9.
 */
export const snapshotRoutes: readonly AdminRoute[] = [
  inWorld('GET', '/snapshots', {
    id: 'listSnapshots',
    summary: 'The snapshots of this world',
    response: shapes.snapshotList,
    answer: (world, { worlds }) => ({ snapshots: worlds.snapshots.listSnapshots(world).map(snapshotView) }),
  }),
  inWorld('POST', '/snapshots', {
    id: 'takeSnapshot',
    summary: 'Take a snapshot of the world as it is, or as it was at a moment',
    response: shapes.snapshot,
    status: 201,
    example: { body: {} },
    body: bodies.momentBody,
    answer: takeSnapshot,
  }),
  inWorld('POST', '/snapshots/import', {
    id: 'importSnapshot',
    summary: 'Import a downloaded snapshot',
    response: shapes.snapshot,
    status: 201,
    isDocument: true,
    documentedBody: documentedSnapshot,
    answer: importSnapshot,
  }),
  inWorld('POST', '/snapshots/:snapshot/restore', {
    id: 'restoreSnapshot',
    summary: 'Restore a snapshot, which can be restored again',
    response: shapes.digest,
    errors: [409],
    // Errors, in order: 404 the snapshot; 409 one of its keys belongs to another world by now.
    answer: (world, call) => {
      requireNoConflict(call.worlds.restore(world, findPathSnapshot(world, call).snapshot))
      return digestView(world)
    },
  }),
  inWorld('GET', '/snapshots/:snapshot', {
    id: 'downloadSnapshot',
    summary: 'A snapshot as a document',
    response: shapes.anyDocument,
    answer: (world, call) => makeSnapshotDocument(findPathSnapshot(world, call).snapshot),
  }),
  inWorld('DELETE', '/snapshots/:snapshot', {
    id: 'deleteSnapshot',
    summary: 'Delete a snapshot',
    response: shapes.deleted,
    errors: [409],
    answer: deleteSnapshot,
  }),
]

/**
 * Keeps a snapshot of the present or of a past moment. Errors, in order: 400 the moment; 404 a moment that is not
 * known.
 */
function takeSnapshot(world: World, call: AdminCall, body: RecordOf<typeof bodies.momentBody>) {
  const moment = parseMoment({ sequence: body.sequence ?? null, at: body.at ?? null })
  const keep = (from: World) => snapshotView(call.worlds.snapshots.add(world, from.snapshot()))
  return moment === null ? keep(world) : lookAtMoment(world, moment, call, keep)
}

/**
 * Takes in a downloaded snapshot. Errors: 400 for a document that is damaged, of another version, or not a snapshot.
 */
function importSnapshot(world: World, { worlds }: AdminCall, document: unknown) {
  const read = readSnapshotDocument(document)
  if (!read.ok) throw wrongField(read.field, read.reason)
  return snapshotView(worlds.snapshots.add(world, read.snapshot))
}

function deleteSnapshot(world: World, call: AdminCall) {
  const { id } = findPathSnapshot(world, call)
  if (call.worlds.snapshots.delete(id)) return { id, deleted: true }
  const reason = `The scenario has taken the snapshot ${id}: it goes with a reset`
  throw new AdminRefusal({ code: 'conflict', reason })
}

/**
 * Finds the snapshot in a call's path. Choice: it must be the world's own, while `fromSnapshot` accepts one of any
 * world.
 */
function findPathSnapshot(world: World, { worlds, params }: AdminCall): KeptSnapshot {
  const id = params['snapshot'] ?? ''
  const own = worlds.snapshots.listSnapshots(world)
  const kept = own.find((candidate) => candidate.id === id)
  if (kept !== undefined) return kept
  const known = own.map((candidate) => candidate.id)
  throw unknownName('snapshot', id, known)
}

function snapshotView({ id, snapshot }: KeptSnapshot) {
  const { sequence, venue, digest } = snapshot
  return { id, sequence, now: millisToIso(venue.counters[0]), digest }
}

/** A moment of the past as a query or a body states it. Without an instant, `at`, it is that of the line. */
interface MomentInput {
  readonly sequence: string | number | null
  readonly at: string | null
}

/**
 * Parses a moment of the past; null for the present, which is meant when nothing is given. Errors, in order: 400 for an
 * instant without a line, then for the form of either.
 */
export function parseMoment({ sequence, at }: MomentInput): Moment | null {
  if (sequence === null && at === null) return null
  if (sequence === null)
    throw wrongField('sequence', 'is required with an instant: it says behind which line')
  if (!/^\d{1,15}$/.test(String(sequence))) throw wrongField('sequence', 'must be the sequence of a line')
  return { sequence: Number(sequence), atMillis: at === null ? 0 : parseInstant('at', at) }
}

/** How long one request may work on a long past while others wait, in milliseconds. */
const followMillis = 25

/**
 * Acts on a world's past once no other request is using it, after working it out a little further. Errors: 404 for a
 * world that is gone by then.
 */
function useHistory(world: World, call: AdminCall, act: (followed: FollowedHistory) => unknown): unknown {
  const history = call.worlds.findHistory(world)
  if (history === null) throw new AdminRefusal({ code: 'unknown-resource' })
  if (history.workQueue.isTaken) return history.workQueue.wait(() => useHistory(world, call, act))
  return act({ history, isWhole: history.follow(followMillis) })
}

/**
 * Looks at a world as it was at a moment. Errors: 404 for a moment that is no longer known, never was, or is not known
 * yet.
 */
export function lookAtMoment(
  world: World,
  moment: Moment,
  call: AdminCall,
  look: (past: World) => unknown,
): unknown {
  return useHistory(world, call, ({ history }) =>
    history.workQueue.begin(lookBack(history, world, moment, look)),
  )
}

function* lookBack(
  history: History,
  world: World,
  moment: Moment,
  look: (past: World) => unknown,
): Steps<unknown> {
  const past = yield* history.travelTo(moment)
  if (past !== null) return look(past)
  const { firstMoment: begins, lastMoment: reached } = history
  const reason =
    moment.sequence < begins.sequence
      ? `The past begins behind #${begins.sequence} at ${millisToIso(begins.atMillis)}`
      : moment.sequence > world.sequence
        ? `The last line is #${world.sequence}`
        : `The past is read until #${reached.sequence} so far: ask again`
  throw new AdminRefusal({ code: 'unknown-resource', reason })
}
