import type { Schema } from '../read/schema-type.ts'
import { numberSchema } from './schema-parts.ts'

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
