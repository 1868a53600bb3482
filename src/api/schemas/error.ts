import { errorTypes } from '../error-types.ts'
import { closed } from './closed.ts'
import * as common from './common.ts'
import type { Schema } from './infer.ts'

/** Spec: Errors. Where the type's name is kept is reading `error.typeField`; this is the default. */
export const errorSchema = closed({
  statusCode: common.integer,
  message: common.text,
  error: common.text,
  details: {
    type: 'object',
    additionalProperties: false,
    properties: {
      field: common.text,
      reason: common.text,
      type: {
        enum: errorTypes,
      },
    },
  } as const satisfies Schema,
})
