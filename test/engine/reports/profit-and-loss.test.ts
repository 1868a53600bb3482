import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { buy, cash, sell } from '../../../src/engine/codes.ts'
import { unrealizedAtoms } from '../../../src/engine/reports/position-figures.ts'
import { profitAndLoss } from '../../../src/engine/reports/profit-and-loss.ts'
import type { State } from '../../../src/engine/state.ts'
import { Venue } from '../../../src/engine/venue.ts'
import { configChoice, crowdedConfig } from '../../arbitraries/configs.ts'
import { happen, happening } from '../fixtures/random-run.ts'
import {
  alice,
  btc,
  coins,
  dayMillis,
  eth,
  hourMillis,
  minuteMillis,
  SmallVenue,
  startMillis,
  usd,
} from '../fixtures/small-venue.ts'

describe('a window of profit and loss', () => {
  it('splits into realised, unrealised and fees, by asset', () => {
    const small = new SmallVenue({ takerRate: 1000 })
    small.advance(hourMillis)
    small.trade(alice, buy, btc, 50_000, 2) // opens 100,000, fee 100
    small.advance(hourMillis)
    const from = small.now
    small.advance(1)
    small.movePrice(btc, 52_000)
    small.advance(hourMillis / 2 - 1)
    small.transfer('deposit', alice, cash, usd(100_000))
    small.trade(alice, sell, btc, 52_000, 3) // brings 156,000, cost 150,000, fee 156
    small.movePrice(btc, 51_000)
    small.advance(hourMillis / 2)
    expect(profitAndLoss(small.state, alice, from, small.now)).toEqual({
      fromMillis: from,
      toMillis: small.now,
      startValueAtoms: usd(1_699_900),
      endValueAtoms: usd(1_814_744),
      netFlowsAtoms: usd(100_000),
      feesAtoms: usd(156),
      netPnlAtoms: usd(14_844),
      totalPnlAtoms: usd(15_000), // 12 coins up 2,000, 3 sold, 9 down 1,000
      totalPnlPercentE4: 8572, // on 1,699,900 and half of 100,000
      netPnlPercentE4: 8483,
      realizedPnlAtoms: usd(6000),
      unrealizedPnlAtoms: usd(9000),
      byAsset: [
        { asset: btc, pnlAtoms: usd(15_000), pnlPercentE4: 25_000, trades: 1 },
        { asset: eth, pnlAtoms: 0, pnlPercentE4: 0, trades: 0 },
      ],
    })
  })

  it('starts at the opening balances, at their stated average, when it begins before the start', () => {
    const small = new SmallVenue({ aliceAverages: { BTC: 4_000_000_000_000 } })
    small.advance(hourMillis)
    const day = profitAndLoss(small.state, alice, small.now - dayMillis, small.now)
    expect(day).toMatchObject({
      fromMillis: startMillis,
      startValueAtoms: usd(1_600_000),
      netFlowsAtoms: 0,
      totalPnlAtoms: usd(100_000),
      totalPnlPercentE4: 62_500,
      unrealizedPnlAtoms: usd(100_000),
    })
    expect(profitAndLoss(small.state, alice, startMillis, small.now).totalPnlAtoms).toBe(0)
  })

  it('values a withdrawal at the mark, and realises it', () => {
    const small = new SmallVenue()
    small.movePrice(btc, 60_000)
    small.advance(1)
    const from = small.now
    small.advance(1)
    small.movePrice(btc, 70_000)
    small.transfer('withdraw', alice, btc, coins(4))
    small.advance(minuteMillis)
    expect(profitAndLoss(small.state, alice, from, small.now)).toMatchObject({
      netFlowsAtoms: usd(-280_000),
      totalPnlAtoms: usd(100_000),
      realizedPnlAtoms: usd(80_000),
      unrealizedPnlAtoms: usd(20_000),
    })
  })

  it('reports what a deposit earned that was withdrawn before the end', () => {
    const small = new SmallVenue({ alice: { USD: usd(1_000_000) } })
    small.advance(1)
    const from = small.now - 1
    small.transfer('deposit', alice, eth, coins(10)) // at 2,000
    small.movePrice(eth, 2200)
    small.advance(minuteMillis)
    small.transfer('withdraw', alice, eth, coins(10))
    small.advance(minuteMillis)
    expect(profitAndLoss(small.state, alice, from, small.now).byAsset).toMatchObject([
      { asset: eth, pnlAtoms: usd(2000), trades: 0 },
    ])
  })

  it('counts the trades and deposits that opened positions, closed positions included', () => {
    const small = new SmallVenue({ alice: { USD: usd(1_000_000) } })
    small.advance(1)
    const from = small.now - 1
    small.trade(alice, buy, btc, 50_000, 1)
    small.trade(alice, sell, btc, 51_000, 1)
    small.transfer('deposit', alice, eth, coins(10))
    small.movePrice(eth, 2200)
    small.advance(minuteMillis)
    expect(profitAndLoss(small.state, alice, from, small.now).byAsset).toEqual([
      { asset: btc, pnlAtoms: usd(1000), pnlPercentE4: 20_000, trades: 2 },
      { asset: eth, pnlAtoms: usd(2000), pnlPercentE4: 100_000, trades: 0 },
    ])
  })

  it('counts what enlarged a short position, and what turned it, as opened', () => {
    const small = new SmallVenue({ aliceIsMargin: true, alice: { USD: usd(1_000_000) } })
    small.advance(1)
    const from = small.now - 1
    small.trade(alice, sell, btc, 50_000, 1)
    small.trade(alice, sell, btc, 50_000, 1)
    small.movePrice(btc, 40_000)
    small.trade(alice, buy, btc, 40_000, 3) // closes two with a profit of 20,000, opens one
    small.advance(minuteMillis)
    expect(profitAndLoss(small.state, alice, from, small.now).byAsset).toEqual([
      { asset: btc, pnlAtoms: usd(20_000), pnlPercentE4: 142_857, trades: 3 }, // of 140,000
    ])
  })

  it('counts a fee in kind as a fee at the price of its fill', () => {
    const small = new SmallVenue({ takerRate: 1000, feeCurrency: 'received' })
    small.advance(1)
    const from = small.now - 1
    small.trade(alice, buy, btc, 50_000, 1)
    small.advance(minuteMillis)
    expect(profitAndLoss(small.state, alice, from, small.now)).toMatchObject({
      feesAtoms: usd(50),
      netPnlAtoms: usd(-50),
      totalPnlAtoms: 0,
      byAsset: [
        { asset: btc, pnlAtoms: 0 },
        { asset: eth, pnlAtoms: 0 },
      ],
    })
  })

  it('may end in the past', () => {
    const small = new SmallVenue()
    small.advance(hourMillis)
    small.movePrice(btc, 51_000)
    small.advance(hourMillis)
    const between = small.now
    small.advance(1)
    small.movePrice(btc, 60_000)
    small.advance(hourMillis)
    small.trade(alice, sell, btc, 60_000, 10)
    expect(profitAndLoss(small.state, alice, startMillis, between)).toMatchObject({
      endValueAtoms: usd(1_710_000),
      totalPnlAtoms: usd(10_000),
    })
  })
})

