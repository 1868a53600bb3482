import type { DecimalStep, PairConfig } from '../../engine/config.ts'
import { frozen, type Metadata } from '../../engine/metadata.ts'
import {
  type Atoms,
  atoms,
  numberToScaled,
  parseDecimal,
  powerOfTen,
  priceTicks,
  quantitySteps,
  scaledToText,
  toStepCount,
} from '../../numeric/units.ts'
import { type SchemaError, validatorOf } from '../../shape/compiled-schemas.ts'
import type { RecordOf, Shape } from '../../shape/shape.ts'
import type { Problem } from '../errors.ts'
import { type Flaw, flawed, nearestWord, type Read, withHint } from '../flaw.ts'
import { isObject } from '../json.ts'
import type { Operation } from '../operations/operation.ts'
import type { Readings } from '../readings/readings.ts'
import { itemShape } from '../wire-shapes.ts'
import {
  findFlaw,
  type ItemFlaws,
  jsonLimits,
  jsonMistake,
  maximumDepth,
  type NumberForm,
  reservedKeys,
} from './json-scan.ts'
import type { Ignored } from './query-string.ts'

interface BodyRead {
  readonly body: unknown
  /** What was ignored, for the caller; null when nothing was. */
  readonly hint: string | null
  /** Where items fail one by one: what is wrong inside of an item is its own. */
  readonly flaws?: ItemFlaws
}

/**
 * A body as its operation's shape. Errors, in order: empty, not strict JSON, not matching the shape. A body that is
 * sent where none is read is ignored.
 */
export function readBody(
  { body: shape, bodyItem, isBodyOptional }: Operation,
  sent: string | PlainBody,
  readings: Readings,
): Read<BodyRead> {
  if (shape === null) return noBody
  if (sent === '' && !isBodyOptional) return flawed('body', 'is required')
  const read =
    typeof sent === 'string'
      ? readJsonItems(sent === '' ? '{}' : sent, bodyItem === null ? null : listIn(shape))
      : ({ ok: true, value: { json: sent, flaws: noFlaws } } as const)
  if (!read.ok) return read
  const { json, flaws } = read.value
  const body = readValue(shape, json, readings)
  const hint = ignoredIn(bodyItem === null ? shape : withItems(shape, bodyItem), json, readings)
  return body.ok
    ? { ok: true, value: { body: body.value, flaws, hint } }
    : { ok: false, flaw: withHint(body.flaw, hint) }
}

const noFlaws: ItemFlaws = new Map()
const noBody: Read<BodyRead> = { ok: true, value: { body: undefined, hint: null } }

/** The field that holds a body's items; '' where the body itself is the list. */
function listIn({ properties = {} }: Shape): string {
  return Object.keys(properties).find((name) => properties[name]?.type === 'array') ?? ''
}

/** The schema with its items, which are checked one by one and so are not part of the body's own schema. */
export function withItems(schema: Shape, items: Shape): Shape {
  if (schema.type === 'array') return { ...schema, items }
  const properties = Object.entries(schema.properties ?? {}).map(([name, field]) => [
    name,
    withItems(field, items),
  ])
  return { ...schema, properties: Object.fromEntries(properties) }
}

/** A JSON value as its schema's type, as leniently as the readings say. */
export function readValue<const S extends Shape>(
  schema: S,
  value: unknown,
  readings: Readings,
): Read<RecordOf<S>> {
  const softening = softeningUnder(readings)
  if (softening === null) return validate(schema, value)
  const softened = soften(schema, value, '', softening)
  return softening.flaw === null ? validate(schema, softened) : { ok: false, flaw: softening.flaw }
}

/** What is loosened, and what was found in doing so. */
interface Softening {
  readonly ignoresUnknown: boolean
  readonly coerces: boolean
  readonly takesSnakeCase: boolean
  readonly ignored: Ignored[]
  /** A field that is given under both of its names. */
  flaw: Flaw | null
}

