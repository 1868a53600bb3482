import type { Schema } from '../read/schema-type.ts'
import { duration, positiveAmount } from '../read/schema-words.ts'
import { kindSchema, numberSchema, positiveNumber, usualKind } from './schema-parts.ts'

/* What the venue shows, who trades with it, and what trading does to the price (market.md section 3). */

const nonNegative: Schema = { type: 'number', minimum: 0, maximum: 1e15 }

const rungs: Schema = {
  type: 'array',
  maxItems: 50,
  items: {
    title: 'a pair [price, quantity]',
    type: 'array',
    minItems: 2,
    maxItems: 2,
    items: positiveAmount,
  },
}

/** How a ladder that follows the mid lives. Figures at the end of a description are defaults. */
export const dynamicsWords: { readonly [name: string]: Schema } = {
  spreadExponent: numberSchema(0, 3, 'The half-spread grows with activity to this power; 0.9.'),
  depthExponent: numberSchema(0, 3, 'Depth falls with activity to this power; 1.'),
  seasons: { type: 'boolean', description: 'Wider and thinner on weekends and late in the day; true.' },
  flicker: numberSchema(0, 2, "Standard deviation of the logarithm of a level's size; 0.3."),
  flickerHalfLife: { ...duration, description: 'Half-life of the wander of sizes; 5s.' },
  refillHalfLife: { ...duration, description: 'Half-life of the refill of what was taken; 2s.' },
  pull: numberSchema(0, 1, 'Share of the far depth that is withdrawn after a sweep; 0.5.'),
  pullHalfLife: { ...duration, description: 'Half-life of its return; 60s.' },
  skew: numberSchema(0, 1, 'How many half-spreads a full inventory shifts both sides; 0.5.'),
  inventoryUsd: { ...positiveNumber, description: 'A full inventory; the depth within 10 basis points.' },
}

const dynamics: Schema = {
  title: '"none", or a mapping of how the ladder lives',
  description: 'Dynamics of the ladder: sizes that wander, levels that refill.',
  oneOf: [{ const: 'none' }, { type: 'object', additionalProperties: false, properties: dynamicsWords }],
}

const lively = { advUsd: { ...positiveNumber, description: 'Average daily volume, for impact.' }, dynamics }

export const liquiditySchema: Schema = {
  oneOf: [
    kindSchema('none', {}, 'No liquidity of the house: only clients make prices.'),
    usualKind(
      kindSchema(
        'power',
        { spreadBps: nonNegative, depth10bpUsd: positiveNumber, ...lively },
        'Cumulative depth grows with the 0.67th power of the distance from the mid.',
      ),
    ),
    kindSchema(
      'exponential',
      { spreadBps: nonNegative, maxUsd: positiveNumber, scaleBps: positiveNumber, ...lively },
      'Cumulative depth levels off at maxUsd.',
    ),
    kindSchema(
      'flat',
      {
        spreadBps: nonNegative,
        levelUsd: positiveNumber,
        stepBps: positiveNumber,
        levels: { type: 'integer', minimum: 1, maximum: 50 },
        ...lively,
      },
      'The same value at every level.',
    ),
    kindSchema('ladder', { bids: rungs, asks: rungs }, 'Fixed prices and quantities, best first.'),
  ],
}

const ratePerMinute: Schema = {
  title: 'orders a minute: a number, or numbers by asset symbol and "default"',
  oneOf: [
    { type: 'number', minimum: 0, maximum: 10_000 },
    {
      type: 'object',
      propertyNames: {
        title: 'an asset symbol, or "default"',
        type: 'string',
        pattern: '^([A-Z0-9]{1,16}|default)$',
      },
      additionalProperties: { type: 'number', minimum: 0, maximum: 10_000 },
    },
  ],
}

const rates = { ratePerMinute, ratePerMin: { ...ratePerMinute, description: 'The same as ratePerMinute.' } }

const sizes = {
  medianUsd: positiveNumber,
  sizeSd: numberSchema(0, 5, 'Standard deviation of the logarithm of the value.'),
}

export const informedWords: { readonly [name: string]: Schema } = {
  share: numberSchema(0, 1, 'Share of all takers; 0.3.'),
  horizon: { ...duration, description: 'How far they see ahead, on average; 120s.' },
  costBps: numberSchema(0, 10_000, 'How much better than the book a price must be before they trade; 0.'),
}

export const flowSchema: Schema = {
  oneOf: [
    kindSchema('none', {}, 'No synthetic takers.'),
    kindSchema(
      'poisson',
      { ...rates, ...sizes },
      'Synthetic takers at random instants, with log-normal order values.',
    ),
    usualKind(
      kindSchema(
        'hawkes',
        {
          ...rates,
          ...sizes,
          maximumUsd: { ...positiveNumber, description: 'Maximum value of an order, USD.' },
          informed: {
            type: 'object',
            additionalProperties: false,
            description: 'Takers who know the future fundamental price.',
            properties: informedWords,
          },
          patiencePerBp: numberSchema(
            0,
            1000,
            'The others pay d basis points beyond the touch with probability e^(-patiencePerBp d).',
          ),
          snipers: numberSchema(0, 1, 'Probability that a stale price is taken; 0.9.'),
        },
        'Synthetic takers in bursts and runs of one side, with heavy-tailed sizes, some of them informed.',
      ),
    ),
  ],
}

export const impactWords: { readonly [name: string]: Schema } = {
  y: numberSchema(0, 10, 'Coefficient of the square-root law; 0.7.'),
  permanent: numberSchema(0, 1, 'Coefficient of the permanent part; 0.15.'),
  halfLife: { ...duration, description: 'Half-life of the volume that is remembered; 20m.' },
  dailyVol: numberSchema(0, 1, "Standard deviation of a day's return; from the asset's volatility."),
}

export const impactSchema: Schema = {
  title: '"none", or a mapping of what takers do to the price',
  oneOf: [{ const: 'none' }, { type: 'object', additionalProperties: false, properties: impactWords }],
}
