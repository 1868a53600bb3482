import { cash } from '../engine/codes.ts'
import type { AssetTable } from '../engine/tables/asset-table.ts'
import type { Problem } from './errors.ts'

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
