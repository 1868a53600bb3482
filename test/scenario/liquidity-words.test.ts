import { describe, expect, it } from 'vitest'
import { formatMistake } from '../../src/scenario/file/mistake.ts'
import { loadScenario } from '../../src/scenario/load.ts'

const load = (market: string) => loadScenario(`version: 1\nname: x\nmarket: ${market}\n`, 's.yaml')

function compiled(market: string) {
  const loaded = load(market)
  if (!loaded.ok) throw new Error(loaded.problems.map(formatMistake).join('\n'))
  const { assets, market: spec } = loaded.value.venue
  const [, asset] = assets
  const [first] = spec.assets
  return { liquidity: asset?.liquidity, impact: asset?.impact, flow: first?.flow }
}

function complaint(market: string): string {
  const loaded = load(market)
  return loaded.ok ? 'nothing' : loaded.problems.map(formatMistake).join('\n')
}

const dynamics = {
  spreadExponent: 0.9,
  depthExponent: 1,
  hasSeasons: true,
  flickerSd: 0.3,
  flickerHalfLifeMillis: 5000,
  refillHalfLifeMillis: 2000,
  pull: 0.5,
  pullHalfLifeMillis: 60_000,
  skew: 0.5,
}

describe('defaults', () => {
  it.each([
    ['BTC', 95_000, 4, 2e6, 400e6, 0.0314, 6, 0.15],
    ['ETH', 3300, 5, 1.2e6, 200e6, 0.0398, 4, 0.15],
    ['SOL', 190, 10, 350_000, 40e6, 0.0628, 2, 0.1],
    ['XRP', 2.4, 10, 300_000, 30e6, 0.0523, 2, 0.1],
    ['DOGE', 0.3, 16, 200_000, 20e6, 0.0628, 2, 0.1],
    ['USDC', 1, 1, 5e6, 300e6, 0.0002, 2, 0.15],
    ['LINK', 15, 20, 100_000, 8e6, 0.055, 1, 0.1],
  ])(
    '%s has the figures of market.md section 3',
    (symbol, price, spreadBps, depth10bpUsd, advUsd, dailyVol, rate, patience) => {
      const { liquidity, impact, flow } = compiled(`{assets: {${symbol}: {price: ${price}}}}`)
      expect(liquidity).toEqual({
        kind: 'power',
        spreadBps,
        depth10bpUsd,
        dynamics: { ...dynamics, inventoryUsd: depth10bpUsd },
      })
      expect(impact).toMatchObject({ y: 0.7, advUsd, halfLifeMillis: 1_200_000, permanent: 0.15 })
      expect(impact?.dailyVol).toBeCloseTo(dailyVol, 3)
      expect(flow).toMatchObject({
        kind: 'hawkes',
        ratePerMinute: rate,
        medianUsd: 3000,
        sizeSd: 1.6,
        informed: { share: 0.2, horizonMillis: 10_000, costBps: 0 },
        patiencePerBp: patience,
        touchBps: spreadBps / 2,
        snipers: 0.9,
      })
    },
  )

  it('liquidity that does not follow the mid has no impact', () => {
    expect(compiled('{assets: {BTC: {price: 1, liquidity: {kind: none}}}}').impact).toBeUndefined()
    const fixed = '{kind: ladder, bids: [[1, 1]], asks: [[2, 1]]}'
    expect(compiled(`{assets: {BTC: {price: 1, liquidity: ${fixed}}}}`).impact).toBeUndefined()
  })
})

describe('words', () => {
  it('of liquidity', () => {
    const words =
      'kind: flat, spreadBps: 6, levelUsd: 1000, stepBps: 2, levels: 5, advUsd: 5000000, dynamics: {flicker: 0, seasons: false, refillHalfLife: 20s, pull: 0, skew: 1, inventoryUsd: 77}'
    const { liquidity, impact } = compiled(`{assets: {BTC: {price: 1, liquidity: {${words}}}}}`)
    expect(liquidity).toEqual({
      kind: 'flat',
      spreadBps: 6,
      levelUsd: 1000,
      stepBps: 2,
      levels: 5,
      dynamics: {
        ...dynamics,
        hasSeasons: false,
        flickerSd: 0,
        refillHalfLifeMillis: 20_000,
        pull: 0,
        skew: 1,
        inventoryUsd: 77,
      },
    })
    expect(impact?.advUsd).toBe(5_000_000)
    const standing = compiled('{assets: {BTC: {price: 1, liquidity: {kind: power, dynamics: none}}}}')
    expect(standing.liquidity).toEqual({ kind: 'power', spreadBps: 4, depth10bpUsd: 2_000_000 })
  })

  it('of flow, with the asset’s before the market’s', () => {
    const market =
      'flow: {kind: hawkes, ratePerMinute: {default: 3}, informed: {share: 0.5, horizon: 5m, costBps: 2}, snipers: 0}'
    expect(compiled(`{${market}, assets: {BTC: {price: 1}}}`).flow).toMatchObject({
      ratePerMinute: 3,
      informed: { share: 0.5, horizonMillis: 300_000, costBps: 2 },
      snipers: 0,
    })
    const own = compiled(
      `{${market}, assets: {BTC: {price: 1, flow: {kind: poisson, ratePerMinute: 9, medianUsd: 5}}}}`,
    )
    expect(own.flow).toEqual({ kind: 'poisson', ratePerMinute: 9, medianUsd: 5, sizeSd: 1.2 })
    expect(compiled(`{${market}, assets: {BTC: {price: 1, flow: {kind: none}}}}`).flow).toEqual({
      kind: 'none',
    })
  })

  it('of impact, with the asset’s before the market’s', () => {
    const market = 'impact: {y: 1, halfLife: 10m}'
    expect(
      compiled(`{${market}, assets: {BTC: {price: 1, impact: {y: 0.5, dailyVol: 0.04}}}}`).impact,
    ).toMatchObject({
      y: 0.5,
      dailyVol: 0.04,
      halfLifeMillis: 600_000,
    })
    expect(compiled('{impact: none, assets: {BTC: {price: 1}}}').impact).toBeUndefined()
    expect(compiled('{impact: none, assets: {BTC: {price: 1, impact: {y: 0.5}}}}').impact?.y).toBe(0.5)
    expect(
      compiled('{assets: {BTC: {price: 1, model: {kind: gbm, vol: 1.91}}}}').impact?.dailyVol,
    ).toBeCloseTo(0.1, 3)
  })
})

