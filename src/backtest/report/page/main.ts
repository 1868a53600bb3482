import uPlot from 'uplot'
import { joinSeries } from '../../../pages/hover.ts'
import { makeHover, makePlotOptions } from '../../../pages/live-chart.ts'
import type { ZoomChart, ZoomPanel } from '../../../pages/pictures.ts'
import { countDecimals, formatPlainValue } from '../../../pages/ticks.ts'
import { enableLists } from './lists.ts'
import { readDifferences } from './texts.ts'

/*
 * The script in reports: charts over time can be zoomed once they are visible, and lists of trades can be sorted and
 * saved as CSV. Without it, the page has the same pictures and tables.
 */

const redraws: (() => void)[] = []
const charts: readonly ZoomChart[] = JSON.parse(document.getElementById('zoom-data')?.textContent ?? '[]')
for (const chart of charts) drawWhenVisible(chart)
enableLists()
matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => {
  for (const redraw of redraws) redraw()
})

/** Draws a chart when the reader scrolls to it: a report has many, and each takes a moment. */
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

/** Draws one plot for each panel, with common cursors and zoom. Returns a function that removes them. */
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
    const colorNumbered = (color: number): string => colorOf(color === 0 ? 'ink' : String(color))
    const lines = panel.series.map(({ label, kind, color, isDashed, quantum }) => ({
      ...{ label, kind },
      color: colorNumbered(color),
      ...(isDashed === true ? { dash: [6, 4] } : {}),
      text: (value: number) => formatPlainValue(value, countDecimals(quantum)),
    }))
    const made = makePlotOptions(lines, { axis: colorOf('soft'), grid: colorOf('grid') }, uPlot)
    const [time, figures] = made.axes
    const options: uPlot.Options = {
      ...made,
      axes: [time, { ...figures, values: labelFigures }],
      legend: { markers: { fill: (_plot, place) => chooseSample(panel, lines, place) } },
      width: Math.max(320, figure.clientWidth),
      height: panel.height + 70,
      title: panel.title,
      cursor: {
        sync: { key: id, setSeries: false },
        drag: { x: true, y: false },
        dataIdx: makeHover(lines.map(({ kind }) => kind)),
      },
      hooks: {
        drawClear: [(plot) => shadeSpans(plot, panel, colorNumbered)],
        draw: [(plot) => drawRules(plot, panel, colorNumbered)],
      },
      tzDate: (seconds) => uPlot.tzDate(new Date(seconds * 1_000), 'Etc/UTC'),
    }
    return new uPlot(options, createPlotTable(panel), box)
  })
  return () => {
    for (const plot of plots) plot.destroy()
    box.remove()
  }
}

/** Labels the values of an axis with the decimals of the step between them, where uPlot has three at most. */
const labelFigures: uPlot.Axis.DynamicValues = (_plot, values, _axis, _space, step) =>
  values.map((value) => formatPlainValue(value, countDecimals(step)))

/** Chooses the fill of a series' sample in the legend; `place` is its column, of which a band has two and the time one. */
function chooseSample(
  { series }: ZoomPanel,
  lines: readonly { readonly color: string }[],
  place: number,
): string {
  const columns = series.flatMap(({ kind }, line) => (kind === 'band' ? [line, line] : [line]))
  const line = columns[place - 1] ?? -1
  const { kind, isInner } = series[line] ?? {}
  const isFilled = kind !== undefined && kind !== 'line' && kind !== 'steps'
  if (!isFilled) return 'transparent'
  const opacity = kind === 'band' || kind === 'area' ? (isInner === true ? '70' : '40') : ''
  return `${lines[line]?.color ?? ''}${opacity}`
}

/** Shades stretches of time, behind the lines. */
function shadeSpans(plot: uPlot, { spans = [] }: ZoomPanel, colorOf: (color: number) => string): void {
  const { bbox, ctx } = plot
  ctx.save()
  ctx.globalAlpha = 0.12
  for (const { color, from, to } of spans) {
    const left = Math.max(bbox.left, plot.valToPos(from / 1_000, 'x', true))
    const right = Math.min(bbox.left + bbox.width, plot.valToPos(to / 1_000, 'x', true))
    ctx.fillStyle = colorOf(color)
    if (right > left) ctx.fillRect(left, bbox.top, right - left, bbox.height)
  }
  ctx.restore()
}

/** Draws straight lines at values of an axis, where those are in view. */
function drawRules(plot: uPlot, { rules = [] }: ZoomPanel, colorOf: (color: number) => string): void {
  const { bbox, ctx } = plot
  const [right, bottom] = [bbox.left + bbox.width, bbox.top + bbox.height]
  ctx.save()
  ctx.setLineDash([5, 3])
  for (const { at, axis, color } of rules) {
    const pixel = axis === 'x' ? plot.valToPos(at / 1_000, 'x', true) : plot.valToPos(at, 'y', true)
    const isInView =
      axis === 'x' ? pixel >= bbox.left && pixel <= right : pixel >= bbox.top && pixel <= bottom
    if (!isInView) continue
    ctx.strokeStyle = colorOf(color)
    ctx.beginPath()
    ctx.moveTo(axis === 'x' ? pixel : bbox.left, axis === 'x' ? bbox.top : pixel)
    ctx.lineTo(axis === 'x' ? pixel : right, axis === 'x' ? bottom : pixel)
    ctx.stroke()
  }
  ctx.restore()
}

/** Joins the series of a panel over one column of instants in seconds. */
function createPlotTable(panel: ZoomPanel): uPlot.AlignedData {
  return joinSeries(
    panel.series.map(({ xs, ys, quantum }) => [
      readDifferences(xs).map((millis) => (millis ?? 0) / 1_000),
      ...ys.map((row) => readDifferences(row).map((steps) => (steps === null ? null : steps * quantum))),
    ]),
  )
}
