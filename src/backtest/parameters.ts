import { nearestWord } from '../api/nearest-word.ts'
import { describeValue } from '../api/options.ts'
import { formatDuration, parseDuration } from '../numeric/time-text.ts'
import { parseDecimal } from '../numeric/units.ts'
import type { ParameterValue, ParameterValues } from './result.ts'

/**
 * A parameter that can be set from outside the strategy: by `--set name=value`, an axis of a sweep, or an option of
 * `backtest`.
 */
export type ParameterDeclaration =
  | NumberDeclaration
  | DurationDeclaration
  | StringDeclaration
  | BooleanDeclaration

export interface NumberDeclaration {
  readonly type: 'number' | 'integer'
  readonly default: number
  readonly minimum?: number
  readonly maximum?: number
  readonly description?: string
}

/** A parameter that is a span, such as `250ms`, `5s` or `1h`. The strategy receives milliseconds. */
export interface DurationDeclaration {
  readonly type: 'duration'
  readonly default: string
  readonly minimum?: string
  readonly maximum?: string
  readonly description?: string
}

export interface StringDeclaration {
  readonly type: 'string'
  readonly default: string
  readonly oneOf?: readonly string[]
  readonly description?: string
}

export interface BooleanDeclaration {
  readonly type: 'boolean'
  readonly default: boolean
  readonly description?: string
}

export type ParameterDeclarations = Readonly<Record<string, ParameterDeclaration>>

/** The types of the values that a strategy receives for its declared parameters. */
export type ValuesOf<Declarations extends ParameterDeclarations> = {
  readonly [Name in keyof Declarations]: Declarations[Name] extends StringDeclaration
    ? string
    : Declarations[Name] extends BooleanDeclaration
      ? boolean
      : number
}

/**
 * Returns the value of every declared parameter: the given one, as text or of its type, else the default. Throws a
 * RangeError that names the parameter for an unknown name, a value of another type, and one out of range.
 */
export function resolveParameters(
  declarations: ParameterDeclarations,
  given: Readonly<Record<string, ParameterValue>> = {},
): ParameterValues {
  const names = Object.keys(declarations)
  for (const name of Object.keys(given)) {
    if (Object.hasOwn(declarations, name)) continue
    const nearest = nearestWord(name, names)
    const known = names.length === 0 ? 'it has none' : `it has ${names.join(', ')}`
    const hint = nearest === null ? known : `did you mean "${nearest}"?`
    throw new RangeError(`the strategy has no parameter "${name}"; ${hint}`)
  }
  const values: Record<string, ParameterValue> = {}
  for (const [name, declaration] of Object.entries(declarations)) {
    values[name] = readParameter(
      name,
      declaration,
      given[name] === undefined ? declaration.default : given[name],
    )
  }
  // Frozen, because the result states these as the values of the run.
  return Object.freeze(values)
}

const parameterTypes = ['number', 'integer', 'duration', 'string', 'boolean']

/** Returns why a value is not a set of parameter declarations; null where it is one. */
export function declarationsProblem(value: unknown): string | null {
  if (typeof value !== 'object' || value === null) return 'parameters must be an object of declarations'
  for (const [name, declaration] of Object.entries(value)) {
    const type: unknown =
      typeof declaration === 'object' && declaration !== null && 'type' in declaration
        ? declaration.type
        : undefined
    if (typeof type !== 'string' || !parameterTypes.includes(type))
      return `parameters.${name}.type must be one of ${parameterTypes.join(', ')}`
    if (!('default' in declaration)) return `parameters.${name}.default is missing`
  }
  return null
}

/** Describes a parameter in one line, for help: `fast: integer, 2 to 500, default 10`. */
export function describeParameter(name: string, declaration: ParameterDeclaration): string {
  const { description } = declaration
  const range = describeRange(declaration)
  const text = `${name}: ${declaration.type}${range}, default ${declaration.default}`
  return description === undefined ? text : `${text}. ${description}`
}

