import type { AdminApi } from './admin-api.ts'
import type { EquityPage, HistoryPrices, View } from './documents.ts'
import { findFork, readAncestors, readWholePast } from './lineage.ts'
import type { ConsoleState, Store } from './state.ts'

/** Reads the world that lies over the shown one: its past once, and its prices and view each time. */
export async function readOthers(store: Store<ConsoleState>, api: AdminApi): Promise<void> {
  const { compared, world, asset, account, span, moment, ancestors, others, view } = store.get()
  if (compared === null || asset === '') return
  const path = `/worlds/${encodeURIComponent(compared)}`
  const known = others?.world === compared ? others : null
  const [past, fork] =
    known === null
      ? [
          await readWholePast(api, compared),
          findFork([world, ancestors ?? []], [compared, await readAncestors(api, compared)]),
        ]
      : [known.past, known.fork]
  const words = new URLSearchParams({ asset })
  if (span !== null) {
    words.set('from', new Date(span.from).toISOString())
    words.set('to', new Date(span.to).toISOString())
  }
  const prices = await api.ask<HistoryPrices>('GET', `${path}/history/prices?${words}`)
  const asked = new URLSearchParams({ asset, account, depth: String(view?.book?.bids.length ?? 1) })
  const isParted = fork === null || moment === null || moment.at >= fork.at
  if (moment !== null) {
    const last = past.items.findLast(({ at }) => at <= moment.at)
    asked.set('sequence', String(last?.sequence ?? fork?.sequence ?? past.begins.sequence))
    asked.set('at', moment.at)
  }
  const there = isParted ? await api.ask<View>('GET', `${path}/view?${asked}`).catch(() => null) : null
  words.delete('asset')
  words.set('account', account)
  // The account may not be there: only what both have lies over one another.
  const [own, other] = await Promise.all(
    [`/worlds/${encodeURIComponent(world)}`, path].map((of) =>
      api.ask<EquityPage>('GET', `${of}/history/equity?${words}`).catch(() => null),
    ),
  )
  const now = store.get()
  if (now.world !== world || now.compared !== compared || now.asset !== asset || now.moment !== moment) return
  store.set({
    others: { world: compared, fork, past, prices, view: there, equity: [own ?? null, other ?? null] },
  })
}
