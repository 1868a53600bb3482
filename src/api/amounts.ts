import { cash } from '../engine/codes.ts'
import type { DecimalStep, PairConfig } from '../engine/config.ts'
import { type AssetTable, cashScale } from '../engine/tables/asset-table.ts'
import { powerOfTen, scaledToNumber, scaledToText, toStepCount } from '../numeric/decimal.ts'
import { type PriceTicks, priceTicks, type QuantitySteps, quantitySteps } from '../numeric/units.ts'
import type { Problem } from './errors.ts'

/* JSON numbers to the engine's integers and back. In: exact or refused. Out: the nearest double of the exact value. */

export type TicksRead = { readonly ok: true; readonly value: PriceTicks } | Unfit
export type StepsRead = { readonly ok: true; readonly value: QuantitySteps } | Unfit

interface Unfit {
  readonly ok: false
  readonly problem: Problem
}

/**
 * A price that is 0 or more. Errors: pair-violation, when it is not a multiple of the price step or beyond all bounds.
 */
export function readTicks(value: number, field: string, pair: PairConfig): TicksRead {
  const count = toStepCount(value, pair.priceStep)
  return count === null ? unfit(value, field, pair.priceStep) : { ok: true, value: priceTicks(count) }
}

/** A quantity that is 0 or more. Errors: pair-violation, as above, for the quantity step. */
export function readSteps(value: number, field: string, pair: PairConfig): StepsRead {
  const count = toStepCount(value, pair.quantityStep)
  return count === null ? unfit(value, field, pair.quantityStep) : { ok: true, value: quantitySteps(count) }
}

export function priceNumber(pair: PairConfig, ticks: number): number {
  return stepsToNumber(ticks, pair.priceStep)
}

/** A price in half ticks, as mids are. */
export function halfTicksNumber(pair: PairConfig, halfTicks: number): number {
  return scaledToNumber(halfTicks * pair.priceStep.units * 5, pair.priceStep.scale + 1)
}

export function quantityNumber(pair: PairConfig, steps: number): number {
  return stepsToNumber(steps, pair.quantityStep)
}

/** USD. */
export function usdNumber(atoms: number): number {
  return scaledToNumber(atoms, cashScale)
}

/** An amount of any asset, cash too. */
export function amountNumber(assets: AssetTable, asset: number, atoms: number): number {
  return scaledToNumber(atoms, assets.config(asset).scale)
}

/** What the engine keeps as an integer of 10^-8: averages, sizes. */
export function e8Number(value: number): number {
  return scaledToNumber(value, 8)
}

/** What the engine keeps as an integer of 10^-4 percent. */
export function percentNumber(percentE4: number): number {
  return scaledToNumber(percentE4, 4)
}

function stepsToNumber(count: number, step: DecimalStep): number {
  return scaledToNumber(count * step.units, step.scale)
}

function unfit(value: number, field: string, step: DecimalStep): Unfit {
  const text = scaledToText(step.units, step.scale)
  const isBeyond = value * powerOfTen(step.scale) > Number.MAX_SAFE_INTEGER
  const reason = isBeyond ? 'is out of range' : `must be a multiple of ${text}`
  return { ok: false, problem: { code: 'pair-violation', field, reason } }
}

/** The row of a symbol that is traded; null for cash and for unknown ones. */
export function tradedAsset(assets: AssetTable, symbol: string): number | null {
  const row = assets.rowOf(symbol)
  return row > cash ? row : null
}

/** The row of any symbol, cash included; null for unknown ones. */
export function knownAsset(assets: AssetTable, symbol: string): number | null {
  const row = assets.rowOf(symbol)
  return row >= cash ? row : null
}

/** An unknown or untraded asset in a body or a required parameter. */
export const unknownAssetField = {
  code: 'invalid-parameter',
  field: 'asset',
  reason: 'is not a traded asset',
} as const satisfies Problem
