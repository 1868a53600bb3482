import { errorBody, type Problem, problems } from './errors.ts'
import { errorShape } from './operations/common.ts'
import { defaultReadings } from './readings/readings.ts'
import { closed, described, listOf } from './wire-shapes.ts'

const { details, ...errorFields } = errorShape.properties
const flaw = closed({ field: details.properties.field, reason: details.properties.reason })
export const adminError = closed({
  ...errorFields,
  details: {
    ...details,
    properties: {
      ...details.properties,
      problems: described(listOf(flaw), 'all that is wrong with a form, where that is more than one thing'),
    },
  },
})

/** The first thing that is wrong with a form, and all of them where there are several. */
export interface FormRefusal extends Problem {
  readonly all?: readonly { readonly field: string; readonly reason: string }[]
}

/** The reason says what was perhaps meant: these bodies are not the specification's. */
export function adminErrorBody({ all = [], hint, ...problem }: FormRefusal) {
  const reason = problem.reason ?? problems[problem.code].message
  const explained = hint === undefined ? problem : { ...problem, reason: `${reason} (${hint})` }
  const body = errorBody(explained, defaultReadings)
  if (all.length < 2) return body
  const message = `${body.message}, and ${all.length - 1} more`
  return { ...body, message, details: { ...body.details, problems: all } }
}
