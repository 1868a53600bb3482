import {
  acceptedOrdersKeepTheLimits,
  basisFollowsThePosition,
  openOrdersKeepTheirCount,
  positionsAreTheHoldings,
  profitIsWhatTheFillsMade,
} from './account-invariants.ts'
import { bookIsNotCrossed, levelsAreTheLiveOrders, nobodyIsPassedOver } from './book-invariants.ts'
import {
  assetsAreConserved,
  clientsOweNothing,
  feesAreExact,
  feesAreTheFeeAccounts,
  locksAreTheReservesOfLiveOrders,
  postingsAreWholeAndPositive,
  postingsMakeTheBalances,
  roundingStaysBelowOneAtom,
  terminalOrdersReserveNothing,
  totalIsAvailableAndLocked,
} from './ledger-invariants.ts'
import {
  acceptedOrdersKeepTheBounds,
  averageLiesWithinTheFills,
  filledOnlyGrows,
  fillOrKillIsAllOrNothing,
  fillsAreAtTheMakersPrice,
  fillsKeepTheLimit,
  fillsMakeTheFilledQuantity,
  immediateOrdersNeverRest,
  numbersAreWhole,
  onlyAmendmentsChangeTerms,
  quoteSidesAgree,
  quotesEndInTime,
  restingDisturbsNobody,
  statusAgreesWithQuantity,
  statusesFollowTheGraph,
} from './order-invariants.ts'
import { fillsAreInTime, refusalsSayNothing, timeNeverGoesBack } from './time-invariants.ts'
import type { Predicate, Step } from './venue-view.ts'

/** Every invariant that can be checked on one step, by its number in the notes. */
export const invariants: readonly (readonly [name: string, holds: Predicate])[] = [
  ['I1 assets are conserved', assetsAreConserved],
  ['I2 postings are whole and positive', postingsAreWholeAndPositive],
  ['I3 total is available and locked', totalIsAvailableAndLocked],
  ['I4 clients owe nothing', clientsOweNothing],
  ['I5 locks are the reserves of live orders', locksAreTheReservesOfLiveOrders],
  ['I6 terminal orders reserve nothing', terminalOrdersReserveNothing],
  ['I7 filled only grows', filledOnlyGrows],
  ['I7 only amendments change terms', onlyAmendmentsChangeTerms],
  ['I8 an average lies within the fills', averageLiesWithinTheFills],
  ['I9 fills keep the limit', fillsKeepTheLimit],
  ['I9 fills are at the maker’s price', fillsAreAtTheMakersPrice],
  ['I10 fees are exact', feesAreExact],
  ['I10 fees are the fee account’s', feesAreTheFeeAccounts],
  ['I11 rounding stays below one atom', roundingStaysBelowOneAtom],
  ['I12 fills make the filled quantity', fillsMakeTheFilledQuantity],
  ['I13 postings make the balances', postingsMakeTheBalances],
  ['I14 the book is not crossed', bookIsNotCrossed],
  ['I15 nobody is passed over', nobodyIsPassedOver],
  ['I17 levels are the live orders', levelsAreTheLiveOrders],
  ['I18 fill-or-kill is all or nothing', fillOrKillIsAllOrNothing],
  ['I19 immediate orders never rest', immediateOrdersNeverRest],
  ['I20 resting disturbs nobody', restingDisturbsNobody],
  ['I21 statuses follow the graph', statusesFollowTheGraph],
  ['I22 status agrees with quantity', statusAgreesWithQuantity],
  ['I23 quotes end in time', quotesEndInTime],
  ['I24 quote sides agree', quoteSidesAgree],
  ['I25 numbers are whole', numbersAreWhole],
  ['I25 accepted orders keep the bounds', acceptedOrdersKeepTheBounds],
  ['I26 positions are the holdings', positionsAreTheHoldings],
  ['I27 basis follows the position', basisFollowsThePosition],
  ['I28 profit is what the fills made', profitIsWhatTheFillsMade],
  ['I35 accepted orders keep the limits', acceptedOrdersKeepTheLimits],
  ['I36 open orders keep their count', openOrdersKeepTheirCount],
  ['I53 time never goes back', timeNeverGoesBack],
  ['I53 fills are in time', fillsAreInTime],
  ['refusals say nothing', refusalsSayNothing],
]

/*
 * Where the others are checked, which one step of one venue cannot show:
 *
 * I12, I13, I28 to I33, I36  what the reports say: report-invariants.ts, after every command (reports.test.ts)
 * I16  an amendment's place in the queue: the tables of test/model, and every event against the twin
 * I34  a price path that nobody moves: moving-market.test.ts
 * I37 to I39  what the check, the maximum and the simulation foretell: foresight.test.ts
 * I40 to I49, I55 to I57  reads over HTTP, scopes, rate limits, order of responses, liveness: the server's tests
 * I50 to I53  replay, snapshots, split advances, inserted reads: determinism.test.ts, and test/golden
 * I54  pairs of runs: metamorphic.test.ts
 */

/** All that is broken after a step, as sentences. */
export function brokenInvariants(step: Step): readonly string[] {
  return invariants.flatMap(([name, holds]) => {
    const broken = holds(step)
    return broken === null ? [] : [`${name}: ${broken}`]
  })
}
