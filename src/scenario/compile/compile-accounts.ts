import { type Scope, scopes } from '../../api/operations/operation.ts'
import type { AccountConfig, AssetConfig, FeeConfig } from '../../engine/config.ts'
import { usualLimits } from '../../engine/limits.ts'
import { createMarket } from '../../market/create-market.ts'
import type { MarketSpec } from '../../market/market-spec.ts'
import { type Atoms, decimalToNumber, partsPerMillion } from '../../numeric/units.ts'
import type { Shape } from '../../shape/shape.ts'
import { readScopes } from '../actions/parts.ts'
import { applyLimits, compileLimits, readAssetAtoms, readBpsAsPpm, readScaled } from '../file/amounts.ts'
import {
  addMistake,
  checkKnownKeys,
  childField,
  type Field,
  listEntries,
  listItems,
  readOptional,
  requiredField,
  statedText,
  wordOr,
} from '../file/fields.ts'
import {
  amount,
  averagePrice,
  bySymbol,
  limits,
  mapping,
  rateBps,
  refusedWord,
  withDescription,
  word,
} from '../file/schema-words.ts'
import { hasBrokenPart, scalar } from '../file/tree.ts'
import type { AccountAccess, KeyGrant } from './compiled.ts'

const accountTypes = ['cash', 'margin'] as const
const feeCurrencies = ['quote', 'received'] as const

/** The prices of assets at the start, by symbol; cash is not among them. */
type StartPrices = ReadonlyMap<string, StartPrice>

export interface CompiledAccounts {
  readonly configs: readonly AccountConfig[]
  readonly access: readonly AccountAccess[]
}

/** Compiles the accounts of the file, or the four default ones when it has none. */
export function compileAccounts(
  root: Field,
  assets: readonly AssetConfig[],
  prices: StartPrices,
  fees: FeeConfig,
): CompiledAccounts {
  const stated = childField(root, 'accounts')
  if (stated === null) return createDefaultAccounts(root, assets, prices)
  const configs: AccountConfig[] = []
  const access: AccountAccess[] = []
  const ids = new Set<string>()
  const apiKeys = new Set<string>()
  for (const account of listItems(stated)) {
    const id = statedText(requiredField(account, 'id'))
    if (ids.has(id)) addMistake(requiredField(account, 'id'), `two accounts are called "${id}"`)
    ids.add(id)
    const config = compileAccount(id, account, assets, fees)
    configs.push(config)
    checkWorth(config, childField(account, 'balances'), assets, prices)
    access.push({ id, keys: compileKeys(id, childField(account, 'keys'), apiKeys) })
  }
  return { configs, access }
}

function createDefaultAccounts(
  root: Field,
  assets: readonly AssetConfig[],
  prices: StartPrices,
): CompiledAccounts {
  const balances = new Map<string, Atoms>()
  for (const asset of assets) {
    const tree = scalar(root.tree.place, null, computeDefaultBalance(asset, prices))
    balances.set(asset.symbol, readAssetAtoms({ ...root, tree, path: 'accounts' }, asset))
  }
  const ids = [...defaultAccounts.keys()]
  return {
    configs: ids.map((id) => ({
      id,
      type: 'cash',
      balances,
      averageEntryPrices: new Map(),
      limits: usualLimits,
      fees: null,
    })),
    access: ids.map((id) => ({ id, keys: [defaultKey(id)] })),
  }
}

/**
 * The most that an account may be worth at the start, in USD. Each asset counts at its stated price, its first price
 * or its stated average, whichever is highest. This leaves room for prices to rise within exact integers.
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
    const average = decimalToNumber(config.averageEntryPrices.get(symbol) ?? 0, 8)
    const { stated, first } = prices.get(symbol) ?? cashPrice
    const price = Math.max(stated, first, average)
    worth += decimalToNumber(config.balances.get(symbol) ?? 0, scale) * price
  }
  if (field === null || worth <= maximumWorthUsd) return
  addMistake(
    field,
    `are worth about ${Math.round(worth / 1e6)} million USD; at most ${maximumWorthUsd / 1e6} million fit`,
  )
}

const defaultKey = (id: string): KeyGrant => ({
  apiKey: null,
  apiSecret: null,
  scopes: defaultAccounts.get(id) ?? allTradingScopes,
})

/** Compiles one account in the form of scenario files. The admin API takes the same form for a new account. */
export function compileAccount(
  id: string,
  account: Field,
  assets: readonly AssetConfig[],
  venueFees: FeeConfig,
): AccountConfig {
  const balances = new Map<string, Atoms>()
  const before = account.mistakes.count
  for (const [asset, field] of listHoldings(account, 'balances', assets))
    balances.set(asset.symbol, readAssetAtoms(field, asset))
  const stated = childField(account, 'balances')
  const areKnown =
    account.mistakes.count === before &&
    !hasBrokenPart(account.tree) &&
    (stated === null || !hasBrokenPart(stated.tree))
  const averageEntryPrices = new Map<string, number>()
  for (const [{ symbol, pair }, field] of listHoldings(account, 'positions', assets)) {
    const price = requiredField(field, 'averageEntryPrice')
    if (pair === null) addMistake(field, 'cash has no average price')
    else if ((balances.get(symbol) ?? 0) === 0) {
      if (areKnown) addMistake(field, `there is no opening balance of ${symbol} to which this applies`)
    } else averageEntryPrices.set(symbol, readScaled(price, 8))
  }
  const change = readOptional(account, 'limits', (limits) => compileLimits(limits, assets))
  return {
    id,
    type: wordOr(childField(account, 'type'), accountTypes, 'cash'),
    balances,
    averageEntryPrices,
    limits: change === null ? usualLimits : applyLimits(usualLimits, change),
    fees: readOptional(account, 'fees', (field) => readRates(field, venueFees)),
  }
}

