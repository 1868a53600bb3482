import { noImpact } from '../../market/liquidity/impact.ts'
import type { LiquidityConditions } from '../../market/liquidity/liquidity.ts'
import type { ModelOrRecording } from '../../market/market-spec.ts'
import { checkModel } from '../../market/models/price-models.ts'
import {
  addOverride,
  createModelChange,
  createPath,
  createVolatilityChange,
} from '../../market/path-override.ts'
import { decimalToNumber } from '../../numeric/units.ts'
import { type AnyAssetRow, type AssetRow, assetRow, none } from '../codes.ts'
import type {
  BendPriceCommand,
  MovePriceCommand,
  SetLiquidityCommand,
  SwitchModelCommand,
} from '../command.ts'
import { eventType } from '../events.ts'
import { matchLadder } from '../orders/matching.ts'
import { impactFactorAt } from '../price-impact.ts'
import type { CommandResult } from '../rejections.ts'
import { checkPrice, checkTraded, isHoldingValuable } from '../risk/admission.ts'
import { type AssetState, type State, stateOf } from '../state.ts'
import { dueConditionsEnd } from '../timeline.ts'
import { followRecording } from './market-step.ts'
import { updateMark } from './marks.ts'
import { catchUpRows } from './work-off-rows.ts'

const million = 1_000_000

/**
 * Moves the fundamental: a single point at offset 0 is a jump, several are a path that begins now; afterwards the
 * asset's model continues from there. A price is also out of range if what some account holds, or may come to hold by
 * open orders and pending deposits, could not be valued exactly at it. Errors: unknown-asset, price-is-recorded,
 * price-below-minimum, price-out-of-range.
 */
export function movePrice(state: State, command: MovePriceCommand): CommandResult {
  const fixed = checkTraded(state, command.asset) ?? checkMovable(state, command.asset)
  if (fixed !== null) return fixed
  const asset = state.assets.tradedAsset(command.asset)
  for (const point of command.points) {
    const wrong = checkPrice(asset, 'price', point.priceTicks)
    if (wrong !== null) return wrong
    if (!isPriceExactForAll(state, command.asset, point.priceTicks))
      return { code: 'price-out-of-range', field: 'price' }
  }
  if (command.points.length === 0) return { code: 'price-out-of-range', field: 'price' }
  const assetState = stateOf(state, command.asset)
  const { priceStep } = asset.pair
  const points = command.points.map((point) => ({
    offsetMillis: point.offsetMillis,
    price: decimalToNumber(point.priceTicks * priceStep.units, priceStep.scale),
  }))
  state.moveCount += 1
  // A stated price is a mark: the impact so far is part of the price at which the path begins, and ends there.
  const impactFactor = impactFactorAt(state, command.asset, state.nowMillis)
  const override = createPath(state.market, command.asset - 1, assetState.overrides, {
    id: state.moveCount,
    atMillis: state.nowMillis,
    points,
    noiseVol: command.noiseVol / million,
    impactFactor,
  })
  assetState.impact = noImpact
  assetState.ladder.invalidate()
  assetState.overrides = addOverride(assetState.overrides, override, state.gridIndex)
  if (override.kind === 'jump' && !assetState.isStale) refreshAsset(state, assetRow(command.asset))
  return command.asset
}

/**
 * Lets the model's moves go on from the present price, scaled and with a drift; a path ends. Errors: unknown-asset,
 * price-is-recorded.
 */
export function bendPrice(state: State, command: BendPriceCommand): CommandResult {
  const fixed = checkTraded(state, command.asset) ?? checkMovable(state, command.asset)
  if (fixed !== null) return fixed
  const { gridIndex, market } = state
  const assetState = stateOf(state, command.asset)
  const override = createVolatilityChange(market, command.asset - 1, assetState.overrides, gridIndex, {
    volMultiplier: command.volMultiplier / million,
    drift: command.drift / million,
  })
  assetState.overrides = addOverride(assetState.overrides, override, gridIndex)
  return command.asset
}

/**
 * Lets another model move the price on from where it is; a path ends. From now on volumes, takers, recorded prints
 * and gaps, and the activity that the ladder follows are the other model's. Errors: unknown-asset, price-is-recorded,
 * unknown-model.
 */
