import { isObject } from '../../api/json.ts'
import { type Scope, scopes } from '../../api/operations/operation.ts'
import { longestValidForSeconds } from '../../api/operations/quotes.ts'
import { buy, type Side, timeInForceNames } from '../../engine/codes.ts'
import type { PairConfig } from '../../engine/config.ts'
import type { Metadata } from '../../engine/metadata.ts'
import type { State } from '../../engine/state.ts'
import {
  atoms,
  type Millis,
  millis,
  multiplyDivideCeil,
  multiplyDivideFloor,
  multiplyDivideHalfEven,
  type PriceTicks,
  priceTicks,
} from '../../numeric/units.ts'
import { isOptional, keyInFile, type Shape, shapeTyped } from '../../shape/shape.ts'
import {
  compileLimits,
  limitsSchema,
  noAsset,
  type PriceTerm,
  pairOf,
  readAccount,
  readAsset,
  readAssetAtoms,
  readAssets,
  readCashAtoms,
  readDuration,
  readHolding,
  readPriceTerm,
  readSide,
  readSignedDuration,
  readSteps,
  readTicks,
  readTimeInForce,
} from '../file/amounts.ts'
import {
  addMistake,
  addNameMistake,
  booleanOr,
  childField,
  type Field,
  isReadable,
  listItems,
  numberOr,
  requiredField,
  statedNumber,
  statedScalar,
  statedText,
} from '../file/fields.ts'
import {
  amount,
  duration,
  positiveAmount,
  positiveDuration,
  predicate,
  priceTerm,
  symbol,
  symbolOrAll,
  usd,
  word,
} from '../file/schema-words.ts'
import { toPlain } from '../file/tree.ts'
import { compilePredicate } from '../predicates/compile-predicate.ts'
import type { ActionScope } from './action.ts'

/**
 * What a part is read with. `rows` are the assets that the action has named before; amounts are counted in their
 * steps.
 */
interface PartScope extends ActionScope {
  readonly rows: readonly number[]
}

interface Part<Value> {
  readonly schema: Shape
  read(field: Field, scope: PartScope): Value
}

export interface Target {
  readonly label: string
  readonly asset: number
}

const id: Shape = { title: "an account's id", type: 'string', minLength: 1, maxLength: 64 }
const key: Shape = { type: 'string', minLength: 1, maxLength: 128 }

const parts = {
  account: { schema: id, read: readAccount },
  /** An account as text, for comparison with requests, in place of the engine's row. */
  accountId: {
    schema: id,
    read: (field, scope) => {
      readAccount(field, scope)
      return statedText(field)
    },
  },
  asset: { schema: symbol, read: readAsset },
  assets: { schema: symbolOrAll, read: readAssets },
  /** A traded asset, or cash. */
  holding: { schema: symbol, read: readHolding },
  side: { schema: { enum: ['buy', 'sell'] }, read: readSide },
  timeInForce: { schema: { enum: timeInForceNames }, read: (field) => readTimeInForce(field, 'GTC') },
  steps: { schema: positiveAmount, read: (field, scope) => readCount(field, scope, readSteps) },
  stepsOrNone: { schema: amount, read: (field, scope) => readCount(field, scope, readSteps) },
  ticks: { schema: positiveAmount, read: (field, scope) => readCount(field, scope, readTicks) },
  atoms: {
    schema: positiveAmount,
    read: (field, { rows: [row = noAsset], assets }) => {
      const asset = assets[row]
      return asset === undefined ? atoms(0) : readAssetAtoms(field, asset)
    },
  },
  usd: { schema: usd, read: readCashAtoms },
  price: {
    schema: priceTerm,
    read: (field, scope) => readPriceTerm(field, pairOf(scope.rows[0] ?? noAsset, scope)),
  },
  span: { schema: duration, read: readDuration },
  positiveSpan: { schema: positiveDuration, read: readDuration },
  skew: {
    schema: {
      title: 'a duration with its sign, such as -31s',
      type: 'string',
      pattern: '^[+-]?([0-9]+(\\.[0-9]+)?(ms|s|m|h|d))+$',
      examples: ['-31s', '+5s'],
    },
    read: readSignedDuration,
  },
  seconds: {
    schema: { type: 'number', minimum: 1, maximum: longestValidForSeconds },
    read: readSeconds,
  },
  label: { schema: word, read: statedText },
  order: { schema: word, read: (field, { orders }) => readTarget(field, 'order', orders) },
  quote: { schema: word, read: (field, { quotes }) => readTarget(field, 'quote', quotes) },
  transfer: { schema: word, read: readTransfer },
  clientId: { schema: { type: 'string', minLength: 1, maxLength: 64 }, read: statedText },
  metadata: { schema: { type: 'object', maxProperties: 50 }, read: readMetadata },
  apiKey: { schema: key, read: readApiKey },
  scopes: { schema: { type: 'array', maxItems: 4, items: { enum: scopes } }, read: readScopes },
  limits: {
    schema: { ...limitsSchema, minProperties: 1 },
    read: (field, { assets }) => compileLimits(field, assets),
  },
  predicate: { schema: predicate, read: (field, { names }) => compilePredicate(field, names, null) },
} satisfies { readonly [name: string]: Part<unknown> }

type PartName = keyof typeof parts

type Parts = { readonly [Name in PartName]: ReturnType<(typeof parts)[Name]['read']> }

const partsByName: ReadonlyMap<string, Part<unknown>> = new Map(Object.entries<Part<unknown>>(parts))

/**
 * Returns the shape of a part of an action. `word` is its key in a file, where that differs from the name in the
 * record.
 */
