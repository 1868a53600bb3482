import uPlot from 'uplot'

/** Draws a series as shapes at its points: what is bought points up, what is sold down. */
export function marker(shape: 'up' | 'down' | 'dot', size: number): uPlot.Series.Points.PathBuilder {
  return (plot, series, first, last) => {
    const path = new Path2D()
    const half = (size / 2) * uPlot.pxRatio
    const [seconds] = plot.data
    const values = plot.data[series]
    for (let index = first; index <= last; index += 1) {
      const value = values?.[index]
      const at = seconds[index]
      if (value === null || value === undefined || at === undefined) continue
      const x = plot.valToPos(at, 'x', true)
      const y = plot.valToPos(value, 'y', true)
      if (shape === 'dot') path.rect(x - half / 2, y - half / 2, half, half)
      else addTriangle(path, x, y, shape === 'up' ? half : -half)
    }
    return { fill: path, stroke: path, flags: 3 }
  }
}

function addTriangle(path: Path2D, x: number, y: number, half: number): void {
  path.moveTo(x, y - half)
  path.lineTo(x + half, y + half)
  path.lineTo(x - half, y + half)
  path.closePath()
}
