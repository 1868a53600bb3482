import { compareMoments } from '../../api/noted-moments.ts'
import { type AdminApi, AdminProblem } from './admin-api.ts'
import { includesMoment } from './chart-data.ts'
import type { HistoryPage, HistoryPrices, RequestRow, View } from './documents.ts'
import { type ForkPoint, findWorldAt, joinPrices, readAncestors, readInherited } from './lineage.ts'
import { type ConsoleState, createWorldState, type Store } from './state.ts'
import { addItems } from './timeline.ts'

/*
 * What the page reads repeatedly. None of these functions overwrites what changed while it waited for its
 * response.
 */

/** Number of price levels that the page shows. */
export const depth = 11
const maximumRequests = 5000
const maximumItems = 100_000
/** Number of pages of a long history that are read in one go, because the rest of the page waits for them. */
const pagesAtOnce = 4

/**
 * Reads the view of the shown moment. Returns false when what was asked for no longer exists, and the page has
 * gone back to something that does.
 */
export async function readView(store: Store<ConsoleState>, api: AdminApi): Promise<boolean> {
  const { world, account, asset, moment, view: before, ancestors } = store.get()
  const words = new URLSearchParams({ depth: String(depth) })
  if (account !== '') words.set('account', account)
  if (asset !== '') words.set('asset', asset)
  if (moment !== null) words.set('sequence', String(moment.sequence))
  if (moment !== null && moment.at !== '') words.set('at', moment.at)
  // A digest reads the whole world, and in real time it would change with every view.
  if (moment !== null || before?.clock.mode !== 'realtime') words.set('digest', '')
  const asked = findWorldAt(world, ancestors ?? [], moment)
  const found = await askForView(api, `${formatWorldPath(asked)}/view?${words}`)
  const now = store.get()
  if (now.world !== world || now.account !== account || now.asset !== asset || now.moment !== moment)
    return true
  if (typeof found === 'number') {
    const isGone = found === 404 && !(await isWorldThere(api, world))
    const what = isGone ? `world ${world}` : moment === null ? 'such account or asset' : 'such moment'
    store.set({
      ...(isGone ? createWorldState('default') : { account: '', asset: '', moment: null }),
      message: { text: `There is no ${what}`, isBad: true },
    })
    return false
  }
  const seen = { account: found.account ?? '', asset: found.asset }
  const here = { sequence: found.sequence, at: found.now }
  if (moment !== null) store.set({ view: found, ...seen, moment: moment.at === here.at ? moment : here })
  else store.set({ view: found, ...seen, live: here })
  return true
}

async function askForView(api: AdminApi, path: string): Promise<View | number> {
  try {
    return await api.ask<View>('GET', path)
  } catch (failure) {
    if (failure instanceof AdminProblem && (failure.status === 404 || failure.status === 400))
      return failure.status
    throw failure
  }
}

async function isWorldThere(api: AdminApi, world: string): Promise<boolean> {
  const { worlds } = await api.ask<{ readonly worlds: readonly string[] }>('GET', '/info')
  return worlds.includes(world)
}

/** Reads which worlds the shown one was forked from, and what happened to them until then. */
export async function readLineage(store: Store<ConsoleState>, api: AdminApi): Promise<void> {
  const { world } = store.get()
  const ancestors = await readAncestors(api, world)
  const inherited = ancestors.length === 0 ? null : await readInherited(api, ancestors)
  if (store.get().world !== world) return
  const items = inherited?.items ?? []
  const begins = inherited?.begins ?? null
  store.set({ ancestors, inherited, items, moments: addItems([], items), begins })
}

/**
 * Reads what the history has gained since it was last read, and appends it to the history of the ancestors. When the
 * server's history begins elsewhere than before, the page starts over.
 */
