import type { FigureRow } from './decimate.ts'

/*
 * What can be drawn, as plain data. A chart is a stack of panels that share one horizontal axis. A panel is a list of
 * layers over one vertical axis, drawn in order. Figures that are not finite are gaps, never marks.
 */

/** A picture as plain data: a stack of panels over one horizontal axis. */
export interface Chart {
  /** The id of the picture, unique within a page: letters, digits and dashes. */
  readonly id: string
  /** The title that screen readers read out, followed by the description: a sentence about what can be seen. */
  readonly title: string
  readonly description: string
  readonly x: HorizontalAxis
  readonly panels: readonly Panel[]
  /** The width of the picture in pixels before any scaling; 860 by default. */
  readonly width?: number
  /** Whether the picture cannot be zoomed, because what it shows can be zoomed elsewhere on the page. */
  readonly isStill?: boolean
}

/** The horizontal axis that the panels of a chart share. */
export type HorizontalAxis =
  | (AxisEnds & { readonly kind: 'time' }) // milliseconds since 1970, shown in UTC
  | (AxisEnds & { readonly kind: 'number' | 'log'; readonly label: string; readonly suffix?: string })
  /** Names at 0, 1, 2, ... Each is 1 wide, so that its bar may go from -0.4 to 0.4 around its number. */
  | { readonly kind: 'names'; readonly label: string; readonly names: readonly string[] }

/** The ends of an axis. An end that is left out is taken from the figures drawn. */
export interface AxisEnds {
  readonly from?: number
  readonly to?: number
}

/** One plot of a chart: layers over one vertical axis. */
export interface Panel extends AxisEnds {
  /** What the vertical axis measures, with its unit: `Equity, USD`. */
  readonly title: string
  readonly layers: readonly Layer[]
  /** The height of the plot alone, in pixels; 180 by default. */
  readonly height?: number
  readonly isLog?: boolean
  readonly includeZero?: boolean
  /** The text after each figure of the vertical axis, such as `%`. */
  readonly suffix?: string
}

export type Layer = LineLayer | BandLayer | BarsLayer | MarkersLayer | RuleLayer | SpanLayer

/** A colour of the palette, 1 to 8, or 0 for the colour of text. Colour-blind people can tell neighbours apart. */
export type Color = 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8

interface Named {
  /** The name in the legend. A layer without a label is not in the legend. */
  readonly label?: string
  readonly color: Color
}

/** A line through the points (x, y). */
export interface LineLayer extends Named {
  /** `steps` keeps each value until the next one; `area` also fills down to 0, or to the nearest end of the axis. */
  readonly kind: 'line' | 'steps' | 'area'
  readonly xs: FigureRow
  readonly ys: FigureRow
  readonly isDashed?: boolean
}

/** A filled band between two rows of figures. Several on top of one another make a fan. */
export interface BandLayer extends Named {
  readonly kind: 'band'
  /** Whether the band lies on a wider one of its colour. It is then darker than that one, in the legend too. */
  readonly isInner?: true
  readonly xs: FigureRow
  readonly lows: FigureRow
  readonly highs: FigureRow
}

/** Bars, each from one x to another and from its base (0 by default) to y. */
export interface BarsLayer extends Named {
  readonly kind: 'bars'
  readonly froms: FigureRow
  readonly tos: FigureRow
  readonly ys: FigureRow
  readonly bases?: FigureRow
  /** The tooltips of the bars, one for each. */
  readonly titles?: readonly string[]
}

/** Markers of one shape at the points (x, y). */
export interface MarkersLayer extends Named {
  readonly kind: 'markers'
  readonly shape: 'up' | 'down' | 'dot' | 'cross'
  readonly xs: FigureRow
  readonly ys: FigureRow
  /** The tooltips of the markers, one for each. */
  readonly titles?: readonly string[]
  /** What a click on a marker shows below the chart, such as a command to be copied; one for each. */
  readonly commands?: readonly string[]
}

/** A straight line across the whole panel, at a value of one of the axes. */
export interface RuleLayer extends Named {
  readonly kind: 'rule'
  readonly axis: 'x' | 'y'
  readonly at: number
}

/** A range of the horizontal axis, shaded over the panel's height. */
export interface SpanLayer extends Named {
  readonly kind: 'span'
  readonly from: number
  readonly to: number
}
