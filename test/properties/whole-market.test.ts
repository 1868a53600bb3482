import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Side } from '../../src/engine/codes.ts'
import { buy, goodTillCancelled, immediateOrCancel, limit, market, sell } from '../../src/engine/codes.ts'
import type { Command } from '../../src/engine/command.ts'
import type { VenueConfig } from '../../src/engine/config.ts'
import type { Venue } from '../../src/engine/venue.ts'
import { millis, partsPerMillion, priceTicks, quantitySteps } from '../../src/numeric/units.ts'
import { loadScenario } from '../../src/scenario/load.ts'
import type { EngineSubject } from '../model/engine-subject.ts'
import { lineOf } from '../model/recorded-event.ts'
import { brokenImpacts } from './impact-invariants.ts'
import { brokenReports } from './report-invariants.ts'
import { copyOf, opened } from './whole-run.ts'

/*
 * The market of a scenario that specifies nothing: default models, power ladders with dynamics, Hawkes takers, impact.
 * Whatever clients and admins do in it, it replays, can be split anywhere, and its fundamental prices are not affected.
 */

const config = compiled(`version: 1
name: whole
seed: "7"
clock: {start: 2026-01-09T20:58:00Z, grid: 1s}
market:
  flow: {kind: hawkes, ratePerMinute: {default: 30}}
  assets: {BTC: {price: 95000}, SOL: {price: 190}}
accounts:
  - {id: alice, type: margin, balances: {USD: 100000000}, limits: {maxOrderSize: {default: 1000000}, maxOrderValue: 100000000,
     maxDailyVolume: 1000000000, maxExposure: 1000000000, maxExposurePerAsset: {default: 1000000000, BTC: 1000000000},
     maxLeverage: 100, maxOpenOrders: 1000, maxOpenOrdersPerAsset: 1000, minOrderSize: {default: 0.0001, BTC: 0.0001}}}
`)
const alice = 3

interface Deed {
  readonly afterMillis: number
  readonly command: (state: Venue['state']) => Command
}

const assets = fc.constantFrom(1, 2)
const sides = fc.constantFrom<Side>(buy, sell)

/** Orders of all sizes around the mark, and now and then a command of an admin or a script. */
const deed: fc.Arbitrary<Deed> = fc
  .record({
    afterMillis: fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 4000 }), fc.constant(1000)),
    kind: fc.constantFrom(
      'take',
      'take',
      'rest',
      'rest',
      'cancel',
      'price',
      'liquidity',
      'halt',
      'resume',
      'pair',
    ),
    asset: assets,
    side: sides,
    usd: fc.integer({ min: 7, max: 24 }).map((power) => 2 ** power / 10),
    bps: fc.integer({ min: -40, max: 40 }),
    choice: fc.nat(3),
  })
  .map(({ afterMillis, kind, asset, side, usd, bps, choice }) => ({
    afterMillis,
    command: (state) => {
      const at = millis(state.nowMillis)
      const markTicks = state.markTicks.get(asset)
      const { tickUsd, stepUnits, pair } = state.assets.tradedAsset(asset)
      const steps = quantitySteps(
        Math.max(pair.minQuantitySteps, Math.floor(usd / (markTicks * tickUsd * stepUnits))),
      )
      const ticks = priceTicks(Math.max(1, Math.round(markTicks * (1 + bps / 10_000))))
      switch (kind) {
        case 'cancel':
          return { kind: 'cancel-orders', at, account: alice, asset, side: null }
        case 'price':
          return {
            kind: 'move-price',
            at,
            asset,
            points: [{ offsetMillis: millis(choice * 700), priceTicks: ticks }],
            noiseVol: partsPerMillion(500_000),
          }
        case 'liquidity':
          return {
            kind: 'set-liquidity',
            at,
            asset,
            conditions: {
              spreadMultiplier: [1, 12, 0.5, 1][choice] ?? 1,
              depthMultiplier: [1, 0.1, 2, 0][choice] ?? 1,
              sides: (['both', 'bids', 'asks', 'both'] as const)[choice] ?? 'both',
            },
            isStale: choice === 3,
            forMillis: millis(choice * 1500),
          }
        case 'halt':
          return {
            kind: 'halt',
            at,
            asset,
            mode: choice < 2 ? 'reject' : 'rest',
            forMillis: millis(900 + choice * 700),
          }
        case 'resume':
          return { kind: 'resume', at, asset }
        case 'pair':
          return { kind: 'set-pair', at, asset, ...pairChange(1 + choice * 3) }
        default:
          return {
            kind: 'place-order',
            at,
            account: alice,
            asset,
            side,
            type: kind === 'take' ? market : limit,
            timeInForce: kind === 'take' ? immediateOrCancel : goodTillCancelled,
            priceTicks: kind === 'take' ? priceTicks(0) : ticks,
            quantitySteps: steps,
            clientOrderId: null,
            allowsDuplicateId: false,
            keepsRefused: false,
            metadata: null,
          }
      }
    },
  }))

