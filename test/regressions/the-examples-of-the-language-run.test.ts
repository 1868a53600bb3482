// Room: scenario

import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { formatMistake } from '../../src/scenario/file/mistake.ts'
import { parseDocument } from '../../src/scenario/file/parse-document.ts'
import { loadScenario } from '../../src/scenario/load.ts'
import { loadScenarioValue } from '../../src/scenario/load-tree.ts'
import { runScenario } from '../../src/scenario/run/run-scenario.ts'

/*
 * The second and third example from the design of the language, as written. One names no kind of flow and says
 * `ratePerMin`; the other ends before the event that it includes. Neither was accepted.
 */

const quotes = `version: 1
name: mm-quote-lifecycle
clock: {start: 2026-01-05T00:00:00Z, end: 30m, mode: auto, grid: 250ms}
market: {preset: otc-default, assets: {SOL: {price: 150, model: {kind: market, vol: 1.05}}}, flow: {ratePerMin: {SOL: 20}, informed: {share: 0.3, horizon: 120s}}}
accounts:
  - {id: mm, balances: {USD: 500000, SOL: 3000}, limits: {maxExposurePerAsset: {default: 900000}}, keys: [{key: k2, secret: s2, scopes: [READ, MARKET_MAKING]}]}
timeline:
  - {at: +0s, id: q1, await: {request: {method: POST, path: /api/sdk/quotes, key: k2}, bind: Q, timeout: 10s}}
  - {at: q1+5s, id: lift, agentOrder: {kind: taker, asset: SOL, side: buy, quantity: 40, target: {account: mm}}}
expect:
  - {eventually: "quote[Q].status in ['expired','filled','cancelled']", by: q1+310s}
report: {metrics: [pnl, makerFillRatio, markouts, inventory, quoteUptime], charts: true}
`

const outage = (lines = '') => `version: 1
name: outage-during-vol
seed: 7
clock: {start: 2026-01-09T20:00:00Z, end: 1h, mode: scaled, scale: 20, grid: 10s}
include: [events/liquidation-cascade-2025-10-10.yaml]   # labels: news, worst, rebound
accounts:
  - {id: bot, balances: {USD: 1000000, BTC: 5, ETH: 50}, keys: [{key: k3, secret: s3, scopes: [READ, TRADE]}]}
timeline:
  - {at: news+2m, id: slow, fault: {match: {path: /api/sdk/orders*}, latency: {dist: lognormal, p50: 800ms, p99: 6s}, for: 10m}}
  - {at: news+6m, id: down, fault: {match: {path: "/api/sdk/*"}, status: 500, rate: 0.6, for: 4m}}
  - {at: news+11m, id: skew, clock: {skew: -31s, for: 30s}}          # expect TIMESTAMP_EXPIRED
  - {at: news+20m, key: {key: k3, revoke: true, for: 1m}}
expect:
  - {within: [down, 6m], that: {"account[bot].grossExposureUsd": {lte: 1200000}}}
${lines}`

const readInclude = (name: string) => {
  const file = `scenarios/${name}`
  return { ok: true as const, file, parsed: parseDocument(readFileSync(file, 'utf8'), file) }
}

function load(text: string) {
  const loaded = loadScenario(text, 's.yaml', { readInclude })
  return loaded.ok ? loaded.value : loaded.problems.map(formatMistake)
}

function loaded(text: string) {
  const scenario = load(text)
  if (!('venue' in scenario)) throw new Error(scenario.join('\n'))
  return scenario
}

describe('a flow without a kind', () => {
  it('is Hawkes flow, with either name of the rate', () => {
    const flow = { kind: 'hawkes', ratePerMinute: 20, informed: { share: 0.3, horizonMillis: 120_000 } }
    expect(loaded(quotes).venue.market.assets[0]?.flow).toMatchObject(flow)
    expect(
      loaded(quotes.replace('ratePerMin:', 'kind: hawkes, ratePerMinute:')).venue.market.assets[0]?.flow,
    ).toEqual(loaded(quotes).venue.market.assets[0]?.flow)
  })

  it('has a default kind, like models and liquidity', () => {
    const small = (asset: string) =>
      loaded(`version: 1\nname: s\nmarket: {assets: {BTC: {price: 50000, ${asset}}}}`).venue
    expect(small('model: {vol: 0.8}, liquidity: {spreadBps: 7}')).toEqual(
      small('model: {kind: market, vol: 0.8}, liquidity: {kind: power, spreadBps: 7}'),
    )
  })
})

describe('a run that ends before an included event', () => {
  it('plays the beginning, and judges the expectations that it reached', () => {
    const scenario = loaded(outage())
    const run = runScenario(scenario)
    expect(run.failures).toEqual([])
    expect(
      scenario.expectations.some(({ at }) => at?.kind === 'at' && at.at > Date.parse('2026-01-09T21:00:00Z')),
    ).toBe(false)
    expect(scenario.expectations.length).toBeGreaterThan(2)
  })

  it('can be loaded from its source in a journal', () => {
    const scenario = loaded(outage())
    const again = loadScenarioValue(scenario.source.document)
    expect(again.ok && again.value.expectations.length).toBe(scenario.expectations.length)
  })

  it('still refuses expectations of its own after its end', () => {
    const late = [expect.stringContaining('after the end of the clock')]
    expect(load(outage('  - {at: worst, that: price.BTC.mid > 0}'))).toEqual(late)
    expect(load(outage('  - {at: +2h, that: price.BTC.mid > 0}'))).toEqual(late)
    expect(
      loaded(outage('  - {at: worst, ifReached: true, that: price.BTC.mid > 0}')).expectations.length,
    ).toBe(loaded(outage()).expectations.length)
  })
})
