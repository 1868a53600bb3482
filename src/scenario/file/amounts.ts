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
  type Millis,
  millis,
  type PartsPerMillion,
  type PriceTicks,
  partsPerMillion,
  priceTicks,
  type QuantitySteps,
  quantitySteps,
  scaledToText,
  textToScaled,
  toStepCount,
} from '../../numeric/units.ts'
import type { Shape } from '../../shape/shape.ts'
import { notADuration, readChange } from '../../shape/units.ts'
import {
  addMistake,
  addUnknownMistake,
  checkKnownKeys,
  childField,
  entriesOf,
  type Field,
  isReadable,
  statedNumber,
  statedText,
  wordOr,
} from './fields.ts'
import { mapping, sizes, usd, values, withDescription } from './schema-words.ts'

/*
 * Fields as exact integers. Each function notes a problem when the amount is not exact in its unit, and then answers
 * 0: a scenario with problems never runs.
 */

/** A fixed price, or a share of the mark at the moment of the action. */
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

/** Without a pair, which is one that cannot be read, nothing is said of the amount. */
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
  const stepText = scaledToText(step.units, step.scale)
  const isLarge = Math.abs(Number(text)) / Number(stepText) > Number.MAX_SAFE_INTEGER
  addMistake(field, isLarge ? `${text} is too large` : `${text} is not a multiple of the ${noun} ${stepText}`)
  return 0
}

/** A price, or a change from the mark (`-4%`, `+25bps`), which must leave the price above 0. */
export function readPriceTerm(field: Field, pair: PairConfig | null): PriceTerm {
  return readMarkChange(field) ?? { kind: 'ticks', priceTicks: readTicks(field, pair) }
}

/** `-4%` is -40000 parts per million, `+25bps` 2500; null for a plain price. */
export function readMarkChange(field: Field): Extract<PriceTerm, { kind: 'ofMark' }> | null {
  const change = readChange(statedText(field))
  if (change === null) return null
  if (typeof change === 'string') addMistake(field, change)
  return { kind: 'ofMark', change: partsPerMillion(typeof change === 'number' ? change : 0) }
}

export function readDuration(field: Field): Millis {
  const text = statedText(field)
  const span = parseDuration(text.startsWith('+') ? text.slice(1) : text)
  if (span !== null) return millis(span)
  addMistake(field, notADuration(text))
  return millis(0)
}

/** A span forward or, with a `-`, back. */
export function readSignedDuration(field: Field): number {
  const text = statedText(field)
  const span = parseDuration(text.replace(/^[+-]/, ''))
  if (span === null) addMistake(field, `${text} is not a span, such as +3d or -12h`)
  return (text.startsWith('-') ? -1 : 1) * (span ?? 0)
}

export const readDurationOr = (field: Field | null, fallback: Millis): Millis =>
  isReadable(field) ? readDuration(field) : fallback

/** A plain USD price for the market's arithmetic. */
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

/** In the engine's units. What is not there keeps what the account has. */
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

/** Choice: a mapping with "default" replaces all; one without it changes only the symbols it names. */
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
  return new Map(entriesOf(field).map(([key, value]) => [key, read(value)]))
}

/* What a file names, as the engine's rows and codes. Rows begin with that of USD. */

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

/** Stands for an asset that is not known, or cannot be read: nothing is said of what depends on it. */
export const noAsset = -1

/** The row of a traded asset. An unknown one is a problem. */
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

/** The rows of one asset, or of all that are traded. */
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
