import * as shapes from '../../api/admin-answers.ts'
import { lastWorldMillis, millisToIso } from '../../numeric/time-text.ts'
import { textInSteps } from '../../world/journals/journal.ts'
import { itemsView, pricesView } from '../../world/views/history-views.ts'
import { WorkQueue } from '../../world/work-queue.ts'
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

const usualSpans = 400
const mostSpans = 4000

/** Items from an index on. Errors: 400 for a `from` that is no index. */
function listItems(world: World, call: AdminCall) {
  const from = call.query.get('from') ?? '0'
  if (!/^\d{1,15}$/.test(from)) throw wrongField('from', 'must be the index of an item')
  return inHistory(world, call, (followed) => itemsView(followed, Number(from)))
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
  return inHistory(world, call, (followed) =>
    pricesView(followed, { asset, account, moment, fromMillis, toMillis, spans }),
  )
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
      return new WorkQueue().begin(textInSteps(journal))
    },
  }),
]
