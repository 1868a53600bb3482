import { type Scope, scopes } from '../../api/routes/route.ts'
import type { AccountConfig, AssetConfig, FeeConfig } from '../../engine/config.ts'
import { scaledToNumber } from '../../numeric/decimal.ts'
import { type Atoms, partsPerMillion } from '../../numeric/units.ts'
import { assetAtoms, bpsToPpm, scaledOf } from '../read/amounts.ts'
import {
  complain,
  complainOfUnknownKeys,
  entriesOf,
  type Field,
  fieldOf,
  itemsOf,
  optional,
  requiredField,
  textOf,
  wordOr,
} from '../read/fields.ts'
import { isDamaged, scalar } from '../read/tree.ts'
import { applyLimits, compileLimits } from './compile-limits.ts'
import type { AccountAccess, KeyGrant } from './compiled.ts'
import { allTradingScopes, defaultAccounts, defaultBalances, defaultLimits } from './defaults.ts'
import type { StartPrice } from './start-prices.ts'

/** By symbol; without cash. */
type StartPrices = ReadonlyMap<string, StartPrice>

export interface CompiledAccounts {
  readonly configs: readonly AccountConfig[]
  readonly access: readonly AccountAccess[]
}

/** The accounts of the file, or the four default ones when it has none. */
export function compileAccounts(
  root: Field,
  assets: readonly AssetConfig[],
  prices: StartPrices,
  fees: FeeConfig,
): CompiledAccounts {
  const stated = fieldOf(root, 'accounts')
  if (stated === null) return usualAccounts(root, assets, prices)
  const configs: AccountConfig[] = []
  const access: AccountAccess[] = []
  const ids = new Set<string>()
  const apiKeys = new Set<string>()
  for (const account of itemsOf(stated)) {
    const id = textOf(requiredField(account, 'id'))
    if (ids.has(id)) complain(requiredField(account, 'id'), `two accounts are called "${id}"`)
    ids.add(id)
    const config = compileAccount(id, account, assets, fees)
    configs.push(config)
    checkWorth(config, fieldOf(account, 'balances'), assets, prices)
    access.push({ id, keys: compileKeys(id, fieldOf(account, 'keys'), apiKeys) })
  }
  return { configs, access }
}

function usualAccounts(root: Field, assets: readonly AssetConfig[], prices: StartPrices): CompiledAccounts {
  const balances = new Map<string, Atoms>()
  const texts = defaultBalances(assets, prices)
  for (const asset of assets) {
    const text = texts.get(asset.symbol) ?? '0'
    balances.set(
      asset.symbol,
      assetAtoms({ ...root, tree: scalar(root.tree.place, text, text), path: 'accounts' }, asset),
    )
  }
  const ids = [...defaultAccounts.keys()]
  return {
    configs: ids.map((id) => ({
      id,
      type: 'cash',
      balances,
      averageEntryPrices: new Map(),
      limits: defaultLimits,
      fees: null,
    })),
    access: ids.map((id) => ({ id, keys: [usualKey(id)] })),
  }
}

/**
 * The most that an account may be worth at the start, in USD, each asset at its price or its first price or at its
 * stated average, whichever is highest: room is left for its assets to rise within exact integers.
 */
const maximumWorthUsd = 4e9

const cashPrice: StartPrice = { stated: 1, first: 1 }

function checkWorth(
  config: AccountConfig,
  field: Field | null,
  assets: readonly AssetConfig[],
  prices: StartPrices,
): void {
  let worth = 0
  for (const { symbol, scale } of assets) {
    const average = scaledToNumber(config.averageEntryPrices.get(symbol) ?? 0, 8)
    const { stated, first } = prices.get(symbol) ?? cashPrice
    const price = Math.max(stated, first, average)
    worth += scaledToNumber(config.balances.get(symbol) ?? 0, scale) * price
  }
  if (field === null || worth <= maximumWorthUsd) return
  complain(
    field,
    `are worth about ${Math.round(worth / 1e6)} million USD; at most ${maximumWorthUsd / 1e6} million fit`,
  )
}

