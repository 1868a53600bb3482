import { loadScenarioValue } from '../../src/scenario/load-tree.ts'

/** Two assets with takers, one of which follows the other late, and accounts with all rights. */
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

function scenarioOf(flow: object, liquidity: object, grid: string) {
  const loaded = loadScenarioValue({
    version: 1,
    name: 'lazy',
    seed: '5',
    clock: { start: '2026-01-05T00:00:00Z', grid },
    market: {
      flow,
      assets: {
        BTC: { price: 50_000, model: { kind: 'gbm', vol: 0.9 }, liquidity },
        ETH: { price: 3000, model: { kind: 'market' }, liquidity },
      },
    },
    accounts: [
      { id: 'desk', type: 'margin', balances: { USD: 1e7 }, limits: { maxLeverage: 5, maxOrderValue: 1e8 } },
      { id: 'other', balances: { USD: 1e7 } },
    ],
    timeline: [
      {
        at: '+6m',
        order: { account: 'other', asset: 'BTC', side: 'buy', quantity: 1, orderType: 'market' },
      },
      { at: '+8m', liquidity: { asset: 'BTC', spreadX: 3, for: '70s' } },
      { at: '+9m', path: { asset: 'BTC', model: { kind: 'garch', vol: 2 } } },
      { at: '+11m', halt: { asset: 'ETH', for: '2m' } },
      { at: '+7m30s', path: { asset: 'BTC', model: { kind: 'hawkes', vol: 2 } } },
      { at: '+14m', path: { asset: 'ETH', model: { kind: 'constant' } } },
    ],
  })
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.problems))
  return loaded.value
}

/**
 * Markets that are unattended for a while, with actions of a script. The last one has takers, so it is never
 * unattended.
 */
export const lazyScenarios = [
  scenarioOf({ kind: 'none' }, { kind: 'power', spreadBps: 4, depth10bpUsd: 2_000_000 }, '1s'),
  scenarioOf(
    { kind: 'none' },
    { kind: 'power', spreadBps: 4, depth10bpUsd: 2_000_000, dynamics: 'none' },
    '10s',
  ),
  scenarioOf({ kind: 'poisson', ratePerMinute: { default: 30 } }, { kind: 'flat', spreadBps: 6 }, '1s'),
]
