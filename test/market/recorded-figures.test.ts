import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { createMarket } from '../../src/market/create-market.ts'
import { createFlow } from '../../src/market/flow/flow.ts'
import type { FlowSpec } from '../../src/market/flow/flow-spec.ts'
import { SizeNoise } from '../../src/market/liquidity/size-noise.ts'
import type { Market } from '../../src/market/market.ts'
import type { AssetMarketSpec, CorrelationSpec } from '../../src/market/market-spec.ts'
import type { ModelSpec } from '../../src/market/models/price-models.ts'
import { computeFundamental, createModelChange } from '../../src/market/path-override.ts'
import { movingAround } from './flow/surroundings.ts'
import { asset, gbm, startMillis } from './market-of.ts'
import { everyModel } from './models/every-model.ts'

/*
 * Recorded output of each part of the market for one seed. A change here changes everybody's runs, so it must be
 * intended. One line per part, so that a failure names the part; the tests beside this one say what is correct.
 */

const recorded: Readonly<Record<string, string>> = {
  'prices of gbm': 'e6877ce2520bd374',
  'prices of ou': 'f5f8d38aaab26830',
  'prices of waypoints': '028c618d18dc8d6e',
  'prices of replay': '52a37f1c7dfab22e',
  'prices of merton': 'cc8544713eba773e',
  'prices of heston': 'dfaa7e82607e0a1f',
  'prices of garch': '9549a70ae1b60ef0',
  'prices of regimes': '65a0b869cf12f2ea',
  'prices of hawkes': 'd1ec008a304e78b4',
  'prices of bootstrap': 'eacdbbe99af0c145',
  'prices of trades': '53b37ffcffb3f0a2',
  'prices of book': '94f27172c21ad77b',
  'prices of market': 'dc61c4da1eb96339',
  'activity of gbm': '54feee3ae1ea3e6f',
  'activity of ou': '38ca6c6977994906',
  'activity of waypoints': 'eefd0ccf5ba5af40',
  'activity of replay': '6ae4f2eecf4966ef',
  'activity of merton': 'd49a247327e440d7',
  'activity of heston': '7200587ed82689ed',
  'activity of garch': '9c087d836b22c1db',
  'activity of regimes': 'ab6d0890f1595a41',
  'activity of hawkes': 'ab1a2a8c44cb4c94',
  'activity of bootstrap': 'c0e63d6aa9ea4cb4',
  'activity of trades': '5f93701e0e5d8e40',
  'activity of book': '01376a612ba41c76',
  'activity of market': '83075288fdeaca4f',
  'prices that move together': 'a564d1f1b4ed2e51',
  'a switch to ou': 'd47979b86a6b6522',
  'a switch to regimes': 'f6fcffd143411057',
  'a switch to hawkes': 'f6aeaad029c9eed3',
  'a switch to heston': '831b487d7e074c82',
  'independent takers': '9fd88e771d6461b0',
  'takers in bursts': '313ae926e77e49fa',
  'the flicker of a ladder': 'efa21dccd26e7a1d',
}

const { constant: _, ...models } = everyModel
const { ou, regimes, hawkes, heston } = everyModel
const pair = [asset(everyModel.merton), asset(gbm, 'ETH', 3_000)]
const half: CorrelationSpec = {
  symbols: ['BTC', 'ETH'],
  matrix: [
    [1, 0.5],
    [0.5, 1],
  ],
}
const poisson: FlowSpec = { kind: 'poisson', ratePerMinute: 6, medianUsd: 3_000, sizeSd: 1.6 }
const bursts: FlowSpec = {
  kind: 'hawkes',
  ratePerMinute: 6,
  medianUsd: 3000,
  sizeSd: 1.6,
  maximumUsd: 400_000,
  informed: { share: 0.3, horizonMillis: 120_000, costBps: 0 },
  patiencePerBp: 0.15,
  touchBps: 2,
  snipers: 0.9,
}

