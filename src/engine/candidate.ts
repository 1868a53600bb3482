import { Figure } from '../numeric/figure.ts'

/** Live interest on one side: how much, what it is worth at its own price, and what is held for it. */
export class Interest {
  readonly steps = new Figure()
  readonly valueAtoms = new Figure()
  readonly reserveAtoms = new Figure()

  set(steps: number, valueAtoms: number, reserveAtoms: number): void {
    this.steps.set(steps)
    this.valueAtoms.set(valueAtoms)
    this.reserveAtoms.set(reserveAtoms)
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
  readonly smallestSteps = new Figure()
  readonly largestSteps = new Figure()
  /** Of the larger side, filled parts included. */
  readonly orderValueAtoms = new Figure()
  /** Price at which a margin account's capacity is turned into a quantity that it may sell. */
  readonly sellTicks = new Figure()

  /** Nothing yet, on either side. */
  start(account: number, asset: number): void {
    this.account = account
    this.asset = asset
    this.buy.set(0, 0, 0)
    this.sell.set(0, 0, 0)
    this.replacedBuy.set(0, 0, 0)
    this.replacedSell.set(0, 0, 0)
    this.sellTicks.set(1)
  }

  /** Whole sizes and value, for the size and value checks. */
  size(smallestSteps: number, largestSteps: number, orderValueAtoms: number): void {
    this.smallestSteps.set(smallestSteps)
    this.largestSteps.set(largestSteps)
    this.orderValueAtoms.set(orderValueAtoms)
  }
}
