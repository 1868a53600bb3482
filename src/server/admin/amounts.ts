import { readSteps, readTicks } from '../../api/amounts.ts'
import type { Problem } from '../../api/errors.ts'
import { cashScale } from '../../engine/tables/asset-table.ts'
import { numberToScaled } from '../../numeric/decimal.ts'
import { type Atoms, atoms, type PriceTicks, type QuantitySteps } from '../../numeric/units.ts'
import type { World } from '../../world/world.ts'

/* Numbers of a body as the engine's integers; what is not given stays null. */

export type Amount<Value> =
  | { readonly ok: true; readonly value: Value | null }
  | { readonly ok: false; readonly problem: Problem }

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
  if (value === undefined) return absent
  const amount = numberToScaled(value, cashScale)
  if (amount !== null) return { ok: true, value: atoms(amount) }
  return {
    ok: false,
    problem: { code: 'invalid-parameter', field, reason: `must have at most ${cashScale} decimals` },
  }
}

const absent = { ok: true, value: null } as const