const deeds = fc.array(deed, { minLength: 10, maxLength: 25 })

test('a run replays, continues from a snapshot, advances in parts, and is not affected by reads', () => {
  fc.assert(
    fc.property(deeds, fc.array(fc.nat(100), { minLength: 60, maxLength: 60 }), (plan, shares) => {
      const whole = opened(config)
      const parted = opened(config)
      let restored = opened(config)
      const seen = opened(config)
      for (const [place, { afterMillis, command }] of plan.entries()) {
        const at = whole.venue.now + afterMillis
        whole.execute({ kind: 'advance', at: millis(at) })
        if (afterMillis > 0 && at % 1000 === 0) expect(brokenImpacts(whole.venue.state)).toEqual([])
        const order = command(whole.venue.state)
        const outcome = whole.execute(order)
        const share = shares[place] ?? 0
        parted.execute({ kind: 'advance', at: millis(at - Math.floor((afterMillis * share) / 100)) })
        parted.execute(order)
        if (share < 20) restored = copyOf(config, restored)
        restored.execute(order)
        if (share > 50) lookAt(seen)
        seen.execute({ kind: 'advance', at: millis(at) })
        if (share < 50) lookAt(seen)
        expect(seen.execute(order)).toEqual(outcome)
      }
      expect(brokenReports(whole.venue.state)).toEqual([])
      for (const other of [parted, restored, seen]) expect(other.venue.digest()).toBe(whole.venue.digest())
      expect(parted.events.map(lineOf)).toEqual(whole.events.map(lineOf))
      expect(seen.events.map(lineOf)).toEqual(whole.events.map(lineOf))
    }),
    { seed: 7, numRuns: 4 },
  )
})

describe('the fundamental', () => {
  const untouched = fundamentals(opened(config))

  test('is unaffected by orders, reads and conditions', () => {
    fc.assert(
      fc.property(deeds, (plan) => {
        const venue = opened(config)
        for (const { afterMillis, command } of plan) {
          const order = command(venue.venue.state)
          if (order.kind === 'move-price') continue
          venue.execute(order)
          venue.execute({ kind: 'advance', at: millis(venue.venue.now + afterMillis) })
          lookAt(venue)
        }
        expect(fundamentals(venue)).toEqual(untouched)
      }),
      { seed: 8, numRuns: 3 },
    )
  })

  test('does not change the marks and prints of other assets when one is traded', () => {
    const alone = opened(config)
    const busy = opened(config)
    for (let second = 0; second < 300; second += 1) {
      for (const venue of [alone, busy])
        venue.execute({ kind: 'advance', at: millis(venue.venue.now + 1000) })
      const steps = quantitySteps(100 + second * 20)
      busy.execute({
        kind: 'place-order',
        at: busy.venue.now,
        account: alice,
        asset: 1,
        side: second % 3 === 0 ? sell : buy,
        type: market,
        timeInForce: immediateOrCancel,
        priceTicks: priceTicks(0),
        quantitySteps: steps,
        clientOrderId: null,
        allowsDuplicateId: false,
        keepsRefused: false,
        metadata: null,
      })
    }
    const others = (venue: EngineSubject) =>
      venue.events
        .filter(({ name, asset }) => (name === 'price' || name === 'print') && asset !== 1)
        .map((event) => `${event.at} ${lineOf(event)}`)
    expect(others(busy).length).toBeGreaterThan(250)
    expect(others(busy)).toEqual(others(alone))
    expect(busy.venue.state.markTicks.get(1)).not.toBe(alone.venue.state.markTicks.get(1))
  })
})

function fundamentals(venue: EngineSubject): readonly number[] {
  const { state } = venue.venue
  return [0, 1].flatMap((asset) =>
    Array.from({ length: 200 }, (_, index) => state.market.fundamentalAt(asset, index * 3 - 100)),
  )
}

/** Reads everything that is made only when somebody looks. */
function lookAt({ venue }: EngineSubject): void {
  const { state } = venue
  for (let asset = 1; asset < state.assets.count; asset += 1) {
    const found = state.byAsset[asset]
    if (!found) continue
    for (const side of [buy, sell]) found.ladder.visit(side, (ticks) => ticks % 7 !== 0)
    state.market.fundamentalAt(asset - 1, state.gridIndex + 777)
    state.market.arrivalsInMinute(asset - 1, Math.floor(state.gridIndex / 60) + 3)
  }
  venue.snapshot()
}

function pairChange(steps: number) {
  return {
    minQuantitySteps: quantitySteps(steps),
    maxQuantitySteps: null,
    minPriceTicks: null,
    minNotionalAtoms: null,
  }
}

function compiled(text: string): VenueConfig {
  const loaded = loadScenario(text, 'whole.yaml')
  if (!loaded.ok) throw new Error(JSON.stringify(loaded))
  return loaded.value.venue
}
