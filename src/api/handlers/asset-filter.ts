import type { AssetTable } from '../../engine/tables/asset-table.ts'
import { type ApiContext, refuse } from '../context.ts'
import type { Problem } from '../errors.ts'

export type AssetFilter =
  | { readonly ok: true; readonly assets: readonly number[] | null }
  | { readonly ok: false; readonly problem: Problem }

/**
 * The rows of an optional filter by symbols, in its order and without repetitions; null without a filter. Unknown
 * ones are left out, or give 404 by reading `assets.unknown`.
 */
export function filterAssets(
  context: ApiContext,
  symbols: readonly string[] | undefined,
  find: (assets: AssetTable, symbol: string) => number | null,
): AssetFilter {
  if (symbols === undefined) return { ok: true, assets: null }
  const found = new Set<number>()
  for (const symbol of symbols) {
    const asset = find(context.state.assets, symbol)
    if (asset !== null) found.add(asset)
    else if (context.readings['assets.unknown'] === '404') return refuse({ code: 'unknown-asset' })
  }
  return { ok: true, assets: [...found] }
}

/** A filter by one symbol, as a filter by a list. */
export function symbolsOf(symbol: string | undefined): readonly string[] | undefined {
  return symbol === undefined ? undefined : [symbol]
}
