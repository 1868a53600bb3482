/** A figure: a number, or null with the reason why there is none. It is never infinite, and never 0 for undefined. */
export type Figure =
  | { readonly value: number; readonly reason: null }
  | { readonly value: null; readonly reason: string }

/** Makes the figure of a number. One that is not finite is missing. */
export function figure(value: number): Figure {
  return Number.isFinite(value) ? { value, reason: null } : missing('it is not finite')
}

/** Makes a figure without a value, for a reason. */
export function missing(reason: string): Figure {
  return { value: null, reason }
}

/** Makes the figure of a quotient. If the divisor is 0, the figure is missing for this reason. */
export function ratio(dividend: number, divisor: number, reason: string): Figure {
  return divisor === 0 ? missing(reason) : figure(dividend / divisor)
}

/** Computes a figure from another one. If that is missing, so is the result, for the same reason. */
export function derive(from: Figure, compute: (value: number) => number): Figure {
  return from.value === null ? from : figure(compute(from.value))
}

/** The number of days from which on figures of a year are computed. From fewer, a year is a guess. */
const leastDaysForYear = 30

/** Computes a figure of a year from one of a shorter span. If the run is shorter than 30 days, the figure is missing. */
export function deriveYearly(from: Figure, days: number, compute: (value: number) => number): Figure {
  return from.value !== null && days < leastDaysForYear
    ? missing(`the run is shorter than ${leastDaysForYear} days`)
    : derive(from, compute)
}

export function isFigure(value: unknown): value is Figure {
  return typeof value === 'object' && value !== null && 'value' in value && 'reason' in value
}

/*
 * The description of a figure: its unit, its title in reports, which way it is better, and how it is computed from what its
 * group has measured in the records. Money is in USD, shares and returns are fractions (0.01 is 1 %), durations are in
 * milliseconds, and a year has 365 days. Figures are plain JSON data.
 */

/** The unit of a figure, which decides how it is written: a `share` is shown to a tenth of a per cent. */
type FigureUnit =
  | 'usd'
  | 'fraction'
  | 'share'
  | 'basisPoints'
  | 'ratio'
  | 'count'
  | 'span'
  | 'instant'
  | 'text'

/** The description of one figure of a group. */
export interface MetricRow<Value = unknown> {
  readonly unit: FigureUnit
  /** The title of its line in reports; empty if it has none. Lines have the order of the rows. */
  readonly title: string
  readonly better: 'large' | 'small'
  /** Whether a run twice as long has twice as much of it. */
  readonly grows: boolean
  /**
   * Computes the figure from what its group has measured. It is a method, not a property, so that its parameter is bivariant:
   * only the group knows the type.
   */
  compute(measured: unknown): Value
}

/** The description of a list of figures, one for each asset or horizon. */
export interface FigureList<Fields = FigureFields> {
  /** The field that names an entry; null if its position does. */
  readonly by: string | null
  readonly fields: Fields
  /** Lists what each entry's figures are computed from, out of what the group has measured. */
  listEntries(measured: unknown): readonly unknown[]
}

/** The descriptions of a group's figures by name. */
export interface FigureFields {
  readonly [name: string]: FigurePart
}

/** The description of a figure, of a list of figures, or of a group of them. */
export type FigurePart = MetricRow | FigureList | FigureFields

type ValueOf<Part> =
  Part extends MetricRow<infer Value>
    ? Value
    : Part extends FigureList<infer Fields>
      ? readonly GroupFigures<Fields>[]
      : GroupFigures<Part>

/** The figures of a group, as the type of their descriptions says. */
export type GroupFigures<Fields> = { readonly [Name in keyof Fields]: ValueOf<Fields[Name]> }

/**
 * Returns the functions that describe the figures of a group, given what the group measures. Choice: costs, losses,
 * uncertainty and durations are better small. Signed figures, falls included (-0.1 is worse than -0.05), and matters of
 * taste are ranked from large to small.
 */
export function rowBuilder<Measured>() {
  const row =
    (better: 'large' | 'small', grows: boolean) =>
    <Value>(unit: FigureUnit, compute: (measured: Measured) => Value, title = ''): MetricRow<Value> => ({
      unit,
      title,
      better,
      grows,
      compute,
    })
  return {
    figure: row('large', false),
    smallFigure: row('small', false),
    /** Describes a figure that grows with the length of the run. */
    sum: row('large', true),
    smallSum: row('small', true),
    list: <Entry, Fields>(
      by: string | null,
      listEntries: (measured: Measured) => readonly Entry[],
      fields: Fields,
    ): FigureList<Fields> => ({ by, listEntries, fields }),
  }
}

/** Computes the figures of a group, in the order of their descriptions, from what the group has measured. */
export function computeFigures<Fields extends FigureFields>(
  fields: Fields,
  measured: unknown,
): GroupFigures<Fields> {
  return Object(
    Object.fromEntries(Object.entries(fields).map(([name, part]) => [name, computePart(part, measured)])),
  )
}

function computePart(part: FigurePart, measured: unknown): unknown {
  if (isRow(part)) {
    const value = part.compute(measured)
    return isAmount(part) && typeof value === 'number' ? Number(value.toPrecision(amountDigits)) : value
  }
  return isList(part)
    ? part.listEntries(measured).map((entry) => computeFigures(part.fields, entry))
    : computeFigures(part, measured)
}

/** The digits of a sum of money. Doubles have two or three more, and after many sums those are noise: 0.30000000000000004. */
const amountDigits = 13

/** Returns whether a figure is a sum of money. */
const isAmount = ({ grows, unit }: MetricRow): boolean => grows && unit === 'usd'

export const isRow = (part: FigurePart): part is MetricRow => 'unit' in part && typeof part.unit === 'string'

export const isList = (part: FigurePart): part is FigureList =>
  'by' in part && typeof part.fields === 'object'
