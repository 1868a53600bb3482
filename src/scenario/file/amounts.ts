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
import {
  decimalsOfUnit,
  type LimitName,
  type LimitsConfig,
  limitKinds,
  limitsFrom,
  type SizeLimit,
} from '../../engine/limits.ts'
import { cashScale } from '../../engine/tables/asset-table.ts'
import { parseDuration } from '../../numeric/time-text.ts'
import {
  type Atoms,
  atoms,
  decimalToText,
  type Millis,
  millis,
  type PartsPerMillion,
  type PriceTicks,
  partsPerMillion,
  priceTicks,
  type QuantitySteps,
  quantitySteps,
  textToScaled,
  toStepCount,
} from '../../numeric/units.ts'
import type { Shape } from '../../shape/shape.ts'
import { describeBadDuration, parseChange } from '../../shape/units.ts'
import {
  addMistake,
  addUnknownMistake,
  checkKnownKeys,
  childField,
  type Field,
  isReadable,
  listEntries,
  statedNumber,
  statedText,
  wordOr,
} from './fields.ts'
import { mapping, sizes, usd, values, withDescription } from './schema-words.ts'

/*
 * Readers of fields as exact integers. An amount that is not exact in its unit is noted as a mistake and read as 0,
 * because a scenario with mistakes never runs.
 */

/** A price in a file: fixed, or a change from the mark at the moment of the action. */
export type PriceTerm =
  | { readonly kind: 'ticks'; readonly priceTicks: PriceTicks }
  | { readonly kind: 'ofMark'; readonly change: PartsPerMillion }

export function readCashAtoms(field: Field): Atoms {
  return atoms(readScaled(field, cashScale))
}

export function readAssetAtoms(field: Field, asset: AssetConfig): Atoms {
  return atoms(readScaled(field, asset.scale))
}

export function readScaled(field: Field, scale: number): number {
  const text = statedText(field)
  const scaled = textToScaled(text, scale)
  if (scaled !== null) return scaled
  const isFine = textToScaled(text, 15) !== null
  const reason = isFine
    ? `${text} has more than ${scale} decimals`
    : `${text} is too large or too fine to be exact`
  addMistake(field, reason)
  return 0
}

export function readPpm(field: Field, decimals: number): PartsPerMillion {
  return partsPerMillion(readScaled(field, decimals))
}

export const readBpsAsPpm = (field: Field): PartsPerMillion => readPpm(field, 2)

/**
 * Reads a quantity in steps of the pair. A null pair could not be read: the result is 0, and nothing is reported of
 * the amount.
 */
export function readSteps(field: Field, pair: PairConfig | null): QuantitySteps {
  return quantitySteps(pair === null ? 0 : readMultiple(field, pair.quantityStep, 'quantity step'))
}

export function readTicks(field: Field, pair: PairConfig | null): PriceTicks {
  return priceTicks(pair === null ? 0 : readMultiple(field, pair.priceStep, 'price step'))
}

function readMultiple(
  field: Field,
  step: { readonly units: number; readonly scale: number },
  noun: string,
): number {
  const text = statedText(field)
  const count = toStepCount(text, step)
  if (count !== null && Number.isSafeInteger(count)) return count
  const stepText = decimalToText(step.units, step.scale)
  const isLarge = Math.abs(Number(text)) / Number(stepText) > Number.MAX_SAFE_INTEGER
  addMistake(field, isLarge ? `${text} is too large` : `${text} is not a multiple of the ${noun} ${stepText}`)
  return 0
}

/** Reads a price, or a change from the mark (`-4%`, `+25bps`), which must leave the price above 0. */
export function readPriceTerm(field: Field, pair: PairConfig | null): PriceTerm {
  return readMarkChange(field) ?? { kind: 'ticks', priceTicks: readTicks(field, pair) }
}

/**
 * Reads a change from the mark: `-4%` is -40000 parts per million, `+25bps` is 2500. Returns null for a plain price.
 */
export function readMarkChange(field: Field): Extract<PriceTerm, { kind: 'ofMark' }> | null {
  const change = parseChange(statedText(field))
  if (change === null) return null
  if (typeof change === 'string') addMistake(field, change)
  return { kind: 'ofMark', change: partsPerMillion(typeof change === 'number' ? change : 0) }
}

export function readDuration(field: Field): Millis {
  const text = statedText(field)
  const span = parseDuration(text.startsWith('+') ? text.slice(1) : text)
  if (span !== null) return millis(span)
  addMistake(field, describeBadDuration(text))
  return millis(0)
}

/** Reads a duration with an optional sign, in milliseconds; `-` means back in time. */
export function readSignedDuration(field: Field): number {
  const text = statedText(field)
  const span = parseDuration(text.replace(/^[+-]/, ''))
  if (span === null) addMistake(field, `${text} is not a span, such as +3d or -12h`)
  return (text.startsWith('-') ? -1 : 1) * (span ?? 0)
}

export const readDurationOr = (field: Field | null, fallback: Millis): Millis =>
  isReadable(field) ? readDuration(field) : fallback

/**
 * Reads a price in USD as a floating-point number, for the arithmetic of the market. Notes a mistake unless it is
 * above 0.
 */
