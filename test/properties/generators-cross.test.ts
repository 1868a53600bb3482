import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Outcome } from '../../src/engine/command.ts'
import { plansOf } from '../arbitraries/commands.ts'
import { configChoice, crowdedConfig } from '../arbitraries/configs.ts'
import { commandOf } from '../arbitraries/resolve.ts'
import { NaiveVenue } from '../reference/naive-venue.ts'
import { Combinations } from './combinations.ts'

/* A differential test over orders that never trade proves nothing, so the generator itself is measured. */

interface Tally {
  placed: number
  refused: number
  traded: number
  readonly codes: Map<string, number>
  readonly events: Map<string, number>
  readonly combinations: Combinations
}

test('of the generated orders a quarter trade and a tenth are refused, and rules that matter together meet', () => {
  const tally: Tally = {
    placed: 0,
    refused: 0,
    traded: 0,
    codes: new Map(),
    events: new Map(),
    combinations: new Combinations(),
  }
  fc.sample(configChoice, { seed: 7, numRuns: 30 }).forEach((choice, index) => {
    countRun(tally, new NaiveVenue(crowdedConfig(choice)), index)
  })
  expect(tally.traded / (tally.placed - tally.refused)).toBeGreaterThan(0.25)
  expect(tally.refused / tally.placed).toBeGreaterThan(0.1)
  expect(tally.refused / tally.placed).toBeLessThan(0.5)
  expect([...tally.codes.keys()].toSorted()).toEqual(expectedCodes)
  expect(expectedEvents.filter((name) => (tally.events.get(name) ?? 0) < 5)).toEqual([])
  const { counts } = tally.combinations
  expect(expectedCombinations.filter((name) => (counts.get(name) ?? 0) < 2)).toEqual([])
})

function countRun(tally: Tally, venue: NaiveVenue, seed: number): void {
  for (const plan of plansOf(seed, 250)) {
    const command = commandOf(plan, venue.world)
    const before = venue.world.orders.length
    const outcome = tally.combinations.execute(venue, command)
    countOutcome(tally, outcome)
    if (command.kind === 'place-order') tally.placed += 1
    if (command.kind === 'place-order' && !outcome.ok) tally.refused += 1
    if (command.kind === 'place-order') {
      tally.traded += venue.world.orders.slice(before).filter((order) => order.filled > 0n).length
    }
  }
  for (const { name } of venue.events) tally.events.set(name, (tally.events.get(name) ?? 0) + 1)
}

function countOutcome(tally: Tally, outcome: Outcome): void {
  if (outcome.ok) {
    for (const item of outcome.items) countOutcome(tally, item)
    return
  }
  const { code } = outcome.rejection
  tally.codes.set(code, (tally.codes.get(code) ?? 0) + 1)
}

const expectedCodes = [
  'account-exists',
  'amount-out-of-range',
  'crossed-quote',
  'duplicate-client-id',
  'empty-quote',
  'insufficient-balance',
  'notional-below-minimum',
  'open-orders-limit',
  'pair-inactive',
  'price-below-minimum',
  'price-out-of-range',
  'quantity-above-maximum',
  'quantity-below-filled',
  'quantity-below-minimum',
  'risk',
  'terminal',
  'unknown-account',
  'unknown-asset',
  'unknown-order',
  'unknown-quote',
  'unknown-transfer',
]

const expectedEvents = [
  'order-accepted',
  'order-amended',
  'order-partially-filled',
  'order-filled',
  'order-cancelled',
  'order-expired',
  'order-rejected',
  'quote-accepted',
  'quote-updated',
  'quote-partially-filled',
  'quote-filled',
  'quote-cancelled',
  'quote-expired',
  'trade',
  'posted',
  'reserved',
  'released',
  'pair-halted',
  'pair-resumed',
  'deposit-pending',
  'deposit-settled',
  'withdrawal-pending',
  'withdrawal-settled',
  'account-created',
  'settings-changed',
]

const expectedCombinations = [
  'a flip to long with a fee in cash',
  'a flip to long with a rebate in cash',
  'a flip to long with no fee in kind',
  'a flip to short with a fee in cash',
  'a flip to short with a rebate in cash',
  'a quote updated to what it is',
  'a step of the grid with a trade',
  'a step of the grid with a transfer',
  'a step of the grid with an expiry',
  'a step of the grid with the end of a halt',
  'a trade at midnight',
  'a trade with the end of a halt',
  'a transfer at midnight',
  'a transfer with an expiry',
  'a transfer with the end of a halt',
  'a withdrawal that leverage forbids',
  'allow lets an account trade with itself',
  'allow lets an account trade with itself by a quote',
  'an amendment below what has filled',
  'an amendment during a halt',
  'an amendment of what filled in part under other fees',
  'an amendment that crosses',
  'an amendment to a step more than has filled',
  'an amendment to what has filled',
  'an amendment to what the order is',
  'an expiry at midnight',
  'an expiry with the end of a halt',
  'cancel_both ends a quote by a quote',
  'cancel_both ends a quote by an order',
  'cancel_both ends an order by an amendment',
  'cancel_maker ends a quote by an order',
  'cancel_maker ends an order by a quote',
  'cancel_maker ends an order by an amendment',
  'cancel_taker ends a quote by a quote',
  'cancel_taker ends an order by an amendment',
  'the end of a halt at midnight',
]
