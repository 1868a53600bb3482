import type { FigureRow } from './decimate.ts'

/*
 * What can be drawn, as plain data: a chart is a stack of panels that share one horizontal axis; a panel is a list of
 * layers over one vertical axis, drawn in order. Figures that are not finite are gaps, never marks.
 */

export interface Chart {
  /** Unique within a page; letters, digits and dashes. */
  readonly id: string
  /** Read out by screen readers, with the description: a sentence about what can be seen. */
  readonly title: string
  readonly description: string
  readonly x: HorizontalAxis
  readonly panels: readonly Panel[]
  /** In pixels, unless something scales it; 860 if left out. */
  readonly width?: number
}

export type HorizontalAxis =
  | (AxisEnds & { readonly kind: 'time' }) // milliseconds since 1970, shown in UTC
  | (AxisEnds & { readonly kind: 'number' | 'log'; readonly label: string; readonly suffix?: string })
  /** Place 0 is the first name. Each has the width 1, so a bar may go from -0.4 to 0.4 around its number. */
  | { readonly kind: 'names'; readonly label: string; readonly names: readonly string[] }

/** An end that is left out is that of what is drawn. */
export interface AxisEnds {
  readonly from?: number
  readonly to?: number
}

export interface Panel extends AxisEnds {
  /** What the vertical axis measures, with its unit: `Equity, USD`. */
  readonly title: string
  readonly layers: readonly Layer[]
  /** The height of the plot only, in pixels; 180 if left out. */
  readonly height?: number
  readonly isLog?: boolean
  readonly includeZero?: boolean
  /** After each figure of the vertical axis: `%`. */
  readonly suffix?: string
}

export type Layer = LineLayer | BandLayer | BarsLayer | MarkersLayer | RuleLayer | SpanLayer

/** A colour of the palette, 1 to 8; neighbours can be told apart by colour-blind people too. 0 is plain ink. */
export type Color = 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8

interface Named {
  /** The name in the legend; not there when left out. */
  readonly label?: string
  readonly color: Color
}

export interface LineLayer extends Named {
  /** `steps` keeps each value until the next; `area` also fills down to 0, or to the nearest end of the axis. */
  readonly kind: 'line' | 'steps' | 'area'
  readonly xs: FigureRow
  readonly ys: FigureRow
  readonly isDashed?: boolean
}

/** A filled band between two rows; several on top of one another make a fan. */
export interface BandLayer extends Named {
  readonly kind: 'band'
  readonly xs: FigureRow
  readonly lows: FigureRow
  readonly highs: FigureRow
}

/** A bar for each row, from one x to another and from `bases` (0 if left out) to y. */
export interface BarsLayer extends Named {
  readonly kind: 'bars'
  readonly froms: FigureRow
  readonly tos: FigureRow
  readonly ys: FigureRow
  readonly bases?: FigureRow
  /** Shown when pointed at, one for each bar. */
  readonly titles?: readonly string[]
}

export interface MarkersLayer extends Named {
  readonly kind: 'markers'
  readonly shape: 'up' | 'down' | 'dot' | 'cross'
  readonly xs: FigureRow
  readonly ys: FigureRow
  readonly titles?: readonly string[]
}

/** A line through the whole panel. */
export interface RuleLayer extends Named {
  readonly kind: 'rule'
  readonly axis: 'x' | 'y'
  readonly at: number
}

/** A stretch of the horizontal axis, shaded over the panel's height. */
export interface SpanLayer extends Named {
  readonly kind: 'span'
  readonly from: number
  readonly to: number
}
