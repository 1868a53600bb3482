import type { DecimalStep, PairConfig } from '../../engine/config.ts'
import { freezeMetadata, type Metadata } from '../../engine/metadata.ts'
import {
  type Atoms,
  atoms,
  decimalToText,
  numberToScaled,
  parseDecimal,
  powerOfTen,
  priceTicks,
  quantitySteps,
  toStepCount,
} from '../../numeric/units.ts'
import { findValidator } from '../../shape/compiled-schemas.ts'
import type { RecordOf, Shape } from '../../shape/shape.ts'
import type { Problem } from '../errors.ts'
import { type InputProblem, type InputResult, inputProblem, refuseField, withHint } from '../input-problem.ts'
import { isObject } from '../json.ts'
import { nearestWord } from '../nearest-word.ts'
import type { Operation } from '../operations/operation.ts'
import type { Readings } from '../readings/readings.ts'
import { itemShape } from '../wire-shapes.ts'
import {
  explainInvalidJson,
  findProblem,
  type ItemProblems,
  jsonLimits,
  maximumDepth,
  type NumberForm,
  reservedKeys,
} from './json-scan.ts'
import type { IgnoredField } from './query-string.ts'
import { describeSchemaError } from './schema-problem.ts'

interface ParsedBody {
  readonly body: unknown
  /** What was ignored, as a hint for the caller; null when nothing was. */
  readonly hint: string | null
  /** For a body whose items fail one by one: the problems inside its items. */
  readonly problems?: ItemProblems
}

/**
 * Reads a body as the shape of its operation; null, which generated clients send for none, is none where it is optional.
 * Errors, in order: empty, not strict JSON, not of the shape. A body of an operation without one is ignored.
 */
export function readBody(
  { body: shape, bodyItem, isBodyOptional }: Operation,
  sent: string | PlainBody,
  readings: Readings,
): InputResult<ParsedBody> {
  if (shape === null) return noBody
  if (sent === '' && !isBodyOptional) return refuseField('body', 'is required')
  const read =
    typeof sent === 'string'
      ? readJsonItems(sent === '' ? '{}' : sent, bodyItem === null ? null : findItemList(shape))
      : ({ ok: true, value: { json: sent, problems: noProblems } } as const)
  if (!read.ok) return read
  const { json: sentJson, problems } = read.value
  const json = sentJson === null && isBodyOptional ? {} : sentJson
  const body = readValue(shape, json, readings)
  const hint = hintIgnoredFields(bodyItem === null ? shape : withItems(shape, bodyItem), json, readings)
  return body.ok
    ? { ok: true, value: { body: body.value, problems, hint } }
    : { ok: false, problem: withHint(body.problem, hint) }
}

const noProblems: ItemProblems = new Map()
const noBody: InputResult<ParsedBody> = { ok: true, value: { body: undefined, hint: null } }

/** Finds the field that holds the items of a body; '' where the body itself is the list. */
function findItemList({ properties = {} }: Shape): string {
  return Object.keys(properties).find((name) => properties[name]?.type === 'array') ?? ''
}

/**
 * Adds the shape of its items to the schema of a body. Items are checked one by one, so the schema of the body itself
 * leaves them open.
 */
export function withItems(schema: Shape, items: Shape): Shape {
  if (schema.type === 'array') return { ...schema, items }
  const properties = Object.entries(schema.properties ?? {}).map(([name, field]) => [
    name,
    withItems(field, items),
  ])
  return { ...schema, properties: Object.fromEntries(properties) }
}

/** Reads a JSON value as the type of its schema, as strictly as the readings say. */
export function readValue<const S extends Shape>(
  schema: S,
  value: unknown,
  readings: Readings,
): InputResult<RecordOf<S>> {
  const coercion = coercionUnder(readings)
  if (coercion === null) return validate(schema, value)
  const coerced = coerce(schema, value, '', coercion)
  return coercion.problem === null ? validate(schema, coerced) : { ok: false, problem: coercion.problem }
}

