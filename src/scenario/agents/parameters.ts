import { assert } from '../../numeric/assert.ts'
import { toStepCount } from '../../numeric/decimal.ts'
import { formatDuration, parseDuration } from '../../numeric/time-text.ts'
import type { Shape } from '../../shape/shape.ts'
import { duration, positiveAmount } from '../file/schema-words.ts'
import type { JsonData } from '../file/tree.ts'

/*
 * The parameters of an agent, as one table: the schema of the file comes from it, it reads the file, and it checks what
 * `set` gives during a run. Values are plain: numbers in the unit of the name, milliseconds for durations, words.
 */

export type Parameter = NumberParameter | DurationParameter | WordParameter | QuantityParameter

interface NumberParameter {
  readonly kind: 'number' | 'integer'
  readonly fallback: number
  readonly minimum: number
  readonly maximum: number
  /** The parameter that it must be below. */
  readonly below?: string
  readonly description: string
}

interface DurationParameter {
  readonly kind: 'duration'
  readonly fallback: string
  readonly minimumMillis: number
  readonly description: string
}

/** Fixed for the whole run. Without a fallback the file must state it. */
interface WordParameter {
  readonly kind: 'word'
  readonly words: readonly string[]
  readonly fallback: string | null
  readonly description: string
}

/** In quantity steps of the asset. The file must state it, and it is fixed for the whole run. */
interface QuantityParameter {
  readonly kind: 'quantity'
  readonly description: string
}

export type Parameters = { readonly [name: string]: Parameter }

/** Durations in milliseconds, quantities in steps. */
export type Value = number | string

/** By the names of parameters. */
export type Values = ReadonlyMap<string, Value>

/** The schema of an agent's `params`. */
export function parametersSchema(parameters: Parameters): Shape {
  const entries = Object.entries(parameters)
  const required = entries.filter(([, parameter]) => isRequired(parameter)).map(([name]) => name)
  return {
    type: 'object',
    additionalProperties: false,
    properties: Object.fromEntries(entries.map(([name, parameter]) => [name, schemaOf(parameter)])),
    ...(required.length === 0 ? {} : { required }),
  }
}

export function isRequired(parameter: Parameter): boolean {
  return parameter.kind === 'quantity' || (parameter.kind === 'word' && parameter.fallback === null)
}

/** The value of a parameter that is not given; null when it must be. */
export function fallbackOf(parameter: Parameter): Value | null {
  if (parameter.kind === 'quantity') return null
  return parameter.kind === 'duration' ? parseDuration(parameter.fallback) : parameter.fallback
}

/**
 * A given value in our unit, or what is wrong with it. `step` is the pair's quantity step; null during a run, and
 * undefined of a pair that cannot be read, of which no quantity can be judged.
 */
export function readValue(
  parameter: Parameter,
  given: JsonData,
  step: { readonly units: number; readonly scale: number } | null | undefined,
): { readonly value: Value } | { readonly reason: string } {
  switch (parameter.kind) {
    case 'number':
    case 'integer': {
      const isOfKind = typeof given === 'number' && (parameter.kind === 'number' || Number.isInteger(given))
      const { minimum, maximum } = parameter
      if (isOfKind && given >= minimum && given <= maximum) return { value: given }
      const noun = parameter.kind === 'integer' ? 'a whole number' : 'a number'
      return { reason: `expected ${noun} from ${minimum} to ${maximum}` }
    }
    case 'duration': {
      const span = typeof given === 'string' ? parseDuration(given) : null
      if (span === null) return { reason: 'expected a duration, such as 250ms, 5s or 1h' }
      if (span >= parameter.minimumMillis) return { value: span }
      return { reason: `expected at least ${formatDuration(parameter.minimumMillis)}` }
    }
    case 'word':
      if (step === null) return { reason: 'is settled for the whole run' }
      if (typeof given === 'string' && parameter.words.includes(given)) return { value: given }
      return { reason: `expected one of ${parameter.words.join(', ')}` }
    case 'quantity': {
      if (step === null) return { reason: 'is settled for the whole run' }
      if (step === undefined) return { value: 0 }
      const isText = typeof given === 'number' || typeof given === 'string'
      const steps = isText ? toStepCount(given, step) : null
      if (steps !== null && steps > 0 && Number.isSafeInteger(steps)) return { value: steps }
      return { reason: 'is not a multiple of the quantity step above 0' }
    }
  }
}

/** One of the numbers that the table promises to be there. */
export function numberIn(values: Values, name: string): number {
  const value = values.get(name)
  assert(typeof value === 'number', 'an agent has a value for each of its parameters')
  return value
}

function schemaOf(parameter: Parameter): Shape {
  const { description } = parameter
  switch (parameter.kind) {
    case 'number':
    case 'integer': {
      const { kind: type, minimum, maximum, fallback } = parameter
      return { type, minimum, maximum, default: fallback, description }
    }
    case 'duration':
      return { ...duration, default: parameter.fallback, description }
    case 'word': {
      const { words, fallback } = parameter
      return { enum: words, description, ...(fallback === null ? {} : { default: fallback }) }
    }
    case 'quantity':
      return { ...positiveAmount, description }
  }
}
