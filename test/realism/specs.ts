import type { AssetMarketSpec } from '../../src/market/market-spec.ts'
import type { ModelSpec } from '../../src/market/models/price-models.ts'
import { defaultModel } from '../market/market-of.ts'

/* The measured models, with the figures of market.md sections 2b and 2c. */

const prices: Readonly<Record<string, number>> = { BTC: 95_000, ETH: 3_300, SOL: 190 }

/** An asset with the model that a scenario gives it when it names none. */
export function defaultAsset(symbol: string): AssetMarketSpec {
  const price = prices[symbol] ?? 1
  return { symbol, price, model: defaultModel(symbol, price), flow: { kind: 'none' } }
}

export function assetOf(model: ModelSpec): AssetMarketSpec {
  return { symbol: 'BTC', price: 95_000, model, flow: { kind: 'none' } }
}

export interface Candidate {
  readonly name: string
  readonly model: ModelSpec
  /** Figures out of their band, by the table of section 2c. */
  readonly fails: readonly string[]
  /** Figures within their band. */
  readonly holds: readonly string[]
}

const sizes = ['memory of size 1m', 'memory of size 60m', 'memory of size 1440m'] as const
const spread = 'sd of log realized volatility'

export const candidates: readonly Candidate[] = [
  {
    name: 'gbm',
    model: { kind: 'gbm', vol: 0.55, drift: 0 },
    fails: ['kurtosis 1m', 'kurtosis 1h', 'kurtosis 1d', 'tail index 1m', ...sizes, spread],
    holds: ['linear memory 1m', 'variance ratio 60m'],
  },
  {
    name: 'merton',
    model: { kind: 'merton', vol: 0.55, drift: 0, jumpsPerYear: 180, jumpMean: -0.001, jumpSd: 0.01 },
    fails: ['kurtosis 1h', 'kurtosis 1d', 'tail index 1m', ...sizes, spread],
    holds: ['kurtosis 1m', 'linear memory 1m'],
  },
  {
    name: 'heston',
    model: {
      kind: 'heston',
      meanVariance: 0.3,
      meanReversion: 15,
      volOfVariance: 3,
      leverage: -0.2,
      drift: 0,
    },
    fails: ['kurtosis 1m', 'kurtosis 1h', 'tail index 1m', 'memory of size 1m'],
    holds: ['linear memory 1m', 'memory of size 1440m', spread],
  },
  {
    name: 'garch 1m',
    model: { kind: 'garch', vol: 0.55, barMinutes: 1, alpha: 0.065, beta: 0.93, asymmetry: 0, tails: 6.5 },
    fails: ['memory of size 1440m'],
    holds: ['kurtosis 1m', 'tail index 1m', 'memory of size 1m'],
  },
  {
    name: 'regimes',
    model: {
      kind: 'regimes',
      vol: 0.55,
      regimes: [0.4, 0.97, 2.2].map((volMultiple) => ({ volMultiple, drift: 0 })),
      transitions: [
        [0.876, 0.118, 0.006],
        [0.117, 0.862, 0.021],
        [0, 0.127, 0.873],
      ],
    },
    fails: ['kurtosis 1m', 'kurtosis 1h', 'tail index 1m', 'memory of size 1440m'],
    holds: ['memory of size 1m', 'linear memory 1m'],
  },
  {
    name: 'hawkes',
    model: {
      kind: 'hawkes',
      vol: 0.55,
      drift: 0,
      jumps: { perDay: 0.21, branching: 0.3, decayMillis: 600_000, size: 8, tilt: 0.1 },
    },
    fails: ['kurtosis 1m', 'kurtosis 1h', 'tail index 1m', ...sizes, spread],
    holds: ['linear memory 1m', 'variance ratio 60m', 'jumps beyond 8 sd a day'],
  },
]