export function readPositivePrice(field: Field): number {
  const price = Number(statedText(field))
  if (price > 0) return price
  addMistake(field, 'must be above 0')
  return 1
}

const limitReaders: {
  readonly [Unit in (typeof limitKinds)[LimitName]['unit']]: {
    readonly schema: Shape
    read(field: Field): number | ReadonlyMap<string, number>
  }
} = {
  sizes: { schema: sizes, read: (field) => readMap(field, (size) => readScaled(size, decimalsOfUnit.sizes)) },
  values: { schema: values, read: (field) => readMap(field, readCashAtoms) },
  usd: { schema: usd, read: readCashAtoms },
  count: { schema: { type: 'integer', minimum: 0, maximum: 1_000_000 }, read: statedNumber },
  rate: { schema: { type: 'number', minimum: 0, maximum: 1000 }, read: (field) => readPpm(field, 6) },
}

export const limitsSchema: Shape = mapping(
  Object.fromEntries(
    Object.entries(limitKinds).map(([name, { unit, meaning }]) => [
      name,
      withDescription(limitReaders[unit].schema, meaning),
    ]),
  ),
  [],
  'Risk limits of one account, with the names of GET /api/sdk/risk/limits.',
)

/** The risk limits that a file states, by name, in the engine's units. A limit that is absent keeps its value. */
export type LimitsChange = ReadonlyMap<string, number | ReadonlyMap<string, number>>

export function compileLimits(field: Field, assets: readonly AssetConfig[]): LimitsChange {
  const traded = assets.flatMap(({ symbol, pair }) => (pair === null ? [] : symbol))
  const stated = Object.entries(limitKinds).flatMap(([name, { unit }]) => {
    const given = childField(field, name)
    checkKnownKeys(given, 'asset', [...traded, 'default'])
    return given === null ? [] : [[name, limitReaders[unit].read(given)] as const]
  })
  return new Map(stated)
}

/**
 * Returns the limits with the stated changes. Choice: a mapping with "default" replaces the whole limit; one without
 * it changes only the symbols that it names.
 */
export const applyLimits = (limits: LimitsConfig, changes: LimitsChange): LimitsConfig =>
  limitsFrom((name) => {
    const [limit, change] = [limits[name], changes.get(name)]
    return typeof limit === 'number' || typeof change === 'number'
      ? (change ?? limit)
      : changeSizeLimit(limit, change)
  })

function changeSizeLimit(limit: SizeLimit, change: ReadonlyMap<string, number> | undefined): SizeLimit {
  if (change === undefined) return limit
  const stated = [...change].filter(([symbol]) => symbol !== 'default')
  const byDefault = change.get('default')
  return byDefault === undefined
    ? { bySymbol: new Map([...limit.bySymbol, ...stated]), default: limit.default }
    : { bySymbol: new Map(stated), default: byDefault }
}

function readMap<Value>(field: Field, read: (value: Field) => Value): ReadonlyMap<string, Value> {
  return new Map(listEntries(field).map(([key, value]) => [key, read(value)]))
}

/*
 * Readers of names as the engine's rows and codes.
 */

export interface FileNames {
  readonly assets: readonly AssetConfig[]
  readonly accounts: ReadonlyMap<string, number>
}

export function readAccount(field: Field, known: Pick<FileNames, 'accounts'>): number {
  const account = known.accounts.get(statedText(field))
  if (account !== undefined) return account
  addUnknownMistake(field, 'account', known.accounts.keys())
  return 0
}

/**
 * The row that stands for an asset that is unknown or cannot be read. Nothing more is reported of what depends on it.
 */
export const noAsset = -1

/** Reads a symbol as the row of a traded asset. An unknown symbol is noted as a mistake and read as `noAsset`. */
export function readAsset(field: Field, { assets }: Pick<FileNames, 'assets'>): number {
  const symbol = statedText(field)
  const row = assets.findIndex((asset) => asset.symbol === symbol && asset.pair !== null)
  if (row !== -1) return row
  const known = assets.flatMap((asset) => (asset.pair === null ? [] : asset.symbol))
  addUnknownMistake(field, 'asset', known)
  return noAsset
}

export const readHolding = (field: Field, known: Pick<FileNames, 'assets'>): number =>
  statedText(field) === 'USD' ? cash : readAsset(field, known)

/** Reads a symbol as the row of one traded asset, or `*` as the rows of all of them. */
export function readAssets(field: Field, known: Pick<FileNames, 'assets'>): readonly number[] {
  if (statedText(field) !== '*') return [readAsset(field, known)]
  return known.assets.flatMap((asset, row) => (asset.pair === null ? [] : [row]))
}

export const pairOf = (asset: number, { assets }: Pick<FileNames, 'assets'>): PairConfig | null =>
  assets[asset]?.pair ?? null

export const readSide = (field: Field): Side => (statedText(field) === 'buy' ? buy : sell)

export function readTimeInForce(field: Field | null, usual: 'GTC' | 'IOC'): TimeInForce {
  return timesInForce[wordOr(field, timeInForceNames, usual)]
}