/** What is coerced, and what was found while coercing. */
interface Coercion {
  readonly ignoresUnknown: boolean
  readonly coerces: boolean
  readonly takesSnakeCase: boolean
  readonly ignored: IgnoredField[]
  /** The problem of a field that is given under both of its names. */
  problem: InputProblem | null
}

function coercionUnder(readings: Readings): Coercion | null {
  const ignoresUnknown = readings['body.unknown'] === 'ignore'
  const coerces = readings['body.coerce'] === 'coerce'
  const takesSnakeCase = readings['body.names'] === 'either'
  if (!ignoresUnknown && !coerces && !takesSnakeCase) return null
  return { ignoresUnknown, coerces, takesSnakeCase, ignored: [], problem: null }
}

/**
 * Returns a value with the documented names, without unknown fields, and with numbers for strings of digits where
 * numbers belong. What has no fixed names (metadata) stays as it is.
 */
function coerce(schema: Shape, value: unknown, path: string, coercion: Coercion): unknown {
  if (typeof value === 'string') return coercion.coerces && acceptsNumber(schema) ? readNumber(value) : value
  const { properties } = schema
  const items = itemShape(schema)
  if (Array.isArray(value))
    return items === undefined
      ? value
      : value.map((item, index) => coerce(items, item, `${path}[${index}]`, coercion))
  if (typeof value !== 'object' || value === null || properties === undefined) return value
  const entries = Object.entries(value).flatMap(([given, field]): [string, unknown][] => {
    const name = documentedName(given, value, properties, coercion)
    const place = path === '' ? name : `${path}.${name}`
    const known = Object.hasOwn(properties, name) ? properties[name] : undefined
    if (known !== undefined) return [[name, coerce(known, field, place, coercion)]]
    if (!coercion.ignoresUnknown) return [[name, field]]
    coercion.ignored.push({ path: place, meant: nearestWord(name, Object.keys(properties)) })
    return []
  })
  return Object.fromEntries(entries)
}

/**
 * Returns the documented name of a field (reading `body.names`): `orderType` for `order_type`. A field that is given
 * under both names is a problem.
 */
function documentedName(
  given: string,
  value: object,
  properties: { readonly [name: string]: Shape },
  coercion: Coercion,
): string {
  if (!coercion.takesSnakeCase || Object.hasOwn(properties, given)) return given
  const name = Object.keys(properties).find((known) => snakeCase(known) === given)
  if (name === undefined) return given
  if (Object.hasOwn(value, name))
    coercion.problem ??= inputProblem(given, `and ${name} are the same field; give one of them`)
  return name
}

const snakeCase = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

function hintIgnoredFields(schema: Shape, value: unknown, readings: Readings): string | null {
  const coercion = coercionUnder(readings)
  if (coercion === null || !coercion.ignoresUnknown) return null
  coerce(schema, value, '', coercion)
  return formatIgnoredHint(coercion.ignored)
}

/**
 * Formats the hint that names ignored fields or parameters (readings `body.unknown` and `query.unknown`), because
 * what is ignored may have been meant for something.
 */
export function formatIgnoredHint(ignored: readonly IgnoredField[]): string | null {
  if (ignored.length === 0) return null
  const shown = ignored.slice(0, maximumNamed).map(formatIgnored)
  const more = ignored.length - shown.length
  return `ignored: ${shown.join(', ')}${more === 0 ? '' : ` and ${more} more`}`
}

const maximumNamed = 10
const maximumLength = 80

function formatIgnored({ path, meant }: IgnoredField): string {
  const name = path === '' ? '""' : path.length > maximumLength ? `${path.slice(0, maximumLength)}...` : path
  return meant === null ? name : `${name} (did you mean ${meant}?)`
}

function acceptsNumber(schema: Shape): boolean {
  const types = typeof schema.type === 'string' ? [schema.type] : (schema.type ?? [])
  return !types.includes('string') && (types.includes('number') || types.includes('integer'))
}

function readNumber(text: string): unknown {
  return parseDecimal(text) === null ? text : Number(text)
}

