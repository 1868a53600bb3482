import { fundamentalWithOverrides } from '../../market/path-override.ts'
import { buy, none, sell } from '../codes.ts'
import type { HouseLadder } from '../ladder/house-ladder.ts'
import { impactFactorAt } from '../orders/price-impact.ts'
import { midHalfTicksOf } from '../reports/top-of-book.ts'
import { ForeseenMarks } from '../series/foreseen-marks.ts'
import { type State, stateOf } from '../state.ts'

/*
 * An unattended market: where no client's interest rests in a book and no taker will come, all that the grid's steps
 * do is move marks and print what a recording printed. (What was taken from a ladder comes back, and its impact on
 * the price fades, as functions of time.) So these steps need no books, and what later ones will show can be computed
 * ahead.
 */

/** Whether the market is unattended from now on, until a command or a due item. */
export function isUnattended(state: State): boolean {
  for (let asset = 1; asset < state.assets.count; asset += 1) {
    if (state.config.market.assets[asset - 1]?.flow.kind !== 'none') return false
    const { book, isStale, ladder } = stateOf(state, asset)
    if (isStale || book.bestRow(buy) !== none || book.bestRow(sell) !== none) return false
    // What was taken since the last refresh reaches the recovery only at the next one.
    if (ladder.isTouched) return false
  }
  return true
}

/** Until when the market stays unattended, as far as it pays to look ahead; the present if it is attended. */
export function unattendedUntilMillis(state: State): number {
  const { market, nowMillis, timeline } = state
  if (!isUnattended(state)) return nowMillis
  return Math.min(timeline.nextAtMillis, nowMillis + market.rememberedMillis)
}

/** The mark at a grid index, to the nearest tick, with the impact that is left at an instant. */
export function markTicksAt(state: State, asset: number, gridIndex: number, atMillis: number): number {
  const { tickUsd, maximumPriceTicks } = state.assets.traded(asset)
  const { overrides } = stateOf(state, asset)
  const fundamental = fundamentalWithOverrides(state.market, asset - 1, overrides, gridIndex)
  return toTicks(fundamental * impactFactorAt(state, asset, atMillis), tickUsd, maximumPriceTicks)
}

/** The mid that the book of an unattended asset will show at a grid index not before the present one, in half ticks. */
export function foreseenMidHalfTicks(state: State, asset: number, gridIndex: number): number {
  const { startMillis, gridMillis } = state.config
  const assetState = stateOf(state, asset)
  const { ladder } = assetState
  const markTicks = markTicksAt(state, asset, gridIndex, startMillis + gridIndex * gridMillis)
  assetState.foreseen ??= new ForeseenMarks()
  assetState.foreseen.remember(gridIndex, markTicks, assetState.impact, assetState.overrides)
  return midHalfTicksAround(ladder, markTicks, gridIndex)
}

/** The same at as many instants as the column has places, one step apart; written into the column. */
export function foreseeMidHalfTicks(
  state: State,
  asset: number,
  fromMillis: number,
  stepMillis: number,
  column: MidColumn,
  into: Float64Array,
): void {
  const { startMillis, gridMillis } = state.config
  const { count, first, step } = column
  const firstIndex = Math.floor((fromMillis - startMillis) / gridMillis)
  const indexStep = stepMillis / gridMillis
  if (Number.isInteger(indexStep) && stateOf(state, asset).overrides.length === 0) {
    foreseeOnGrid(state, asset, firstIndex, indexStep, column, into)
    return
  }
  let atMillis = fromMillis - startMillis
  for (let row = 0, at = first; row < count; row += 1, at += step) {
    into[at] = foreseenMidHalfTicks(state, asset, Math.floor(atMillis / gridMillis))
    atMillis += stepMillis
  }
}

/** `count` places of an array: from `first` on, `step` apart. */
export interface MidColumn {
  readonly first: number
  readonly step: number
  readonly count: number
}

/** At grid indices `indexStep` apart, for a price that no script has changed: the model writes all prices at once. */
function foreseeOnGrid(
  state: State,
  asset: number,
  firstIndex: number,
  indexStep: number,
  { count, first, step }: MidColumn,
  into: Float64Array,
): void {
  const { startMillis, gridMillis } = state.config
  const { tickUsd, maximumPriceTicks } = state.assets.traded(asset)
  const assetState = stateOf(state, asset)
  const { impact, ladder, overrides } = assetState
  assetState.foreseen ??= new ForeseenMarks()
  const { foreseen } = assetState
  const prices = foreseen.room(count)
  state.market.writeFundamentals(asset - 1, { first: firstIndex, step: indexStep, count }, prices)
  const touches = ladder.stillTouches(firstIndex)
  for (let row = 0, at = first; row < count; row += 1, at += step) {
    const gridIndex = firstIndex + row * indexStep
    const factor = impactFactorAt(state, asset, startMillis + gridIndex * gridMillis)
    const markTicks = toTicks(Number(prices[row]) * factor, tickUsd, maximumPriceTicks)
    foreseen.remember(gridIndex, markTicks, impact, overrides)
    const bidTicks = touches?.bidTicks(markTicks) ?? 0
    const askTicks = touches?.askTicks(markTicks) ?? 0
    into[at] =
      bidTicks !== 0 && askTicks !== 0
        ? bidTicks + askTicks
        : midHalfTicksAround(ladder, markTicks, gridIndex)
  }
}

/** The mid that a ladder will show after a refresh at a grid index, in half ticks. */
function midHalfTicksAround(ladder: HouseLadder, markTicks: number, gridIndex: number): number {
  const bidTicks = ladder.foreseenTicks(buy, markTicks, gridIndex)
  const askTicks = ladder.foreseenTicks(sell, markTicks, gridIndex)
  return midHalfTicksOf(markTicks, bidTicks, askTicks)
}

function toTicks(priceUsd: number, tickUsd: number, maximumPriceTicks: number): number {
  return Math.min(Math.max(Math.round(priceUsd / tickUsd), 1), maximumPriceTicks)
}

/** The mark at the present grid index in an unattended market: taken from what was foreseen, if it was. */
export function unattendedMarkTicks(state: State, asset: number): number {
  const { foreseen, impact, overrides } = stateOf(state, asset)
  const known = foreseen?.ticksAt(state.gridIndex, impact, overrides) ?? 0
  return known === 0 ? markTicksAt(state, asset, state.gridIndex, state.nowMillis) : known
}
