import type { Numbers } from './decimate.ts'

/*
 * What can be drawn, as plain data: a chart is a stack of panels that share one horizontal axis, a panel is layers over
 * one vertical axis, drawn in order. Figures that are not finite are gaps, never marks.
 */

export interface Chart {
  /** Unique within a page; letters, digits and dashes. */
  readonly id: string
  /** Read out by screen readers, with the description: what is to be seen, in a sentence. */
  readonly title: string
  readonly description: string
  readonly x: HorizontalAxis
  readonly panels: readonly Panel[]
  /** In pixels, where nothing scales it; 860 if left out. */
  readonly width?: number
}

export type HorizontalAxis =
  | (AxisEnds & { readonly kind: 'time' }) // milliseconds since 1970, shown in UTC
  | (AxisEnds & { readonly kind: 'number' | 'log'; readonly label: string; readonly suffix?: string })
  /** Place 0 is the first name; each has the width 1, so bars go from -0.4 to 0.4 about its number. */
  | { readonly kind: 'names'; readonly label: string; readonly names: readonly string[] }

/** Ends that are left out are those of what is drawn. */
export interface AxisEnds {
  readonly from?: number
  readonly to?: number
}

export interface Panel extends AxisEnds {
  /** What the vertical axis measures, with its unit: `Equity, USD`. */
  readonly title: string
  readonly layers: readonly Layer[]
  /** Of the plot alone, in pixels; 180 if left out. */
  readonly height?: number
  readonly isLog?: boolean
  /** Whether 0 is always in sight. */
  readonly includeZero?: boolean
  /** After each figure of the vertical axis: `%`. */
  readonly suffix?: string
}

export type Layer = LineLayer | BandLayer | BarsLayer | MarkersLayer | RuleLayer | SpanLayer

/** Of the palette, 1 to 8; neighbours are told apart by colour-blind people too. 0 is plain ink. */
export type Color = 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8

interface Named {
  /** In the legend; none when left out. */
  readonly label?: string
  readonly color: Color
}

export interface LineLayer extends Named {
  /** `steps` keeps each value until the next; `area` also fills down to 0, or the nearest end of the axis. */
  readonly kind: 'line' | 'steps' | 'area'
  readonly xs: Numbers
  readonly ys: Numbers
  readonly isDashed?: boolean
}

/** A filled band between two rows; several on one another are a fan. */
export interface BandLayer extends Named {
  readonly kind: 'band'
  readonly xs: Numbers
  readonly lows: Numbers
  readonly highs: Numbers
}

/** A bar for each row, from one x to another and from `bases` (0 if left out) to y. */
export interface BarsLayer extends Named {
  readonly kind: 'bars'
  readonly froms: Numbers
  readonly tos: Numbers
  readonly ys: Numbers
  readonly bases?: Numbers
  /** Shown when pointed at, one a bar. */
  readonly titles?: readonly string[]
}

export interface MarkersLayer extends Named {
  readonly kind: 'markers'
  readonly shape: 'up' | 'down' | 'dot' | 'cross'
  readonly xs: Numbers
  readonly ys: Numbers
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
