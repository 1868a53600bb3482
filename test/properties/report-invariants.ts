import { buy, cash, firstClientAccount } from '../../src/engine/codes.ts'
import { listTrades, listTransactions } from '../../src/engine/reports/activity.ts'
import { portfolioExposure } from '../../src/engine/reports/portfolio-exposure.ts'
import { portfolioSummary } from '../../src/engine/reports/portfolio-summary.ts'
import { listPositionFigures } from '../../src/engine/reports/position-figures.ts'
import { profitAndLoss } from '../../src/engine/reports/profit-and-loss.ts'
import { limitUtilization, riskExposure } from '../../src/engine/reports/risk-exposure.ts'
import { riskMetrics } from '../../src/engine/reports/risk-metrics.ts'
import { statistics24h } from '../../src/engine/reports/statistics.ts'
import { topOfBook } from '../../src/engine/reports/top-of-book.ts'
import type { State } from '../../src/engine/state.ts'
import { firstBroken } from './venue-view.ts'

/* How the engine's reports must agree with one another and with the tables, for every client and asset. */

/** Null when it holds of the account, else what does not. */
export type AccountReport = (state: State, account: number) => string | null
export type AssetReport = (state: State, asset: number) => string | null

const wholeList = { offset: 0, limit: Number.MAX_SAFE_INTEGER, order: 'oldest' } as const

/** I12: fills, trades and trade transactions are the same rows. */
const tradesAreTheFills: AccountReport = (state, account) => {
  const fills = rows(state.fills.count).filter((row) => state.fills.account.get(row) === account)
  const anyTrade = { asset: null, side: null, fromMillis: null, untilMillis: null }
  const trades = listTrades(state, account, anyTrade, wholeList).rows
  const lines = listTransactions(state, account, { asset: null, type: 'trade' }, wholeList).rows
  if (trades.join() !== fills.join()) return `trades ${trades}, fills ${fills}`
  return lines.map(({ row }) => row).join() === fills.join() ? null : 'trade transactions are not the fills'
}

/** I13: the lines of the account's history add up to its totals. */
const transactionsMakeTheTotals: AccountReport = (state, account) => {
  const totals = rows(state.assets.count).map(() => 0)
  const add = (asset: number, change: number) => {
    totals[asset] = (totals[asset] ?? 0) + change
  }
  for (const line of listTransactions(state, account, { asset: null, type: null }, wholeList).rows) {
    if (line.type === 'deposit') add(line.asset, line.quantityAtoms)
    if (line.type === 'withdrawal') add(line.asset, -line.quantityAtoms)
    if (line.type === 'fee') add(line.asset, -line.quantityAtoms)
    if (line.type === 'trade') {
      const sign = state.fills.side.get(line.row) === buy ? 1 : -1
      add(line.asset, sign * line.quantityAtoms)
      add(cash, -sign * line.valueAtoms)
    }
  }
  return firstBroken(
    totals.entries(),
    ([asset, total]) =>
      total !== state.ledger.total(account, asset) && `asset ${asset}: transactions say ${total}`,
  )
}

/** I28: value, cost and profit of a position add up. */
const positionsAddUp: AccountReport = (state, account) =>
  firstBroken(listPositionFigures(state, account), (position) => {
    const sign = position.side === 'long' ? 1 : -1
    if (Math.sign(position.quantityAtoms) !== sign) return `asset ${position.asset}: ${position.side}`
    const gain = position.marketValueAtoms - sign * position.costBasisAtoms
    return (
      gain !== position.unrealizedPnlAtoms &&
      `asset ${position.asset}: unrealised ${position.unrealizedPnlAtoms}`
    )
  })

