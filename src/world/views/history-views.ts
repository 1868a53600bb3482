import { millisToIso } from '../../numeric/time-text.ts'
import type { History } from '../history/history.ts'
import type { Moment, PriceHistoryQuery } from '../history/price-history.ts'

export interface FollowedHistory {
  readonly history: History
  /** Whether the history is up to date with its world. */
  readonly isWhole: boolean
}

const maximumItems = 2000

export function itemsView({ history, isWhole }: FollowedHistory, from: number) {
  const items = history.index.since(from, maximumItems)
  const next = (items.at(-1)?.index ?? from - 1) + 1
  return {
    generation: history.generation,
    begins: momentView(history.firstMoment),
    reached: momentView(history.lastMoment),
    next,
    isWhole: isWhole && next >= history.index.nextIndex,
    items: items.map(({ atMillis: _, ...item }) => item),
  }
}

/** Asks for the prices of an asset, and for the fills of one account or, for null, of all. */
interface PricesQuery extends Omit<PriceHistoryQuery, 'around'> {
  readonly asset: string
  readonly account: string | null
  /** The moment whose stretch of time is shown; null for the present. */
  readonly moment: Moment | null
}

export function pricesView(
  { history, isWhole }: FollowedHistory,
  { asset, account, moment, ...span }: PricesQuery,
) {
  const window = history.index.prices(asset).window({ around: moment ?? history.lastMoment, ...span })
  const fills = window.fills.filter((fill) => account === null || fill.account === account)
  return {
    asset,
    isWhole,
    reached: momentView(history.lastMoment),
    begins: momentView(window.begins),
    ends: window.ends === null ? null : momentView(window.ends),
    stepMs: window.stepMillis,
    rows: window.rows,
    trades: window.trades,
    fills: fills.map(({ sequence, atMillis, ...fill }) => ({
      ...momentView({ sequence, atMillis }),
      ...fill,
    })),
  }
}

/** Asks for the equity of an account, by its row in the engine. */
interface EquityQuery extends Omit<PricesQuery, 'asset' | 'account'> {
  readonly account: number
}

export function equityView({ history, isWhole }: FollowedHistory, { account, moment, ...span }: EquityQuery) {
  const around = moment ?? history.lastMoment
  const { begins, ends, stepMillis, rows } = history.index.equity.window(account, { around, ...span })
  return {
    isWhole,
    reached: momentView(history.lastMoment),
    begins: momentView(begins),
    ends: ends === null ? null : momentView(ends),
    stepMs: stepMillis,
    rows,
  }
}

const momentView = ({ sequence, atMillis }: Moment) => ({ sequence, at: millisToIso(atMillis) })
