import { readSteps, readTicks } from '../../api/amounts.ts'
import type { Problem } from '../../api/errors.ts'
import { cashScale } from '../../engine/tables/asset-table.ts'
import { numberToScaled, powerOfTen } from '../../numeric/decimal.ts'
import { type Atoms, atoms, type PriceTicks, type QuantitySteps } from '../../numeric/units.ts'
import { typed } from '../../shape/shape.ts'
import { longestAdvanceMillis } from '../../world/clock.ts'
import type { World } from '../../world/world.ts'

/** A span of world time in milliseconds. */
export const spanSchema = typed<number>({ type: 'integer', minimum: 0, maximum: longestAdvanceMillis })

/* Numbers of a body as the engine's integers; what is not given stays null. */

type Given<Value> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly problem: Problem }
export type Amount<Value> = Given<Value | null>

export function ticksOf(
  world: World,
  asset: number,
  field: string,
  value: number | undefined,
): Amount<PriceTicks> {
  return value === undefined ? absent : readTicks(value, field, world.venue.state.assets.traded(asset).pair)
}

export function stepsOf(
  world: World,
  asset: number,
  field: string,
  value: number | undefined,
): Amount<QuantitySteps> {
  return value === undefined ? absent : readSteps(value, field, world.venue.state.assets.traded(asset).pair)
}

export function usdOf(field: string, value: number | undefined): Amount<Atoms> {
  return value === undefined ? absent : atomsOf(field, value, cashScale, 'USD')
}

/** An amount of an asset with this many decimals, which is given. */
export function atomsOf(field: string, value: number, scale: number, symbol: string): Given<Atoms> {
  const amount = numberToScaled(value, scale)
  if (amount !== null) return { ok: true, value: atoms(amount) }
  const isTooMuch = value * powerOfTen(scale) > Number.MAX_SAFE_INTEGER
  const reason = isTooMuch ? 'is out of range' : `must have at most ${scale} decimals in ${symbol}`
  return { ok: false, problem: { code: 'invalid-parameter', field, reason } }
}

const absent = { ok: true, value: null } as const