function softeningUnder(readings: Readings): Softening | null {
  const ignoresUnknown = readings['body.unknown'] === 'ignore'
  const coerces = readings['body.coerce'] === 'coerce'
  const takesSnakeCase = readings['body.names'] === 'either'
  if (!ignoresUnknown && !coerces && !takesSnakeCase) return null
  return { ignoresUnknown, coerces, takesSnakeCase, ignored: [], flaw: null }
}

/**
 * The value with the documented names, without unknown fields, and with numbers for strings of digits where numbers
 * belong. What has no fixed names (metadata) stays as it is.
 */
function soften(schema: Shape, value: unknown, path: string, softening: Softening): unknown {
  if (typeof value === 'string') return softening.coerces && takesNumber(schema) ? readNumber(value) : value
  const { properties } = schema
  const items = itemShape(schema)
  if (Array.isArray(value))
    return items === undefined
      ? value
      : value.map((item, index) => soften(items, item, `${path}[${index}]`, softening))
  if (typeof value !== 'object' || value === null || properties === undefined) return value
  const entries = Object.entries(value).flatMap(([given, field]): [string, unknown][] => {
    const name = documentedName(given, value, properties, softening)
    const place = path === '' ? name : `${path}.${name}`
    const known = Object.hasOwn(properties, name) ? properties[name] : undefined
    if (known !== undefined) return [[name, soften(known, field, place, softening)]]
    if (!softening.ignoresUnknown) return [[name, field]]
    softening.ignored.push({ path: place, meant: nearestWord(name, Object.keys(properties)) })
    return []
  })
  return Object.fromEntries(entries)
}

/** Reading `body.names`: `order_type` is `orderType`, where that is a field; both together are a mistake. */
function documentedName(
  given: string,
  value: object,
  properties: { readonly [name: string]: Shape },
  softening: Softening,
): string {
  if (!softening.takesSnakeCase || Object.hasOwn(properties, given)) return given
  const name = Object.keys(properties).find((known) => snakeCase(known) === given)
  if (name === undefined) return given
  if (Object.hasOwn(value, name))
    softening.flaw ??= { field: given, reason: `and ${name} are the same field; give one of them` }
  return name
}

const snakeCase = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

function ignoredIn(schema: Shape, value: unknown, readings: Readings): string | null {
  const softening = softeningUnder(readings)
  if (softening === null || !softening.ignoresUnknown) return null
  soften(schema, value, '', softening)
  return ignoredHint(softening.ignored)
}

/** Readings `body.unknown` and `query.unknown`: what is dropped may have been meant for something. */
export function ignoredHint(ignored: readonly Ignored[]): string | null {
  if (ignored.length === 0) return null
  const shown = ignored.slice(0, maximumNamed).map(ignoredText)
  const more = ignored.length - shown.length
  return `ignored: ${shown.join(', ')}${more === 0 ? '' : ` and ${more} more`}`
}

const maximumNamed = 10
const maximumLength = 80

function ignoredText({ path, meant }: Ignored): string {
  const name = path === '' ? '""' : path.length > maximumLength ? `${path.slice(0, maximumLength)}...` : path
  return meant === null ? name : `${name} (did you mean ${meant}?)`
}

function takesNumber(schema: Shape): boolean {
  const types = typeof schema.type === 'string' ? [schema.type] : (schema.type ?? [])
  return !types.includes('string') && (types.includes('number') || types.includes('integer'))
}

function readNumber(text: string): unknown {
  return parseDecimal(text) === null ? text : Number(text)
}

/** Design: at most 50 keys (the schema counts them) and 4 KiB as JSON in UTF-8. Null when none is given. */
export function readMetadata(metadata: Metadata | null | undefined): Read<Metadata | null> {
  if (metadata === null || metadata === undefined) return { ok: true, value: null }
  if (utf8Length(JSON.stringify(metadata)) > maximumBytes)
    return flawed('metadata', 'is larger than 4 KiB as JSON')
  return { ok: true, value: frozen(metadata) }
}

const maximumBytes = 4096

/** Bytes of well-formed text; each half of a surrogate pair is two of its four. */
function utf8Length(text: string): number {
  let bytes = 0
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    bytes += code < 0x80 ? 1 : code < 0x800 || (code >= 0xd800 && code <= 0xdfff) ? 2 : 3
  }
  return bytes
}

