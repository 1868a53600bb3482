import { scopes } from '../../api/routes/route.ts'
import { selfTradeModes } from '../../engine/codes.ts'
import type { Shape } from '../../shape/shape.ts'
import { agentsSchema } from '../agents/compile-agents.ts'
import { longestSeed } from '../file/matrix.ts'
import type { RootSchema } from '../file/schema-words.ts'
import {
  amount,
  averagePrice,
  bySymbol,
  limits,
  rateBps,
  refused,
  word,
  words,
} from '../file/schema-words.ts'
import { clockSchema, marketSchema } from './schema-market.ts'
import { expectation, timelineEntry } from './schema-timeline.ts'

const fees = (properties: { readonly [name: string]: Shape }): Shape => ({
  type: 'object',
  additionalProperties: false,
  properties: { makerBps: rateBps, takerBps: rateBps, ...properties },
})

const account: Shape = {
  type: 'object',
  additionalProperties: false,
  required: ['id'],
  properties: {
    id: word,
    type: { enum: ['cash', 'margin'] },
    balances: { ...bySymbol(amount), description: 'Opening balances by asset, USD included.' },
    positions: {
      ...bySymbol({
        type: 'object',
        additionalProperties: false,
        required: ['averageEntryPrice'],
        properties: {
          averageEntryPrice: averagePrice,
          quantity: refused('has no place here: the position is the balance of the asset'),
        },
      }),
      description: 'Average price at which the opening balance was bought; by default the first mark.',
    },
    limits,
    fees: fees({}),
    keys: {
      type: 'array',
      maxItems: 20,
      items: {
        type: 'object',
        additionalProperties: false,
        properties: {
          key: { type: 'string', minLength: 1, maxLength: 128 },
          secret: { type: 'string', minLength: 1, maxLength: 256 },
          scopes: {
            type: 'array',
            maxItems: 4,
            items: { enum: scopes },
          },
        },
      },
    },
  },
}

const fileName: Shape = { title: 'the name of a file', type: 'string', minLength: 1, maxLength: 1000 }

/** The whole scenario format, by which the loader validates; `describedSchema` adds texts for people. */
export const scenarioSchema: RootSchema = {
  $schema: 'http://json-schema.org/draft-07/schema#',
  title: 'an otcsim scenario',
  type: 'object',
  additionalProperties: false,
  required: ['version', 'name', 'market'],
  properties: {
    $schema: { type: 'string', description: 'For editors; not read.' },
    version: { const: 1 },
    name: word,
    description: { type: 'string', maxLength: 4000 },
    seed: {
      title: 'a seed, as text or as a whole number',
      type: ['string', 'integer'],
      minLength: 1,
      maxLength: longestSeed,
    },
    params: {
      type: 'object',
      maxProperties: 100,
      description:
        'Parameters and their defaults. A text refers to one by a dollar sign and its name in braces. A parameter without a default must be given by the caller.',
      propertyNames: word,
      additionalProperties: { type: ['string', 'number', 'boolean', 'null'] },
    },
    clock: clockSchema,
    market: marketSchema,
    fees: fees({ currency: { enum: ['quote', 'received'] } }),
    selfTrade: { enum: selfTradeModes },
    rateLimits: {
      type: 'object',
      additionalProperties: false,
      properties: {
        enabled: { type: 'boolean' },
        marketData: { type: 'integer', minimum: 1, maximum: 1_000_000 },
        other: { type: 'integer', minimum: 1, maximum: 1_000_000 },
        windowMs: { type: 'integer', minimum: 1, maximum: 86_400_000 },
      },
    },
    readings: {
      title: 'values by reading, or a preset',
      type: ['object', 'string'],
      minLength: 1,
      maxProperties: 200,
      additionalProperties: { type: ['string', 'number', 'boolean'] },
      description:
        'Values of readings, the open points of the specification. A preset is a named set of them, alone as "@published-client", or as the value of the key preset among single readings, which override it.',
    },
    accounts: { type: 'array', maxItems: 10_000, items: account },
    timeline: { type: 'array', maxItems: 100_000, items: timelineEntry },
    expect: { type: 'array', maxItems: 10_000, items: expectation },
    include: {
      title: 'a file, or a list of files',
      description:
        'Scenario files, relative to this one, whose timeline and expectations go before those of this file; in the rest this file wins.',
      oneOf: [fileName, { type: 'array', maxItems: 100, items: fileName }],
    },
    matrix: {
      type: 'object',
      maxProperties: 20,
      propertyNames: word,
      additionalProperties: {
        title: 'values, or a span such as 1..100',
        oneOf: [
          { type: ['string', 'number', 'boolean'] },
          { type: 'array', minItems: 1, maxItems: 10_000, items: { type: ['string', 'number', 'boolean'] } },
        ],
      },
      description:
        'One run for each combination: `seed` and any parameters, each with a list of values or a span such as 1..100.',
    },
    agents: agentsSchema,
    report: {
      type: 'object',
      additionalProperties: false,
      description: 'What the report of a run shows besides its expectations.',
      properties: {
        metrics: {
          type: 'array',
          maxItems: 100,
          items: { type: 'string', minLength: 1, maxLength: 64 },
          description: 'Figures of each account, by the names that `metrics[account]` has.',
        },
        charts: { type: 'boolean', description: 'Whether the HTML report draws prices, fills and equity.' },
      },
    },
  },
  definitions: words,
}
