import { cash } from '../engine/codes.ts'
import type { DecimalStep, PairConfig } from '../engine/config.ts'
import { type AssetTable, cashScale } from '../engine/tables/asset-table.ts'
import { assert } from '../numeric/assert.ts'
import { Hash128 } from '../numeric/hash.ts'
import { decimalToNumber } from '../numeric/units.ts'
import type { ApiContext, HandlerResult } from './context.ts'
import type { Problem } from './errors.ts'
import { isObject } from './json.ts'
import { type FieldShapes, type FieldsOf, recordFrom } from './wire-shapes.ts'

/** Makes a successful result. `status` is given only where it differs from the route's. */
export function answer<Body>(body: Body, status: number | null = null): HandlerResult<Body> {
  return { ok: true, body, status }
}

/** Makes the result of a refused request. */
export function refuse(problem: Problem): { readonly ok: false; readonly problem: Problem } {
  return { ok: false, problem }
}

/* The engine's integers as JSON numbers. Each is the nearest double of the exact decimal value. */

/** Converts a price in ticks to USD. */
export function priceNumber(pair: PairConfig, ticks: number): number {
  return stepsToNumber(ticks, pair.priceStep)
}

/** Converts a price in half ticks, the unit of mids, to the number of the interface, in USD. */
export function halfTicksNumber(pair: PairConfig, halfTicks: number): number {
  return decimalToNumber(halfTicks * pair.priceStep.units * 5, pair.priceStep.scale + 1)
}

/** Converts a quantity in steps to units of the asset. */
export function quantityNumber(pair: PairConfig, steps: number): number {
  return stepsToNumber(steps, pair.quantityStep)
}

/** Converts an amount of cash atoms to USD. */
export function usdNumber(atoms: number): number {
  return decimalToNumber(atoms, cashScale)
}

/** Converts an amount in atoms of an asset, which may be cash. */
export function amountNumber(assets: AssetTable, asset: number, atoms: number): number {
  return decimalToNumber(atoms, assets.config(asset).scale)
}

/** Converts a figure that the engine keeps in units of 10^-8, such as an average or a size. */
export function e8Number(value: number): number {
  return decimalToNumber(value, 8)
}

/** Converts a figure that the engine keeps in units of 10^-4 percent to percent. */
export function percentNumber(percentE4: number): number {
  return decimalToNumber(percentE4, 4)
}

/**
 * Makes the function that fills the records of a shape from the engine's figures. A field that is not `given` takes the
 * figure with its name and a unit: `fees` takes `feesAtoms`, `feesE8` or `feesE4` (percent). Atoms are those of an asset
 * with `scale` decimals, by default those of cash.
 */
export function recordWriter<Fields extends FieldShapes>(shape: { readonly properties: Fields }) {
  // Names are joined once for each shape, because a joined string is slow as a key.
  const figureNames = new Map(
    Object.keys(shape.properties).map((name) => [
      name,
      { atoms: `${name}Atoms`, e8: `${name}E8`, e4: `${name}E4` },
    ]),
  )
  return <Figures extends object>(
    figures: Figures,
    given: Omit<FieldsOf<Fields, never>, NameWithoutUnit<keyof Figures>> & Partial<FieldsOf<Fields, never>>,
    scale = cashScale,
  ): FieldsOf<Fields, never> => {
    assert(isObject(figures) && isObject(given), 'figures have names')
    return recordFrom(shape, (name) => given[name] ?? figureNumber(figures, figureNames.get(name), scale))
  }
}

/** The names that the figure of one field may have, one for each unit. */
interface FigureNames {
  readonly atoms: string
  readonly e8: string
  readonly e4: string
}

function figureNumber(
  figures: { readonly [name: string]: unknown },
  names: FigureNames | undefined,
  scale: number,
): number | undefined {
  if (names === undefined) return undefined
  const inAtoms = figures[names.atoms]
  if (typeof inAtoms === 'number') return decimalToNumber(inAtoms, scale)
  const inE8 = figures[names.e8]
  if (typeof inE8 === 'number') return e8Number(inE8)
  const inE4 = figures[names.e4]
  return typeof inE4 === 'number' ? percentNumber(inE4) : undefined
}

type NameWithoutUnit<Name> = Name extends `${infer Short}Atoms`
  ? Short
  : Name extends `${infer Short}E8`
    ? Short
    : Name extends `${infer Short}E4`
      ? Short
      : never

