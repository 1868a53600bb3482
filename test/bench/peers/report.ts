/** What each contender prints as one line of JSON when it is done. */
export interface PeerReport {
  readonly bars: number
  /** Of each loop over the whole recording, by processor time. */
  readonly barsPerSecond: readonly number[]
  readonly trades: number
  readonly equity: number
  /** Commands that were carried out in each loop, where that is what is measured. */
  readonly orders?: number
  /** Instants and prices, where they are compared. */
  readonly fills?: readonly (readonly [atMillis: number, price: number])[]
}