/** I29: profit is the growth of the value less flows, and the sum of its parts. */
const profitIsTheChangeOfValue: AccountReport = (state, account) => {
  const profit = profitAndLoss(state, account, 0, state.nowMillis)
  const { startValueAtoms, endValueAtoms, netFlowsAtoms, netPnlAtoms, feesAtoms, totalPnlAtoms } = profit
  if (endValueAtoms - startValueAtoms - netFlowsAtoms !== netPnlAtoms) return `net profit ${netPnlAtoms}`
  if (netPnlAtoms + feesAtoms !== totalPnlAtoms) return `total profit ${totalPnlAtoms}, fees ${feesAtoms}`
  if (profit.realizedPnlAtoms + profit.unrealizedPnlAtoms !== totalPnlAtoms) return 'realised and unrealised'
  const byAsset = profit.byAsset.reduce((all, one) => all + one.pnlAtoms, 0)
  return byAsset === totalPnlAtoms ? null : `assets make ${byAsset} of ${totalPnlAtoms}`
}

/** I30: the profits of two adjoining windows add up to that of both. */
const profitAddsUpOverTime: AccountReport = (state, account) => {
  const end = state.nowMillis
  const middle = end - 30_000
  const start = Math.max(state.config.startMillis, end - 120_000)
  if (middle <= start || state.accounts.createdAtMillis.get(account) > middle) return null
  const whole = profitAndLoss(state, account, start, end)
  const first = profitAndLoss(state, account, start, middle)
  const second = profitAndLoss(state, account, middle, end)
  const parts = first.netPnlAtoms + second.netPnlAtoms
  if (parts !== whole.netPnlAtoms) return `net profit ${whole.netPnlAtoms}, in parts ${parts}`
  return first.feesAtoms + second.feesAtoms === whole.feesAtoms ? null : `fees ${whole.feesAtoms}`
}

/** I31: every report has the same value of the account. */
const valueIsOneFigure: AccountReport = (state, account) => {
  const summary = portfolioSummary(state, account)
  const { totalValueAtoms, cashBalanceAtoms, positionsValueAtoms } = summary
  if (cashBalanceAtoms + positionsValueAtoms !== totalValueAtoms) return `total value ${totalValueAtoms}`
  const others = [
    portfolioExposure(state, account).equityAtoms,
    riskExposure(state, account).portfolio.equityAtoms,
    riskMetrics(state, account).exposure.equityAtoms,
    profitAndLoss(state, account, state.nowMillis, state.nowMillis).endValueAtoms,
  ]
  return others.every((value) => value === totalValueAtoms)
    ? null
    : `total value ${totalValueAtoms}, also ${others}`
}

/** I32: gross and net exposure, and the weights. */
const exposuresAddUp: AccountReport = (state, account) => {
  const exposure = portfolioExposure(state, account)
  const { longExposureAtoms: long, shortExposureAtoms: short, equityAtoms } = exposure
  if (exposure.totalExposureAtoms !== long + short) return `gross ${exposure.totalExposureAtoms}`
  if (exposure.netExposureAtoms !== long - short) return `net ${exposure.netExposureAtoms}`
  const traded = exposure.byAsset.filter(({ asset }) => asset !== cash)
  const sum = traded.reduce((all, { exposureAtoms }) => all + exposureAtoms, 0)
  if (sum !== long + short) return `assets expose ${sum} of ${long + short}`
  const signed = exposure.byAsset.map(({ weightE4, side }) => (side === 'short' ? -weightE4 : weightE4))
  const weights = signed.reduce((all, weight) => all + weight, 0)
  if (equityAtoms > 0 && Math.abs(weights - 1_000_000) > signed.length) return `weights add up to ${weights}`
  const { concentration } = riskMetrics(state, account)
  const { herfindahlIndexE8: herfindahl } = concentration
  if (traded.length === 0) return herfindahl === 0 ? null : `herfindahl ${herfindahl} of nothing`
  const least = Math.floor(1e8 / traded.length)
  return herfindahl >= least && herfindahl <= 1e8 ? null : `herfindahl ${herfindahl} of ${traded.length}`
}

