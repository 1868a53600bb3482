import { findModelChange } from '../../market/path-override.ts'
import type { PrintTable } from '../../market/recordings/print-table.ts'
import { element } from '../../numeric/columns.ts'
import { millisPerHour } from '../../numeric/time-text.ts'
import { type AssetRow, buy, none, oppositeOf, sell } from '../codes.ts'
import { followRecording, printsBetween, recordExternalPrint, refreshLadder } from '../house/market-step.ts'
import { setMark, writeMarks } from '../house/marks.ts'
import { dynamicsOf } from '../ladder/market-ladder.ts'
import { fadingImpactFactorAt } from '../price-impact.ts'
import { type AssetState, type State, stateOf } from '../state.ts'

/*
 * Idle time. Where no client's interest rests in a book and no taker will come, all that the grid's steps do is move
 * marks and print what a recording printed. (What was taken from a ladder comes back, and its impact on the price
 * fades, as functions of time; a recorded book changes by its rows alone.) So these steps need no books, what later
 * ones will show can be computed without them (idle-prices.ts), and where not even prices move they are left out.
 *
 * Invariant: none of this shows. A run that is read at every step and one that is read at none give the same bytes.
 */

/** Returns whether the market is idle from now on, until a command or a due item. */
export function isIdle(state: State): boolean {
  for (const asset of state.assets.allTraded) {
    const flow = state.config.market.assets[asset - 1]?.flow.kind
    // Recorded trades take from nobody but clients.
    if (flow !== 'none' && flow !== 'recorded') return false
    const { book, isStale, ladder } = stateOf(state, asset)
    if (isStale || book.bestRow(buy) !== none || book.bestRow(sell) !== none) return false
    if (!ladder.isForeseeable) return false
  }
  return true
}

/** Returns the instant until which the market stays idle if nobody sends a command; the present if it is not idle. */
export function idleUntilMillis(state: State): number {
  return isIdle(state) ? state.timeline.nextAtMillis : state.nowMillis
}

/** Goes over the grid up to an index, where the steps need not be taken one by one. */
export function skipIdleTime(state: State, lastIndex: number): void {
  const { startMillis, gridMillis } = state.config
  const stillIndex = Math.ceil((stillUntilMillis(state) - startMillis) / gridMillis) - 1
  if (stillIndex > state.gridIndex) state.gridIndex = Math.min(lastIndex, stillIndex)
  // The rows of a recorded book have their turn before each step; where nobody rests, they are passed over quickly.
  else if (state.recordedAssets.length === 0 && isIdle(state)) moveMarks(state, lastIndex)
  else return
  for (const asset of state.assets.allTraded) {
    if (!stateOf(state, asset).isStale) refreshLadder(state, asset)
  }
}

const blockSteps = 1024

/** What an asset shows at the steps of a block. */
interface AssetBlock {
  readonly asset: AssetRow
  readonly halts: boolean
  readonly marks: Float64Array
  readonly prints: PrintTable
  printed: number
}

function moveMarks(state: State, lastIndex: number): void {
  const { startMillis, gridMillis } = state.config
  const endMillis = startMillis + lastIndex * gridMillis
  while (state.gridIndex < lastIndex) {
    const first = state.gridIndex + 1
    const count = Math.min(lastIndex - state.gridIndex, blockSteps)
    const blocks: AssetBlock[] = []
    for (const asset of state.assets.allTraded) blocks.push(createBlock(state, asset, first, count))
    for (let row = 0; row < count; row += 1) {
      state.gridIndex = first + row
      state.nowMillis = startMillis + state.gridIndex * gridMillis
      for (const { asset, halts, marks } of blocks) {
        if (halts) followRecording(state, asset)
        setMark(state, asset, element(marks, row))
      }
      for (const block of blocks) printUpToNow(state, block, endMillis)
    }
  }
}

function createBlock(state: State, asset: AssetRow, first: number, count: number): AssetBlock {
  return {
    asset,
    halts: state.market.canHalt(asset - 1, findModelChange(stateOf(state, asset).overrides)),
    marks: writeMarks(state, asset, { first, step: 1, count }),
    prints: printsBetween(state, asset, first - 1, first + count - 1),
    printed: 0,
  }
}

/**
 * Records an asset's prints up to the present. `endMillis` is when the idle time is over: nobody reads the statistics
 * before.
 */
function printUpToNow(state: State, block: AssetBlock, endMillis: number): void {
  const { asset, prints } = block
  for (; block.printed < prints.count; block.printed += 1) {
    if (prints.atMillis.get(block.printed) > state.nowMillis) return
    recordExternalPrint(state, asset, prints, block.printed, endMillis)
  }
}

/**
 * Returns the instant until which nothing will change except by a command or a due item: prices are constant, there
 * is no flow, no impact fades, and every refresh would make the same ladder. So the grid steps before it can be
 * skipped. Infinity: for ever; the present: something may change at the next step.
 */
export function stillUntilMillis(state: State): number {
  let untilMillis = Number.POSITIVE_INFINITY
  for (const asset of state.assets.allTraded) {
    const spec = state.config.market.assets[asset - 1]
    const assetState = stateOf(state, asset)
    const model = findModelChange(assetState.overrides)?.model ?? spec?.model
    if (spec === undefined || model?.kind !== 'constant' || spec.flow.kind !== 'none') return state.nowMillis
    const newest = assetState.overrides.at(-1)
    if (newest?.kind === 'path' && newest.endIndex > state.gridIndex) return state.nowMillis
    if (newest?.kind === 'bend' && newest.drift !== 0) return state.nowMillis
    const isFading = fadingImpactFactorAt(state, asset, state.nowMillis) !== null
    if (isFading || assetState.ladder.isRecovering(state.nowMillis)) return state.nowMillis
    const dynamics = dynamicsOf(state.assets.config(asset).liquidity)
    if (dynamics === null) continue
    // Sizes of levels vary, so a level that a client's order reaches may appear at any step.
    if (isWithinReach(state, assetState)) return state.nowMillis
    if (dynamics.hasSeasons) untilMillis = (Math.floor(state.nowMillis / millisPerHour) + 1) * millisPerHour
  }
  return untilMillis
}

function isWithinReach(state: State, { book, ladder }: AssetState): boolean {
  for (const clients of [buy, sell] as const) {
    const row = book.bestRow(clients)
    if (row !== none && ladder.mayEverReach(oppositeOf(clients), state.orders.priceTicks.get(row)))
      return true
  }
  return false
}
