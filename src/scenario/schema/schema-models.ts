import type { Schema } from '../read/schema-type.ts'
import { duration, positiveAmount } from '../read/schema-words.ts'
import { kindSchema, numberSchema, usualKind } from './schema-parts.ts'

/* The random price models, and how their noises are correlated. */

const vol = numberSchema(0, 100, 'Annual volatility in the long run; 0.6 is 60 %.')
const volBetweenJumps = numberSchema(0, 100, 'Annual volatility between the jumps; 0.6 is 60 %.')
const drift = numberSchema(-100, 100, 'Annual drift of the price; 0.1 is 10 %.')
const file: Schema = {
  title: 'the name of a candle file (CSV, plain or gzip)',
  type: 'string',
  minLength: 1,
  maxLength: 4096,
}

const jumps: Schema = {
  type: 'object',
  additionalProperties: false,
  description: 'Jumps that trigger more jumps.',
  properties: {
    perDay: numberSchema(0, 10_000, 'Jumps per day that no other jump triggers.'),
    branching: numberSchema(0, 0.95, 'How many others each jump triggers, on average.'),
    decay: duration,
    size: numberSchema(0, 1000, 'Size of a jump, in standard deviations of a minute.'),
    tilt: numberSchema(-10, 10, 'A jump is size * (z - tilt).'),
  },
}

const regimes: Schema = {
  type: 'array',
  minItems: 1,
  maxItems: 20,
  items: {
    type: 'object',
    additionalProperties: false,
    required: ['volMultiple'],
    properties: {
      volMultiple: numberSchema(0, 1000, "Its volatility relative to the other regimes'."),
      drift,
    },
  },
}

const transitions: Schema = {
  type: 'array',
  description: 'Row i: the probabilities of going from regime i to each one within an hour.',
  minItems: 1,
  maxItems: 20,
  items: { type: 'array', minItems: 1, maxItems: 20, items: numberSchema(0, 1, 'A chance.') },
}

export const stochasticModels: readonly Schema[] = [
  kindSchema(
    'merton',
    {
      vol: volBetweenJumps,
      drift,
      jumpsPerYear: numberSchema(0, 1_000_000, 'Average number of jumps per year.'),
      jumpMean: numberSchema(-1, 1, 'Mean of the logarithm of a jump.'),
      jumpSd: numberSchema(0, 1, 'Standard deviation of the logarithm of a jump.'),
    },
    'Geometric Brownian motion with jumps.',
  ),
  kindSchema(
    'heston',
    {
      meanVariance: { type: 'number', exclusiveMinimum: 0, maximum: 100 },
      meanReversion: { type: 'number', exclusiveMinimum: 0, maximum: 100_000 },
      volOfVariance: { type: 'number', exclusiveMinimum: 0, maximum: 1000 },
      leverage: numberSchema(-0.99, 0.99, 'Correlation of the noises of price and variance.'),
      drift,
    },
    'Stochastic variance that returns to its mean; figures a year.',
  ),
  kindSchema(
    'garch',
    {
      vol,
      bar: duration,
      alpha: numberSchema(0, 1, "Weight of the last bar's squared return."),
      beta: numberSchema(0, 1, "Weight of the last bar's variance."),
      asymmetry: numberSchema(-1, 1, 'Half of it is added to alpha after falls, and subtracted after rises.'),
      tails: numberSchema(2.05, 1000, 'Degrees of freedom of the Student-t shocks.'),
    },
    'GARCH(1,1) with Student-t shocks on bars of its own (1h by default).',
  ),
  kindSchema(
    'regimes',
    { vol, regimes, transitions },
    'A Markov chain of volatilities, stepped by the hour.',
  ),
  kindSchema(
    'hawkes',
    { vol: volBetweenJumps, drift, jumps },
    'Geometric Brownian motion with jumps that come in clusters.',
  ),
  kindSchema(
    'bootstrap',
    { data: file, meanPiece: duration, volumeIn: { enum: ['asset', 'usd'] } },
    'Returns of recorded candles in a new order, all assets together.',
    ['data'],
  ),
  usualKind(
    kindSchema(
      'market',
      {
        vol,
        drift,
        marketShare: numberSchema(-10, 10, 'Loading on the common return.'),
        altShare: numberSchema(-10, 10, 'Loading on the return of the smaller coins.'),
        ownShare: numberSchema(0, 10, "Loading on the asset's own noise."),
        dailyVolumeUsd: positiveAmount,
      },
      'Stochastic volatility on four time scales, fat tails, seasons, clustered jumps, common factors.',
    ),
  ),
]

/** Correlation of the noises of gbm, merton, heston, garch, regimes and hawkes. */
export const correlation: Schema = {
  type: 'object',
  additionalProperties: false,
  required: ['matrix'],
  description: 'Correlation of the noises of gbm, merton, heston, garch, regimes and hawkes.',
  properties: {
    matrix: {
      oneOf: [
        {
          const: 'default',
          description: 'BTC-ETH 0.85, BTC-SOL 0.66, ETH-SOL 0.7, others 0.62, stablecoins 0.',
        },
        {
          type: 'object',
          title: 'correlations by pair, such as {BTC: {ETH: 0.85}}',
          additionalProperties: {
            type: 'object',
            additionalProperties: numberSchema(-1, 1, 'Of the two assets; 0 where nothing is said.'),
          },
        },
      ],
    },
  },
}
