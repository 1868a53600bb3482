import { equityAtoms } from '../engine/assess.ts'
import { firstClientAccount, none } from '../engine/codes.ts'
import type { State } from '../engine/state.ts'
import { topOfBook } from '../engine/top-of-book.ts'
import { scaledToNumber } from '../numeric/decimal.ts'
import type { CompiledScenario } from '../scenario/compiled.ts'

/** What charts of a run are drawn from, at about two hundred instants or more. */
export interface RunSeries {
  readonly atMillis: number[]
  readonly assets: readonly AssetSeries[]
  readonly accounts: readonly { readonly account: string; readonly equity: number[] }[]
}

export interface AssetSeries {
  readonly asset: string
  readonly mark: number[]
  /** NaN where a side is empty. */
  readonly bid: number[]
  readonly ask: number[]
}

export interface SeriesRecorder {
  readonly series: RunSeries
  readonly look: (state: State) => void
}

/** Most instants kept: a run that stops more often is thinned. */
const pointsMaximum = 2000

/** Keeps prices and equities while a run goes on; it only reads. */
export function recordSeries(scenario: CompiledScenario, endMillis: number): SeriesRecorder {
  const traded = scenario.venue.assets.slice(1)
  const series: RunSeries = {
    atMillis: [],
    assets: traded.map(({ symbol }) => ({ asset: symbol, mark: [], bid: [], ask: [] })),
    accounts: scenario.access.map(({ id }) => ({ account: id, equity: [] })),
  }
  const spacing = (endMillis - scenario.venue.startMillis) / pointsMaximum
  let nextMillis = Number.NEGATIVE_INFINITY
  const look = (state: State): void => {
    if (state.nowMillis < nextMillis && state.nowMillis < endMillis) return
    nextMillis = state.nowMillis + spacing
    series.atMillis.push(state.nowMillis)
    for (const [place, asset] of series.assets.entries()) {
      const { priceStep } = state.assets.traded(place + 1).pair
      const top = topOfBook(state, place + 1)
      const price = (ticks: number): number =>
        ticks === none ? Number.NaN : scaledToNumber(ticks * priceStep.units, priceStep.scale)
      asset.mark.push(price(state.markTicks.get(place + 1)))
      asset.bid.push(price(top.bidTicks))
      asset.ask.push(price(top.askTicks))
    }
    for (const [place, account] of series.accounts.entries())
      account.equity.push(scaledToNumber(equityAtoms(state, firstClientAccount + place), 6))
  }
  return { series, look }
}
