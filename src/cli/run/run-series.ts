import { bestLevels } from '../../api/handlers/market-data.ts'
import { equityAtoms } from '../../engine/assessment.ts'
import { buy, firstClientAccount, none, type Side, sell } from '../../engine/codes.ts'
import { type EventSink, eventType } from '../../engine/events.ts'
import { topOfBook } from '../../engine/reports/top-of-book.ts'
import type { State } from '../../engine/state.ts'
import { decimalToNumber } from '../../numeric/units.ts'
import type { CompiledScenario } from '../../scenario/compile/compiled.ts'

/** The data of a run's charts: plain data, which any thread can send. */
export type RunSeries = Readonly<ReturnType<typeof createSeries>>

export type AssetSeries = RunSeries['assets'][number]

const buckets = 600
/** The number of samples that a run should have; more are thinned out. */
export const targetSamples = 600
const maximumFills = 2_000
const depthLevels = 200

/** Records prices, books, volumes and equity during a run. It only reads the state. */
export function recordSeries(scenario: CompiledScenario, endMillis: number) {
  const { startMillis } = scenario.venue
  const width = Math.max(1, (endMillis - startMillis) / buckets)
  const series = createSeries(scenario, startMillis, endMillis, width)
  const names = scenario.access.map(({ id }) => id)
  let state: State | null = null
  let nextSampleMillis = Number.NEGATIVE_INFINITY
  let fillsSeen = 0
  const sink: EventSink = {
    emit: (type, _subject, _account, asset, first, second) => {
      if (state === null) return
      const bucket = Math.min(buckets - 1, Math.floor((state.nowMillis - startMillis) / width))
      const target = series.assets[asset - 1]
      if (target === undefined) return
      if (type === eventType.price) widen(target, bucket, first * state.assets.tradedAsset(asset).tickUsd)
      else if (type === eventType.trade || type === eventType.print) {
        const usd = decimalToNumber(state.assets.notional(asset, first, second), 6)
        target.volumeUsd[bucket] = (target.volumeUsd[bucket] ?? 0) + usd
      }
    },
  }
  const sample = (venue: State): void => {
    state = venue
    fillsSeen = recordFills(venue, fillsSeen, names, series)
    if (venue.nowMillis < nextSampleMillis && venue.nowMillis < endMillis) return
    nextSampleMillis = venue.nowMillis + (endMillis - startMillis) / (targetSamples * 2)
    series.atMillis.push(venue.nowMillis)
    for (const [place, asset] of series.assets.entries()) sampleAsset(venue, place + 1, asset)
    for (const [place, account] of series.accounts.entries())
      account.equity.push(decimalToNumber(equityAtoms(venue, firstClientAccount + place), 6))
  }
  return { series, look: sample, sink }
}

function createSeries(scenario: CompiledScenario, startMillis: number, endMillis: number, width: number) {
  const none = (): number[] => []
  const row = (value: number): number[] => new Array<number>(buckets).fill(value)
  const fills: ReturnType<typeof toFillMark>[] = []
  return {
    /** The instants of the samples, several hundred. */
    atMillis: none(),
    /** The starts of equal parts of the run, for what happens between samples, and the end of the run. */
    bucketMillis: [...row(0).map((_, place) => startMillis + place * width), endMillis],
    assets: scenario.venue.assets.slice(1).map(({ symbol }) => ({
      asset: symbol,
      /** The prices of each sample; NaN when a side is empty. */
      mark: none(),
      bid: none(),
      ask: none(),
      /** The depth within 1 % of the mid, in USD. */
      bidDepthUsd: none(),
      askDepthUsd: none(),
      /** The lowest and highest mark of each part, NaN when it did not change, and the traded volume. */
      low: row(Number.NaN),
      high: row(Number.NaN),
      volumeUsd: row(0),
    })),
    accounts: scenario.access.map(({ id }) => ({ account: id, equity: none() })),
    fills,
  }
}

function widen({ low, high }: AssetSeries, bucket: number, price: number): void {
  const [least = Number.NaN, greatest = Number.NaN] = [low[bucket], high[bucket]]
  if (!(least <= price)) low[bucket] = price
  if (!(greatest >= price)) high[bucket] = price
}

function sampleAsset(state: State, asset: number, series: AssetSeries): void {
  const { tickUsd } = state.assets.tradedAsset(asset)
  const top = topOfBook(state, asset)
  const price = (ticks: number): number => (ticks === none ? Number.NaN : ticks * tickUsd)
  series.mark.push(price(state.markTicks.get(asset)))
  series.bid.push(price(top.bidTicks))
  series.ask.push(price(top.askTicks))
  series.bidDepthUsd.push(computeDepthUsd(state, asset, buy, top.midHalfTicks / 2))
  series.askDepthUsd.push(computeDepthUsd(state, asset, sell, top.midHalfTicks / 2))
}

function computeDepthUsd(state: State, asset: number, side: Side, midTicks: number): number {
  const { tickUsd, stepUnits } = state.assets.tradedAsset(asset)
  let usd = 0
  for (const { ticks, steps } of bestLevels(state, asset, side, depthLevels)) {
    if (Math.abs(ticks - midTicks) > midTicks * 0.01) break
    usd += ticks * tickUsd * steps * stepUnits
  }
  return usd
}

/** Records the fills since the last sample. Returns how many fills the venue has now. */
function recordFills(state: State, seen: number, names: readonly string[], { fills }: RunSeries): number {
  for (let fill = seen; fill < state.fills.count && fills.length < maximumFills; fill += 1) {
    const account = names[state.fills.account.get(fill) - firstClientAccount]
    if (account !== undefined) fills.push(toFillMark(state, fill, account))
  }
  return state.fills.count
}

function toFillMark({ assets, fills }: State, fill: number, account: string) {
  const asset = fills.asset.get(fill)
  const { tickUsd, stepUnits } = assets.tradedAsset(asset)
  return {
    atMillis: fills.atMillis.get(fill),
    asset: assets.symbol(asset),
    account,
    price: fills.priceTicks.get(fill) * tickUsd,
    quantity: fills.quantitySteps.get(fill) * stepUnits,
    isBuy: fills.side.get(fill) === buy,
  }
}
