import type { AssetConfig, LimitsConfig } from '../../engine/config.ts'
import type { Atoms, PartsPerMillion } from '../../numeric/units.ts'
import { cashAtoms, ppmOf, scaledOf, sizeScale } from './amounts.ts'
import { complainOfUnknownKeys, entriesOf, type Field, fieldOf, numberOf, optional } from './fields.ts'

/** Limits by their names on the wire; sizes in units of 10^-8. Null keeps what the account has. */
export interface LimitsChange {
  readonly maxOrderSize: ReadonlyMap<string, number> | null
  readonly minOrderSize: ReadonlyMap<string, number> | null
  readonly maxOrderValue: Atoms | null
  readonly maxDailyVolume: Atoms | null
  readonly maxOpenOrders: number | null
  readonly maxOpenOrdersPerAsset: number | null
  readonly maxExposure: Atoms | null
  readonly maxExposurePerAsset: ReadonlyMap<string, Atoms> | null
  readonly maxLeverage: PartsPerMillion | null
}

/** The limits that a file states, in the engine's units. */
export function compileLimits(field: Field, assets: readonly AssetConfig[]): LimitsChange {
  for (const key of ['maxOrderSize', 'minOrderSize', 'maxExposurePerAsset'])
    checkSymbols(fieldOf(field, key), assets)
  const read = <Value>(key: string, take: (value: Field) => Value) => optional(field, key, take)
  const sizesOf = (value: Field) => mapOf(value, (size) => scaledOf(size, sizeScale))
  return {
    maxOrderSize: read('maxOrderSize', sizesOf),
    minOrderSize: read('minOrderSize', sizesOf),
    maxOrderValue: read('maxOrderValue', cashAtoms),
    maxDailyVolume: read('maxDailyVolume', cashAtoms),
    maxOpenOrders: read('maxOpenOrders', numberOf),
    maxOpenOrdersPerAsset: read('maxOpenOrdersPerAsset', numberOf),
    maxExposure: read('maxExposure', cashAtoms),
    maxExposurePerAsset: read('maxExposurePerAsset', (value) => mapOf(value, cashAtoms)),
    maxLeverage: read('maxLeverage', (value) => ppmOf(value, 6)),
  }
}

function checkSymbols(field: Field | null, assets: readonly AssetConfig[]): void {
  const known = [...assets.filter(({ pair }) => pair !== null).map(({ symbol }) => symbol), 'default']
  complainOfUnknownKeys(field, 'asset', known)
}

/**
 * Limits after a change. Choice: a mapping with "default" replaces all; one without it changes only the symbols it
 * names.
 */
export function applyLimits(limits: LimitsConfig, change: LimitsChange): LimitsConfig {
  return {
    maxOrderSize: applyBySymbol(limits.maxOrderSize, change.maxOrderSize),
    minOrderSize: applyBySymbol(limits.minOrderSize, change.minOrderSize),
    maxOrderValue: change.maxOrderValue ?? limits.maxOrderValue,
    maxDailyVolume: change.maxDailyVolume ?? limits.maxDailyVolume,
    maxOpenOrders: change.maxOpenOrders ?? limits.maxOpenOrders,
    maxOpenOrdersPerAsset: change.maxOpenOrdersPerAsset ?? limits.maxOpenOrdersPerAsset,
    maxExposure: change.maxExposure ?? limits.maxExposure,
    maxExposurePerAsset: applyBySymbol(limits.maxExposurePerAsset, change.maxExposurePerAsset),
    maxLeverage: change.maxLeverage ?? limits.maxLeverage,
  }
}

interface BySymbol<Value> {
  readonly bySymbol: ReadonlyMap<string, Value>
  readonly default: Value
}

function applyBySymbol<Value>(
  limit: BySymbol<Value>,
  change: ReadonlyMap<string, Value> | null,
): BySymbol<Value> {
  if (change === null) return limit
  const byDefault = change.get('default')
  if (byDefault !== undefined) return { bySymbol: withoutDefault(change), default: byDefault }
  return { bySymbol: new Map([...limit.bySymbol, ...change]), default: limit.default }
}

const withoutDefault = <Value>(values: ReadonlyMap<string, Value>): ReadonlyMap<string, Value> =>
  new Map([...values].filter(([symbol]) => symbol !== 'default'))

function mapOf<Value>(field: Field, read: (value: Field) => Value): ReadonlyMap<string, Value> {
  return new Map(entriesOf(field).map(([key, value]) => [key, read(value)]))
}
