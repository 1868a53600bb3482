import { cash } from '../../engine/codes.ts'
import type { AssetConfig, PairConfig } from '../../engine/config.ts'
import type { RecordedModelSpec } from '../../market/market-spec.ts'
import type { ModelSpec } from '../../market/models/price-models.ts'
import type { Candle } from '../../market/recordings/candle.ts'
import type { AgentKind } from '../agents/agent-spec.ts'
import type { Names } from '../predicates/readouts.ts'
import { complainOfUnknown, type Field, textOf } from '../read/fields.ts'
import type { LoadOptions } from '../read/load-options.ts'

/** What a switch to a recording needs from the file, and adds to its market. */
export interface RecordedSwitches {
  readonly options: LoadOptions
  /** The recordings as they are in the files, by name. */
  readonly asRead: Map<string, readonly Candle[]>
  /** By the asset's row, then by the text of the model in the file, so that each is there once. */
  readonly byAsset: Map<number, Map<string, RecordedModelSpec>>
}

/** What the parts of a file may refer to. Rows are the engine's, which begin with that of USD. */
export interface FileScope {
  readonly assets: readonly AssetConfig[]
  readonly accounts: ReadonlyMap<string, number>
  /** By the rows of assets. */
  readonly models: readonly ModelSpec[]
  readonly apiKeys: ReadonlySet<string>
  readonly agents: ReadonlyMap<string, AgentKind>
  readonly recorded: RecordedSwitches
}

/** What an action may refer to. */
export interface ActionScope extends FileScope {
  /** Labels that `as` gives, with the row of the asset that they trade. */
  readonly orders: ReadonlyMap<string, number>
  readonly quotes: ReadonlyMap<string, number>
  readonly transfers: ReadonlySet<string>
  readonly names: Names
}

export function accountOf(field: Field, scope: Pick<FileScope, 'accounts'>): number {
  const account = scope.accounts.get(textOf(field))
  if (account !== undefined) return account
  complainOfUnknown(field, 'account', scope.accounts.keys())
  return 0
}

/** Stands for an asset that is not known, or cannot be read: nothing is said of what depends on it. */
export const noAsset = -1

/** The row of a traded asset. An unknown one is a problem. */
export function assetOf(field: Field, scope: Pick<FileScope, 'assets'>): number {
  const symbol = textOf(field)
  const row = scope.assets.findIndex((asset) => asset.symbol === symbol && asset.pair !== null)
  if (row !== -1) return row
  const known = scope.assets.flatMap((asset) => (asset.pair === null ? [] : asset.symbol))
  complainOfUnknown(field, 'asset', known)
  return noAsset
}

/** The row of an asset that accounts hold: a traded one, or the cash. */
export const holdingOf = (field: Field, scope: ActionScope): number =>
  textOf(field) === 'USD' ? cash : assetOf(field, scope)

export function assetsOf(field: Field, scope: ActionScope): readonly number[] {
  if (textOf(field) !== '*') return [assetOf(field, scope)]
  return scope.assets.flatMap((asset, row) => (asset.pair === null ? [] : [row]))
}

export const pairOf = (asset: number, scope: Pick<FileScope, 'assets'>): PairConfig | null =>
  scope.assets[asset]?.pair ?? null