/**
 * Checks metadata, and returns null when none is given. Spec: design: at most 50 keys, which the schema counts, and 4
 * KiB as JSON in UTF-8.
 */
export function readMetadata(metadata: Metadata | null | undefined): InputResult<Metadata | null> {
  if (metadata === null || metadata === undefined) return { ok: true, value: null }
  if (utf8Length(JSON.stringify(metadata)) > maximumBytes)
    return refuseField('metadata', 'is larger than 4 KiB as JSON')
  return { ok: true, value: freezeMetadata(metadata) }
}

const maximumBytes = 4096

/**
 * Counts the UTF-8 bytes of well-formed text. Each half of a surrogate pair counts as two of the four bytes of the
 * pair.
 */
function utf8Length(text: string): number {
  let bytes = 0
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    bytes += code < 0x80 ? 1 : code < 0x800 || (code >= 0xd800 && code <= 0xdfff) ? 2 : 3
  }
  return bytes
}

/* Bodies are read as strictly as a venue that books money should read them: by `JSON.parse`, then by `findProblem`. */

/**
 * Reads the text of a body. The field of a problem is the path of the first offending place, or `body` when the
 * problem is with the text itself. Choice: metadata may contain any double, because it is only echoed, and 1/3 comes
 * back as it was sent.
 */
export function readJson(text: string, numbers: NumberForm = 'amounts'): InputResult<unknown> {
  const read = readJsonItems(text, null, numbers)
  return read.ok ? { ok: true, value: read.value.json } : read
}

/**
 * Reads the text of a body with a list whose items fail one by one: a problem inside an item is reported with that
 * item. The list is the field `list`; '' when the body itself is the list, null when there is none.
 */
export function readJsonItems(
  text: string,
  list: string | null,
  numbers: NumberForm = 'amounts',
): InputResult<{ readonly json: unknown; readonly problems: ItemProblems }> {
  const json = parseText(text)
  if (!json.ok) return json
  const problems = new Map<number, InputProblem>()
  const items = list === null ? null : { list, problems }
  const problem = isClearlySound(text, json.value) ? null : findProblem(text, numbers, items)
  return problem === null
    ? { ok: true, value: { json: json.value, problems } }
    : { ok: false, problem: problem }
}

/** A body that is passed in process without being written as text. */
export interface PlainBody {
  readonly [field: string]: unknown
}

/**
 * Copies a body that is sent in process, if its text would mean the same and clearly be sound: some of the fields
 * that the operation has, with amounts and plain words. Null for any other body, which has to go through its text.
 */
export function plainBody({ body }: Operation, value: unknown): PlainBody | null {
  if (!isObject(value) || Object.getPrototypeOf(value) !== Object.prototype) return null
  const properties = body?.properties ?? {}
  const fields = { ...value }
  for (const name of Object.keys(fields))
    if (!isPlain(fields[name]) || !Object.hasOwn(properties, name)) return null
  return fields
}

function isPlain(value: unknown): boolean {
  if (typeof value === 'string') return plainText.test(value)
  return typeof value === 'number' ? isAmount(value) : value === null
}

/**
 * Returns whether a number is an amount as its text would have it: smaller ones are written with an exponent, larger
 * ones have more digits than an amount may have.
 */
function isAmount(value: number): boolean {
  return value >= 1e-6 && numberToScaled(value, 8) !== null
}

