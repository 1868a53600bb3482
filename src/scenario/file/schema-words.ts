import { maximumStepUsd } from '../../engine/check-config.ts'
import type { Shape, TypeName } from '../../shape/shape.ts'
import { leastPriceUsd, mostPriceUsd } from '../../shape/spec-checks.ts'

/**
 * The one JSON Schema (draft 7) of scenario files, which `validate.ts` understands. Two habits make the messages
 * good: `title` is the noun after "expected", and the `kind` of an object chooses between objects.
 */
export interface RootSchema extends Shape {
  readonly $schema: string
  readonly definitions: { readonly [name: string]: Shape }
}

const resolvedSchemas = new WeakMap<Shape, Shape>()

/**
 * Returns the schema that a reference refers to, merged with the keywords beside the reference. Results are kept,
 * because a file may have many thousand values of one schema.
 */
export function resolveRef(schema: Shape, { definitions }: RootSchema): Shape {
  if (schema.$ref === undefined) return schema
  const known = resolvedSchemas.get(schema)
  if (known !== undefined) return known
  const { $ref, ...own } = schema
  const whole = { ...definitions[$ref.slice('#/definitions/'.length)], ...own }
  resolvedSchemas.set(schema, whole)
  return whole
}

export const typeNouns: { readonly [name in TypeName]: string } = {
  string: 'text',
  number: 'a number',
  integer: 'a whole number',
  boolean: 'true or false',
  object: 'a mapping',
  array: 'a list',
  null: 'nothing',
}

/*
 * The schemas that the whole format shares: amounts, durations, instants, names.
 */

const ref = (name: string): Shape => ({ $ref: `#/definitions/${name}` })

export const amount = ref('amount')
export const positiveAmount = ref('positiveAmount')
export const price = ref('price')
export const duration = ref('duration')
export const positiveDuration = ref('positiveDuration')
export const instant = ref('instant')
export const moment = ref('moment')
export const priceTerm = ref('priceTerm')
export const symbol = ref('symbol')
export const symbolOrAll = ref('symbolOrAll')
export const word = ref('word')
export const rateBps = ref('rateBps')
export const sizes = ref('sizes')
export const values = ref('values')
export const limits = ref('limits')
export const predicate = ref('predicate')

export const withDescription = (schema: Shape, description: string): Shape => ({ ...schema, description })

export const mapping = (
  properties: { readonly [name: string]: Shape },
  required: readonly string[] = [],
  description?: string,
): Shape => ({
  ...(description === undefined ? {} : { description }),
  type: 'object',
  additionalProperties: false,
  ...(required.length === 0 ? {} : { required }),
  properties,
})

/** Returns the schema of a key that people may expect and that is refused with a reason. */
export const refusedWord = (reason: string): Shape => ({
  'x-refused': reason,
  description: `Refused: ${reason}.`,
})

export const bySymbol = (value: Shape): Shape => ({
  type: 'object',
  propertyNames: symbol,
  additionalProperties: value,
  maxProperties: 200,
})

/**
 * The most units that can be counted exactly, a little below 2^53: whole units, USD in millionths, sizes of limits in
 * units of 10^-8. The decimals and steps of an asset may bound its amounts further.
 */
const mostUnits = 9e15
export const usd: Shape = { ...amount, maximum: mostUnits / 1e6 }
const size: Shape = { ...amount, maximum: mostUnits / 1e8 }
/** An average price, which has 8 decimals like the size of a limit. */
export const averagePrice: Shape = { ...positiveAmount, minimum: 1e-8, maximum: mostUnits / 1e8 }
/** A price or quantity step. One price step times one quantity step is worth at most `maximumStepUsd`. */
export const step: Shape = { ...positiveAmount, minimum: 1e-8, maximum: maximumStepUsd / 1e-8 }

/** A value that a read-out is compared with. */
const anything: Shape = { type: ['string', 'number', 'boolean'] }
const ordered: Shape = { type: ['string', 'number'] }

const decimal = '(0|[1-9][0-9]*)(\\.[0-9]+)?'
const spans = '([0-9]+(\\.[0-9]+)?(ms|s|m|h|d))+'

