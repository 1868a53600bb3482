/* The synthetic takers of an asset: who trades, how often, how much, and on what knowledge. */

export type FlowSpec = { readonly kind: 'none' } | PoissonFlowSpec | HawkesFlowSpec

/** Independent takers without opinion; they pay up to 1 % beyond the mark. Values are log-normal. */
export interface PoissonFlowSpec {
  readonly kind: 'poisson'
  readonly ratePerMinute: number
  readonly medianUsd: number
  /** Standard deviation of the logarithm of the value. */
  readonly sizeSd: number
}

/**
 * Takers that come in bursts and in runs of one side, more of them when the market moves, some of them informed
 * (market.md section 3).
 */
export interface HawkesFlowSpec {
  readonly kind: 'hawkes'
  /** On average, while activity is that of the long run. */
  readonly ratePerMinute: number
  readonly medianUsd: number
  /** Standard deviation of the logarithm of the value, below the tail. */
  readonly sizeSd: number
  /** The largest value of an order, in USD; the pair's maximum quantity bounds it too. */
  readonly maximumUsd: number
  readonly informed: InformedFlow
  /** Uninformed takers pay d basis points more than the venue's own touch with the probability e^(-patience d). */
  readonly patiencePerBp: number
  /** The half-spread that they expect where the venue shows none of its own, basis points. */
  readonly touchBps: number
  /**
   * The chance that a client's price which the market has left behind is taken at once; 0: nobody looks for such
   * prices.
   */
  readonly snipers: number
}

export interface InformedFlow {
  /** Of the takers, 0 to 1. */
  readonly share: number
  /** They know the fundamental price this many milliseconds ahead on average, exponentially distributed. */
  readonly horizonMillis: number
  /** They trade when that price is better than the book's by more than this, in basis points. */
  readonly costBps: number
}

/** One taker's order, before it meets a book. */
export interface Arrival {
  /** Since the minute's first instant, in (0, 60_000]. */
  readonly offsetMillis: number
  /** The side it wants; what an informed one knows decides for it. */
  readonly side: 'buy' | 'sell'
  /** The value that the taker wants to trade, USD. */
  readonly valueUsd: number
  /** How far ahead it knows the fundamental price; 0: it knows nothing. */
  readonly horizonMillis: number
  /** How much it pays beyond the venue's own touch, basis points; null: up to 1 % beyond the mark. */
  readonly patienceBps: number | null
}
