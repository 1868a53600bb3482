import fc from 'fast-check'
import {
  amendment,
  cancelAll,
  cancellation,
  edgeOrder,
  fillOrKillOrder,
  immediateOrder,
  limitOrder,
  marketOrder,
  placements,
} from './placements.ts'
import type { Plan } from './plans.ts'
import { cancelQuotes, quote, quoteCancellation, quoteUpdate, quoteUpdates } from './quotes.ts'
import {
  feesChange,
  forced,
  halting,
  limitsChange,
  marginChange,
  newAccount,
  pairChange,
  priceChange,
  resumption,
  settlement,
  timeStep,
  transfer,
} from './world-changes.ts'

/** Every command that the twin knows, in the proportions of a busy day. */
export const plan: fc.Arbitrary<Plan> = fc.oneof(
  { weight: 200, arbitrary: limitOrder },
  { weight: 60, arbitrary: marketOrder },
  { weight: 80, arbitrary: immediateOrder },
  { weight: 60, arbitrary: fillOrKillOrder },
  { weight: 30, arbitrary: edgeOrder },
  { weight: 40, arbitrary: placements },
  { weight: 100, arbitrary: amendment },
  { weight: 80, arbitrary: cancellation },
  { weight: 12, arbitrary: cancelAll },
  { weight: 80, arbitrary: quote },
  { weight: 40, arbitrary: quoteUpdate },
  { weight: 20, arbitrary: quoteUpdates },
  { weight: 30, arbitrary: quoteCancellation },
  { weight: 6, arbitrary: cancelQuotes },
  { weight: 100, arbitrary: timeStep },
  { weight: 40, arbitrary: transfer },
  { weight: 8, arbitrary: settlement },
  { weight: 6, arbitrary: halting },
  { weight: 24, arbitrary: resumption },
  { weight: 10, arbitrary: limitsChange },
  { weight: 12, arbitrary: feesChange },
  { weight: 16, arbitrary: forced },
  { weight: 5, arbitrary: pairChange },
  { weight: 4, arbitrary: newAccount },
  { weight: 8, arbitrary: marginChange },
  { weight: 8, arbitrary: priceChange },
)

/** The same plans for the same seed, as one run's list. */
export function plansOf(seed: number, count: number): readonly Plan[] {
  return fc.sample(plan, { seed, numRuns: count })
}
