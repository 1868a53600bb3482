import { element, listElement } from '../../../numeric/columns.ts'
import type { RowQueue, RowTarget } from './row-queue.ts'

/** The steps of which prices and quantities are counted. */
export interface BookUnits {
  readonly price: BookStep
  readonly quantity: BookStep
}

/** A step: `units` times ten to the power of minus `scale`. */
export interface BookStep {
  readonly units: number
  readonly scale: number
}

/** The finest step that a pair has. */
const maximumScale = 8
const powersOfTen = Array.from({ length: maximumScale + 1 }, (_, scale) => Number(`1e${scale}`))

/** Returns how many steps a number is, fractions included; what is within rounding of a whole number is whole. */
export function countSteps(value: number, { scale, units }: BookStep): number {
  const steps = (value * listElement(powersOfTen, scale)) / units
  const whole = Math.round(steps)
  return Math.abs(steps - whole) <= 1e-9 * Math.max(1, whole) ? whole : steps
}

export const stepNumber = ({ scale, units }: BookStep): number => units / listElement(powersOfTen, scale)

/** Finds the widest step of which all numbers that it has seen are multiples, of at most eight decimals. */
class StepFinder {
  private scale = 0
  /** Greatest common divisor of all numbers at the scale; 0 before the first number. */
  private divisor = 0

  add(value: number): void {
    if (value === 0) return
    let units = value * listElement(powersOfTen, this.scale)
    while (!isWhole(units) && this.scale < maximumScale) {
      this.scale += 1
      this.divisor *= 10
      units = value * listElement(powersOfTen, this.scale)
    }
    const whole = Math.round(units)
    if (this.divisor === 0 || whole % this.divisor !== 0)
      this.divisor = findCommonDivisor(this.divisor, whole)
  }

  /** Returns the step that was found; the finest one for no numbers. */
  get step(): BookStep {
    let { divisor, scale } = this
    if (divisor === 0) return finestStep
    while (scale > 0 && divisor % 10 === 0) {
      divisor /= 10
      scale -= 1
    }
    return { units: divisor, scale }
  }
}

const finestStep: BookStep = { units: 1, scale: maximumScale }

const isWhole = (units: number): boolean =>
  Math.abs(units - Math.round(units)) <= 1e-9 * Math.max(1, Math.abs(units))

function findCommonDivisor(left: number, right: number): number {
  while (right !== 0) [left, right] = [right, left % right]
  return left
}

/**
 * Finds the decimals that all but one of a thousand numbers have at most: exchanges keep old levels whose quantities are
 * finer than what can be traded today.
 */
class DecimalsFinder {
  private readonly counts = new Float64Array(maximumScale + 1)
  private count = 0

  add(value: number): void {
    let scale = 0
    while (scale < maximumScale && !isWhole(value * listElement(powersOfTen, scale))) scale += 1
    this.counts[scale] = element(this.counts, scale) + 1
    this.count += 1
  }

  /** Returns the step of those decimals; the finest one for no numbers. */
  get step(): BookStep {
    let within = 0
    for (let scale = 0; scale < maximumScale; scale += 1) {
      within += element(this.counts, scale)
      if (this.count > 0 && within >= 0.999 * this.count) return { units: 1, scale }
    }
    return finestStep
  }
}

/** Gathers the steps of the prices and quantities of rows. */
export class UnitFinder implements RowTarget {
  rowCount = 0
  private readonly price = new StepFinder()
  private readonly quantity = new DecimalsFinder()

  add({ prices, quantities }: RowQueue, place: number): void {
    this.rowCount += 1
    this.price.add(element(prices, place))
    this.quantity.add(element(quantities, place))
  }

  get units(): BookUnits {
    return { price: this.price.step, quantity: this.quantity.step }
  }
}

/** Returns the widest step of which both a known step and a price are multiples. */
export function refineStep(step: BookStep, price: number): BookStep {
  const finder = new StepFinder()
  finder.add(stepNumber(step))
  finder.add(price)
  return finder.step
}
