import uPlot from 'uplot'
import { livePlot } from '../../../pages/live-chart.ts'
import type { ZoomChart, ZoomPanel } from '../../../pages/pictures.ts'
import { enableLists } from './lists.ts'
import { readDifferences } from './texts.ts'

/*
 * The reports' script: a chart over time can be zoomed as soon as it is in sight, and lists of trades can be sorted and
 * taken along as CSV. Without the script the page has the same pictures and tables.
 */

const redraws: (() => void)[] = []
const charts: readonly ZoomChart[] = JSON.parse(document.getElementById('zoom-data')?.textContent ?? '[]')
for (const chart of charts) drawWhenVisible(chart)
enableLists()
matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => {
  for (const redraw of redraws) redraw()
})

/** A plot takes a moment to be made, and a report has many: each is made when somebody comes to it. */
function drawWhenVisible(chart: ZoomChart): void {
  const figure = document.getElementById(`figure-${chart.id}`)
  const picture = figure?.querySelector<HTMLElement>('.picture') ?? null
  if (figure === null || picture === null) return
  const sight = new IntersectionObserver((seen) => {
    if (!seen.some(({ isIntersecting }) => isIntersecting)) return
    sight.disconnect()
    let remove = drawPlots(chart, figure)
    picture.hidden = true
    redraws.push(() => {
      remove()
      remove = drawPlots(chart, figure)
    })
  })
  sight.observe(figure)
}

/** One plot a panel, the cursors and the zoom of all together. Answers how to take them away. */
function drawPlots({ id, panels }: ZoomChart, figure: HTMLElement): () => void {
  const colors = getComputedStyle(document.documentElement)
  const colorOf = (name: string): string => colors.getPropertyValue(`--chart-${name}`).trim()
  const box = document.createElement('div')
  box.className = 'live'
  const hint = document.createElement('p')
  hint.textContent = 'Drag to zoom, double-click for the whole. Times are UTC.'
  figure.append(box)
  box.append(hint)
  const plots = panels.map((panel) => {
    const lines = panel.series.map(({ label, kind, color }) => ({
      ...{ label, kind },
      color: colorOf(color === 0 ? 'ink' : String(color)),
    }))
    const options: uPlot.Options = {
      ...livePlot(lines, { axis: colorOf('soft'), grid: colorOf('grid') }, uPlot),
      width: Math.max(320, figure.clientWidth),
      height: panel.height + 70,
      title: panel.title,
      cursor: { sync: { key: id, setSeries: false }, drag: { x: true, y: false } },
      tzDate: (seconds) => uPlot.tzDate(new Date(seconds * 1_000), 'Etc/UTC'),
    }
    return new uPlot(options, createPlotTable(panel), box)
  })
  return () => {
    for (const plot of plots) plot.destroy()
    box.remove()
  }
}

/**
 * The figures of a panel over one row of instants (seconds). Where a series has no value at an instant it is
 * undefined; gaps are null.
 */
function createPlotTable(panel: ZoomPanel): uPlot.AlignedData {
  return uPlot.join(
    panel.series.map(({ xs, ys, quantum }) => [
      readDifferences(xs).map((millis) => (millis ?? 0) / 1_000),
      ...ys.map((row) => readDifferences(row).map((steps) => (steps === null ? null : steps * quantum))),
    ]),
  )
}
