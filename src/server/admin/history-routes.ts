import * as shapes from '../../api/admin-answers.ts'
import { lastWorldMillis, millisToIso } from '../../numeric/time-text.ts'
import type { HistoryItem } from '../../world/history/history-index.ts'
import type { Fill, Moment } from '../../world/history/price-history.ts'
import type { Journal } from '../../world/journals/journal.ts'
import { type Steps, WorkQueue } from '../../world/work-queue.ts'
import type { World } from '../../world/world.ts'
import { inHistory, instantIn, momentOf, tradedAssetNamed } from './find.ts'
import { type AdminCall, AdminRefusal, type AdminRoute, inWorld, wrongField } from './route.ts'

/*
 * A world's past, besides the text of its journal. Choice: the past is worked out when it is asked for, a little with
 * each request, so that other requests need not wait; `isWhole` says whether that is finished.
 */
export const historyRoutes: readonly AdminRoute[] = [
  inWorld('GET', '/history', {
    id: 'listHistory',
    summary: 'What happened, item by item; the past is worked out with each request',
    response: shapes.history,
    query: { from: shapes.index },
    example: { query: { from: '0' } },
    answer: listItems,
  }),
  inWorld('GET', '/history/prices', {
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
    example: ({ accountId }) => ({ query: { account: accountId, spans: '400' } }),
    answer: listPrices,
  }),
]

const maximumItems = 2000
const usualSpans = 400
const mostSpans = 4000

/** Items from an index on. Errors: 400 for a `from` that is no index. */
function listItems(world: World, call: AdminCall) {
  const from = call.query.get('from') ?? '0'
  if (!/^\d{1,15}$/.test(from)) throw wrongField('from', 'must be the index of an item')
  return inHistory(world, call, ({ history, isWhole }) => {
    const items = history.chronicle.since(Number(from), maximumItems)
    const next = items.at(-1) === undefined ? Number(from) : (items.at(-1)?.index ?? 0) + 1
    return {
      generation: history.generation,
      begins: momentView(history.begins),
      reached: momentView(history.reached),
      next,
      isWhole: isWhole && next >= history.chronicle.nextIndex,
      items: items.map(itemView),
    }
  })
}

/**
 * How the asset's prices have moved in the time that a moment is in. Errors, in order: 400 the asset is missing; 404 it is none; 400 the
 * moment, the span, into how many parts it is cut.
 */
function listPrices(world: World, call: AdminCall) {
  const { query } = call
  const asset = query.get('asset')
  if (asset === null) throw wrongField('asset', 'is required')
  tradedAssetNamed(world, asset)
  const moment = momentOf({ sequence: query.get('sequence'), at: query.get('at') })
  const fromMillis = instantIn('from', query.get('from') ?? millisToIso(0))
  const toMillis = instantIn('to', query.get('to') ?? millisToIso(lastWorldMillis))
  const spans = Number(query.get('spans') ?? usualSpans)
  if (!Number.isInteger(spans) || spans < 1 || spans > mostSpans)
    throw wrongField('spans', `must be a whole number from 1 to ${mostSpans}`)
  const account = query.get('account')
  return inHistory(world, call, ({ history, isWhole }) => {
    const around = moment ?? history.reached
    const window = history.chronicle.prices(asset).window({ around, fromMillis, toMillis, spans })
    return {
      asset,
      isWhole,
      begins: momentView(window.begins),
      ends: window.ends === null ? null : momentView(window.ends),
      stepMs: window.stepMillis,
      rows: window.rows,
      trades: window.trades,
      fills: window.fills.filter((fill) => account === null || fill.account === account).map(fillView),
    }
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
  inWorld('GET', '/journal', {
    id: 'getJournal',
    summary: 'Everything that came from outside, a line each, to be replayed',
    response: shapes.anyDocument,
    mediaType: 'application/x-ndjson',
    answer: (world, { worlds }) => {
      const journal = worlds.journalOf(world)
      if (journal === null) throw new AdminRefusal({ code: 'unknown-resource' })
      return new WorkQueue().begin(linesOf(journal))
    },
  }),
]

/** Some of its lines at a time. It may grow meanwhile; then there are some of the new lines, too. */
function* linesOf(journal: Journal): Steps<Buffer> {
  const parts: Buffer[] = []
  let piece = ''
  for (const line of journal.text()) {
    piece += line
    if (piece.length < charactersInPiece) continue
    parts.push(Buffer.from(piece))
    piece = ''
    yield
  }
  return Buffer.concat([...parts, Buffer.from(piece)])
}

const charactersInPiece = 65_536
