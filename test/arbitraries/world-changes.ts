import fc from 'fast-check'
import { makerRates, takerRates } from './configs.ts'
import type {
  AccountPlan,
  AdvancePlan,
  FeesPlan,
  ForcePlan,
  HaltPlan,
  LimitsPlan,
  MarginPlan,
  PairPlan,
  PricePlan,
  ResumePlan,
  SettlePlan,
  Span,
  TransferPlan,
} from './plans.ts'
import { accountIndex, assetIndex, momentous, ticks } from './units.ts'

/** Model runs ignore fast-check's bias, so the edges have weights of their own. */
export const timeStep: fc.Arbitrary<AdvancePlan> = fc.record({
  kind: fc.constant('advance'),
  by: fc.oneof(
    { weight: 2, arbitrary: fc.constant(0) },
    { weight: 3, arbitrary: fc.constantFrom(1, 999, 1000) },
    { weight: 2, arbitrary: fc.constantFrom(29999, 30000, 30001) },
    { weight: 4, arbitrary: momentous },
    { weight: 1, arbitrary: fc.constant(86_400_000) },
  ),
})

export const transfer: fc.Arbitrary<TransferPlan> = fc.record({
  kind: fc.constantFrom('deposit', 'withdraw'),
  account: accountIndex,
  asset: fc.nat(3),
  amount: fc.constantFrom<number | 'all'>(0, 1, 3, 7, 20, 60, 'all'),
  pendingMillis: fc.constantFrom<Span>(0, 0, 0, 1, 1000, 45000, 'due', 'grid', 'midnight'),
})

export const settlement: fc.Arbitrary<SettlePlan> = fc.record({
  kind: fc.constant('settle'),
  transfer: fc.nat(4),
})

export const halting: fc.Arbitrary<HaltPlan> = fc.record({
  kind: fc.constant('halt'),
  asset: assetIndex,
  mode: fc.constantFrom('reject', 'rest', 'rest'),
  forMillis: fc.constantFrom<Span>(0, 1, 1000, 30000, 'due', 'grid', 'midnight'),
})

export const resumption: fc.Arbitrary<ResumePlan> = fc.record({
  kind: fc.constant('resume'),
  asset: assetIndex,
})

export const limitsChange: fc.Arbitrary<LimitsPlan> = fc.record({
  kind: fc.constant('limits'),
  account: accountIndex,
  limits: fc.nat(3),
})

export const feesChange: fc.Arbitrary<FeesPlan> = fc.record({
  kind: fc.constant('fees'),
  account: accountIndex,
  makerRate: fc.constantFrom(...makerRates),
  takerRate: fc.constantFrom(...takerRates),
})

export const pairChange: fc.Arbitrary<PairPlan> = fc.record({
  kind: fc.constant('pair'),
  asset: assetIndex,
  minQuantitySteps: fc.constantFrom(null, 1, 1, 2),
  maxQuantitySteps: fc.constantFrom(null, 200, 200, 8),
  minPriceTicks: fc.constantFrom(null, 2, 2, 97),
})

/** Far enough for positions, and what leverage allows, to be worth something else. */
export const priceChange: fc.Arbitrary<PricePlan> = fc.record({
  kind: fc.constant('price'),
  asset: assetIndex,
  ticks: fc.constantFrom(1, 40, 90, 99, 100, 100, 101, 110, 400),
})

export const newAccount: fc.Arbitrary<AccountPlan> = fc.record({
  kind: fc.constant('account'),
  id: fc.nat(3),
  isMargin: fc.boolean(),
})

export const marginChange: fc.Arbitrary<MarginPlan> = fc.record({
  kind: fc.constant('margin'),
  account: accountIndex,
  type: fc.constantFrom('cash', 'margin'),
})

export const forced: fc.Arbitrary<ForcePlan> = fc.record({
  kind: fc.constantFrom('force-fill', 'force-reject', 'force-expire', 'force-expire-quote'),
  row: fc.nat(12),
  steps: fc.option(fc.integer({ min: 1, max: 9 })),
  ticks: fc.option(ticks, { freq: 2 }),
})
