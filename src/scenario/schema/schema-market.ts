import { statedModel } from '../../market/models/price-models.ts'
import type { Schema } from '../read/schema-type.ts'
import { amount, bySymbol, duration, instant, positiveAmount, refused } from '../read/schema-words.ts'
import { flowSchema, impactSchema, liquiditySchema } from './schema-liquidity.ts'
import { correlation } from './schema-models.ts'
import { positiveNumber } from './schema-parts.ts'

/* `market` and `clock`: what moves the prices, what the venue shows, and when. */

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
    model: statedModel,
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
