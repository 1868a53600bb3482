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

/*
 * What is told of a figure: its unit, its title in reports, which way it is better, and how it is made of what its group
 * has found out of the records. Money in USD, shares and returns as fractions (0.01 is 1 %), spans in milliseconds, a
 * year of 365 days. Everything is plain JSON data.
 */

/** How a figure is written: a share is a fraction to a tenth of a per cent. */
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

export interface MetricRow<Value = unknown> {
  readonly unit: FigureUnit
  /** Of its line in reports, in the order of the lines; empty where it has none. */
  readonly title: string
  readonly better: 'large' | 'small'
  /** Whether a run twice as long has twice as much of it. */
  readonly grows: boolean
  /** A method, because only a group knows what it has found. */
  compute(found: unknown): Value
}

/** Entries of a list are told apart by one of their fields, or by their place. */
export interface FigureList<Fields = FigureFields> {
  readonly by: string | null
  readonly fields: Fields
  listEntries(found: unknown): readonly unknown[]
}

export interface FigureFields {
  readonly [name: string]: FigurePart
}

export type FigurePart = MetricRow | FigureList | FigureFields

type ValueOf<Part> =
  Part extends MetricRow<infer Value>
    ? Value
    : Part extends FigureList<infer Fields>
      ? readonly GroupFigures<Fields>[]
      : GroupFigures<Part>

export type GroupFigures<Fields> = { readonly [Name in keyof Fields]: ValueOf<Fields[Name]> }

/**
 * What makes the rows of a group. Choice: costs, losses, uncertainty and durations are better small. Figures with a sign
 * (falls, too: -0.1 is worse than -0.05) and figures that are a matter of taste are ranked from large to small.
 */
export function rowBuilder<Found>() {
  const row =
    (better: 'large' | 'small', grows: boolean) =>
    <Value>(unit: FigureUnit, of: (found: Found) => Value, title = ''): MetricRow<Value> => ({
      unit,
      title,
      better,
      grows,
      compute: of,
    })
  return {
    figure: row('large', false),
    smallFigure: row('small', false),
    /** Of what grows with the run. */
    sum: row('large', true),
    smallSum: row('small', true),
    list: <Entry, Fields>(
      by: string | null,
      of: (found: Found) => readonly Entry[],
      fields: Fields,
    ): FigureList<Fields> => ({ by, listEntries: of, fields }),
  }
}

export function computeFigures<Fields extends FigureFields>(
  fields: Fields,
  found: unknown,
): GroupFigures<Fields> {
  return Object(
    Object.fromEntries(Object.entries(fields).map(([name, part]) => [name, computePart(part, found)])),
  )
}

function computePart(part: FigurePart, found: unknown): unknown {
  if (isRow(part)) return part.compute(found)
  return isList(part)
    ? part.listEntries(found).map((entry) => computeFigures(part.fields, entry))
    : computeFigures(part, found)
}

export const isRow = (part: FigurePart): part is MetricRow => 'unit' in part && typeof part.unit === 'string'

export const isList = (part: FigurePart): part is FigureList =>
  'by' in part && typeof part.fields === 'object'
