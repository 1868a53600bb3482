import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Side } from '../../src/engine/codes.ts'
import type { Command, Outcome } from '../../src/engine/command.ts'
import type { VenueConfig } from '../../src/engine/config.ts'
import { simulateOrder } from '../../src/engine/reports/order-simulation.ts'
import { portfolioExposure } from '../../src/engine/reports/portfolio-exposure.ts'
import {
  assessOrder,
  checkOrderTerms,
  maximumQuantity,
  type OrderTerms,
} from '../../src/engine/risk/pre-trade-check.ts'
import type { State } from '../../src/engine/state.ts'
import { Venue } from '../../src/engine/venue.ts'
import { millis, partsPerMillion, priceTicks, quantitySteps } from '../../src/numeric/units.ts'
import { sampledChoices } from '../arbitraries/configs.ts'
import { caseBudget } from '../support/full-run.ts'
import { engineView } from './engine-view.ts'
import { opened, recordedCommands } from './whole-run.ts'

/*
 * I37 to I39: what the engine predicts happens. Every few commands a run is forked, and the fork carries out
 * what the pre-trade check, the maximum quantity or the simulation was about.
 */

const choices = sampledChoices(81, 4)

const question = fc.record({
  account: fc.integer({ min: 3, max: 6 }),
  asset: fc.integer({ min: 1, max: 3 }),
  side: fc.constantFrom<Side>(0, 1),
  priceTicks: fc.integer({ min: 90, max: 110 }),
  quantitySteps: fc.oneof(fc.integer({ min: 1, max: 9 }), fc.integer({ min: 10, max: 200 })),
})

test.each(choices)(
  'the pre-trade check approves what creation accepts, world $index',
  ({ index, ...choice }) => {
    let approved = 0
    let refused = 0
    atManyPoints(choice, 81_000 + index, (config, venue, terms) => {
      const state = venue.state
      if (!engineView(state).matches(terms.asset) || checkOrderTerms(state, terms) !== null) return
      const digest = venue.digest()
      const { isApproved } = assessOrder(state, terms)
      expect(venue.digest()).toBe(digest)
      expect(isRisk(forkOf(config, venue).execute(orderOf(venue, terms)))).toBe(!isApproved)
      if (isApproved) approved += 1
      else refused += 1
    })
    expect(Math.min(approved, refused)).toBeGreaterThan(0)
  },
)

test.each(choices)(
  'the maximum quantity is accepted, and a step more is not, world $index',
  ({ index, ...choice }) => {
    let bounded = 0
    atManyPoints(choice, 82_000 + index, (config, venue, terms) => {
      const { account, asset, side } = terms
      const { minPriceTicks } = venue.state.assets.tradedAsset(asset).pair
      if (!engineView(venue.state).matches(asset) || terms.priceTicks < minPriceTicks) return
      const { maxQuantitySteps } = maximumQuantity(venue.state, account, asset, side, terms.priceTicks)
      const place = (steps: number) =>
        forkOf(config, venue).execute(orderOf(venue, { ...terms, quantitySteps: steps }))
      const more = place(maxQuantitySteps + 1)
      expect(more.ok).toBe(false)
      if (maxQuantitySteps === 0) return
      const most = place(maxQuantitySteps)
      expect(most.ok || most.rejection.code === 'open-orders-limit').toBe(true)
      bounded += 1
    })
    expect(bounded).toBeGreaterThan(0)
  },
)

test.each(choices)(
  'a simulated order predicts the account after the order fills at its price, world $index',
  ({ index, ...choice }) => {
    let filled = 0
    atManyPoints(choice, 83_000 + index, (config, venue, terms) => {
      if (checkOrderTerms(venue.state, terms) !== null || !assessOrder(venue.state, terms).isApproved) return
      const digest = venue.digest()
      const { currentState, afterOrder } = simulateOrder(venue.state, terms)
      expect(venue.digest()).toBe(digest)
      expect(figuresOf(venue.state, terms)).toEqual(currentState)
      const fork = forkOf(config, venue)
      const { account, asset } = terms
      const at = venue.now
      const free = partsPerMillion(0)
      fork.execute({ kind: 'halt', at, asset, mode: 'rest', forMillis: millis(0) })
      fork.execute({ kind: 'set-fees', at, account, makerRate: free, takerRate: free })
      const placed = fork.execute(orderOf(venue, terms))
      if (!placed.ok) return
      fork.execute({ kind: 'force-fill', at, order: placed.row, quantitySteps: null, priceTicks: null })
      expect(figuresOf(fork.state, terms)).toEqual(afterOrder)
      filled += 1
    })
    expect(filled).toBeGreaterThan(0)
  },
)

function atManyPoints(
  choice: Parameters<typeof recordedCommands>[0],
  seed: number,
  visit: (config: VenueConfig, venue: Venue, terms: OrderTerms) => void,
): void {
  const { config, commands } = recordedCommands(choice, seed, caseBudget(240, 120))
  const questions = fc.sample(question, { seed, numRuns: commands.length })
  const { venue } = opened(config)
  commands.forEach((command, position) => {
    venue.execute(command)
    const terms = questions[position]
    if (position % 6 === 5 && terms !== undefined) visit(config, venue, terms)
  })
}

function forkOf(config: VenueConfig, venue: Venue): Venue {
  return Venue.restore(config, venue.snapshot(), { emit: () => undefined })
}

function orderOf(venue: Venue, terms: OrderTerms): Command {
  return {
    kind: 'place-order',
    at: venue.now,
    account: terms.account,
    asset: terms.asset,
    side: terms.side,
    type: 0,
    timeInForce: 0,
    quantitySteps: quantitySteps(terms.quantitySteps),
    priceTicks: priceTicks(terms.priceTicks),
    clientOrderId: null,
    allowsDuplicateId: false,
    keepsRefused: false,
    metadata: null,
  }
}

function isRisk(outcome: Outcome): boolean {
  return !outcome.ok && outcome.rejection.code === 'risk'
}

function figuresOf(state: State, { account, asset }: OrderTerms) {
  const exposure = portfolioExposure(state, account)
  const own = exposure.byAsset.find((one) => one.asset === asset)
  return {
    portfolioValueAtoms: exposure.equityAtoms,
    cashBalanceAtoms: exposure.cashBalanceAtoms,
    exposureAtoms: exposure.totalExposureAtoms,
    assetPositionAtoms: state.ledger.total(account, asset),
    assetExposureAtoms: own?.exposureAtoms ?? 0,
    leverageE8: exposure.leverageE8,
  }
}
