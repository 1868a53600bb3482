/** A number, or why there is none: what is undefined is null with a reason, never 0 and never infinite. */
export type Figure =
  | { readonly value: number; readonly reason: null }
  | { readonly value: null; readonly reason: string }

export function figure(value: number): Figure {
  return Number.isFinite(value) ? { value, reason: null } : missing('it is not finite')
}

export function missing(reason: string): Figure {
  return { value: null, reason }
}

/** A quotient; `reason` says what a divisor of 0 means. */
export function ratio(dividend: number, divisor: number, reason: string): Figure {
  return divisor === 0 ? missing(reason) : figure(dividend / divisor)
}

/** A figure computed from another one: missing for the same reason when that is. */
export function derive(from: Figure, of: (value: number) => number): Figure {
  return from.value === null ? from : figure(of(from.value))
}

export function isFigure(value: unknown): value is Figure {
  return typeof value === 'object' && value !== null && 'value' in value && 'reason' in value
}
