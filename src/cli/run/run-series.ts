import { bestLevels } from '../../api/handlers/market-data.ts'
import { equityAtoms } from '../../engine/assessment.ts'
import { buy, firstClientAccount, none, type Side, sell } from '../../engine/codes.ts'
import { type EventSink, eventType } from '../../engine/events.ts'
import { topOfBook } from '../../engine/reports/top-of-book.ts'
import type { State } from '../../engine/state.ts'
import { scaledToNumber } from '../../numeric/units.ts'
import type { CompiledScenario } from '../../scenario/compile/compiled.ts'

/** What the pictures of a run are drawn from: plain data, so that any thread can send it. */
export type RunSeries = Readonly<ReturnType<typeof createSeries>>

export type AssetSeries = RunSeries['assets'][number]

const buckets = 600
/** The number of looks that a run should make; more are thinned out. */
export const targetSamples = 600
const maximumFills = 2_000
const depthLevels = 200

/** Records prices, books, volumes and equities during a run; it only reads. */
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
      if (type === eventType.price) widen(target, bucket, first * state.assets.traded(asset).tickUsd)
      else if (type === eventType.trade || type === eventType.print) {
        const usd = scaledToNumber(state.assets.notional(asset, first, second), 6)
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
      account.equity.push(scaledToNumber(equityAtoms(venue, firstClientAccount + place), 6))
  }
  return { series, look: sample, sink }
}

function createSeries(scenario: CompiledScenario, startMillis: number, endMillis: number, width: number) {
  const none = (): number[] => []
  const row = (value: number): number[] => new Array<number>(buckets).fill(value)
  const fills: ReturnType<typeof toFillMark>[] = []
  return {
    /** The instants at which the run was looked at: several hundred. */
    atMillis: none(),
    /** The beginnings of equal parts of the run, for what happens between looks; the last is the run's end. */
    bucketMillis: [...row(0).map((_, place) => startMillis + place * width), endMillis],
    assets: scenario.venue.assets.slice(1).map(({ symbol }) => ({
      asset: symbol,
      /** One for each instant. NaN where a side is empty. */
      mark: none(),
      bid: none(),
      ask: none(),
      /** USD within 1 % of the mid, on each side. */
      bidDepthUsd: none(),
      askDepthUsd: none(),
      /** One for each part: the lowest and highest mark, NaN where it stood still, and the traded volume. */
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
  const { tickUsd } = state.assets.traded(asset)
  const top = topOfBook(state, asset)
  const price = (ticks: number): number => (ticks === none ? Number.NaN : ticks * tickUsd)
  series.mark.push(price(state.markTicks.get(asset)))
  series.bid.push(price(top.bidTicks))
  series.ask.push(price(top.askTicks))
  series.bidDepthUsd.push(computeDepthUsd(state, asset, buy, top.midHalfTicks / 2))
  series.askDepthUsd.push(computeDepthUsd(state, asset, sell, top.midHalfTicks / 2))
}

function computeDepthUsd(state: State, asset: number, side: Side, midTicks: number): number {
  const { tickUsd, stepUnits } = state.assets.traded(asset)
  let usd = 0
  for (const { ticks, steps } of bestLevels(state, asset, side, depthLevels)) {
    if (Math.abs(ticks - midTicks) > midTicks * 0.01) break
    usd += ticks * tickUsd * steps * stepUnits
  }
  return usd
}

/** Takes in the fills since the last look. Answers how many there are now. */
function recordFills(state: State, seen: number, names: readonly string[], { fills }: RunSeries): number {
  for (let fill = seen; fill < state.fills.count && fills.length < maximumFills; fill += 1) {
    const account = names[state.fills.account.get(fill) - firstClientAccount]
    if (account !== undefined) fills.push(toFillMark(state, fill, account))
  }
  return state.fills.count
}

function toFillMark({ assets, fills }: State, fill: number, account: string) {
  const asset = fills.asset.get(fill)
  const { tickUsd, stepUnits } = assets.traded(asset)
  return {
    atMillis: fills.atMillis.get(fill),
    asset: assets.symbol(asset),
    account,
    price: fills.priceTicks.get(fill) * tickUsd,
    quantity: fills.quantitySteps.get(fill) * stepUnits,
    isBuy: fills.side.get(fill) === buy,
  }
}
