import { statedModel } from '../../market/models/price-models.ts'
import { statedPoints } from '../../market/models/waypoints.ts'
import type { Schema } from '../file/schema-words.ts'
import { positiveAmount, symbol, symbolOrAll, usd } from '../file/schema-words.ts'
import { asset, inForce, lasts, price, record } from './schema-action-parts.ts'

/* Actions on prices, liquidity and trading as such. */

const assets: Schema = { ...symbolOrAll, description: 'The asset, or "*" for all.' }

const factor = (what: string): Schema => ({ type: 'number', minimum: 0, maximum: 1000, description: what })

export const marketActions = {
  path: record(
    ['asset'],
    {
      asset,
      waypoints: { ...statedPoints, description: 'Prices, or changes from the mark, at offsets from now.' },
      price: price('A jump, or with "over" a walk, to this price.'),
      shock: price('The same as price, for a change from the mark.'),
      over: lasts('How long the walk to `price` or `shock` takes.'),
      betaTo: {
        ...symbol,
        description: "Follow the rest of this asset's path, with its logarithmic moves times `beta`.",
      },
      beta: { type: 'number', minimum: -10, maximum: 10, description: 'See betaTo; 1 by default.' },
      noiseVol: {
        type: 'number',
        minimum: 0,
        maximum: 100,
        description: 'Annual volatility of the noise between the points.',
      },
      noiseX: factor("Noise as a multiple of the volatility of the asset's own model."),
      model: {
        ...statedModel,
        description:
          'Another model from here on, like the model of an asset. The price continues from where it is; points are relative to this instant, and a recording begins here.',
      },
      volX: factor('Multiplies the logarithmic moves of its model, until the next path or price.'),
      drift: {
        type: 'number',
        minimum: -100,
        maximum: 100,
        description:
          'Additional drift of the logarithm, per year (0.1 is 10 %), until its next path or price.',
      },
    },
    'Moves the price; afterwards its own model continues from there.',
  ),
  liquidity: record(
    ['asset'],
    {
      asset: assets,
      spreadX: factor('Multiplies the spread of the house.'),
      depthX: factor('Multiplies the depth of the house.'),
      oneSided: { enum: ['bids', 'asks', 'none'], description: 'The only side that remains, or none.' },
      stale: {
        type: 'boolean',
        description: 'Book and price stay unchanged while the fundamental price moves.',
      },
      for: inForce('How long, after which the earlier state is restored.'),
      recoverHalfLife: lasts('Half-life of the return to normal, after `for` or from now on.'),
      refreshX: factor('Multiplies the pace at which the levels of the house refill.'),
    },
    'Changes the liquidity of the house. Settings that are not given return to normal.',
  ),
  halt: record(
    ['asset'],
    {
      asset: assets,
      mode: { enum: ['reject', 'rest'], description: 'Whether new orders are refused, or rest unmatched.' },
      for: inForce('How long, after which the earlier state is restored. By default until `resume`.'),
    },
    'Stops trading.',
  ),
  resume: record(['asset'], { asset: assets }, 'Ends a halt; what crossed meanwhile trades.'),
  pair: record(
    ['asset', 'set'],
    {
      asset: assets,
      set: {
        ...record([], {
          status: { enum: ['active', 'inactive'], description: 'Inactive refuses new orders.' },
          minQuantity: { ...positiveAmount, description: 'Minimum quantity of an order.' },
          maxQuantity: { ...positiveAmount, description: 'Maximum quantity of an order.' },
          minPrice: { ...positiveAmount, description: 'Minimum price of an order.' },
          minNotional: { ...usd, description: 'Minimum value of an order, USD.' },
        }),
        minProperties: 1,
        description: 'What changes.',
      },
    },
    "Changes a pair's bounds or status.",
  ),
} satisfies { readonly [name: string]: Schema }
