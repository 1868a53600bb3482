import { cash } from '../engine/codes.ts'
import type { DecimalStep, PairConfig } from '../engine/config.ts'
import { type AssetTable, cashScale } from '../engine/tables/asset-table.ts'
import { assert } from '../numeric/assert.ts'
import { Hash128 } from '../numeric/hash.ts'
import { scaledToNumber } from '../numeric/units.ts'
import type { ApiContext, Handled } from './context.ts'
import type { Problem } from './errors.ts'
import { isObject } from './json.ts'
import { type FieldShapes, type FieldsOf, recordFrom } from './wire-shapes.ts'

/** Success; `status` only where it differs from the route's. */
export function answer<Body>(body: Body, status: number | null = null): Handled<Body> {
  return { ok: true, body, status }
}

export function refuse(problem: Problem): { readonly ok: false; readonly problem: Problem } {
  return { ok: false, problem }
}

/* The engine's integers as JSON numbers: the nearest double of the exact value. */

export function priceNumber(pair: PairConfig, ticks: number): number {
  return stepsToNumber(ticks, pair.priceStep)
}

/** A price in half ticks, as mids are. */
export function halfTicksNumber(pair: PairConfig, halfTicks: number): number {
  return scaledToNumber(halfTicks * pair.priceStep.units * 5, pair.priceStep.scale + 1)
}

export function quantityNumber(pair: PairConfig, steps: number): number {
  return stepsToNumber(steps, pair.quantityStep)
}

/** USD. */
export function usdNumber(atoms: number): number {
  return scaledToNumber(atoms, cashScale)
}

/** An amount of any asset, cash too. */
export function amountNumber(assets: AssetTable, asset: number, atoms: number): number {
  return scaledToNumber(atoms, assets.config(asset).scale)
}

/** What the engine keeps as an integer of 10^-8: averages, sizes. */
export function e8Number(value: number): number {
  return scaledToNumber(value, 8)
}

/** What the engine keeps as an integer of 10^-4 percent. */
export function percentNumber(percentE4: number): number {
  return scaledToNumber(percentE4, 4)
}

/**
 * A record of a shape. What is not `given` is the figure of that name, whose own name ends in its unit: `feesAtoms` is
 * `fees`. Atoms are those of an asset with `scale` decimals.
 */
export function recordOfFigures<Fields extends FieldShapes, Figures extends object>(
  shape: { readonly properties: Fields },
  figures: Figures,
  given: Omit<FieldsOf<Fields, never>, NameWithoutUnit<keyof Figures>> & Partial<FieldsOf<Fields, never>>,
  scale = cashScale,
): FieldsOf<Fields, never> {
  assert(isObject(figures) && isObject(given), 'figures have names')
  return recordFrom(shape, (name) => given[name] ?? figureNamed(figures, name, scale))
}

function figureNamed(
  figures: { readonly [name: string]: unknown },
  name: string,
  scale: number,
): number | undefined {
  let names = namesWithUnit.get(name)
  if (names === undefined) {
    names = { atoms: `${name}Atoms`, e8: `${name}E8`, e4: `${name}E4` }
    namesWithUnit.set(name, names)
  }
  const inAtoms = figures[names.atoms]
  if (typeof inAtoms === 'number') return scaledToNumber(inAtoms, scale)
  const inE8 = figures[names.e8]
  if (typeof inE8 === 'number') return e8Number(inE8)
  const inE4 = figures[names.e4]
  return typeof inE4 === 'number' ? percentNumber(inE4) : undefined
}

/** Kept, because a name that is put together anew is slow to look up. */
const namesWithUnit = new Map<string, { readonly atoms: string; readonly e8: string; readonly e4: string }>()

type NameWithoutUnit<Name> = Name extends `${infer Short}Atoms`
  ? Short
  : Name extends `${infer Short}E8`
    ? Short
    : Name extends `${infer Short}E4`
      ? Short
      : never

function stepsToNumber(count: number, step: DecimalStep): number {
  return scaledToNumber(count * step.units, step.scale)
}

/** The row of a symbol that is traded; null for cash and for unknown ones. */
export function tradedAsset(assets: AssetTable, symbol: string): number | null {
  const row = assets.rowOf(symbol)
  return row > cash ? row : null
}

/** The row of any symbol, cash included; null for unknown ones. */
export function knownAsset(assets: AssetTable, symbol: string): number | null {
  const row = assets.rowOf(symbol)
  return row >= cash ? row : null
}

/** An unknown or untraded asset in a body or a required parameter. */
export const unknownAssetField = {
  code: 'invalid-parameter',
  field: 'asset',
  reason: 'is not a traded asset',
} as const satisfies Problem

/*
 * Identifiers on the wire, and the rows that they stand for. Both directions are functions: nothing is stored, so a
 * restored snapshot answers to its old ids.
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

export interface IdScheme {
  readonly format: IdFormat
  /** The world's seed; only uuids depend on it. */
  readonly seed: string
}

export function idsOf(context: ApiContext): IdScheme {
  return { format: context.readings['ids.format'], seed: context.state.config.seed }
}

/** Of a row, 0 or more: `ord_1` for the first order, or a uuid of version 8, whose content is up to its maker. */
export function idOf(scheme: IdScheme, kind: IdKind, row: number): string {
  return scheme.format === 'uuid' ? uuidOf(scheme.seed, kind, row) : `${prefixes[kind]}${row + 1}`
}

/** The row of an id that `idOf` may have made, else -1. The caller has to see whether such a row exists. */
export function rowOfId(scheme: IdScheme, kind: IdKind, id: string): number {
  return scheme.format === 'uuid' ? rowOfUuid(scheme.seed, kind, id) : rowOfCounter(kind, id)
}

const counter = /^[1-9][0-9]{0,9}$/
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

function rowOfCounter(kind: IdKind, id: string): number {
  if (!id.startsWith(prefixes[kind])) return -1
  const digits = id.slice(prefixes[kind].length)
  return counter.test(digits) ? Number(digits) - 1 : -1
}

/** The first 32 bits are the row, scrambled by a bijection; the rest is a hash of it, by which an id is recognised. */
function uuidOf(seed: string, kind: IdKind, row: number): string {
  const first = hexadecimal(scramble(row ^ keyOf(seed, kind)))
  const hash = new Hash128()
  hash.addText(seed)
  hash.addText(kind)
  hash.addInteger(row)
  const rest = hash.digest()
  const variant = '89ab'.charAt(Number.parseInt(rest.charAt(7), 16) & 3)
  return `${first}-${rest.slice(0, 4)}-8${rest.slice(4, 7)}-${variant}${rest.slice(8, 11)}-${rest.slice(11, 23)}`
}

function rowOfUuid(seed: string, kind: IdKind, id: string): number {
  if (!uuid.test(id)) return -1
  const row = (unscramble(Number.parseInt(id.slice(0, 8), 16)) ^ keyOf(seed, kind)) >>> 0
  return uuidOf(seed, kind, row) === id ? row : -1
}

function keyOf(seed: string, kind: IdKind): number {
  const hash = new Hash128()
  hash.addText(seed)
  hash.addText(kind)
  return Number.parseInt(hash.digest().slice(0, 8), 16) | 0
}

/* The end mix of MurmurHash3 (Austin Appleby, public domain) and its inverse: multipliers inverted modulo 2^32. */
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

function hexadecimal(word: number): string {
  return (word >>> 0).toString(16).padStart(8, '0')
}
