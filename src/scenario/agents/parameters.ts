import { parseDuration } from '../../numeric/time-text.ts'
import { type Decimal, toStepCount } from '../../numeric/units.ts'
import { schemaInFile } from '../../shape/in-file.ts'
import { type Shape, typed } from '../../shape/shape.ts'
import { durationFrom } from '../../shape/units.ts'
import { type ReadResult, success } from '../file/mistake.ts'
import { positiveAmount } from '../file/schema-words.ts'
import type { JsonData } from '../file/tree.ts'

/*
 * What agents' parameters mean, in a file and in what `set` gives during a run. Values are plain: numbers in the unit of
 * the name, milliseconds for durations, words.
 */

/** Durations in milliseconds, quantities in steps. */
export type AgentParameter = number | string

export type Values = ReadonlyMap<string, AgentParameter>

/** In quantity steps of the asset. Like words, it is fixed for the whole run. */
export const quantity = (description: string) =>
  typed<number>({ ...positiveAmount, description, readAs: 'quantity' })

export const parametersOf = ({ properties = {} }: Shape): readonly (readonly [string, Shape])[] =>
  Object.entries(properties)

export function parametersSchema(shape: Shape): Shape {
  const { description: _, ...schema } = schemaInFile(shape)
  return schema
}

/**
 * A given value in our unit, or what is wrong with it. `step` is the pair's quantity step; null during a run, and
 * undefined of a pair that cannot be read, of which no quantity can be judged.
 */
export function readValue(
  { unit, enum: options, readAs, type, minimum = 0, maximum = 0 }: Shape,
  given: JsonData,
  step: Decimal | null | undefined,
): ReadResult<AgentParameter, { readonly reason: string }> {
  if (unit === 'duration') {
    const span = typeof given === 'string' ? parseDuration(given) : null
    if (span !== null && span >= minimum && span <= maximum) return success(span)
    return { ok: false, reason: `expected ${durationFrom(minimum, maximum)}` }
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