it.each([
  ['{impact: {z: 1}, assets: {BTC: {price: 1}}}', /^s\.yaml:3:19 market\.impact\.z: unknown key/],
  ['{impact: {permanant: 0}, assets: {BTC: {price: 1}}}', /Did you mean "permanent"\?/],
  ['{flow: {kind: hawks}, assets: {BTC: {price: 1}}}', /unknown kind "hawks".*Did you mean "hawkes"\?/],
  [
    '{flow: {kind: hawkes, informed: {shar: 1}}, assets: {BTC: {price: 1}}}',
    /informed\.shar: .*Did you mean "share"\?/,
  ],
  ['{flow: {kind: hawkes, informed: {share: 2}}, assets: {BTC: {price: 1}}}', /informed\.share/],
  [
    '{flow: {kind: hawkes, ratePerMinute: {BTX: 1}}, assets: {BTC: {price: 1}}}',
    /unknown asset "BTX".*"BTC"/,
  ],
  [
    '{assets: {BTC: {price: 1, liquidity: {kind: power, dynamics: {flikker: 1}}}}}',
    /Did you mean "flicker"\?/,
  ],
  [
    '{assets: {BTC: {price: 1, liquidity: {kind: power, dynamics: {flickerHalfLife: 1ms}}}}}',
    /flickerHalfLife: is not from 100ms to 1d/,
  ],
  [
    '{assets: {BTC: {price: 1, impact: {permanent: 1}, liquidity: {kind: power, spreadBps: 0}}}}',
    /permanent: is not from 0 to 0/,
  ],
])('refuses %s', (market, expected) => {
  expect(complaint(market)).toMatch(expected)
})

/* What the schema refuses is what the market's own checks refuse. */
it.each([
  ['liquidity: {spreadBps: 19001}', 'liquidity.spreadBps: must be at most 19000'],
  ['liquidity: {depth10bpUsd: 1.1e9}', 'liquidity.depth10bpUsd: must be at most 1000000000'],
  ['liquidity: {advUsd: 999}', 'liquidity.advUsd: must be at least 1000'],
  ['liquidity: {dynamics: {inventoryUsd: 0.5}}', 'liquidity.dynamics.inventoryUsd: must be at least 1'],
  ['flow: {medianUsd: 1.1e12}', 'flow.medianUsd: must be at most 1000000000000'],
  ['flow: {ratePerMinute: 10001}', 'flow.ratePerMinute: must be at most 10000'],
  ['flow: {informed: {horizon: 2d}}', 'flow.informed.horizon: is not from 1ms to 1d'],
  ['impact: {halfLife: 1ms}', 'impact.halfLife: is not from 1s to 30d'],
  ['liquidity: {kind: ladder, bids: [[1, 1e16]]}', 'liquidity.bids[0][1]: must be at most 1000000000000000'],
])('%s is refused once, where it stands', (words, expected) => {
  const found = complaint(`{assets: {BTC: {price: 1, ${words}}}}`)
  expect(found.split('\n')).toHaveLength(1)
  expect(found).toContain(` market.assets.BTC.${expected}`)
})

it.each([
  ['liquidity: {depth10bpUsd: 0}', { liquidity: { depth10bpUsd: 0 } }],
  ['liquidity: {kind: flat, stepBps: 0}', { liquidity: { stepBps: 0 } }],
  ['liquidity: {dynamics: {flicker: 0}}', { liquidity: { dynamics: { flickerSd: 0, skew: 0.5 } } }],
  ['flow: {kind: poisson, ratePerMinute: {BTC: 0}}', { flow: { kind: 'none' } }],
  ['impact: {permanent: 0}', { impact: { y: 2, permanent: 0, dailyVol: 0.1 } }],
])('%s', (words, expected) => {
  const market = `{impact: {y: 2, dailyVol: 0.1}, assets: {BTC: {price: 1, ${words}}}}`
  expect(compiled(market)).toMatchObject(expected)
})
