import { type Atoms, atoms, type PartsPerMillion, partsPerMillion } from '../numeric/units.ts'
import { mapByName, natural, type RecordOf, record, shapeTyped } from '../shape/shape.ts'

/*
 * The risk limits of an account: a row is all of a limit. From it come its place in configurations and journals, the
 * words and the default of scenario files and of the admin API, and what the interface, its document and its clients
 * show. Its rule is what it bounds; checks read the tightest limit on each thing (`compileLimits`).
 */

/** A limit on quantities in 10^-8 units, by symbol, and for all other assets. */
const sizeLimit = record({ bySymbol: mapByName(natural()), default: natural() })

export type SizeLimit = RecordOf<typeof sizeLimit>

const valueLimit = record({ bySymbol: mapByName(natural<Atoms>()), default: natural<Atoms>() })

export type ValueLimit = RecordOf<typeof valueLimit>

/**
 * The units of limits: the type that a limit is kept as, and what a limit in the unit can bound. `compileLimits` takes
 * the tightest of all limits on one thing, and what is placed or amended is held to that: open orders by
 * `checkOpenOrders`, all else by the six checks. Rates are in parts per million: 1 is 1_000_000.
 */
interface Units {
  readonly sizes: { readonly kept: SizeLimit; readonly bounds: 'order size' | 'smallest order size' }
  readonly values: { readonly kept: ValueLimit; readonly bounds: 'exposure in the asset' }
  readonly usd: { readonly kept: Atoms; readonly bounds: 'order value' | 'daily volume' | 'exposure' }
  readonly count: { readonly kept: number; readonly bounds: 'open orders' | 'open orders in the asset' }
  readonly rate: { readonly kept: PartsPerMillion; readonly bounds: 'leverage' }
}

type Unit = keyof Units

const shapes = {
  sizes: sizeLimit,
  values: valueLimit,
  usd: natural<Atoms>(),
  count: natural(),
  rate: natural<PartsPerMillion>(),
} satisfies { readonly [U in Unit]: object }

/** The decimals of the integers that a limit is kept in, by its unit. */
export const decimalsOfUnit: { readonly [U in Unit]: number } = {
  sizes: 8,
  values: 6,
  usd: 6,
  count: 0,
  rate: 6,
}

interface LimitKind<U extends Unit> {
  readonly unit: U
  /** What the limit is, in scenario files and in the admin API. */
  readonly meaning: string
  /** The description of the limit in the interface's document. A map by symbols adds that it is one. */
  readonly wireMeaning: string
  /** The venue's own limit, for an account that states none. */
  readonly usual: Units[U]['kept']
  /** The rule of the limit. It is required: a limit that bounds nothing would be served and enforced by nobody. */
  readonly bounds: Units[U]['bounds']
}

const kind = <U extends Unit>(
  unit: U,
  meaning: string,
  wireMeaning: string,
  usual: Units[U]['kept'],
  bounds: Units[U]['bounds'],
): LimitKind<U> => ({ unit, meaning, wireMeaning, usual, bounds })

/* Choice: figures by symbol follow the market note's table of dealer venues (design section 11). */

const usd = (whole: number): Atoms => atoms(whole * 1_000_000)
const sizes = (bySymbol: { readonly [symbol: string]: number }, others: number): SizeLimit => ({
  bySymbol: new Map(Object.entries(bySymbol).map(([symbol, units]) => [symbol, Math.round(units * 1e8)])),
  default: Math.round(others * 1e8),
})
const values = (bySymbol: { readonly [symbol: string]: number }, others: number): ValueLimit => ({
  bySymbol: new Map(Object.entries(bySymbol).map(([symbol, whole]) => [symbol, usd(whole)])),
  default: usd(others),
})

export const limitKinds = {
  maxOrderSize: kind(
    'sizes',
    'Maximum quantity of an order, by asset.',
    'largest quantity of an order',
    sizes({ BTC: 10, ETH: 100 }, 50_000),
    'order size',
  ),
  minOrderSize: kind(
    'sizes',
    'Minimum quantity of an order, by asset.',
    'smallest quantity of an order',
    sizes({ BTC: 0.001, ETH: 0.01 }, 1),
    'smallest order size',
  ),
  maxOrderValue: kind(
    'usd',
    'Maximum value of an order, USD.',
    'largest value of an order, in USD',
    usd(500_000),
    'order value',
  ),
  maxDailyVolume: kind(
    'usd',
    'Maximum traded value per day (UTC), USD.',
    'largest volume of a day, in USD',
    usd(5_000_000),
    'daily volume',
  ),
  maxOpenOrders: kind(
    'count',
    'Maximum number of live orders and quotes.',
    'most open orders',
    100,
    'open orders',
  ),
  maxOpenOrdersPerAsset: kind(
    'count',
    'Maximum number of live orders and quotes in one asset.',
    'most open orders in one asset',
    20,
    'open orders in the asset',
  ),
  maxExposure: kind(
    'usd',
    'Maximum exposure over all assets, USD.',
    'largest exposure, in USD',
    usd(10_000_000),
    'exposure',
  ),
  maxExposurePerAsset: kind(
    'values',
    'Maximum exposure in an asset, USD.',
    'largest exposure in USD',
    values({ BTC: 2_000_000, ETH: 1_000_000 }, 500_000),
    'exposure in the asset',
  ),
  maxLeverage: kind(
    'rate',
    'Maximum exposure divided by equity.',
    'largest leverage',
    partsPerMillion(1_000_000),
    'leverage',
  ),
}

export type LimitName = keyof typeof limitKinds

const isLimitName = (name: string): name is LimitName => Object.hasOwn(limitKinds, name)

export const limitNames: readonly LimitName[] = Object.keys(limitKinds).filter(isLimitName)

export type LimitsConfig = {
  readonly [Name in LimitName]: Units[(typeof limitKinds)[Name]['unit']]['kept']
}

export const limitsConfig = shapeTyped<LimitsConfig>(
  record(Object.fromEntries(limitNames.map((name) => [name, shapes[limitKinds[name].unit]]))),
)

/** Makes a full set of limits: a function makes each from its name, in its unit. */
export const limitsFrom = (make: (name: LimitName) => unknown): LimitsConfig =>
  Object(Object.fromEntries(limitNames.map((name) => [name, make(name)])))

export const usualLimits = limitsFrom((name) => limitKinds[name].usual)

/** The limits of the venue's own accounts, which place no orders. */
export const noLimits = limitsFrom((name) => {
  const { usual } = limitKinds[name]
  return typeof usual === 'number' ? 0 : { bySymbol: new Map(), default: 0 }
})

/** Returns the tightest of an account's limits on a thing that is one number; infinity without any. */
export const tightestLimit = (
  limits: LimitsConfig,
  bounds: Units['usd' | 'count' | 'rate']['bounds'],
): number =>
  Math.min(
    ...limitNames.map((name) => {
      const kind: LimitKind<Unit> = limitKinds[name]
      const limit = limits[name]
      return kind.bounds === bounds && typeof limit === 'number' ? limit : Number.POSITIVE_INFINITY
    }),
  )

/** Lists an account's limits on a thing that is stated by asset, as they are for one asset. */
export const assetLimits = (
  limits: LimitsConfig,
  bounds: Units['sizes' | 'values']['bounds'],
  symbol: string,
): readonly number[] =>
  limitNames.flatMap((name) => {
    const kind: LimitKind<Unit> = limitKinds[name]
    const limit = limits[name]
    const isOn = kind.bounds === bounds && typeof limit !== 'number'
    return isOn ? [limit.bySymbol.get(symbol) ?? limit.default] : []
  })