export const words: { readonly [name: string]: Shape } = {
  amount: {
    title: 'an amount, as a number or as decimal text',
    type: ['number', 'string'],
    pattern: `^${decimal}$`,
    minimum: 0,
    maximum: mostUnits,
    examples: [0.5, '1000000'],
  },
  positiveAmount: {
    title: 'an amount above 0, as a number or as decimal text',
    type: ['number', 'string'],
    pattern: `^${decimal}$`,
    exclusiveMinimum: 0,
    maximum: mostUnits,
    examples: [50000, '0.25'],
  },
  price: {
    title: 'a price in USD, as a number or as decimal text',
    type: ['number', 'string'],
    pattern: `^${decimal}$`,
    exclusiveMinimum: 0,
    minimum: leastPriceUsd,
    maximum: mostPriceUsd,
    examples: [50000, '0.25'],
  },
  rateBps: {
    title: 'a rate in basis points',
    type: 'number',
    minimum: -1000,
    maximum: 1000,
    examples: [10],
  },
  duration: {
    title: 'a duration, such as 250ms, 5s, 2m, 1h or 3d',
    type: 'string',
    pattern: `^${spans}$`,
    examples: ['250ms', '5s', '2m', '1h', '3d'],
  },
  positiveDuration: {
    title: 'a duration above 0, such as 250ms, 5s, 2m, 1h or 3d',
    type: 'string',
    pattern: `^(?=.*[1-9])${spans}$`,
    examples: ['250ms', '5s', '2m', '1h', '3d'],
  },
  instant: {
    title: 'an instant, such as 2026-01-05T00:00:00Z',
    type: 'string',
    pattern:
      '^[0-9]{4}-[0-9]{2}-[0-9]{2}(T[0-9]{2}:[0-9]{2}:[0-9]{2}(\\.[0-9]{1,3})?(Z|[+-][0-9]{2}:[0-9]{2}))?$',
    examples: ['2026-01-05T00:00:00Z'],
  },
  moment: {
    title: 'a moment, such as +5m, 2026-01-05T00:05:00Z, news or news+10s',
    type: 'string',
    minLength: 1,
    maxLength: 100,
    examples: ['+5m', '2026-01-05T00:05:00Z', 'news+10s', 'end'],
  },
  priceTerm: {
    title: 'a price, or a change from the mark such as -4% or +25bps',
    type: ['number', 'string'],
    pattern: `^([+-]?${decimal}(%|bps)|${decimal})$`,
    exclusiveMinimum: 0,
    minimum: leastPriceUsd,
    maximum: mostPriceUsd,
    examples: [50000, '-4%', '+25bps'],
  },
  symbol: {
    title: 'an asset symbol, such as BTC',
    type: 'string',
    pattern: '^[A-Z0-9]{1,16}$',
    examples: ['BTC'],
  },
  symbolOrAll: {
    title: 'an asset symbol, or "*" for all',
    type: 'string',
    pattern: '^([A-Z0-9]{1,16}|\\*)$',
    examples: ['BTC', '*'],
  },
  symbolOrDefault: {
    title: 'an asset symbol, or "default"',
    type: 'string',
    pattern: '^([A-Z0-9]{1,16}|default)$',
  },
  word: {
    title: 'a name of letters, digits, "-" and "_"',
    type: 'string',
    pattern: '^[A-Za-z][A-Za-z0-9_-]{0,63}$',
    examples: ['first'],
  },
  sizes: {
    title: 'amounts by asset symbol, and one for "default"',
    type: 'object',
    propertyNames: ref('symbolOrDefault'),
    additionalProperties: size,
    maxProperties: 201,
  },
  values: {
    title: 'amounts of USD by asset symbol, and one for "default"',
    type: 'object',
    propertyNames: ref('symbolOrDefault'),
    additionalProperties: usd,
    maxProperties: 201,
  },
  predicate: {
    title: 'a predicate, such as price.BTC.mid > 50000, or a mapping {target: {op: value}}',
    oneOf: [
      { type: 'string', minLength: 1, maxLength: 2000, examples: ['price.BTC.mid > 50000'] },
      {
        type: 'object',
        minProperties: 1,
        maxProperties: 20,
        additionalProperties: {
          title: 'a value to be equal to, or a mapping of one operator to its value, such as {gte: 50000}',
          oneOf: [
            { type: ['string', 'number', 'boolean'] },
            {
              type: 'object',
              minProperties: 1,
              additionalProperties: false,
              properties: {
                eq: withDescription(anything, 'Equal.'),
                ne: withDescription(anything, 'Not equal.'),
                lt: withDescription(ordered, 'Less.'),
                lte: withDescription(ordered, 'Less or equal.'),
                gt: withDescription(ordered, 'Greater.'),
                gte: withDescription(ordered, 'Greater or equal.'),
                between: {
                  type: 'array',
                  minItems: 2,
                  maxItems: 2,
                  items: ordered,
                  description: 'Between two bounds, both included.',
                },
                in: {
                  type: 'array',
                  minItems: 1,
                  maxItems: 100,
                  items: anything,
                  description: 'One of these.',
                },
              },
            },
          ],
        },
      },
    ],
  },
}