/** I36: what is used of a limit, what is left of it, and the count of open orders. */
const utilizationAddsUp: AccountReport = (state, account) => {
  const { exposure, dailyVolume, openOrders, byAsset } = limitUtilization(state, account)
  for (const use of [
    exposure,
    dailyVolume,
    openOrders,
    ...byAsset.flatMap((one) => [one.exposure, one.openOrders]),
  ]) {
    if (use.available !== Math.max(0, use.limit - use.used))
      return `available ${use.available} of ${use.limit}`
  }
  const orders = rows(state.orders.count).filter(
    (row) =>
      state.orders.account.get(row) === account &&
      state.orders.quote.get(row) < 0 &&
      state.orders.status.get(row) < 2,
  ).length
  const quotes = rows(state.quotes.count).filter(
    (row) => state.quotes.account.get(row) === account && state.quotes.status.get(row) < 2,
  ).length
  if (openOrders.used !== orders + quotes)
    return `${openOrders.used} open orders, not ${orders} and ${quotes} quotes`
  const sum = byAsset.reduce((all, one) => all + one.openOrders.used, 0)
  return sum === openOrders.used ? null : `assets count ${sum} open orders of ${openOrders.used}`
}

/** I33: the order of prices, and the 24-hour figures. */
const statisticsAgree: AssetReport = (state, asset) => {
  const { bidTicks, askTicks, midHalfTicks } = topOfBook(state, asset)
  if (bidTicks >= 0 && askTicks >= 0 && midHalfTicks !== bidTicks + askTicks) return `mid ${midHalfTicks}`
  const day = statistics24h(state, asset)
  const within = [day.openHalfTicks, day.closeHalfTicks]
  if (within.some((price) => price < day.lowHalfTicks || price > day.highHalfTicks))
    return `open or close ${within}`
  if (day.changeHalfTicks !== day.closeHalfTicks - day.openHalfTicks) return `change ${day.changeHalfTicks}`
  const { fills } = state
  const since = state.nowMillis - 86_400_000
  const taken = rows(fills.count).filter(
    (row) =>
      fills.asset.get(row) === asset && fills.isMaker.get(row) === 0 && fills.atMillis.get(row) > since,
  )
  const takenSteps = taken.reduce((all, row) => all + fills.quantitySteps.get(row), 0)
  return day.volumeSteps >= takenSteps ? null : `volume ${day.volumeSteps}, takers filled ${takenSteps}`
}

const accountReports: readonly (readonly [name: string, holds: AccountReport])[] = [
  ['I12 trades are the fills', tradesAreTheFills],
  ['I13 transactions make the totals', transactionsMakeTheTotals],
  ['I28 positions add up', positionsAddUp],
  ['I29 profit is the change of value', profitIsTheChangeOfValue],
  ['I30 profit adds up over time', profitAddsUpOverTime],
  ['I31 value is one figure', valueIsOneFigure],
  ['I32 exposures add up', exposuresAddUp],
  ['I36 utilization adds up', utilizationAddsUp],
]

const assetReports: readonly (readonly [name: string, holds: AssetReport])[] = [
  ['I33 statistics agree', statisticsAgree],
]

/** Everything that is wrong in the reports of a venue, as sentences. */
export function brokenReports(state: State): readonly string[] {
  const accounts = rows(state.accounts.count).slice(firstClientAccount)
  const assets = rows(state.assets.count).slice(1)
  return [
    ...accountReports.flatMap(([name, holds]) =>
      accounts.flatMap((row) => sentence(name, row, holds(state, row))),
    ),
    ...assetReports.flatMap(([name, holds]) =>
      assets.flatMap((row) => sentence(name, row, holds(state, row))),
    ),
  ]
}

function sentence(name: string, row: number, broken: string | null): readonly string[] {
  return broken === null ? [] : [`${name}, row ${row}: ${broken}`]
}

function rows(count: number): number[] {
  return Array.from({ length: count }, (_, row) => row)
}
