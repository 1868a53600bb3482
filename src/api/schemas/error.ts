import { errorTypes } from '../error-types.ts'
import { closed, described } from './closed.ts'
import * as common from './common.ts'
import type { Schema } from './infer.ts'

/** Spec: Errors. Where the type's name is kept is reading `error.typeField`; this is the default. */
export const errorSchema = closed({
  statusCode: described(common.integer, 'the HTTP status'),
  message: described(common.text, 'what is wrong, for people'),
  error: described(common.text, 'the HTTP status phrase, such as Bad Request'),
  details: {
    type: 'object',
    additionalProperties: false,
    description: 'where and why, as far as it is known',
    properties: {
      field: described(common.text, 'the field that is wrong'),
      reason: described(common.text, 'what is wrong with it'),
      type: {
        enum: errorTypes,
        description: 'the error type',
      },
    },
  } as const satisfies Schema,
})
