import * as shapes from '../../api/admin-answers.ts'
import { pastInstant, pastSequence } from '../../api/admin-past.ts'
import { findChanges } from '../../api/json.ts'
import { text } from '../../api/operations/common.ts'
import { describe } from '../../api/wire-shapes.ts'
import { cash, firstClientAccount } from '../../engine/codes.ts'
import { type ViewOptions, wholeView } from '../../world/views/whole-view.ts'
import type { World } from '../../world/world.ts'
import { createStream } from './event-routes.ts'
import { lookAtMoment, parseMoment } from './past-routes.ts'
import {
  type AdminCall,
  AdminRefusal,
  type AdminRoute,
  assetSymbols,
  type EventStream,
  type ExampleContext,
  findPathWorld,
  findTradedAsset,
  inWorld,
  onServer,
  refuseWith,
  unknownName,
  wrongField,
} from './route.ts'

const viewParameters = {
  account: describe(text, 'the account that is shown; the first one when left out'),
  asset: shapes.tradedAsset,
  depth: describe(
    { type: 'string', pattern: '^([1-9]|[1-4][0-9]|50)$' },
    'how many price levels; 10 when left out',
  ),
  sequence: pastSequence,
  at: pastInstant,
  digest: describe(text, 'whether the hash of the whole state is wanted; any text'),
}

const viewExample = ({ accountId, asset }: ExampleContext) => ({
  query: { account: accountId, asset, depth: '10' },
})

/**
 * The operations that show everything that one account can see of a world, and what surrounds it, at one instant. It is
 * one answer, so that its parts agree, and it needs no signature, counts against no limit and is not logged.
 */
export const viewRoutes: readonly AdminRoute[] = [
  inWorld('GET', '/view', {
    id: 'viewWorld',
    summary: 'Everything that an account sees, and the world around it, at one instant',
    response: shapes.view,
    query: viewParameters,
    example: viewExample,
    answer: viewWorld,
  }),
  onServer('GET', '/worlds/:world/changes', {
    id: 'followWorld',
    summary: 'The view of a world and then its changes, as server-sent events',
    response: shapes.anyDocument,
    errors: [503],
    query: {
      account: viewParameters.account,
      asset: viewParameters.asset,
      depth: viewParameters.depth,
    },
    mediaType: 'text/event-stream',
    example: viewExample,
    answer: followWorld,
  }),
]

const maximumDepth = 50

/**
 * Shows a world now, or at a moment. Errors, in order: 400 the moment; 404 the moment, the account, the asset; 400 the
 * depth.
 */
function viewWorld(live: World, call: AdminCall) {
  const { query } = call
  const moment = parseMoment({ sequence: query.get('sequence'), at: query.get('at') })
  if (moment === null) return viewNow(live, call)
  return lookAtMoment(live, moment, call, (past) =>
    wholeView(past, readViewOptions(past, call), moment.sequence),
  )
}

/** How often a view is sent while nothing but prices changes, in milliseconds. */
const priceUpdateMillis = 2000

/**
 * Streams events `changed`: the changes to the view that was sent before (`findChanges`), whether more than prices is
 * new, and then the ids of all worlds and of the world's snapshots, and its notes. Errors: those of `viewWorld`.
 */
function followWorld(call: AdminCall): EventStream {
  const { worlds, query } = call
  const world = findPathWorld(call)
  // The stream does not wait for an advance that is under way, because it reports it.
  if (!world.mustWait()) viewNow(world, call)
  let known: unknown
  let [seen, events, nowMillis, sentMillis] = ['', 0, -1, 0]
  return createStream(call, world, (write) => {
    const ids = worlds.list().map(({ id }) => id)
    const snapshots = worlds.snapshots.listSnapshots(world).map(({ id }) => id)
    const { sequence, requests, clock, failure } = world
    const notes = worlds.notesOf(world.id).list()
    const state = [ids, snapshots, sequence, requests.nextSequence, clock, failure?.at, notes]
    const about = JSON.stringify(state)
    const isNews = about !== seen || world.events.hasClientEventsSince(events)
    const wallMillis = worlds.wall.nowMillis()
    const isDue = nowMillis !== world.now && Math.abs(wallMillis - sentMillis) >= priceUpdateMillis
    if (!isNews && !isDue) return false
    // In real time a digest would change at every look.
    if (clock.mode === 'realtime') query.delete('digest')
    else query.set('digest', '')
    const view: unknown = JSON.parse(JSON.stringify(viewOrRefusal(world, call)))
    const changes = {
      isNews,
      view: findChanges(known, view),
      ...(isNews ? { worlds: ids, snapshots, notes } : {}),
    }
    known = view
    seen = about
    events = world.events.lastSequence
    nowMillis = world.now
    sentMillis = wallMillis
    write(`event: changed\ndata: ${JSON.stringify(changes)}\n\n`)
    return true
  })
}

const viewNow = (world: World, call: AdminCall) => wholeView(world, readViewOptions(world, call), null)

/** Returns the view, or the refusal that it has become: the account or the asset may be gone by now. */
function viewOrRefusal(world: World, call: AdminCall): unknown {
  try {
    return viewNow(world, call)
  } catch (failure) {
    if (failure instanceof AdminRefusal) return refuseWith(failure.problem).body
    throw failure
  }
}

/** Reads what a view is to show. Errors, in order: 404 the account, the asset; 400 the depth. */
function readViewOptions(world: World, { query }: AdminCall): ViewOptions {
  const account = findAccount(world, query.get('account'))
  const asset = findAsset(world, query.get('asset'))
  const depth = query.get('depth') ?? '10'
  if (!/^\d{1,2}$/.test(depth) || Number(depth) < 1 || Number(depth) > maximumDepth)
    throw wrongField('depth', `must be a whole number from 1 to ${maximumDepth}`)
  return { account, asset, depth: Number(depth), withDigest: query.has('digest') }
}

/** Finds the row of an account, or of the first one when none is named; -1 where there is none. */
function findAccount(world: World, id: string | null): number {
  const { accounts } = world.venue.state
  const known = accounts.ids.slice(firstClientAccount)
  if (id === null) return known.length === 0 ? -1 : firstClientAccount
  if (!known.includes(id)) throw unknownName('account', id, known)
  return accounts.rowOf(id)
}

function findAsset(world: World, symbol: string | null): string {
  if (symbol === null) return assetSymbols(world)[cash + 1] ?? ''
  findTradedAsset(world, symbol)
  return symbol
}
