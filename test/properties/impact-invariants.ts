import type { State } from '../../src/engine/state.ts'
import { computeFundamental } from '../../src/market/path-override.ts'

/**
 * What must hold of the clients' impact on prices right after a step of the market, asset by asset; one line per
 * breach. The mark of a book that is not stale is the fundamental times e^I, with I by the formula of market.md,
 * computed without the engine.
 */
export function brokenImpacts(state: State): readonly string[] {
  const broken: string[] = []
  for (let asset = 1; asset < state.assets.count; asset += 1) {
    const found = state.byAsset[asset]
    const spec = state.assets.config(asset).impact
    if (!found || spec === undefined) continue
    const { flowUsd, paidUsd, permanent, atMillis } = found.impact
    const say = (what: string): void => void broken.push(`asset ${asset}: ${what}`)
    if (![flowUsd, paidUsd, permanent, atMillis].every(Number.isFinite)) say('a figure is not finite')
    if (paidUsd < 0) say(`paid ${paidUsd}`)
    if (flowUsd === 0 && paidUsd !== 0) say(`paid ${paidUsd} for nothing`)
    if (atMillis > state.nowMillis) say('an impact from the future')
    const { tickUsd, maximumPriceTicks } = state.assets.tradedAsset(asset)
    const stepMillis = state.config.startMillis + state.gridIndex * state.config.gridMillis
    if (found.isStale) continue
    const price = computeFundamental(state.market, asset - 1, found.overrides, state.gridIndex)
    const left = flowUsd * 0.5 ** ((stepMillis - atMillis) / spec.halfLifeMillis)
    const transient = spec.y * spec.dailyVol * Math.sign(left) * Math.sqrt(Math.abs(left) / spec.advUsd)
    const ticks = (price * Math.exp(transient + permanent)) / tickUsd
    const mark = state.markTicks.get(asset)
    const isNear = Math.abs(mark - ticks) <= 0.51 + 1e-9 * ticks
    if (!isNear && mark !== 1 && mark !== maximumPriceTicks) say(`the mark is ${mark}, not ${ticks}`)
  }
  return broken
}
