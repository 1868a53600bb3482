import { faultSchema } from '../../api/faults/fault-rule.ts'
import { faultTypes } from '../../api/faults/fault-types.ts'
import type { Schema } from '../file/schema-words.ts'
import { duration } from '../file/schema-words.ts'
import { inForce } from './schema-action-parts.ts'

/* The `fault` action: the rule as the admin API takes it, and a few short ways to say the common ones. */

const { type: _, forMs: __, ...rule } = faultSchema.properties

const described: { readonly [name: string]: string } = {
  id: 'Names the rule in the admin API.',
  match: 'Which requests: method, path (with "*"), key, account, asset, side, nth. All by default.',
  phase: 'Whether it strikes before the operation, or after: then the order lands and the answer is lost.',
  toxicity: 'The share of due requests that it strikes.',
  count: 'How often it strikes at most.',
  skip: 'Requests that it lets go first.',
  every: 'After that, it is due at every n-th match, starting with the first.',
  attributes: 'What the type takes, with its unit in the name.',
}

const properties: { [name: string]: Schema } = {}
for (const [name, schema] of Object.entries<Schema>(rule)) {
  const description = described[name]
  properties[name] = description === undefined ? schema : { ...schema, description }
}

export const faultAction: Schema = {
  type: 'object',
  additionalProperties: false,
  description:
    'Injects a fault into requests, given by `type`, or in short by `status` or `latency`. It strikes those of clients; orders and cancels of the timeline and of agents are no requests that could be lost.',
  properties: {
    type: { enum: Object.keys(faultTypes), description: 'What goes wrong.' },
    ...properties,
    status: {
      type: 'integer',
      minimum: 400,
      maximum: 599,
      description: 'Short for http_error with this status.',
    },
    latency: {
      title: 'a duration, or a mapping such as {dist: lognormal, p50: 800ms, p99: 6s}',
      description: 'Short for latency.',
      oneOf: [
        duration,
        {
          type: 'object',
          additionalProperties: false,
          required: ['dist'],
          properties: {
            dist: { enum: ['lognormal', 'uniform', 'normal'], description: 'The distribution.' },
            p50: { ...duration, description: 'The median of lognormal.' },
            p99: { ...duration, description: 'The 99th percentile of lognormal.' },
            min: { ...duration, description: 'The least of uniform.' },
            max: { ...duration, description: 'The greatest of uniform.' },
            mean: { ...duration, description: 'The mean of normal.' },
            deviation: { ...duration, description: 'The standard deviation of normal.' },
          },
        },
      ],
    },
    commitThenDrop: {
      const: true,
      description: 'Short for CONNECTION_RESET_BY_PEER after the operation: it lands, the answer is lost.',
    },
    rate: { type: 'number', minimum: 0, maximum: 1, description: 'The same as toxicity.' },
    for: inForce('How long the rule stays; to the end by default.'),
  },
}
