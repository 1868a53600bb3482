import type { Side, TimeInForce } from '../../engine/codes.ts'
import { buy, cash, sell, timeInForceNames, timesInForce } from '../../engine/codes.ts'
import type { AssetConfig, LimitsConfig, PairConfig } from '../../engine/config.ts'
import { cashScale } from '../../engine/tables/asset-table.ts'
import { scaledToText, textToScaled, toStepCount } from '../../numeric/decimal.ts'
import { parseDuration } from '../../numeric/time-text.ts'
import {
  type Atoms,
  atoms,
  type Millis,
  millis,
  type PartsPerMillion,
  type PriceTicks,
  partsPerMillion,
  priceTicks,
  type QuantitySteps,
  quantitySteps,
} from '../../numeric/units.ts'
import type { Shape } from '../../shape/shape.ts'
import { notADuration, readChange } from '../../shape/units.ts'
import {
  childField,
  complain,
  complainOfUnknown,
  complainOfUnknownKeys,
  entriesOf,
  type Field,
  isRead,
  statedNumber,
  statedText,
  wordOr,
} from './fields.ts'
import { about, mapping, sizes, usd, values } from './schema-words.ts'

/*
 * Fields as exact integers. Each function notes a problem when the amount is not exact in its unit, and then answers
 * 0: a scenario with problems never runs.
 */

/** A fixed price, or a share of the mark at the moment of the action. */
export type PriceTerm =
  | { readonly kind: 'ticks'; readonly priceTicks: PriceTicks }
  | { readonly kind: 'ofMark'; readonly change: PartsPerMillion }

const sizeScale = 8

export function cashAtoms(field: Field): Atoms {
  return atoms(scaledOf(field, cashScale))
}

export function assetAtoms(field: Field, asset: AssetConfig): Atoms {
  return atoms(scaledOf(field, asset.scale))
}

export function scaledOf(field: Field, scale: number): number {
  const text = statedText(field)
  const scaled = textToScaled(text, scale)
  if (scaled !== null) return scaled
  const isFine = textToScaled(text, 15) !== null
  const reason = isFine
    ? `${text} has more than ${scale} decimals`
    : `${text} is too large or too fine to be exact`
  complain(field, reason)
  return 0
}

export function ppmOf(field: Field, decimals: number): PartsPerMillion {
  return partsPerMillion(scaledOf(field, decimals))
}

export const bpsToPpm = (field: Field): PartsPerMillion => ppmOf(field, 2)

/** Without a pair, which is one that cannot be read, nothing is said of the amount. */
export function stepsOf(field: Field, pair: PairConfig | null): QuantitySteps {
  return quantitySteps(pair === null ? 0 : multipleOf(field, pair.quantityStep, 'quantity step'))
}

export function ticksOf(field: Field, pair: PairConfig | null): PriceTicks {
  return priceTicks(pair === null ? 0 : multipleOf(field, pair.priceStep, 'price step'))
}

function multipleOf(
  field: Field,
  step: { readonly units: number; readonly scale: number },
  noun: string,
): number {
  const text = statedText(field)
  const count = toStepCount(text, step)
  if (count !== null && Number.isSafeInteger(count)) return count
  const stepText = scaledToText(step.units, step.scale)
  const isLarge = Math.abs(Number(text)) / Number(stepText) > Number.MAX_SAFE_INTEGER
  complain(field, isLarge ? `${text} is too large` : `${text} is not a multiple of the ${noun} ${stepText}`)
  return 0
}

/** A price, or a change from the mark (`-4%`, `+25bps`), which must leave the price above 0. */
export function priceTermOf(field: Field, pair: PairConfig | null): PriceTerm {
  return changeOf(field) ?? { kind: 'ticks', priceTicks: ticksOf(field, pair) }
}

/** `-4%` is -40000 parts per million, `+25bps` 2500; null for a plain price. */
export function changeOf(field: Field): Extract<PriceTerm, { kind: 'ofMark' }> | null {
  const change = readChange(statedText(field))
  if (change === null) return null
  if (typeof change === 'string') complain(field, change)
  return { kind: 'ofMark', change: partsPerMillion(typeof change === 'number' ? change : 0) }
}

export function durationOf(field: Field): Millis {
  const text = statedText(field)
  const span = parseDuration(text.startsWith('+') ? text.slice(1) : text)
  if (span !== null) return millis(span)
  complain(field, notADuration(text))
  return millis(0)
}

/** A span forward or, with a `-`, back. */
export function signedDurationOf(field: Field): number {
  const text = statedText(field)
  const span = parseDuration(text.replace(/^[+-]/, ''))
  if (span === null) complain(field, `${text} is not a span, such as +3d or -12h`)
  return (text.startsWith('-') ? -1 : 1) * (span ?? 0)
}

export const durationOr = (field: Field | null, fallback: Millis): Millis =>
  isRead(field) ? durationOf(field) : fallback

/** A plain USD price for the market's arithmetic. */
export function positivePrice(field: Field): number {
  const price = Number(statedText(field))
  if (price > 0) return price
  complain(field, 'must be above 0')
  return 1
}

interface LimitWord<Value> {
  readonly schema: Shape
  read(field: Field): Value
}