test.each<[string, () => string]>([
  ...Object.entries(models).map(([kind, model]): [string, () => string] => [
    `prices of ${kind}`,
    () => pricesOf([asset(model)]),
  ]),
  ...Object.entries(models).map(([kind, model]): [string, () => string] => [
    `activity of ${kind}`,
    () => activityOf([asset(model)]),
  ]),
  ['prices that move together', () => pricesOf(pair, half)],
  ...[ou, regimes, hawkes, heston].map((model): [string, () => string] => [
    `a switch to ${model.kind}`,
    () => switchedTo(model),
  ]),
  ['independent takers', () => takersOf(poisson)],
  ['takers in bursts', () => takersOf(bursts)],
  ['the flicker of a ladder', () => flicker()],
])('%s', (name, figures) => {
  expect(figures()).toBe(recorded[name])
})

function marketAt(
  gridMillis: number,
  assets: readonly AssetMarketSpec[],
  correlation?: CorrelationSpec,
): Market {
  const spec = { seed: '7', startMillis, gridMillis, assets }
  return createMarket(correlation === undefined ? spec : { ...spec, correlation })
}

/** Seconds around the start, quarters of them, closes of minutes for two days, and instants far away. */
function pricesOf(assets: readonly AssetMarketSpec[], correlation?: CorrelationSpec): string {
  const row = assets.length - 1
  const at = (gridMillis: number, indices: readonly number[]) => {
    const market = marketAt(gridMillis, assets, correlation)
    return indices.map((index) => market.fundamentalAt(row, index))
  }
  return digest([
    ...at(1_000, range(-90, 700, 1)),
    ...at(250, range(-40, 500, 1)),
    ...at(60_000, [...range(-1_400, 1_400, 7), -20_000, 20_000]),
  ])
}

function activityOf(assets: readonly AssetMarketSpec[]): string {
  const market = marketAt(1_000, assets)
  const minutes = [...range(-1_400, 1_400, 7), -20_000, 20_000]
  const bars = range(-60, -1, 1).flatMap((minute) => Object.values(market.minuteBar(0, minute)))
  return digest([
    ...minutes.flatMap((minute) => [market.activityAt(0, minute), market.volumeUsdIn(0, minute) ?? -1]),
    ...bars,
  ])
}

function switchedTo(
  model: Exclude<ModelSpec, { kind: 'waypoints' | 'replay' | 'bootstrap' | 'trades' | 'book' }>,
): string {
  const market = marketAt(1_000, [asset(gbm)])
  const to = createModelChange(market, 0, [], 660, model)
  return digest(range(600, 1_400, 1).map((index) => computeFundamental(market, 0, [to], index)))
}

/** An hour and a half in which activity rises twice, and a minute far away. */
function takersOf(spec: FlowSpec): string {
  const flow = createFlow(
    spec,
    { seed: '7', symbol: 'BTC' },
    movingAround((minute) => 0.5 + Math.abs(minute % 45) / 20),
  )
  const arrivals = [...range(-30, 60, 1), 40_000].flatMap((minute) => flow.arrivalsIn(minute))
  return digest(
    arrivals.flatMap(({ offsetMillis, side, valueUsd, horizonMillis, patienceBps }) => [
      offsetMillis,
      side === 'buy' ? 1 : -1,
      valueUsd,
      horizonMillis,
      patienceBps ?? -1,
    ]),
  )
}

function flicker(): string {
  const of = new SizeNoise(0.4, 20_000, { seed: '7', symbol: 'BTC' })
  const instants = range(-500_000, 500_000, 7_300)
  return digest(
    instants.flatMap((at) => [of.factorAt(0, 0, at), of.factorAt(1, 9, at), of.factorAt(0, 40, at)]),
  )
}

function range(first: number, last: number, step: number): number[] {
  return Array.from({ length: Math.floor((last - first) / step) + 1 }, (_step, place) => first + place * step)
}

/** Of the exact bits. */
function digest(values: readonly number[]): string {
  expect(values.every(Number.isFinite)).toBe(true)
  return createHash('sha256').update(Float64Array.from(values)).digest('hex').slice(0, 16)
}