/** Lists the assets that a mapping of the account names, with their values. Unknown ones are noted and skipped. */
function listHoldings(
  account: Field,
  key: 'balances' | 'positions',
  assets: readonly AssetConfig[],
): readonly (readonly [AssetConfig, Field])[] {
  const field = childField(account, key)
  const bySymbol = new Map(assets.map((asset) => [asset.symbol, asset]))
  checkKnownKeys(field, 'asset', [...bySymbol.keys()])
  return listEntries(field).flatMap(([symbol, value]) => {
    const asset = bySymbol.get(symbol)
    return asset === undefined ? [] : [[asset, value] as const]
  })
}

/** Compiles the venue's fees: maker 0 and taker 10 basis points, in USD, unless stated. */
export function compileFees(field: Field | null): FeeConfig {
  const usual = { makerRate: partsPerMillion(0), takerRate: partsPerMillion(1000) }
  return {
    ...readRates(field, usual),
    currency: wordOr(childField(field, 'currency'), feeCurrencies, 'quote'),
  }
}

type Rates = Pick<FeeConfig, 'makerRate' | 'takerRate'>

function readRates(field: Field | null, usual: Rates): Rates {
  const rate = (key: string) => readOptional(field, key, readBpsAsPpm)
  return {
    makerRate: rate('makerBps') ?? usual.makerRate,
    takerRate: rate('takerBps') ?? usual.takerRate,
  }
}

function compileKeys(id: string, field: Field | null, taken: Set<string>): readonly KeyGrant[] {
  if (field === null) return [defaultKey(id)]
  return listItems(field).map((grant) => {
    const key = childField(grant, 'key')
    if (key !== null) {
      if (taken.has(statedText(key))) addMistake(key, `the key "${statedText(key)}" is there twice`)
      taken.add(statedText(key))
    }
    return {
      apiKey: readOptional(grant, 'key', statedText),
      apiSecret: readOptional(grant, 'secret', statedText),
      scopes: readOptional(grant, 'scopes', readScopes) ?? defaultKey(id).scopes,
    }
  })
}

/** The price of one unit of an asset at the start, in USD. */
export interface StartPrice {
  readonly stated: number
  /** The first price of the path, which may differ: waypoints and recordings may begin elsewhere. */
  readonly first: number
}

/** Returns the prices at the start of a market without problems, by symbol. */
export function computeStartPrices(spec: MarketSpec): ReadonlyMap<string, StartPrice> {
  const market = createMarket(spec)
  return new Map(
    spec.assets.map(({ symbol, price }, asset) => [
      symbol,
      { stated: price, first: market.fundamentalAt(asset, 0) },
    ]),
  )
}

const allTradingScopes: readonly Scope[] = ['READ', 'TRADE', 'MARKET_MAKING']

/** The default accounts, and the scopes of their keys. */
const defaultAccounts: ReadonlyMap<string, readonly Scope[]> = new Map([
  ['desk', allTradingScopes],
  ['trader', ['READ', 'TRADE']],
  ['maker', ['READ', 'MARKET_MAKING']],
  ['viewer', ['READ']],
])

/**
 * Returns the default opening balance: a million USD, and of each other asset a power of ten of units, worth 30,000
 * to 300,000 USD; 0 for an asset whose balance would come near the most that an account can be worth.
 */
function computeDefaultBalance({ pair, symbol }: AssetConfig, prices: StartPrices): string {
  const price = prices.get(symbol)
  if (pair === null) return '1000000'
  if (price === undefined) return '0'
  let units = 1
  while (units * price.stated < 30_000 && units < 1_000_000) units *= 10
  return units * Math.max(price.stated, price.first) > 1e9 ? '0' : String(units)
}

const rates = {
  makerBps: withDescription(rateBps, "The maker's rate on the value of a fill; negative for a rebate."),
  takerBps: withDescription(rateBps, "The taker's rate on the value of a fill."),
}

export const feesSchema: Shape = mapping(
  {
    ...rates,
    currency: {
      enum: feeCurrencies,
      description: 'Whether fees are charged in USD or in the received currency.',
    },
  },
  [],
  'Trading fees; maker 0 and taker 10 basis points by default.',
)

const keySchema: Shape = mapping({
  key: {
    type: 'string',
    minLength: 1,
    maxLength: 128,
    description: "The key's name; by default made from the ids of world and account.",
  },
  secret: {
    type: 'string',
    minLength: 1,
    maxLength: 256,
    description: 'The secret of the key, a public test value.',
  },
  scopes: { type: 'array', maxItems: 4, items: { enum: scopes }, description: 'What the key may do.' },
})

const positionSchema: Shape = mapping(
  {
    averageEntryPrice: withDescription(averagePrice, 'Average price of a unit, USD.'),
    quantity: refusedWord('has no place here: the position is the balance of the asset'),
  },
  ['averageEntryPrice'],
)

export const accountSchema: Shape = mapping(
  {
    id: withDescription(word, 'The id of the account.'),
    type: {
      enum: accountTypes,
      description: 'A cash account never owes; a margin account may short within its leverage.',
    },
    balances: withDescription(bySymbol(amount), 'Opening balances by asset, USD included.'),
    positions: withDescription(
      bySymbol(positionSchema),
      'Average price at which the opening balance was bought; by default the first mark.',
    ),
    limits: withDescription(limits, 'Risk limits; those of the venue by default.'),
    fees: mapping(rates, [], 'Trading fees; those of the venue by default.'),
    keys: {
      type: 'array',
      maxItems: 20,
      items: keySchema,
      description: 'API keys; by default one with the usual name and scopes.',
    },
  },
  ['id'],
)
