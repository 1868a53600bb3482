import type { Schema } from '../read/schema-type.ts'
import { amount, bySymbol, duration, instant, positiveAmount, refused } from '../read/schema-words.ts'
import { flowSchema, impactSchema, liquiditySchema } from './schema-liquidity.ts'
import { correlation, stochasticModels } from './schema-models.ts'
import { kindSchema, positiveNumber } from './schema-parts.ts'

/* `market` and `clock`: what moves the prices, what the venue shows, and when. */

const noiseVol: Schema = {
  type: 'number',
  minimum: 0,
  maximum: 100,
  description: 'Annual volatility of the noise between the points; 0 is a pure line.',
}

export const waypoints: Schema = {
  type: 'array',
  minItems: 1,
  maxItems: 10_000,
  items: {
    title: 'a pair [offset, price], such as [+5m, -4%] or [+5m, 48000]',
    type: 'array',
    minItems: 2,
    maxItems: 2,
    items: [
      { title: 'an offset, such as +5m', type: 'string', pattern: '^\\+([0-9]+(\\.[0-9]+)?(ms|s|m|h|d))+$' },
      { $ref: '#/definitions/priceTerm' },
    ],
  },
}

const dataFile: Schema = { title: 'the name of a file', type: 'string', minLength: 1, maxLength: 4096 }

export const models: Schema = {
  oneOf: [
    kindSchema('constant', {}, 'The price stands still.'),
    kindSchema(
      'waypoints',
      {
        points: waypoints,
        noiseVol,
        asReturnsFrom: {
          ...positiveAmount,
          description:
            "Prices of the points are read as ratios to this one; the path starts at the asset's price.",
        },
      },
      'Through the points, log-linear between them.',
    ),
    kindSchema(
      'gbm',
      {
        vol: { type: 'number', minimum: 0, maximum: 100 },
        drift: { type: 'number', minimum: -100, maximum: 100 },
      },
      'Geometric Brownian motion; vol and drift per year (0.6 is 60 %).',
    ),
    kindSchema(
      'ou',
      { mean: positiveAmount, halfLife: duration, stationarySd: { type: 'number', minimum: 0, maximum: 10 } },
      'Ornstein-Uhlenbeck about a mean; stationarySd is that of the logarithm (0.0004 is 4 basis points).',
    ),
    kindSchema(
      'replay',
      {
        data: {
          title: 'the name of a file of candles or trades (CSV, plain, gzip or zip), or a list of them',
          oneOf: [
            dataFile,
            {
              type: 'array',
              minItems: 1,
              maxItems: 1000,
              items: dataFile,
              description: 'One after the other.',
            },
          ],
        },
        gaps: { enum: ['hold', 'interpolate', 'halt'] },
        volumeIn: { enum: ['asset', 'usd'], description: 'The unit of the volumes in the file.' },
        noiseVol,
        gapAfter: {
          ...duration,
          description: 'For trades: a longer time without any trade is a gap; 1h by default.',
        },
        rebaseTo: {
          ...positiveAmount,
          description: 'The new first price; all prices keep their ratio to it.',
        },
        timeShift: {
          title: 'a span, such as +3d or -12h',
          type: 'string',
          pattern: '^[+-]?([0-9]+(\\.[0-9]+)?(ms|s|m|h|d))+$',
          description: 'Added to all times.',
        },
        speed: {
          type: 'number',
          minimum: 0.001,
          maximum: 1_000,
          description: 'How many times faster than recorded.',
        },
      },
      'Recorded candles or trades.',
    ),
    ...stochasticModels,
  ],
}

const pair: Schema = {
  type: 'object',
  additionalProperties: false,
  properties: {
    priceStep: positiveAmount,
    quantityStep: positiveAmount,
    minQuantity: positiveAmount,
    maxQuantity: positiveAmount,
    minPrice: positiveAmount,
    minNotional: amount,
    status: { enum: ['active', 'inactive'] },
  },
}

const asset: Schema = {
  type: 'object',
  additionalProperties: false,
  properties: {
    price: { ...positiveAmount, description: 'Price at the start, USD; optional with a replay.' },
    model: models,
    liquidity: liquiditySchema,
    flow: flowSchema,
    impact: impactSchema,
    pair,
    decimals: {
      type: 'integer',
      minimum: 0,
      maximum: 12,
      description: 'Decimals of the smallest unit; 8 by default.',
    },
    advUsd: { ...positiveNumber, description: 'Average daily volume, for impact.' },
    fees: refused('has no place here: fees are those of the venue, or of an account'),
  },
}

export const marketSchema: Schema = {
  type: 'object',
  additionalProperties: false,
  required: ['assets'],
  properties: {
    assets: { ...bySymbol(asset), minProperties: 1 },
    flow: flowSchema,
    preset: {
      const: 'otc-default',
      description: 'The defaults of a dealer venue, which apply without this key, too.',
    },
    correlation,
    impact: impactSchema,
  },
}

export const clockSchema: Schema = {
  type: 'object',
  additionalProperties: false,
  description: 'Start, end and grid of the run, and how its clock moves on a server.',
  properties: {
    start: {
      oneOf: [instant, { const: 'data' }],
      title: 'an instant, or "data" for the first candle of the replay',
      description: 'The first instant; 2026-01-05T00:00:00Z unless given, or where the recording begins.',
    },
    end: {
      title: 'a duration after the start, an instant, or "data" for the end of the replay',
      type: 'string',
      minLength: 1,
      maxLength: 40,
      description: 'The last instant of a run; the last action or expectation by default.',
    },
    mode: {
      enum: ['manual', 'realtime', 'auto', 'scaled', 'stepped'],
      description:
        'What moves the clock of a server: only the admin API (manual, stepped), real time times speed (realtime, scaled), or each request (auto).',
    },
    speed: {
      type: 'number',
      exclusiveMinimum: 0,
      maximum: 1_000_000,
      description: 'World seconds per second of real time.',
    },
    stepMs: {
      type: 'integer',
      minimum: 1,
      maximum: 86_400_000,
      description: 'How far each request moves the clock in mode auto, in milliseconds.',
    },
    grid: { ...duration, description: 'Spacing of the market, 100ms to 1h.' },
    scale: { type: 'number', exclusiveMinimum: 0, maximum: 1_000_000, description: 'The same as speed.' },
    tz: { const: 'UTC', description: 'All times are UTC.' },
  },
}