function readParameter(
  name: string,
  declaration: ParameterDeclaration,
  given: ParameterValue,
): ParameterValue {
  switch (declaration.type) {
    case 'boolean':
      return readBoolean(name, given)
    case 'string':
      return readString(name, declaration, given)
    case 'duration':
      return readDuration(name, declaration, given)
    default:
      return readNumber(name, declaration, given)
  }
}

function readBoolean(name: string, given: ParameterValue): boolean {
  if (given === true || given === 'true') return true
  if (given === false || given === 'false') return false
  throw createValueError(name, 'true or false', given)
}

function readString(name: string, { oneOf }: StringDeclaration, given: ParameterValue): string {
  if (typeof given !== 'string' && !Number.isFinite(given)) throw createValueError(name, 'a text', given)
  const text = String(given)
  if (oneOf !== undefined && !oneOf.includes(text))
    throw createValueError(name, `one of ${oneOf.join(', ')}`, given)
  return text
}

function readDuration(name: string, declaration: DurationDeclaration, given: ParameterValue): number {
  const millis = parseMillis(given)
  if (millis === null) throw createValueError(name, 'a span such as 250ms, 5s or 1h', given)
  const minimum = parseMillis(declaration.minimum ?? '0ms') ?? 0
  const maximum = parseMillis(declaration.maximum ?? '') ?? Number.MAX_SAFE_INTEGER
  if (millis < minimum || millis > maximum)
    throw createValueError(name, `a span${describeRange(declaration)}`, given)
  return millis
}

/** Reads milliseconds from a span as text, from a number, or from a number as text; returns null for anything else. */
function parseMillis(given: ParameterValue): number | null {
  if (typeof given === 'number') return Number.isSafeInteger(given) && given >= 0 ? given : null
  if (typeof given !== 'string') return null
  return /^\d{1,15}$/.test(given) ? Number(given) : parseDuration(given)
}

function readNumber(name: string, declaration: NumberDeclaration, given: ParameterValue): number {
  const value = typeof given === 'string' && parseDecimal(given) !== null ? Number(given) : given
  const isWhole = declaration.type === 'integer'
  const kind = isWhole ? 'a whole number' : 'a number'
  if (typeof value !== 'number' || !Number.isFinite(value) || (isWhole && !Number.isSafeInteger(value))) {
    throw createValueError(name, kind, given)
  }
  const { minimum = Number.NEGATIVE_INFINITY, maximum = Number.POSITIVE_INFINITY } = declaration
  if (value < minimum || value > maximum)
    throw createValueError(name, `${kind}${describeRange(declaration)}`, given)
  return value
}

function describeRange(declaration: ParameterDeclaration): string {
  if (declaration.type === 'boolean') return ''
  if (declaration.type === 'string') {
    return declaration.oneOf === undefined ? '' : `, one of ${declaration.oneOf.join(', ')}`
  }
  const { minimum, maximum } = declaration
  if (minimum !== undefined && maximum !== undefined) return `, ${minimum} to ${maximum}`
  if (minimum !== undefined) return `, at least ${minimum}`
  return maximum === undefined ? '' : `, at most ${maximum}`
}

function createValueError(name: string, expected: string, given: ParameterValue): RangeError {
  return new RangeError(`parameter ${name}: expected ${expected}, found ${describeValue(given)}`)
}

/** Lists parameters as names and texts in the form that `--set` takes; a duration is written as a span. */
export function listParameterTexts(
  declarations: ParameterDeclarations,
  values: ParameterValues,
): readonly (readonly [string, string])[] {
  return Object.entries(values).map(([name, value]) => [
    name,
    declarations[name]?.type === 'duration' && typeof value === 'number'
      ? formatDuration(value)
      : String(value),
  ])
}

/** Quotes a text where a POSIX shell would not take it for one word. */
export function quoteShellWord(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`
}
