import { type AdminApi, AdminProblem } from './admin-api.ts'
import { includesMoment } from './chart-data.ts'
import type { HistoryPage, HistoryPrices, RequestRow, View } from './documents.ts'
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
  const { world, account, asset, moment, view: before } = store.get()
  const words = new URLSearchParams({ depth: String(depth) })
  if (account !== '') words.set('account', account)
  if (asset !== '') words.set('asset', asset)
  if (moment !== null) words.set('sequence', String(moment.sequence))
  if (moment !== null && moment.at !== '') words.set('at', moment.at)
  // A digest reads the whole world, and in real time it would change with every view.
  if (moment !== null || before?.clock.mode !== 'realtime') words.set('digest', '')
  const found = await askForView(api, `${formatWorldPath(world)}/view?${words}`)
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

/**
 * Reads the history on from where it was read to. When the server's history begins elsewhere than before, the
 * page starts over.
 */
export async function readHistory(store: Store<ConsoleState>, api: AdminApi): Promise<void> {
  const { world } = store.get()
  for (let turn = 0; turn < pagesAtOnce; turn += 1) {
    const { items, moments, begins } = store.get()
    const from = (items.at(-1)?.index ?? -1) + 1
    const page = await api.ask<HistoryPage>('GET', `${formatWorldPath(world)}/history?from=${from}`)
    if (store.get().world !== world) return
    const hasRestarted =
      begins !== null && (page.begins.sequence !== begins.sequence || page.begins.at !== begins.at)
    if (hasRestarted) {
      store.set({ begins: page.begins, items: [], moments: [], isPastWhole: false })
      continue
    }
    const hasNews = page.items.length > 0 || begins === null
    store.set({
      ...(hasNews
        ? { items: [...items, ...page.items].slice(-maximumItems), moments: addItems(moments, page.items) }
        : {}),
      begins: page.begins,
      isPastWhole: page.isWhole,
    })
    if (page.isWhole) return
  }
}

/**
 * Reads the prices of the asset over the shown span. Reads nothing when only another moment of the same span is
 * shown.
 */
export async function readPrices(store: Store<ConsoleState>, api: AdminApi): Promise<void> {
  const { world, account, asset, moment, span, prices: known } = store.get()
  const isKnown = known?.asset === asset && known.account === account && known.span === span
  if (moment !== null && isKnown && known.isWhole && includesMoment(known, moment)) return
  const words = new URLSearchParams({ asset, account })
  if (moment !== null) {
    words.set('sequence', String(moment.sequence))
    words.set('at', moment.at)
  }
  if (span !== null) {
    words.set('from', new Date(span.from).toISOString())
    words.set('to', new Date(span.to).toISOString())
  }
  const prices = await api.ask<HistoryPrices>('GET', `${formatWorldPath(world)}/history/prices?${words}`)
  const now = store.get()
  const isWanted =
    now.world === world && now.asset === asset && now.account === account && now.moment === moment
  if (isWanted && now.span === span) store.set({ prices: { ...prices, account, span } })
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