function stepsToNumber(count: number, step: DecimalStep): number {
  return decimalToNumber(count * step.units, step.scale)
}

/** Returns the row of a traded asset by its symbol; null for cash and for unknown symbols. */
export function tradedAsset(assets: AssetTable, symbol: string): number | null {
  const row = assets.rowOf(symbol)
  return row > cash ? row : null
}

/** Returns the row of an asset by its symbol, cash included; null for unknown symbols. */
export function knownAsset(assets: AssetTable, symbol: string): number | null {
  const row = assets.rowOf(symbol)
  return row >= cash ? row : null
}

/** The problem of an unknown or untraded asset in a body or a required parameter. */
export const unknownAssetField = {
  code: 'invalid-parameter',
  field: 'asset',
  reason: 'is not a traded asset',
} as const satisfies Problem

/*
 * Identifiers on the wire and the rows that they stand for. Both directions are computed, and nothing is stored, so a
 * restored snapshot still knows the ids that it gave out.
 */

type IdFormat = 'counter' | 'uuid'
export type IdKind = keyof typeof prefixes

const prefixes = {
  order: 'ord_',
  quote: 'qt_',
  fill: 'fill_',
  transaction: 'txn_',
  trade: 'trd_',
} as const

/** How the ids of a world are written: reading `ids.format`. */
export interface IdScheme {
  readonly format: IdFormat
  /** The seed of the world. Only uuids depend on it. */
  readonly seed: string
}

/** Returns the id scheme of a world. */
export function idScheme(context: ApiContext): IdScheme {
  return { format: context.readings['ids.format'], seed: context.state.config.seed }
}

/** Returns the id of a row: `ord_1` for row 0, or a uuid of version 8, whose content is up to whoever makes it. */
export function formatId(scheme: IdScheme, kind: IdKind, row: number): string {
  return scheme.format === 'uuid' ? formatUuid(scheme.seed, kind, row) : `${prefixes[kind]}${row + 1}`
}

/** Returns the row of an id that `formatId` can have made, else -1. The caller has to check that the row exists. */
export function parseId(scheme: IdScheme, kind: IdKind, id: string): number {
  return scheme.format === 'uuid' ? parseUuid(scheme.seed, kind, id) : parseCounter(kind, id)
}

const counter = /^[1-9][0-9]{0,9}$/
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

function parseCounter(kind: IdKind, id: string): number {
  if (!id.startsWith(prefixes[kind])) return -1
  const digits = id.slice(prefixes[kind].length)
  return counter.test(digits) ? Number(digits) - 1 : -1
}

/**
 * Makes a uuid from a row: its first 32 bits are the row, scrambled by a bijection; the others are a hash of the row,
 * by which `parseId` recognises ids that are ours.
 */
function formatUuid(seed: string, kind: IdKind, row: number): string {
  const first = toHexadecimal(scramble(row ^ computeScrambleKey(seed, kind)))
  const hash = new Hash128()
  hash.addText(seed)
  hash.addText(kind)
  hash.addInteger(row)
  const rest = hash.digest()
  const variant = '89ab'.charAt(Number.parseInt(rest.charAt(7), 16) & 3)
  return `${first}-${rest.slice(0, 4)}-8${rest.slice(4, 7)}-${variant}${rest.slice(8, 11)}-${rest.slice(11, 23)}`
}

function parseUuid(seed: string, kind: IdKind, id: string): number {
  if (!uuid.test(id)) return -1
  const row = (unscramble(Number.parseInt(id.slice(0, 8), 16)) ^ computeScrambleKey(seed, kind)) >>> 0
  return formatUuid(seed, kind, row) === id ? row : -1
}

function computeScrambleKey(seed: string, kind: IdKind): number {
  const hash = new Hash128()
  hash.addText(seed)
  hash.addText(kind)
  return Number.parseInt(hash.digest().slice(0, 8), 16) | 0
}

/*
 * The final mix of MurmurHash3 (Austin Appleby, public domain), and its inverse with the multipliers inverted modulo
 * 2^32.
 */
function scramble(word: number): number {
  let h = word
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b)
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35)
  return h ^ (h >>> 16)
}

function unscramble(word: number): number {
  let h = word
  h = Math.imul(h ^ (h >>> 16), 0x7ed1b41d)
  h = Math.imul(h ^ (h >>> 13) ^ (h >>> 26), 0xa5cb9243)
  return h ^ (h >>> 16)
}

function toHexadecimal(word: number): string {
  return (word >>> 0).toString(16).padStart(8, '0')
}
