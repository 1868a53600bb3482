import {
  buy,
  cash,
  type Side,
  sell,
  type TimeInForce,
  timeInForceNames,
  timesInForce,
} from '../../engine/codes.ts'
import type { AssetConfig, PairConfig } from '../../engine/config.ts'
import { complainOfUnknown, type Field, textOf, wordOr } from './fields.ts'

/* What a file names, as the engine's rows and codes. Rows begin with that of USD. */

export interface KnownNames {
  readonly assets: readonly AssetConfig[]
  readonly accounts: ReadonlyMap<string, number>
}

export function accountOf(field: Field, known: Pick<KnownNames, 'accounts'>): number {
  const account = known.accounts.get(textOf(field))
  if (account !== undefined) return account
  complainOfUnknown(field, 'account', known.accounts.keys())
  return 0
}

/** Stands for an asset that is not known, or cannot be read: nothing is said of what depends on it. */
export const noAsset = -1

/** The row of a traded asset. An unknown one is a problem. */
export function assetOf(field: Field, { assets }: Pick<KnownNames, 'assets'>): number {
  const symbol = textOf(field)
  const row = assets.findIndex((asset) => asset.symbol === symbol && asset.pair !== null)
  if (row !== -1) return row
  const known = assets.flatMap((asset) => (asset.pair === null ? [] : asset.symbol))
  complainOfUnknown(field, 'asset', known)
  return noAsset
}

/** The row of an asset that accounts hold: a traded one, or the cash. */
export const holdingOf = (field: Field, known: Pick<KnownNames, 'assets'>): number =>
  textOf(field) === 'USD' ? cash : assetOf(field, known)

/** The rows of one asset, or of all that are traded. */
export function assetsOf(field: Field, known: Pick<KnownNames, 'assets'>): readonly number[] {
  if (textOf(field) !== '*') return [assetOf(field, known)]
  return known.assets.flatMap((asset, row) => (asset.pair === null ? [] : [row]))
}

export const pairOf = (asset: number, { assets }: Pick<KnownNames, 'assets'>): PairConfig | null =>
  assets[asset]?.pair ?? null

export const sideOf = (field: Field): Side => (textOf(field) === 'buy' ? buy : sell)

export function timeInForceOf(field: Field | null, usual: 'GTC' | 'IOC'): TimeInForce {
  return timesInForce[wordOr(field, timeInForceNames, usual)]
}
