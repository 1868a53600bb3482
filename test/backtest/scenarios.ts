/** Two assets with takers, moves that one of them is late to follow, and accounts that may do everything. */
export const busyScenario = {
  version: 1,
  name: 'busy',
  seed: '7',
  clock: { start: '2026-01-05T00:00:00Z', end: '10m', grid: '1s' },
  market: {
    flow: { kind: 'poisson', ratePerMinute: { default: 40 }, medianUsd: 4000, sizeSd: 1 },
    assets: {
      BTC: { price: 50_000, model: { kind: 'gbm', vol: 0.6 } },
      ETH: { price: 3000, model: { kind: 'gbm', vol: 0.8 } },
    },
  },
  accounts: [
    {
      id: 'desk',
      balances: { USD: 2_000_000, BTC: 10, ETH: 100 },
      limits: { maxOpenOrders: 1000, maxDailyVolume: 1e9, maxOrderValue: 1e8 },
    },
  ],
  timeline: [
    { at: '+30s', liquidity: { asset: 'ETH', stale: true, for: '20s' } },
    {
      at: '+31s',
      path: {
        asset: 'BTC',
        waypoints: [
          ['+0s', '-0%'],
          ['+10s', '+1%'],
          ['+60s', '+1%'],
        ],
      },
    },
    {
      at: '+31s',
      path: {
        asset: 'ETH',
        waypoints: [
          ['+0s', '-0%'],
          ['+10s', '+1.2%'],
          ['+60s', '+1.2%'],
        ],
      },
    },
  ],
}