export async function readHistory(store: Store<ConsoleState>, api: AdminApi): Promise<void> {
  const { world } = store.get()
  for (let turn = 0; turn < pagesAtOnce; turn += 1) {
    const { items, moments, ownBegins, inherited } = store.get()
    const before = inherited?.items ?? []
    const from = (items.at(-1)?.index ?? -1) + 1 - before.length
    const page = await api.ask<HistoryPage>('GET', `${formatWorldPath(world)}/history?from=${from}`)
    if (store.get().world !== world) return
    const begins = inherited?.begins ?? page.begins
    const hasRestarted =
      ownBegins !== null && (page.begins.sequence !== ownBegins.sequence || page.begins.at !== ownBegins.at)
    if (hasRestarted) {
      const restarted = { ownBegins: page.begins, items: before, moments: addItems([], before) }
      store.set({ ...restarted, begins, isPastWhole: false })
      continue
    }
    const hasNews = page.items.length > 0 || ownBegins === null
    const news = page.items.map((item) => ({ ...item, index: item.index + before.length }))
    store.set({
      ...(hasNews
        ? { items: [...items, ...news].slice(-maximumItems), moments: addItems(moments, news) }
        : {}),
      ...{ begins, ownBegins: page.begins, isPastWhole: page.isWhole },
    })
    if (page.isWhole) return
  }
}

/**
 * Reads the prices of the asset over the shown span. Reads nothing when only another moment of the same span is
 * shown.
 */
export async function readPrices(store: Store<ConsoleState>, api: AdminApi): Promise<void> {
  const { world, account, asset, moment, span, prices: known, ancestors } = store.get()
  const isKnown = known?.asset === asset && known.account === account && known.span === span
  if (moment !== null && isKnown && known.isWhole && includesMoment(known, moment)) return
  const words = new URLSearchParams({ asset, account })
  if (span !== null) {
    words.set('from', new Date(span.from).toISOString())
    words.set('to', new Date(span.to).toISOString())
  }
  const inherited = await readInheritedPrices(api, ancestors ?? [], words, isKnown ? known.inherited : [])
  if (moment !== null && findWorldAt(world, ancestors ?? [], moment) === world) {
    words.set('sequence', String(moment.sequence))
    words.set('at', moment.at)
  }
  const own = await api.ask<HistoryPrices>('GET', `${formatWorldPath(world)}/history/prices?${words}`)
  const now = store.get()
  const isWanted =
    now.world === world && now.asset === asset && now.account === account && now.moment === moment
  if (!isWanted || now.span !== span) return
  const joined = (ancestors ?? []).reduceRight((prices, { until }, place) => {
    const before = inherited[place]
    return before === undefined ? prices : joinPrices(before, prices, until)
  }, own)
  store.set({ prices: { ...joined, account, span, inherited } })
}

/** Reads the prices of the ancestors until the forks. Those that are known completely are not read again. */
async function readInheritedPrices(
  api: AdminApi,
  ancestors: readonly ForkPoint[],
  words: URLSearchParams,
  known: readonly HistoryPrices[],
): Promise<readonly HistoryPrices[]> {
  if (known.length === ancestors.length && known.every(({ isWhole }) => isWhole)) return known
  return await Promise.all(
    ancestors.map(async ({ world, until }) => {
      const asked = new URLSearchParams(words)
      asked.set('sequence', String(until.sequence))
      asked.set('at', until.at)
      const prices = await api.ask<HistoryPrices>('GET', `${formatWorldPath(world)}/history/prices?${asked}`)
      return { ...prices, isWhole: prices.isWhole || compareMoments(prices.reached, until) >= 0 }
    }),
  )
}

/** Returns how many requests there have been, of which only the newest may be in the list. */
export const countRequests = (requests: readonly RequestRow[]): number =>
  requests.length < maximumRequests ? requests.length : (requests.at(-1)?.sequence ?? 0)

export async function readRequests(store: Store<ConsoleState>, api: AdminApi): Promise<void> {
  const { world, requests: known } = store.get()
  const since = known.at(-1)?.sequence ?? 0
  const { requests } = await api.ask<{ readonly requests: readonly RequestRow[] }>(
    'GET',
    `${formatWorldPath(world)}/requests?since=${since}`,
  )
  if (requests.length === 0 || store.get().world !== world) return
  store.set({ requests: [...known, ...requests].slice(-maximumRequests) })
}

const formatWorldPath = (world: string): string => `/worlds/${encodeURIComponent(world)}`
