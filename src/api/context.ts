import { cash } from '../engine/codes.ts'
import type { Command, Outcome } from '../engine/command.ts'
import type { DecimalStep, PairConfig } from '../engine/config.ts'
import type { State } from '../engine/state.ts'
import { type AssetTable, cashScale } from '../engine/tables/asset-table.ts'
import { assert } from '../numeric/assert.ts'
import { Hash128 } from '../numeric/hash.ts'
import {
  type Atoms,
  atoms,
  type Millis,
  numberToScaled,
  powerOfTen,
  priceTicks,
  quantitySteps,
  scaledToNumber,
  scaledToText,
  toStepCount,
} from '../numeric/units.ts'
import type { RecordOf, Shape } from '../shape/shape.ts'
import type { Problem } from './errors.ts'
import type { ItemFlaws } from './input/json-scan.ts'
import { isObject } from './json.ts'
import type { OperationId, RowOf } from './operations/operations.ts'
import type { Readings } from './readings/readings.ts'
import { type FieldShapes, type FieldsOf, recordFrom } from './wire-shapes.ts'

export interface ApiContext {
  /** For reading; only `execute` changes it. */
  readonly state: State
  /** The caller's row. */
  readonly account: number
  readonly readings: Readings
  /** The world's time at which the request arrived. */
  readonly now: Millis
  /** The engine's door as the world provides it: whatever goes through is journaled. */
  readonly execute: (command: Command) => Outcome
}

/** An operation that the router has found, with what was sent, still as text. */
export interface ApiRequest {
  readonly operation: OperationId
  /** The id or symbol in the path; '' when it has none. */
  readonly parameter: string
  /** Raw query, with or without its question mark. */
  readonly query: string
  /** Body text, well-formed UTF-8; '' when there is none. */
  readonly body: string
}

export interface ApiResponse {
  readonly status: number
  readonly body: object
  /** For `X-Sim-Hint`; null when there is nothing to say. */
  readonly hint: string | null
}

/** What a handler answers: the documented body in its full shape, or why there is none. */
export type Handled<Body> =
  | {
      readonly ok: true
      readonly body: Body
      readonly status: number | null
      /** For `X-Sim-Hint`. */
      readonly hint?: string
    }
  | { readonly ok: false; readonly problem: Problem }

export interface ReadInput {
  readonly parameter: string
  readonly query: unknown
  readonly body: unknown
  /** Where items fail one by one: what the body's text has shown to be wrong with some. Values have no text. */
  readonly flaws?: ItemFlaws
}

/** The same as the handler of an operation sees it. */
interface InputOf<Id extends OperationId> extends ReadInput {
  readonly query: RecordOf<RowOf<Id>['query']>
  readonly body: RowOf<Id>['body'] extends infer Body extends Shape ? RecordOf<Body> : undefined
}

export type Handler<Id extends OperationId> = (
  context: ApiContext,
  input: InputOf<Id>,
) => Handled<RecordOf<RowOf<Id>['response']>>

/** Success; `status` only where it differs from the route's. */
export function answer<Body>(body: Body, status: number | null = null): Handled<Body> {
  return { ok: true, body, status }
}

export function refuse(problem: Problem): { readonly ok: false; readonly problem: Problem } {
  return { ok: false, problem }
}

export function idsOf(context: ApiContext): IdScheme {
  return { format: context.readings['ids.format'], seed: context.state.config.seed }
}

/* JSON numbers to the engine's integers and back. In: exact or refused. Out: the nearest double of the exact value. */

/** A number that was given as the engine's integer; what was not, or is null, stays null. */
type Given<Value, Unit> = Unit | Problem | (Value extends number ? never : null)
type Sent = number | null | undefined

/**
 * A price that is 0 or more. Errors: pair-violation, when it is not a multiple of the price step or beyond all bounds.
 */
export const readTicks = <Value extends Sent>(value: Value, field: string, pair: PairConfig) =>
  readCount(value, field, pair.priceStep, priceTicks)

/** A quantity that is 0 or more. Errors: pair-violation, as above, for the quantity step. */
export const readSteps = <Value extends Sent>(value: Value, field: string, pair: PairConfig) =>
  readCount(value, field, pair.quantityStep, quantitySteps)

/** An amount of an asset with this many decimals. */
export function readAtoms(value: number, field: string, scale: number, symbol: string): Atoms | Problem {
  const amount = numberToScaled(value, scale)
  if (amount !== null) return atoms(amount)
  const isTooMuch = value * powerOfTen(scale) > Number.MAX_SAFE_INTEGER
  const reason = isTooMuch ? 'is out of range' : `must have at most ${scale} decimals in ${symbol}`
  return { code: 'invalid-parameter', field, reason }
}

export function isProblem(read: number | null | Problem): read is Problem {
  return typeof read === 'object' && read !== null
}

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

function readCount<Value extends Sent, Unit>(
  value: Value,
  field: string,
  step: DecimalStep,
  unit: (count: number) => Unit,
): Given<Value, Unit>
function readCount(value: Sent, field: string, step: DecimalStep, unit: (count: number) => unknown) {
  if (value === null || value === undefined) return null
  const count = toStepCount(value, step)
  if (count !== null) return unit(count)
  const isBeyond = value * powerOfTen(step.scale) > Number.MAX_SAFE_INTEGER
  const multiple = scaledToText(step.units, step.scale)
  const reason = isBeyond ? 'is out of range' : `must be a multiple of ${multiple}`
  return { code: 'pair-violation', field, reason } as const satisfies Problem
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

/**
 * The id of a row (0 or more): `ord_1` for the first order, or a uuid of version 8, whose content is up to its maker.
 */
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