export const part = <Name extends PartName>(name: Name, description: string, word?: string) =>
  shapeTyped<Parts[Name]>({
    ...parts[name].schema,
    ...(description === '' ? {} : { description }),
    ...(word === undefined ? {} : { word }),
    readAs: name,
  })

/** Returns the JSON Schema by which a file writes a record, without the keywords that only the readers use. */
export function toFileSchema(shape: Shape): Shape {
  const { readAs, word: _, ...schema } = shape
  if (schema.properties === undefined || readAs !== undefined) return schema
  const { type: __, description, required: ___, properties, ...rest } = schema
  const entries = Object.entries(properties)
  const required = entries.filter(([name, one]) => !isOptional(shape, name) && one.default === undefined)
  return {
    ...(description === undefined ? {} : { description }),
    type: 'object',
    additionalProperties: false,
    required: required.map(([name, one]) => keyInFile(name, one)),
    properties: Object.fromEntries(entries.map(([name, one]) => [keyInFile(name, one), toFileSchema(one)])),
    ...rest,
  }
}

export function readWords(
  shape: Shape,
  field: Field,
  scope: ActionScope,
  rows: readonly number[] = [],
): object {
  let known: PartScope = { ...scope, rows }
  const entries = Object.entries(shape.properties ?? {}).flatMap(([name, one]): [string, unknown][] => {
    const word = keyInFile(name, one)
    const given = childField(field, word)
    if (given === null && one.default !== undefined) return [[name, one.default]]
    if (given === null && isOptional(shape, name)) return []
    const stated = given ?? requiredField(field, word)
    const value = readPart(one, stated, known)
    const named = findNamedRows(one, value)
    if (named !== null) known = { ...known, rows: named }
    return [[name, value]]
  })
  return Object.fromEntries(entries)
}

function readPart(shape: Shape, field: Field, scope: PartScope): unknown {
  const own = partsByName.get(shape.readAs ?? '')
  if (own !== undefined) return own.read(field, scope)
  if (shape.properties !== undefined) return readWords(shape, field, scope, scope.rows)
  const { type, enum: options, const: fixed } = shape
  if (type === 'boolean') return booleanOr(field, false)
  if (type === 'number' || type === 'integer') return statedNumber(field)
  return isReadable(field) ? statedText(field) : (options?.[0] ?? fixed ?? '')
}

function findNamedRows({ readAs }: Shape, value: unknown): readonly number[] | null {
  if (readAs === 'asset' || readAs === 'holding') return [Number(value)]
  if (readAs === 'assets') return Array.isArray(value) ? value.map(Number) : []
  return readAs === 'order' || readAs === 'quote' ? [Number(Object(value).asset)] : null
}

/** Reads an amount in steps. With several pairs it must be the same number of steps in each of them. */
function readCount<Steps extends number>(
  field: Field,
  scope: PartScope,
  count: (field: Field, pair: PairConfig | null) => Steps,
): Steps {
  const [first = noAsset, ...others] = scope.rows
  const steps = count(field, pairOf(first, scope))
  if (!others.every((asset) => count(field, pairOf(asset, scope)) === steps))
    addMistake(field, `${statedText(field)} is not the same number of steps for all pairs`)
  return steps
}

function readTarget(field: Field, kind: 'order' | 'quote', labels: ReadonlyMap<string, number>): Target {
  const label = statedText(field)
  const asset = labels.get(label)
  if (asset === undefined) {
    const reason = `no ${kind} is called "${label}"; an action's "as" gives it its name`
    addNameMistake(field, reason, labels.keys())
  }
  return { label, asset: asset ?? noAsset }
}

function readTransfer(field: Field, { transfers }: ActionScope): string {
  const label = statedText(field)
  if (!transfers.has(label)) {
    const reason = `no deposit or withdrawal is called "${label}"; its "as" gives it its name`
    addNameMistake(field, reason, transfers)
  }
  return label
}

/**
 * Reads the name of an API key. Keys that are named after the world's id are not known here; files refer to them by
 * their account.
 */
function readApiKey(field: Field, { apiKeys }: ActionScope): string {
  const name = statedText(field)
  if (!apiKeys.has(name)) {
    const reason = `no account has the key "${name}"; an account's keys can be given by "account" as well`
    addNameMistake(field, reason, apiKeys)
  }
  return name
}

/** Reads scopes in the order of the specification, each once. */
export function readScopes(field: Field): readonly Scope[] {
  return scopes.filter((scope) => listItems(field).some((item) => statedText(item) === scope))
}

function readSeconds(field: Field): Millis {
  const value = numberOr(field, 30) * 1000
  if (!Number.isInteger(value)) addMistake(field, `${statedScalar(field).text} is finer than a millisecond`)
  return millis(Math.round(value))
}

function readMetadata(field: Field): Metadata | null {
  const plain = toPlain(field.tree)
  return isObject(plain) ? plain : null
}

/**
 * Converts a limit price to ticks. Choice: a limit relative to the mark is rounded away from the market, so that it
 * is never better than asked for.
 */
export function computeLimitTicks(price: PriceTerm, asset: number, side: Side, state: State): PriceTicks {
  return computeTicks(price, asset, state, side === buy ? multiplyDivideFloor : multiplyDivideCeil)
}

export const computeNearestTicks = (price: PriceTerm, asset: number, state: State): PriceTicks =>
  computeTicks(price, asset, state, multiplyDivideHalfEven)

function computeTicks(
  price: PriceTerm,
  asset: number,
  state: State,
  round: (left: number, right: number, divisor: number) => number,
): PriceTicks {
  if (price.kind === 'ticks') return price.priceTicks
  const ticks = round(state.markTicks.get(asset), million + price.change, million)
  return priceTicks(Math.max(1, ticks))
}

const million = 1_000_000
