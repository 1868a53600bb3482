import { statedFlow } from '../../market/flow/flow-spec.ts'
import { statedImpact } from '../../market/liquidity/impact.ts'
import { statedLiquidity, statedVolume } from '../../market/liquidity/liquidity.ts'
import { statedModel } from '../../market/models/price-models.ts'
import type { Shape } from '../../shape/shape.ts'
import {
  bySymbol,
  duration,
  instant,
  positiveAmount,
  price,
  refused,
  step,
  usd,
} from '../file/schema-words.ts'

/* `market` and `clock`: what moves the prices, what the venue shows, and when. */

const pair: Shape = {
  type: 'object',
  additionalProperties: false,
  properties: {
    priceStep: step,
    quantityStep: step,
    minQuantity: positiveAmount,
    maxQuantity: positiveAmount,
    minPrice: positiveAmount,
    minNotional: usd,
    status: { enum: ['active', 'inactive'] },
  },
}

const asset: Shape = {
  type: 'object',
  additionalProperties: false,
  properties: {
    price: { ...price, description: 'Price at the start, USD; optional with a replay.' },
    model: statedModel,
    liquidity: statedLiquidity,
    flow: statedFlow,
    impact: statedImpact,
    pair,
    decimals: {
      type: 'integer',
      minimum: 0,
      maximum: 12,
      description: 'Decimals of the smallest unit; 8 by default.',
    },
    advUsd: statedVolume,
    fees: refused('has no place here: fees are those of the venue, or of an account'),
  },
}

const correlation: Shape = {
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
            additionalProperties: {
              type: 'number',
              minimum: -1,
              maximum: 1,
              description: 'Of the two assets; 0 where nothing is said.',
            },
          },
        },
      ],
    },
  },
}

export const marketSchema: Shape = {
  type: 'object',
  additionalProperties: false,
  required: ['assets'],
  properties: {
    assets: { ...bySymbol(asset), minProperties: 1 },
    flow: statedFlow,
    preset: {
      const: 'otc-default',
      description: 'The defaults of a dealer venue, which apply without this key, too.',
    },
    correlation,
    impact: statedImpact,
  },
}

export const clockSchema: Shape = {
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