export function switchModel(state: State, command: SwitchModelCommand): CommandResult {
  const fixed = checkTraded(state, command.asset) ?? checkMovable(state, command.asset)
  if (fixed !== null) return fixed
  if (!isModelAvailable(state, command.asset, command.model)) return { code: 'unknown-model' }
  const { gridIndex, market, nowMillis } = state
  const assetState = stateOf(state, command.asset)
  // Until now the ladder has refilled at the pace of the old model.
  if (!assetState.isStale) assetState.ladder.settle(nowMillis)
  const override = createModelChange(
    market,
    command.asset - 1,
    assetState.overrides,
    gridIndex,
    command.model,
  )
  assetState.overrides = addOverride(assetState.overrides, override, gridIndex)
  assetState.ladder.invalidate()
  followRecording(state, assetRow(command.asset))
  if (!assetState.isStale) refreshAsset(state, assetRow(command.asset))
  return command.asset
}

/**
 * Checks that commands can move a price. Choice: that of a recorded book cannot be moved, because the levels around it
 * would not move with it.
 */
function checkMovable(state: State, asset: AnyAssetRow): CommandResult | null {
  return stateOf(state, asset).recorded === null ? null : { code: 'price-is-recorded' }
}

/** Replaces an asset's conditions; the ladder is refreshed under them at once. Errors: unknown-asset. */
export function setLiquidity(state: State, command: SetLiquidityCommand): CommandResult {
  const unknown = checkTraded(state, command.asset)
  if (unknown !== null) return unknown
  const assetState = stateOf(state, command.asset)
  changeConditions(state, assetState, command.conditions)
  if (!command.isStale) endStale(state, command.asset)
  assetState.isStale = command.isStale
  assetState.conditionsEndAtMillis = command.forMillis === 0 ? 0 : state.nowMillis + command.forMillis
  if (command.forMillis > 0)
    state.timeline.push(assetState.conditionsEndAtMillis, dueConditionsEnd, command.asset)
  state.sink.emit(eventType['settings-changed'], none, none, command.asset, 0, 0, 0)
  refreshAsset(state, assetRow(command.asset))
  return command.asset
}

export function endConditions(state: State, asset: AssetRow): void {
  const assetState = stateOf(state, asset)
  changeConditions(state, assetState, normalConditions)
  endStale(state, asset)
  assetState.conditionsEndAtMillis = 0
  refreshAsset(state, asset)
}

/** Lets the market of an asset that stood still go on; a recorded book jumps to the present. */
function endStale(state: State, asset: AnyAssetRow): void {
  const assetState = stateOf(state, asset)
  if (assetState.isStale) catchUpRows(state, assetRow(asset))
  assetState.isStale = false
}

export const normalConditions = { spreadMultiplier: 1, depthMultiplier: 1, sides: 'both' } as const

/**
 * Replaces an asset's conditions. Until now the ladder has refilled at the pace of the old ones, so what is missing
 * is settled first.
 */
function changeConditions(state: State, assetState: AssetState, conditions: LiquidityConditions): void {
  if (assetState.conditions.refreshMultiplier !== conditions.refreshMultiplier)
    assetState.ladder.settle(state.nowMillis)
  assetState.conditions = conditions
}

/** Returns whether a model has possible parameters or, if it is a recording, whether the asset has it. */
function isModelAvailable(state: State, asset: AnyAssetRow, model: ModelOrRecording): boolean {
  if (model.kind !== 'recorded') return checkModel(model) === null
  return state.config.market.assets[asset - 1]?.recordings?.[model.place] !== undefined
}

function isPriceExactForAll(state: State, asset: AnyAssetRow, ticks: number): boolean {
  const traded = state.assets.tradedAsset(asset)
  const { accounts, holdings, ledger } = state
  for (let account = 0; account < accounts.count; account += 1) {
    const row = holdings.rowOf(account, asset)
    const openSteps = holdings.openBuySteps.get(row) + holdings.openSellSteps.get(row)
    const settled = Math.abs(ledger.total(account, asset)) + ledger.pendingDeposit(account, asset)
    const held = settled + openSteps * traded.stepAtoms
    if (!isHoldingValuable(traded, ticks, held)) return false
  }
  return true
}

function refreshAsset(state: State, asset: AssetRow): void {
  const assetState = stateOf(state, asset)
  if (!assetState.isStale) updateMark(state, asset)
  assetState.ladder.refresh(state.markTicks.get(asset), state.gridIndex)
  matchLadder(state, asset)
}
