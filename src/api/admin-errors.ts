import { errorBody, type Problem, problems } from './errors.ts'
import { errorShape } from './operations/common.ts'
import { defaultReadings } from './readings/readings.ts'
import { describe, listOf, object } from './wire-shapes.ts'

const { details, ...errorFields } = errorShape.properties
const problemShape = object({ field: details.properties.field, reason: details.properties.reason })
/** The body of an error of the admin API: that of the venue, with a list of problems in its details. */
export const adminError = object({
  ...errorFields,
  details: {
    ...details,
    properties: {
      ...details.properties,
      problems: describe(
        listOf(problemShape),
        'all that is wrong with a form, where that is more than one thing',
      ),
    },
  },
})

/** A refused form: the first problem, and all of them where there are several. */
export interface FormRefusal extends Problem {
  readonly all?: readonly { readonly field: string; readonly reason: string }[]
}

/**
 * Returns the body of an error of the admin API. Unlike the venue, whose bodies the specification fixes, it appends
 * the hint to the reason, and lists all problems where there are several.
 */
export function adminErrorBody({ all = [], hint, ...problem }: FormRefusal) {
  const reason = problem.reason ?? problems[problem.code].message
  const explained = hint === undefined ? problem : { ...problem, reason: `${reason} (${hint})` }
  const body = errorBody(explained, defaultReadings)
  if (all.length < 2) return body
  const message = `${body.message}, and ${all.length - 1} more`
  return { ...body, message, details: { ...body.details, problems: all } }
}