const usualKey = (id: string): KeyGrant => ({
  apiKey: null,
  apiSecret: null,
  scopes: defaultAccounts.get(id) ?? allTradingScopes,
})

/** One account in the scenario's form; the admin API takes the same form for a new account. */
export function compileAccount(
  id: string,
  account: Field,
  assets: readonly AssetConfig[],
  venueFees: FeeConfig,
): AccountConfig {
  const balances = new Map<string, Atoms>()
  const before = account.problems.count
  for (const [asset, field] of heldIn(account, 'balances', assets))
    balances.set(asset.symbol, assetAtoms(field, asset))
  const stated = fieldOf(account, 'balances')
  const areKnown =
    account.problems.count === before &&
    !isDamaged(account.tree) &&
    (stated === null || !isDamaged(stated.tree))
  const averageEntryPrices = new Map<string, number>()
  for (const [{ symbol, pair }, field] of heldIn(account, 'positions', assets)) {
    const price = requiredField(field, 'averageEntryPrice')
    if (pair === null) complain(field, 'cash has no average price')
    else if ((balances.get(symbol) ?? 0) === 0) {
      if (areKnown) complain(field, `there is no opening balance of ${symbol} to which this applies`)
    } else averageEntryPrices.set(symbol, scaledOf(price, 8))
  }
  const change = optional(account, 'limits', (limits) => compileLimits(limits, assets))
  return {
    id,
    type: wordOr(fieldOf(account, 'type'), ['cash', 'margin'], 'cash'),
    balances,
    averageEntryPrices,
    limits: change === null ? defaultLimits : applyLimits(defaultLimits, change),
    fees: optional(account, 'fees', (field) => ratesOf(field, venueFees)),
  }
}

/** The assets that a mapping of the account names, with what it says about them. */
function heldIn(
  account: Field,
  key: 'balances' | 'positions',
  assets: readonly AssetConfig[],
): readonly (readonly [AssetConfig, Field])[] {
  const field = fieldOf(account, key)
  const bySymbol = new Map(assets.map((asset) => [asset.symbol, asset]))
  complainOfUnknownKeys(field, 'asset', [...bySymbol.keys()])
  return entriesOf(field).flatMap(([symbol, value]) => {
    const asset = bySymbol.get(symbol)
    return asset === undefined ? [] : [[asset, value] as const]
  })
}

/** The venue's fees: maker 0 and taker 10 basis points, in USD, unless stated. */
export function compileFees(field: Field | null): FeeConfig {
  const usual = { makerRate: partsPerMillion(0), takerRate: partsPerMillion(1000) }
  return {
    ...ratesOf(field, usual),
    currency: wordOr(fieldOf(field, 'currency'), ['quote', 'received'], 'quote'),
  }
}

type Rates = Pick<FeeConfig, 'makerRate' | 'takerRate'>

function ratesOf(field: Field | null, usual: Rates): Rates {
  const rate = (key: string) => optional(field, key, bpsToPpm)
  return {
    makerRate: rate('makerBps') ?? usual.makerRate,
    takerRate: rate('takerBps') ?? usual.takerRate,
  }
}

/** In the order of the specification, each once. */
export function scopesOf(field: Field): readonly Scope[] {
  return scopes.filter((scope) => itemsOf(field).some((item) => textOf(item) === scope))
}

function compileKeys(id: string, field: Field | null, taken: Set<string>): readonly KeyGrant[] {
  if (field === null) return [usualKey(id)]
  return itemsOf(field).map((grant) => {
    const key = fieldOf(grant, 'key')
    if (key !== null) {
      if (taken.has(textOf(key))) complain(key, `the key "${textOf(key)}" is there twice`)
      taken.add(textOf(key))
    }
    return {
      apiKey: optional(grant, 'key', textOf),
      apiSecret: optional(grant, 'secret', textOf),
      scopes: optional(grant, 'scopes', scopesOf) ?? usualKey(id).scopes,
    }
  })
}
