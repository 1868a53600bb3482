import fc from 'fast-check'
import type {
  CancelQuotePlan,
  CancelQuotesPlan,
  QuotePlan,
  Span,
  UpdateQuotePlan,
  UpdateQuotesPlan,
} from './plans.ts'
import { accountIndex, assetIndex, percentChance } from './units.ts'

const sizeOrNone = fc.nat(9)
const lifetimes = fc.constantFrom<Span>(1, 999, 1000, 5000, 30000, 60000, 'due', 'grid', 'midnight')

export const quote: fc.Arbitrary<QuotePlan> = fc.record({
  kind: fc.constant('quote'),
  account: accountIndex,
  asset: assetIndex,
  bidTicks: fc.integer({ min: 95, max: 100 }),
  askTicks: fc.integer({ min: 100, max: 105 }),
  bidSteps: sizeOrNone,
  askSteps: sizeOrNone,
  ttl: lifetimes,
  clientId: fc.option(fc.nat(9), { freq: 4 }),
  allowsDuplicateId: percentChance(20),
})

export const quoteUpdate: fc.Arbitrary<UpdateQuotePlan> = fc.record({
  kind: fc.constant('update-quote'),
  quote: fc.nat(6),
  isForeign: percentChance(3),
  bidTicks: fc.option(fc.integer({ min: 94, max: 102 }), { freq: 2 }),
  askTicks: fc.option(fc.integer({ min: 98, max: 106 }), { freq: 2 }),
  bidSteps: fc.option(sizeOrNone, { freq: 2 }),
  askSteps: fc.option(sizeOrNone, { freq: 2 }),
  ttl: fc.option(lifetimes, { freq: 2 }),
  validFrom: fc.constantFrom('now', 'now', 'created', 'expiry'),
})

export const quoteUpdates: fc.Arbitrary<UpdateQuotesPlan> = fc.record({
  kind: fc.constant('update-quotes'),
  items: fc.array(quoteUpdate, { minLength: 1, maxLength: 3 }),
})

export const quoteCancellation: fc.Arbitrary<CancelQuotePlan> = fc.record({
  kind: fc.constant('cancel-quote'),
  quote: fc.nat(6),
  isForeign: percentChance(3),
})

export const cancelQuotes: fc.Arbitrary<CancelQuotesPlan> = fc.record({
  kind: fc.constant('cancel-quotes'),
  account: accountIndex,
  asset: fc.option(assetIndex),
})
