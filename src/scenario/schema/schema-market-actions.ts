import type { Schema } from '../read/schema-type.ts'
import { amount, positiveAmount, symbol, symbolOrAll } from '../read/schema-words.ts'
import { asset, lasts, price, record } from './schema-action-parts.ts'
import { models, waypoints } from './schema-market.ts'

/* Actions on prices, liquidity and trading as such. */

const assets: Schema = { ...symbolOrAll, description: 'The asset, or "*" for all.' }

const factor = (what: string): Schema => ({ type: 'number', minimum: 0, maximum: 1000, description: what })

export const marketActions: { readonly [name: string]: Schema } = {
  path: record(
    ['asset'],
    {
      asset,
      waypoints: { ...waypoints, description: 'Prices, or changes from the mark, at offsets from now.' },
      price: price('A jump, or with "over" a walk, to this price.'),
      shock: price('The same as price, for a change from the mark.'),
      over: lasts('How long the walk to `price` or `shock` takes.'),
      betaTo: {
        ...symbol,
        description: "Follow what is left of this asset's path, its logarithmic moves times `beta`.",
      },
      beta: { type: 'number', minimum: -10, maximum: 10, description: 'See betaTo; 1 unless given.' },
      noiseVol: {
        type: 'number',
        minimum: 0,
        maximum: 100,
        description: 'Annual volatility of the noise between the points.',
      },
      noiseX: factor("Noise as a multiple of the volatility of the asset's own model."),
      model: {
        ...models,
        description:
          'Another model from here on, as the asset itself can have it: its price goes on from where it is. Points lie so long after this, and a recording begins here.',
      },
      volX: factor('Times the logarithmic moves of its model, until the next path or price.'),
      drift: {
        type: 'number',
        minimum: -100,
        maximum: 100,
        description:
          'A drift of the logarithm beside it, a year (0.1 is 10 %), until its next path or price.',
      },
    },
    'Moves the price; afterwards its own model goes on from where it is.',
  ),
  liquidity: record(
    ['asset'],
    {
      asset: assets,
      spreadX: factor('Times the spread of the house.'),
      depthX: factor('Times the depth of the house.'),
      oneSided: { enum: ['bids', 'asks', 'none'], description: 'The only side that is left; none: no side.' },
      stale: {
        type: 'boolean',
        description: 'The book and the price stand still while the fundamental moves.',
      },
      for: lasts('How long; then what was before comes back.'),
      recoverHalfLife: lasts('Half-life of the way back to normal, after `for` or from now on.'),
      refreshX: factor('Times the pace at which what was taken from the levels of the house comes back.'),
    },
    'Conditions of the liquidity of the house. What is not named is normal.',
  ),
  halt: record(
    ['asset'],
    {
      asset: assets,
      mode: { enum: ['reject', 'rest'], description: 'Whether new orders are refused, or rest unmatched.' },
      for: lasts('How long; then what was before comes back. Until `resume` unless given.'),
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
          minQuantity: { ...positiveAmount, description: 'Least quantity of an order.' },
          maxQuantity: { ...positiveAmount, description: 'Greatest quantity of an order.' },
          minPrice: { ...positiveAmount, description: 'Least price of an order.' },
          minNotional: { ...amount, description: 'Least value of an order, USD.' },
        }),
        minProperties: 1,
        description: 'What changes.',
      },
    },
    "Changes a pair's bounds or status.",
  ),
}
