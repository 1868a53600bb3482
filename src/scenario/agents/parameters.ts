import { parseDuration } from '../../numeric/time-text.ts'
import { type Decimal, toStepCount } from '../../numeric/units.ts'
import { schemaInFile } from '../../shape/in-file.ts'
import { type Shape, shapeTyped } from '../../shape/shape.ts'
import { describeDurationRange } from '../../shape/units.ts'
import { type ReadResult, success } from '../file/mistake.ts'
import { positiveAmount } from '../file/schema-words.ts'
import type { JsonData } from '../file/tree.ts'

/*
 * Parameters of agents, in a file and in what `set` gives during a run. Values are plain: numbers in the unit of the
 * name, milliseconds for durations, words.
 */

/** The value of a parameter: durations in milliseconds, quantities in steps, words as text. */
export type AgentParameter = number | string

export type Values = ReadonlyMap<string, AgentParameter>

/**
 * Makes the shape of a parameter that is a quantity, in quantity steps of the asset. Like a word, it is fixed for the
 * whole run.
 */
export const quantity = (description: string) =>
  shapeTyped<number>({ ...positiveAmount, description, readAs: 'quantity' })

export const parametersOf = ({ properties = {} }: Shape): readonly (readonly [string, Shape])[] =>
  Object.entries(properties)

export function parametersSchema(shape: Shape): Shape {
  const { description: _, ...schema } = schemaInFile(shape)
  return schema
}

/**
 * Reads a given value in the parameter's unit, or says what is wrong with it. `step` is the quantity step of the
 * pair; it is null during a run, when quantities are fixed, and undefined for a pair that cannot be read, whose
 * quantities are all accepted.
 */
export function readValue(
  { unit, enum: options, readAs, type, minimum = 0, maximum = 0 }: Shape,
  given: JsonData,
  step: Decimal | null | undefined,
): ReadResult<AgentParameter, { readonly reason: string }> {
  if (unit === 'duration') {
    const span = typeof given === 'string' ? parseDuration(given) : null
    if (span !== null && span >= minimum && span <= maximum) return success(span)
    return { ok: false, reason: `expected ${describeDurationRange(minimum, maximum)}` }
  }
  if (options !== undefined) {
    if (step === null) return { ok: false, reason: 'is settled for the whole run' }
    if (typeof given === 'string' && options.includes(given)) return success(given)
    return { ok: false, reason: `expected one of ${options.join(', ')}` }
  }
  if (readAs === 'quantity') {
    if (step === null) return { ok: false, reason: 'is settled for the whole run' }
    if (step === undefined) return success(0)
    const isText = typeof given === 'number' || typeof given === 'string'
    const steps = isText ? toStepCount(given, step) : null
    if (steps !== null && steps > 0 && Number.isSafeInteger(steps)) return success(steps)
    return { ok: false, reason: 'is not a multiple of the quantity step above 0' }
  }
  const isOfKind = typeof given === 'number' && (type === 'number' || Number.isInteger(given))
  if (isOfKind && given >= minimum && given <= maximum) return success(given)
  const noun = type === 'integer' ? 'a whole number' : 'a number'
  return { ok: false, reason: `expected ${noun} from ${minimum} to ${maximum}` }
}