/*
 * A body's text as JSON, read as strictly as a venue that books money should: by `JSON.parse`, and then by `findFlaw`,
 * unless a quick look shows that there is nothing to find.
 */

/**
 * Reads a whole body. A flaw's field is the path of the first offending place, `body` when it is about the text
 * itself. Choice: metadata may contain any double, because it is only echoed, and 1/3 comes back as it was sent.
 */
export function readJson(text: string, numbers: NumberForm = 'amounts'): Read<unknown> {
  const read = readJsonItems(text, null, numbers)
  return read.ok ? { ok: true, value: read.value.json } : read
}

/**
 * The same with a list whose items fail one by one: a flaw in an item is reported with that item. `list` is the field
 * that holds them; '' when the body itself is the list, null when there is none.
 */
export function readJsonItems(
  text: string,
  list: string | null,
  numbers: NumberForm = 'amounts',
): Read<{ readonly json: unknown; readonly flaws: ItemFlaws }> {
  const json = parse(text)
  if (!json.ok) return json
  const flaws = new Map<number, Flaw>()
  const items = list === null ? null : { list, flaws }
  const flaw = isClearlySound(text, json.value) ? null : findFlaw(text, numbers, items)
  return flaw === null ? { ok: true, value: { json: json.value, flaws } } : { ok: false, flaw }
}

/** A body that needs no text. */
export interface PlainBody {
  readonly [field: string]: unknown
}

/**
 * A body without a wire, if its text would say the same and be clearly sound: some of the fields that its operation
 * has, with amounts and plain words. Null for any other, which has to go by its text. It is a copy: the caller's object
 * stays the caller's.
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

/** Below is an exponent, and above are more digits than an amount may have. */
function isAmount(value: number): boolean {
  return value >= 1e-6 && numberToScaled(value, 8) !== null
}