const plainText = /^[ !#-[\]-~]*$/

function parseText(text: string): InputResult<unknown> {
  if (text.startsWith('\ufeff')) return refuseField('body', 'starts with a byte order mark')
  try {
    return { ok: true, value: JSON.parse(text) }
  } catch {
    return { ok: false, problem: inputProblem('body', 'is not valid JSON', explainInvalidJson(text)) }
  }
}

/**
 * Returns whether a quick look shows that nothing can be wrong with a valid text and its value: no escapes, no text
 * beyond ASCII, short plain numbers, and as many fields in the value as colons in the text (a key that is given twice
 * is one field). Otherwise `findProblem` decides.
 */
export function isClearlySound(text: string, value: unknown): boolean {
  if (typeof value !== 'object' || suspicious.test(text)) return false
  let colons = 0
  for (let at = text.indexOf(':'); at !== -1; at = text.indexOf(':', at + 1)) colons += 1
  return countFields(value, maximumDepth) === colons
}

const suspicious = /[\\\x7f-\uffff]|[:,[\s]-?(?:\d{16}|[\d.]{17}|[\d.]+[eE])/

/**
 * Counts the fields of all objects in a value; NaN when one has a reserved name or too many fields, or is nested too
 * deep.
 */
function countFields(value: unknown, levels: number): number {
  if (typeof value !== 'object' || value === null) return 0
  if (levels === 0) return Number.NaN
  let count = 0
  if (Array.isArray(value)) {
    for (const item of value) count += countFields(item, levels - 1)
    return count
  }
  const names = Object.keys(value)
  if (names.length > jsonLimits.keysPerObject) return Number.NaN
  for (const name of names) if (reservedKeys.has(name)) return Number.NaN
  for (const field of Object.values(value)) count += countFields(field, levels - 1)
  return count + names.length
}

/** Returns a value as the type of a schema, or the first problem with it. */
export function validate<const S extends Shape>(schema: S, value: unknown): InputResult<RecordOf<S>> {
  if (isOfShape(schema, value)) return { ok: true, value }
  const error = findValidator(schema).errors?.[0]
  return {
    ok: false,
    problem: error === undefined ? inputProblem('body', 'is not valid') : describeSchemaError(schema, error),
  }
}

function isOfShape<const S extends Shape>(schema: S, value: unknown): value is RecordOf<S> {
  return findValidator(schema)(value)
}

/**
 * An integer of the engine, or the problem of the number that was sent. It is null only where the number may be left
 * out.
 */
type CountOrProblem<Value, Unit> = Unit | Problem | (Value extends number ? never : null)
type OptionalNumber = number | null | undefined

/**
 * Converts a price, 0 or more, to ticks. Errors: a violation of the pair, when it is not a multiple of the price step
 * or exceeds all bounds.
 */
export const readTicks = <Value extends OptionalNumber>(value: Value, field: string, pair: PairConfig) =>
  readCount(value, field, pair.priceStep, priceTicks)

/**
 * Converts a quantity, 0 or more, to steps. Errors: a violation of the pair, when it is not a multiple of the
 * quantity step or exceeds all bounds.
 */
export const readSteps = <Value extends OptionalNumber>(value: Value, field: string, pair: PairConfig) =>
  readCount(value, field, pair.quantityStep, quantitySteps)

/** Converts an amount of an asset with `scale` decimals to atoms. Errors: too many decimals, or out of range. */
export function readAtoms(value: number, field: string, scale: number, symbol: string): Atoms | Problem {
  const amount = numberToScaled(value, scale)
  if (amount !== null) return atoms(amount)
  const isTooMuch = value * powerOfTen(scale) > Number.MAX_SAFE_INTEGER
  const reason = isTooMuch ? 'is out of range' : `must have at most ${scale} decimals in ${symbol}`
  return { code: 'invalid-parameter', field, reason }
}

/** Returns whether a conversion gave a problem in place of an integer. */
export function isProblem(read: number | null | Problem): read is Problem {
  return typeof read === 'object' && read !== null
}

function readCount<Value extends OptionalNumber, Unit>(
  value: Value,
  field: string,
  step: DecimalStep,
  unit: (count: number) => Unit,
): CountOrProblem<Value, Unit>
function readCount(
  value: OptionalNumber,
  field: string,
  step: DecimalStep,
  unit: (count: number) => unknown,
) {
  if (value === null || value === undefined) return null
  const count = toStepCount(value, step)
  if (count !== null) return unit(count)
  const isBeyond = value * powerOfTen(step.scale) > Number.MAX_SAFE_INTEGER
  const multiple = decimalToText(step.units, step.scale)
  const reason = isBeyond ? 'is out of range' : `must be a multiple of ${multiple}`
  return { code: 'pair-violation', field, reason } as const satisfies Problem
}