const usdLimit = (description: string): LimitWord<Atoms> => ({
  schema: about(usd, description),
  read: cashAtoms,
})
const countLimit = (description: string): LimitWord<number> => ({
  schema: { type: 'integer', minimum: 0, maximum: 1_000_000, description },
  read: statedNumber,
})
/** In units of 10^-8, by asset symbol and for "default". */
const sizeLimit = (description: string): LimitWord<ReadonlyMap<string, number>> => ({
  schema: about(sizes, description),
  read: (field) => mapOf(field, (size) => scaledOf(size, sizeScale)),
})

/** Risk limits by their names on the wire: how a file writes each, and what that is. */
const limitWords = {
  maxOrderSize: sizeLimit('Maximum quantity of an order, by asset.'),
  minOrderSize: sizeLimit('Minimum quantity of an order, by asset.'),
  maxOrderValue: usdLimit('Maximum value of an order, USD.'),
  maxDailyVolume: usdLimit('Maximum traded value per day (UTC), USD.'),
  maxOpenOrders: countLimit('Maximum number of live orders and quotes.'),
  maxOpenOrdersPerAsset: countLimit('Maximum number of live orders and quotes in one asset.'),
  maxExposure: usdLimit('Maximum exposure over all assets, USD.'),
  maxExposurePerAsset: {
    schema: about(values, 'Maximum exposure in an asset, USD.'),
    read: (field: Field) => mapOf(field, cashAtoms),
  },
  maxLeverage: {
    schema: {
      type: 'number',
      minimum: 0,
      maximum: 1000,
      description: 'Maximum exposure divided by equity.',
    } satisfies Shape,
    read: (field: Field) => ppmOf(field, 6),
  },
}

export const limitsSchema: Shape = mapping(
  Object.fromEntries(Object.entries(limitWords).map(([name, { schema }]) => [name, schema])),
  [],
  'Risk limits of one account, with the names of GET /api/sdk/risk/limits.',
)

/** What is not there keeps what the account has. */
export type LimitsChange = {
  readonly [Name in keyof typeof limitWords]?: ReturnType<(typeof limitWords)[Name]['read']>
}

/** The limits that a file states, in the engine's units. */
export function compileLimits(field: Field, assets: readonly AssetConfig[]): LimitsChange {
  for (const key of ['maxOrderSize', 'minOrderSize', 'maxExposurePerAsset'])
    checkSymbols(childField(field, key), assets)
  const stated = Object.entries<LimitWord<unknown>>(limitWords).flatMap(([name, { read }]) => {
    const given = childField(field, name)
    return given === null ? [] : [[name, read(given)]]
  })
  return Object.fromEntries(stated)
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
  change: ReadonlyMap<string, Value> | undefined,
): BySymbol<Value> {
  if (change === undefined) return limit
  const byDefault = change.get('default')
  if (byDefault !== undefined) return { bySymbol: withoutDefault(change), default: byDefault }
  return { bySymbol: new Map([...limit.bySymbol, ...change]), default: limit.default }
}

const withoutDefault = <Value>(values: ReadonlyMap<string, Value>): ReadonlyMap<string, Value> =>
  new Map([...values].filter(([symbol]) => symbol !== 'default'))

function mapOf<Value>(field: Field, read: (value: Field) => Value): ReadonlyMap<string, Value> {
  return new Map(entriesOf(field).map(([key, value]) => [key, read(value)]))
}

/* What a file names, as the engine's rows and codes. Rows begin with that of USD. */

export interface FileNames {
  readonly assets: readonly AssetConfig[]
  readonly accounts: ReadonlyMap<string, number>
}

export function accountOf(field: Field, known: Pick<FileNames, 'accounts'>): number {
  const account = known.accounts.get(statedText(field))
  if (account !== undefined) return account
  complainOfUnknown(field, 'account', known.accounts.keys())
  return 0
}

/** Stands for an asset that is not known, or cannot be read: nothing is said of what depends on it. */
export const noAsset = -1

/** The row of a traded asset. An unknown one is a problem. */
export function assetOf(field: Field, { assets }: Pick<FileNames, 'assets'>): number {
  const symbol = statedText(field)
  const row = assets.findIndex((asset) => asset.symbol === symbol && asset.pair !== null)
  if (row !== -1) return row
  const known = assets.flatMap((asset) => (asset.pair === null ? [] : asset.symbol))
  complainOfUnknown(field, 'asset', known)
  return noAsset
}

export const holdingOf = (field: Field, known: Pick<FileNames, 'assets'>): number =>
  statedText(field) === 'USD' ? cash : assetOf(field, known)

/** The rows of one asset, or of all that are traded. */
export function assetsOf(field: Field, known: Pick<FileNames, 'assets'>): readonly number[] {
  if (statedText(field) !== '*') return [assetOf(field, known)]
  return known.assets.flatMap((asset, row) => (asset.pair === null ? [] : [row]))
}

export const pairOf = (asset: number, { assets }: Pick<FileNames, 'assets'>): PairConfig | null =>
  assets[asset]?.pair ?? null

export const sideOf = (field: Field): Side => (statedText(field) === 'buy' ? buy : sell)

export function timeInForceOf(field: Field | null, usual: 'GTC' | 'IOC'): TimeInForce {
  return timesInForce[wordOr(field, timeInForceNames, usual)]
}
