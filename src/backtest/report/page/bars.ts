import uPlot from 'uplot'
import type { PlotTable } from './plot-table.ts'

/** Makes the function with which uPlot draws a column of bars, from 0 or from the values of the column before it. */
export function makeBarPaths({ columns, data }: PlotTable): uPlot.Series.PathBuilder {
  return (view, column) => {
    const path = new Path2D()
    const { beside = [] } = columns[column] ?? {}
    const bases = columns[column - 1]?.isBase === true ? data[column - 1] : undefined
    const { bbox } = view
    const clamp = (pixel: number): number => Math.min(bbox.left + bbox.width, Math.max(bbox.left, pixel))
    for (const [row, to] of beside.entries()) {
      const [value, base] = [data[column]?.[row], bases === undefined ? 0 : bases[row]]
      if (typeof to !== 'number' || typeof value !== 'number' || typeof base !== 'number') continue
      const left = clamp(view.valToPos(data[0][row] ?? 0, 'x', true))
      const width = clamp(view.valToPos(to, 'x', true)) - left
      const [top, bottom] = [view.valToPos(value, 'y', true), view.valToPos(base, 'y', true)]
      // A sliver of background separates neighbours if there is room for it.
      if (width > 0)
        path.rect(left, top, Math.max(1, width > 4 ? width - uPlot.pxRatio : width), bottom - top)
    }
    return { stroke: null, fill: path, flags: 1 }
  }
}
