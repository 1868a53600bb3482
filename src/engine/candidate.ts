/** Live interest on one side: how much, what it is worth at its own price, and what is held for it. */
export class Interest {
  steps = 0
  valueAtoms = 0
  reserveAtoms = 0

  set(steps: number, valueAtoms: number, reserveAtoms: number): void {
    this.steps = steps
    this.valueAtoms = valueAtoms
    this.reserveAtoms = reserveAtoms
  }
}

/**
 * What is to be assessed: an order is one side, a quote is both. What it replaces (the order that is amended, the
 * quote that is updated) stands beside it, because the old reservation is released before the check.
 *
 * One instance serves a venue's commands, one after the other, so that an order which passes leaves nothing behind.
 */
export class Candidate {
  account = 0
  asset = 0
  readonly buy = new Interest()
  readonly sell = new Interest()
  readonly replacedBuy = new Interest()
  readonly replacedSell = new Interest()
  /** The smallest and the largest size of a side that has something left, filled parts included. */
  smallestSteps = 0
  largestSteps = 0
  /** Of the larger side, filled parts included. */
  orderValueAtoms = 0
  /** Price at which a margin account's capacity is turned into a quantity that it may sell. */
  sellTicks = 1

  /** Nothing yet, on either side. */
  start(account: number, asset: number): void {
    this.account = account
    this.asset = asset
    this.buy.set(0, 0, 0)
    this.sell.set(0, 0, 0)
    this.replacedBuy.set(0, 0, 0)
    this.replacedSell.set(0, 0, 0)
    this.sellTicks = 1
  }

  /** Whole sizes and value, for the size and value checks. */
  size(smallestSteps: number, largestSteps: number, orderValueAtoms: number): void {
    this.smallestSteps = smallestSteps
    this.largestSteps = largestSteps
    this.orderValueAtoms = orderValueAtoms
  }
}
