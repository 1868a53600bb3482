import { nearestWord } from '../../api/nearest-word.ts'
import type { AssetConfig, PairConfig } from '../../engine/config.ts'
import type { Candle, ModelSpec, RecordedModelSpec } from '../../market/market-spec.ts'
import { assert } from '../../numeric/assert.ts'
import type { Names } from '../predicates/readouts.ts'
import { complain, type Field, textOf } from '../read/fields.ts'
import type { LoadOptions } from '../read/load-options.ts'

/** What a switch to a recording needs from the file, and adds to its market. */
export interface RecordedSwitches {
  readonly options: LoadOptions
  /** The recordings as they are in the files, by name. */
  readonly asRead: Map<string, readonly Candle[]>
  /** By the asset's row, then by the text of the model in the file, so that each is there once. */
  readonly byAsset: Map<number, Map<string, RecordedModelSpec>>
}

/** What an action may refer to. Rows are the engine's. */
export interface ActionScope {
  readonly assets: readonly AssetConfig[]
  readonly accounts: ReadonlyMap<string, number>
  /** By the rows of assets. */
  readonly models: readonly ModelSpec[]
  readonly apiKeys: ReadonlySet<string>
  readonly agents: ReadonlySet<string>
  /** Labels that `as` gives, with the row of the asset that they trade. */
  readonly orders: ReadonlyMap<string, number>
  readonly quotes: ReadonlyMap<string, number>
  readonly transfers: ReadonlySet<string>
  readonly names: Names
  readonly recorded: RecordedSwitches
}

export function accountOf(field: Field, scope: ActionScope): number {
  const id = textOf(field)
  const account = scope.accounts.get(id)
  if (account !== undefined) return account
  complain(field, `unknown account "${id}"`, nearestWord(id, scope.accounts.keys()))
  return 0
}

/** The row of a traded asset. An unknown one is a problem, and row 1 stands in for it. */
export function assetOf(field: Field, scope: ActionScope): number {
  const symbol = textOf(field)
  const row = scope.assets.findIndex((asset) => asset.symbol === symbol && asset.pair !== null)
  if (row !== -1) return row
  const known = scope.assets.filter((asset) => asset.pair !== null).map((asset) => asset.symbol)
  complain(field, `unknown asset "${symbol}"`, nearestWord(symbol, known))
  return 1
}

export function assetsOf(field: Field, scope: ActionScope): readonly number[] {
  if (textOf(field) !== '*') return [assetOf(field, scope)]
  return scope.assets.flatMap((asset, row) => (asset.pair === null ? [] : [row]))
}

export function pairOf(asset: number, scope: ActionScope): PairConfig {
  const pair = scope.assets[asset]?.pair
  assert(pair !== null && pair !== undefined, 'a traded asset has a pair')
  return pair
}
