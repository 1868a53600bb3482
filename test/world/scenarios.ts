/** No house liquidity, no flow, constant prices: only clients make anything happen. */
export const quietScenario = {
  version: 1,
  name: 'quiet',
  seed: '7',
  clock: { start: '2026-01-05T00:00:00Z', mode: 'manual' },
  market: {
    flow: { kind: 'none' },
    assets: {
      BTC: { price: 50_000, model: { kind: 'constant' }, liquidity: { kind: 'none' } },
      ETH: { price: 2500, model: { kind: 'constant' }, liquidity: { kind: 'none' } },
    },
  },
}

/** A quiet scenario with the venue's own ladder, so that a client can trade. */
export const liquidScenario = {
  ...quietScenario,
  name: 'liquid',
  market: {
    flow: { kind: 'none' },
    assets: { BTC: { price: 50_000, model: { kind: 'constant' }, liquidity: { kind: 'power' } } },
  },
}

/** A price that moves each second, takers, and a script that acts now and then. */
export const livelyScenario = {
  ...liquidScenario,
  name: 'lively',
  market: {
    flow: { kind: 'poisson', ratePerMinute: { BTC: 2 } },
    assets: {
      BTC: { price: 50_000, model: { kind: 'gbm', vol: 0.6 }, liquidity: { kind: 'power' } },
    },
  },
  timeline: [
    { every: '7m', path: { asset: 'BTC', shock: '0.1%' } },
    { at: '+10m', note: 'ten minutes' },
  ],
}