const plainText = /^[ !#-[\]-~]*$/

function parse(text: string): Read<unknown> {
  if (text.startsWith('\ufeff')) return flawed('body', 'starts with a byte order mark')
  try {
    return { ok: true, value: JSON.parse(text) }
  } catch {
    const hint = jsonMistake(text)
    const flaw = { field: 'body', reason: 'is not valid JSON' }
    return { ok: false, flaw: hint === null ? flaw : { ...flaw, hint } }
  }
}

/**
 * Whether a quick look shows that nothing can be wrong with a valid text and its value: no escapes, no text beyond
 * ASCII, short plain numbers, and as many fields in the value as colons in the text (a key that is given twice is one
 * field). Otherwise `findFlaw` decides.
 */
function isClearlySound(text: string, value: unknown): boolean {
  if (typeof value !== 'object' || suspicious.test(text)) return false
  let colons = 0
  for (let at = text.indexOf(':'); at !== -1; at = text.indexOf(':', at + 1)) colons += 1
  return countFields(value, maximumDepth) === colons
}

const suspicious = /[\\\x7f-\uffff]|[:,[\s]-?(?:\d{16}|[\d.]{17}|[\d.]+[eE])/

/** How many fields all objects in a value have; NaN when one has a reserved name, too many, or is nested too deep. */
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

/** The value as the schema's type, or the first thing that is wrong with it. */
export function validate<const S extends Shape>(schema: S, value: unknown): Read<RecordOf<S>> {
  if (conforms(schema, value)) return { ok: true, value }
  const error = validatorOf(schema).errors?.[0]
  return {
    ok: false,
    flaw: error === undefined ? { field: 'body', reason: 'is not valid' } : describeError(schema, error),
  }
}

function conforms<const S extends Shape>(schema: S, value: unknown): value is RecordOf<S> {
  return validatorOf(schema)(value)
}

function describeError(schema: Shape, error: SchemaError): Flaw {
  const path = fieldAtPointer(error.instancePath)
  const { missingProperty, additionalProperty } = error.params
  if (missingProperty !== undefined) return { field: join(path, missingProperty), reason: 'is required' }
  if (additionalProperty !== undefined) {
    const flaw = { field: join(path, additionalProperty), reason: 'is not a known field' }
    const names = Object.keys(schemaAt(schema, error.schemaPath).properties ?? {})
    const meant = nearestWord(String(additionalProperty), names)
    const hint = meant === null ? `the fields are ${names.join(', ')}` : `did you mean ${meant}?`
    return names.length === 0 ? flaw : { ...flaw, hint }
  }
  if (error.keyword === 'minProperties') return nothingGiven(path, schemaAt(schema, error.schemaPath))
  return { field: path === '' ? 'body' : path, reason: describeReason(error) }
}

/** A body in which every field may be left out, but not all of them. */
function nothingGiven(path: string, { properties = {} }: Shape): Flaw {
  const [first = 'body', second = '', ...more] = Object.keys(properties)
  const others = more.length === 0 ? second : 'another field'
  return { field: join(path, first), reason: `or ${others} must be given` }
}

function describeReason(error: SchemaError): string {
  const { limit, type, allowedValues, allowedValue } = error.params
  switch (error.keyword) {
    case 'type':
      return `must be ${namesOf(type)}`
    case 'enum':
      return `must be one of ${listed(allowedValues)}`
    case 'const':
      return `must be ${allowedValue}`
    case 'minimum':
      return limit === 0 ? 'must not be negative' : `must be at least ${limit}`
    case 'exclusiveMinimum':
      return `must be greater than ${limit}`
    case 'maximum':
      return `must be at most ${limit}`
    case 'minLength':
    case 'minItems':
      return limit === 1 ? 'must not be empty' : `must have at least ${limit} ${countedBy(error.keyword)}`
    case 'maxLength':
    case 'maxItems':
    case 'maxProperties':
      return `must have at most ${limit} ${countedBy(error.keyword)}`
    case 'pattern':
      return 'must not contain control characters'
    default:
      return 'is not valid'
  }
}

function countedBy(keyword: string): string {
  return keyword.endsWith('Length') ? 'characters' : keyword.endsWith('Items') ? 'items' : 'keys'
}

/** Messages do not name null among the types: it means the same as leaving the field out. */
function namesOf(type: unknown): string {
  const names = String(type).split(',')
  const others = names.filter((name) => name !== 'null')
  return others.map((name) => (/^[aio]/.test(name) ? `an ${name}` : `a ${name}`)).join(' or ')
}

function listed(values: unknown): string {
  return Array.isArray(values) ? values.filter((value) => value !== null).join(', ') : String(values)
}

/** The schema whose keyword a path such as `#/properties/orders/items/required` names. */
function schemaAt(schema: Shape, path: string): Shape {
  let found: Shape | undefined = schema
  const parts = path.split('/').slice(1, -1)
  for (let at = 0; at < parts.length; at += 1) {
    const name = parts[at] ?? ''
    const next = parts[at + 1] ?? ''
    if (name === 'properties') found = found?.properties?.[next]
    else if (name === 'anyOf') found = found?.anyOf?.[Number(next)]
    else {
      found = name === 'items' && found !== undefined ? itemShape(found) : undefined
      continue
    }
    at += 1
  }
  return found ?? {}
}

/** `/orders/3/price` as `orders[3].price`. No name in a schema has a `~` or `/`, so nothing needs unescaping. */
function fieldAtPointer(pointer: string): string {
  let field = ''
  for (const part of pointer.split('/').slice(1))
    field = /^[0-9]+$/.test(part) ? `${field}[${part}]` : join(field, part)
  return field
}

function join(path: string, name: unknown): string {
  return path === '' ? String(name) : `${path}.${name}`
}

/* Amounts of a body to the engine's integers: exact or refused. */

/** A number that was given as the engine's integer; what was not, or is null, stays null. */
type Given<Value, Unit> = Unit | Problem | (Value extends number ? never : null)
type Sent = number | null | undefined

/** 0 or more. Errors: pair-violation, when it is not a multiple of the price step or beyond all bounds. */
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
