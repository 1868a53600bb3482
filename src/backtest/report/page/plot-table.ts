import type uPlot from 'uplot'
import { joinSeries } from '../../../pages/hover.ts'
import type { SharedTexts, ZoomAxis, ZoomPanel, ZoomSeries } from '../../../pages/pictures.ts'
import { readDifferences } from './texts.ts'

/** The series of a panel over one column, as uPlot takes them, and beside them what uPlot does not know. */
export interface PlotTable {
  readonly data: uPlot.AlignedData
  /** By column (0 is the horizontal axis): the series that it belongs to, and what it has beside its values. */
  readonly columns: readonly (PlotColumn | null)[]
}

/** A column of a plot's table. */
export interface PlotColumn {
  readonly series: ZoomSeries
  /** Whether it has the values that bars begin at, which its right neighbour ends. */
  readonly isBase: boolean
  /** By row: where a bar ends along the axis, or which of the series' markers it is; empty for all else. */
  readonly beside: readonly (number | null | undefined)[]
}

/**
 * Joins the series of a panel over one column: of seconds where the axis is time, else of its numbers, with the ends of the
 * axis as rows of their own.
 */
export function createPlotTable(panel: ZoomPanel, x: ZoomAxis | undefined): PlotTable {
  const tables = panel.series.map((series): [readonly number[], ...(readonly (number | null)[])[]] => [
    readPlaces(series.xs, series),
    ...series.ys.map((row) =>
      readDifferences(row).map((steps) => (steps === null ? null : steps * series.quantum)),
    ),
    ...listBeside(series),
  ])
  const [places, ...joined] = joinSeries(x === undefined ? tables : [...tables, [[x.from, x.to]]])
  const data: uPlot.AlignedData = [places]
  const columns: (PlotColumn | null)[] = [null]
  for (const series of panel.series) {
    const rows = joined.splice(0, series.ys.length)
    const [beside = []] = joined.splice(0, listBeside(series).length)
    for (const [place, row] of rows.entries()) {
      data.push(row)
      columns.push({ series, isBase: series.kind === 'bars' && place < rows.length - 1, beside })
    }
  }
  return { data, columns }
}

function listBeside(series: ZoomSeries): readonly (readonly number[])[] {
  if (series.tos !== undefined) return [readPlaces(series.tos, series)]
  return series.commands === undefined ? [] : [series.commands.middles.map((_, place) => place)]
}

const readPlaces = (text: string, { xQuantum }: ZoomSeries): readonly number[] =>
  readDifferences(text).map((steps) =>
    xQuantum === undefined ? (steps ?? 0) / 1_000 : (steps ?? 0) * xQuantum,
  )

/** Returns one of the texts that begin and end alike. */
export const readSharedText = ({ head, middles, tail }: SharedTexts, place: number): string =>
  `${head}${middles[place] ?? ''}${tail}`
