import type { RowTarget } from './row-queue.ts'

/** The steps of a price and of a quantity, as decimals: `mantissa` times ten to the power of minus `decimals`. */
export interface BookUnits {
  readonly price: UnitStep
  readonly quantity: UnitStep
}

export interface UnitStep {
  readonly mantissa: number
  readonly decimals: number
}

const maximumDecimals = 8
const scales = Array.from({ length: maximumDecimals + 1 }, (_, decimals) => Number(`1e${decimals}`))

/** Returns how many steps a number is, fractions included; what is within rounding of a whole number is whole. */
export function countSteps(value: number, { decimals, mantissa }: UnitStep): number {
  const steps = (value * (scales[decimals] as number)) / mantissa
  const whole = Math.round(steps)
  return Math.abs(steps - whole) <= 1e-9 * Math.max(1, whole) ? whole : steps
}

export const stepNumber = ({ decimals, mantissa }: UnitStep): number =>
  mantissa / (scales[decimals] as number)

/** Finds the widest step of which all numbers that it has seen are multiples, of at most eight decimals. */
export class StepFinder {
  private decimals = 0
  /** Greatest common divisor of all numbers, in units of `decimals`; 0 before the first number. */
  private divisor = 0

  /** Returns whether the number was no multiple of the step so far. */
  add(value: number): boolean {
    if (value === 0) return false
    let units = value * (scales[this.decimals] as number)
    while (!isWhole(units) && this.decimals < maximumDecimals) {
      this.decimals += 1
      this.divisor *= 10
      units = value * (scales[this.decimals] as number)
    }
    const whole = Math.round(units)
    if (this.divisor !== 0 && whole % this.divisor === 0) return false
    this.divisor = divideOut(this.divisor, whole)
    return true
  }

  /** Returns the step that has been found; one of the least decimals for no numbers. */
  get step(): UnitStep {
    let { decimals, divisor } = this
    if (divisor === 0) return { mantissa: 1, decimals: maximumDecimals }
    while (decimals > 0 && divisor % 10 === 0) {
      divisor /= 10
      decimals -= 1
    }
    return { mantissa: divisor, decimals }
  }
}

const isWhole = (units: number): boolean =>
  Math.abs(units - Math.round(units)) <= 1e-9 * Math.max(1, Math.abs(units))

function divideOut(left: number, right: number): number {
  while (right !== 0) [left, right] = [right, left % right]
  return left
}

/**
 * Finds the decimals that all but one of a thousand numbers have at most: exchanges keep old levels whose quantities are
 * finer than what can be traded today.
 */
export class DecimalsFinder {
  private readonly counts = new Float64Array(maximumDecimals + 1)
  private count = 0

  add(value: number): void {
    let decimals = 0
    while (decimals < maximumDecimals && !isWhole(value * (scales[decimals] as number))) decimals += 1
    this.counts[decimals] = (this.counts[decimals] as number) + 1
    this.count += 1
  }

  /** Returns the step of those decimals; the finest one for no numbers. */
  get step(): UnitStep {
    let within = 0
    for (let decimals = 0; decimals < maximumDecimals; decimals += 1) {
      within += this.counts[decimals] as number
      if (this.count > 0 && within >= 0.999 * this.count) return { mantissa: 1, decimals }
    }
    return { mantissa: 1, decimals: maximumDecimals }
  }
}

/** Gathers the steps of the prices and quantities of rows. */
export class UnitScan implements RowTarget {
  readonly price = new StepFinder()
  readonly quantity = new DecimalsFinder()
  rowCount = 0

  add(_atMicros: number, _kind: number, _side: number, price: number, quantity: number): void {
    this.rowCount += 1
    this.price.add(price)
    this.quantity.add(quantity)
  }

  get units(): BookUnits {
    return { price: this.price.step, quantity: this.quantity.step }
  }
}