/** What an account was worth at the end of an instant. */
interface Observation {
  readonly at: number
  readonly equity: number
  readonly unrealized: number
}

describe('identities over random runs', () => {
  it('hold for every pair of instants and every account', () => {
    const happenings = fc.array(happening, { minLength: 20, maxLength: 120 })
    let windows = 0
    fc.assert(
      fc.property(configChoice, happenings, (choice, whats) => {
        const venue = Venue.open(crowdedConfig({ ...choice, feeCurrency: 'quote' }), {
          emit: () => undefined,
        })
        const seen: Observation[][] = [[], [], [], []]
        for (const what of whats) {
          if (what.kind === 'wait') observe(venue.state, seen)
          happen(venue, what)
        }
        observe(venue.state, seen)
        for (const [index, observations] of seen.entries()) {
          for (const [place, from] of observations.entries()) {
            const to = observations[place + 1 + ((place * 7) % 3)] ?? observations.at(-1)
            if (to === undefined || to.at <= from.at || from.at < venue.now - dayMillis) continue
            windows += 1
            checkWindow(venue.state, index + 3, from, to)
          }
        }
      }),
      { seed: 7, numRuns: 60 },
    )
    expect(windows).toBeGreaterThan(500)
  })

  it('add up by asset when fees are taken in kind', () => {
    fc.assert(
      fc.property(fc.array(happening, { minLength: 20, maxLength: 120 }), (whats) => {
        const config = crowdedConfig({
          feeCurrency: 'received',
          takerRate: 3333,
          makerRate: 500,
          hasLadder: true,
        })
        const venue = Venue.open(config, { emit: () => undefined })
        const from = venue.now
        for (const what of whats) happen(venue, what)
        for (let account = 3; account <= 6; account += 1) {
          const { byAsset, feesAtoms, netPnlAtoms, totalPnlAtoms } = profitAndLoss(
            venue.state,
            account,
            from - 1,
            venue.now,
          )
          expect(byAsset.reduce((sum, { pnlAtoms }) => sum + pnlAtoms, 0)).toBe(totalPnlAtoms)
          expect(totalPnlAtoms - feesAtoms).toBe(netPnlAtoms)
        }
      }),
      { seed: 7, numRuns: 40 },
    )
  })
})

function checkWindow(state: State, account: number, from: Observation, to: Observation): void {
  const pnl = profitAndLoss(state, account, from.at, to.at)
  expect(pnl.startValueAtoms).toBe(from.equity)
  expect(pnl.endValueAtoms).toBe(to.equity)
  expect(pnl.unrealizedPnlAtoms).toBe(to.unrealized - from.unrealized)
  expect(pnl.realizedPnlAtoms + pnl.unrealizedPnlAtoms).toBe(pnl.totalPnlAtoms)
  expect(pnl.netPnlAtoms).toBe(to.equity - from.equity - pnl.netFlowsAtoms)
  expect(pnl.byAsset.reduce((sum, { pnlAtoms }) => sum + pnlAtoms, 0)).toBe(pnl.totalPnlAtoms)
}

/** Observes what every client is worth; the last look at an instant counts. */
function observe(state: State, seen: readonly Observation[][]): void {
  for (const [index, observations] of seen.entries()) {
    const account = index + 3
    let unrealized = 0
    for (let asset = 1; asset < state.assets.count; asset += 1)
      unrealized += unrealizedAtoms(state, account, asset)
    const equity = state.ledger.total(account, cash) + state.exposures.positionsAtoms(account)
    if (observations.at(-1)?.at === state.nowMillis) observations.pop()
    observations.push({ at: state.nowMillis, equity, unrealized })
  }
}
