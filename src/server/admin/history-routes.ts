import * as shapes from '../../api/admin-answers.ts'
import { invalid } from '../../api/errors.ts'
import { isoToMillis, lastWorldMillis, millisToIso } from '../../numeric/time-text.ts'
import type { HistoryItem } from '../../world/history/history-index.ts'
import type { Moment } from '../../world/history/moment.ts'
import type { Fill } from '../../world/history/price-history.ts'
import type { Journal } from '../../world/journals/recorder.ts'
import type { Steps } from '../../world/work-queue.ts'
import { WorkQueue } from '../../world/work-queue.ts'
import type { World } from '../../world/world.ts'
import { inHistory, inWorld, momentOf, tradedAssetNamed } from './find.ts'
import type { AdminAnswer } from './route.ts'
import { type AdminCall, type AdminRoute, type Answered, bare, ok, refused } from './route.ts'

/*
 * A world's past, besides the text of its journal. Choice: the past is worked out when it is asked for, a little with
 * each request, so that other requests need not wait; `isWhole` says whether that is finished.
 */
export const historyRoutes: readonly AdminRoute[] = [
  bare(
    'GET',
    '/worlds/:world/history',
    {
      id: 'listHistory',
      summary: 'What happened, item by item; the past is worked out with each request',
      response: shapes.history,
      query: { from: shapes.index },
    },
    inWorld(listItems),
  ),
  bare(
    'GET',
    '/worlds/:world/history/prices',
    {
      id: 'listPastPrices',
      summary: 'An asset’s marks, best prices and trades over its whole life, or a part of it',
      response: shapes.pastPrices,
      query: {
        asset: shapes.tradedAsset,
        account: shapes.viewedAccount,
        sequence: shapes.pastSequence,
        at: shapes.pastInstant,
        from: shapes.spanStart,
        to: shapes.spanEnd,
        spans: shapes.spans,
      },
      required: ['asset'],
    },
    inWorld(listPrices),
  ),
]

const maximumItems = 2000
const noInstant = 'must be an ISO 8601 instant'
const usualSpans = 400
const mostSpans = 4000

/** Items from an index on. Errors: 400 for a `from` that is no index. */
function listItems(world: World, call: AdminCall): Answered {
  const from = call.query.get('from') ?? '0'
  if (!/^\d{1,15}$/.test(from))
    return refused(invalid({ field: 'from', reason: 'must be the index of an item' }))
  return inHistory(world, call, ({ history, isWhole }) => {
    const items = history.chronicle.since(Number(from), maximumItems)
    const next = items.at(-1) === undefined ? Number(from) : (items.at(-1)?.index ?? 0) + 1
    return ok({
      generation: history.generation,
      begins: momentView(history.begins),
      reached: momentView(history.reached),
      next,
      isWhole: isWhole && next >= history.chronicle.nextIndex,
      items: items.map(itemView),
    })
  })
}

/**
 * How the asset's prices have moved in the time that a moment is in. Errors, in order: 400 the asset is missing; 404 it is none; 400 the
 * moment, the span, into how many parts it is cut.
 */
function listPrices(world: World, call: AdminCall): Answered {
  const { query } = call
  const asset = query.get('asset')
  if (asset === null) return refused(invalid({ field: 'asset', reason: 'is required' }))
  const traded = tradedAssetNamed(world, asset)
  if (!traded.ok) return traded.answer
  const moment = momentOf({ sequence: query.get('sequence'), at: query.get('at') })
  if (!moment.ok) return moment.answer
  const fromMillis = isoToMillis(query.get('from') ?? millisToIso(0))
  if (fromMillis === null) return refused(invalid({ field: 'from', reason: noInstant }))
  const toMillis = isoToMillis(query.get('to') ?? millisToIso(lastWorldMillis))
  if (toMillis === null) return refused(invalid({ field: 'to', reason: noInstant }))
  const spans = Number(query.get('spans') ?? usualSpans)
  if (!Number.isInteger(spans) || spans < 1 || spans > mostSpans)
    return refused(invalid({ field: 'spans', reason: `must be a whole number from 1 to ${mostSpans}` }))
  const account = query.get('account')
  return inHistory(world, call, ({ history, isWhole }) => {
    const around = moment.value ?? history.reached
    const window = history.chronicle.prices(asset).window({ around, fromMillis, toMillis, spans })
    return ok({
      asset,
      isWhole,
      begins: momentView(window.begins),
      ends: window.ends === null ? null : momentView(window.ends),
      stepMs: window.stepMillis,
      rows: window.rows,
      trades: window.trades,
      fills: window.fills.filter((fill) => account === null || fill.account === account).map(fillView),
    })
  })
}

function itemView({ atMillis: _, ...item }: HistoryItem) {
  return item
}

function momentView({ sequence, atMillis }: Moment) {
  return { sequence, at: millisToIso(atMillis) }
}

function fillView({ sequence, atMillis, ...fill }: Fill) {
  return { sequence, at: millisToIso(atMillis), ...fill }
}

/** In turns with everything else, because a journal may be long. */
export const journalRoutes: readonly AdminRoute[] = [
  bare(
    'GET',
    '/worlds/:world/journal',
    {
      id: 'getJournal',
      summary: 'Everything that came from outside, a line each, to be replayed',
      response: shapes.anyDocument,
      mediaType: 'application/x-ndjson',
    },
    inWorld((world, { worlds }) => {
      const journal = worlds.journalOf(world)
      if (journal === null) return refused({ code: 'unknown-resource' })
      return new WorkQueue().begin(linesOf(journal))
    }),
  ),
]

/** Some of its lines at a time. It may grow meanwhile; then there are some of the new lines, too. */
function* linesOf(journal: Journal): Steps<AdminAnswer> {
  const parts: Buffer[] = []
  let piece = ''
  for (const line of journal.text()) {
    piece += line
    if (piece.length < charactersInPiece) continue
    parts.push(Buffer.from(piece))
    piece = ''
    yield
  }
  return { status: 200, body: null, lines: Buffer.concat([...parts, Buffer.from(piece)]) }
}

const charactersInPiece = 65_536
