import type { AssetConfig, PairConfig } from '../../engine/config.ts'
import { cashScale } from '../../engine/tables/asset-table.ts'
import { scaledToText, textToScaled, toStepCount } from '../../numeric/decimal.ts'
import { parseDuration } from '../../numeric/time-text.ts'
import {
  type Atoms,
  atoms,
  type Millis,
  millis,
  type PartsPerMillion,
  type PriceTicks,
  partsPerMillion,
  priceTicks,
  type QuantitySteps,
  quantitySteps,
} from '../../numeric/units.ts'
import { notADuration, readChange } from '../../shape/units.ts'
import { complain, type Field, isRead, textOf } from './fields.ts'

/*
 * Fields as exact integers. Each function notes a problem when the amount is not exact in its unit, and then answers
 * 0: a scenario with problems never runs.
 */

/** A fixed price, or a share of the mark at the moment of the action. */
export type PriceTerm =
  | { readonly kind: 'ticks'; readonly priceTicks: PriceTicks }
  | { readonly kind: 'ofMark'; readonly change: PartsPerMillion }

/** Decimals of size limits. */
export const sizeScale = 8

export function cashAtoms(field: Field): Atoms {
  return atoms(scaledOf(field, cashScale))
}

/** An amount of one asset, in its atoms. */
export function assetAtoms(field: Field, asset: AssetConfig): Atoms {
  return atoms(scaledOf(field, asset.scale))
}

export function scaledOf(field: Field, scale: number): number {
  const text = textOf(field)
  const scaled = textToScaled(text, scale)
  if (scaled !== null) return scaled
  const isFine = textToScaled(text, 15) !== null
  const reason = isFine
    ? `${text} has more than ${scale} decimals`
    : `${text} is too large or too fine to be exact`
  complain(field, reason)
  return 0
}

export function ppmOf(field: Field, decimals: number): PartsPerMillion {
  return partsPerMillion(scaledOf(field, decimals))
}

/** Basis points as parts per million. */
export const bpsToPpm = (field: Field): PartsPerMillion => ppmOf(field, 2)

/** Without a pair, which is one that cannot be read, nothing is said of the amount. */
export function stepsOf(field: Field, pair: PairConfig | null): QuantitySteps {
  return quantitySteps(pair === null ? 0 : multipleOf(field, pair.quantityStep, 'quantity step'))
}

export function ticksOf(field: Field, pair: PairConfig | null): PriceTicks {
  return priceTicks(pair === null ? 0 : multipleOf(field, pair.priceStep, 'price step'))
}

function multipleOf(
  field: Field,
  step: { readonly units: number; readonly scale: number },
  noun: string,
): number {
  const text = textOf(field)
  const count = toStepCount(text, step)
  if (count !== null && Number.isSafeInteger(count)) return count
  const stepText = scaledToText(step.units, step.scale)
  const isLarge = Math.abs(Number(text)) / Number(stepText) > Number.MAX_SAFE_INTEGER
  complain(field, isLarge ? `${text} is too large` : `${text} is not a multiple of the ${noun} ${stepText}`)
  return 0
}

/** A price, or a change from the mark (`-4%`, `+25bps`), which must leave the price above 0. */
export function priceTermOf(field: Field, pair: PairConfig | null): PriceTerm {
  return changeOf(field) ?? { kind: 'ticks', priceTicks: ticksOf(field, pair) }
}

/** `-4%` is -40000 parts per million, `+25bps` 2500; null for a plain price. */
export function changeOf(field: Field): Extract<PriceTerm, { kind: 'ofMark' }> | null {
  const change = readChange(textOf(field))
  if (change === null) return null
  if (typeof change === 'string') complain(field, change)
  return { kind: 'ofMark', change: partsPerMillion(typeof change === 'number' ? change : 0) }
}

export function durationOf(field: Field): Millis {
  const text = textOf(field)
  const span = parseDuration(text.startsWith('+') ? text.slice(1) : text)
  if (span !== null) return millis(span)
  complain(field, notADuration(text))
  return millis(0)
}

/** A span forward or, with a `-`, back. */
export function signedDurationOf(field: Field): number {
  const text = textOf(field)
  const span = parseDuration(text.replace(/^[+-]/, ''))
  if (span === null) complain(field, `${text} is not a span, such as +3d or -12h`)
  return (text.startsWith('-') ? -1 : 1) * (span ?? 0)
}

export const durationOr = (field: Field | null, fallback: Millis): Millis =>
  isRead(field) ? durationOf(field) : fallback

/** A plain USD price for the market's arithmetic. */
export function positivePrice(field: Field): number {
  const price = Number(textOf(field))
  if (price > 0) return price
  complain(field, 'must be above 0')
  return 1
}
