import uPlot from 'uplot'
import { makeHover, makePlotOptions } from '../../../pages/live-chart.ts'
import type { ZoomAxis, ZoomChart, ZoomPanel } from '../../../pages/pictures.ts'
import { countDecimals, formatPlainValue } from '../../../pages/ticks.ts'
import { describePlace, formatPlace, labelHeight, makeHorizontalAxis } from './axes.ts'
import { steerByKeys } from './keys.ts'
import { enableLists } from './lists.ts'
import { createPlotTable, type PlotTable, readSharedText } from './plot-table.ts'
import { findPointed } from './pointed.ts'

/*
 * The script in reports: charts can be zoomed once they are visible, and lists of trades can be sorted and
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
function drawPlots(chart: ZoomChart, figure: HTMLElement): () => void {
  const box = document.createElement('div')
  box.className = 'live'
  const hint = document.createElement('p')
  const isPickable = chart.panels.some(({ series }) => series.some(({ commands }) => commands !== undefined))
  hint.textContent = `Drag to zoom, double-click for the whole.${isPickable ? ' A click on a point shows its command.' : ''}${chart.x === undefined ? ' Times are UTC.' : ''}`
  figure.append(box)
  box.append(hint)
  const plots: uPlot[] = []
  const zoom = (min: number, max: number): void => {
    for (const plot of plots) plot.setScale('x', { min, max })
  }
  const point = (left: number): void => {
    for (const plot of plots) plot.setCursor({ left, top: plot.over.clientHeight / 2 })
  }
  for (const panel of chart.panels) {
    const table = createPlotTable(panel, chart.x)
    const plot = new uPlot(makeOptions(chart, panel, table, figure.clientWidth), table.data, box)
    plots.push(plot)
    const pick = (): void => showPicked(plot, table, box)
    plot.over.addEventListener('click', pick)
    steerByKeys(plot, table, panel.title, { point, zoom, pick })
  }
  return () => {
    for (const plot of plots) plot.destroy()
    box.remove()
  }
}

function makeOptions(chart: ZoomChart, panel: ZoomPanel, table: PlotTable, width: number): uPlot.Options {
  const { id, x } = chart
  const colors = getComputedStyle(document.documentElement)
  const colorOf = (name: string): string => colors.getPropertyValue(`--chart-${name}`).trim()
  const colorNumbered = (color: number): string => colorOf(color === 0 ? 'ink' : String(color))
  const lines = panel.series.map(({ color, isDashed, kind, label, quantum, ys }) => ({
    label,
    kind: kind !== 'bars' ? kind : ys.length === 1 ? ('line' as const) : ('band' as const),
    color: colorNumbered(color),
    ...(isDashed === true ? { dash: [6, 4] } : {}),
    text: (value: number) => `${formatPlainValue(value, countDecimals(quantum))}${panel.suffix ?? ''}`,
  }))
  const made = makePlotOptions(lines, { axis: colorOf('soft'), grid: colorOf('grid') }, uPlot)
  const [horizontal, figures] = made.axes
  const hover = makeHover(lines.map(({ kind }) => kind))
  const isBars = ([column]: readonly number[]): boolean => table.columns[column ?? 0]?.series.kind === 'bars'
  return {
    series: made.series.map((series, column) => describeSeries(series, table, column, x)),
    bands: made.bands.filter(({ series }) => !isBars(series)),
    axes: [
      x === undefined ? horizontal : { ...horizontal, ...makeHorizontalAxis(x) },
      {
        ...figures,
        ...(panel.series.every(({ quantum }) => quantum >= 1) ? { incrs: wholeSteps } : {}),
        values: (...given) => labelFigures(given[1], given[4], panel.suffix),
      },
    ],
    scales: {
      ...(x === undefined ? {} : { x: { time: false } }),
      ...(panel.hasZero === true ? { y: { range: includeZero } } : {}),
    },
    legend: { markers: { fill: (_plot, place) => chooseSample(panel, lines, place) } },
    width: Math.max(320, width),
    height: panel.height + 70 + ((x?.label ?? '') === '' ? 0 : labelHeight),
    title: describePanel(panel),
    cursor: {
      sync: { key: id, setSeries: false },
      drag: { x: true, y: false },
      dataIdx: (view, column, row, at) => {
        const pointed = findPointed(view, table, column, x)
        return pointed === undefined ? hover(view, column, row, at) : pointed
      },
    },
    hooks: {
      // uPlot writes the value anew where another row is meant; the place along an axis changes with every pixel.
      setCursor: x === undefined ? [] : [(plot) => plot.setLegend({ idxs: plot.cursor.idxs ?? [] }, false)],
      drawClear: [(plot) => shadeSpans(plot, panel, colorNumbered)],
      draw: [(plot) => drawRules(plot, panel, colorNumbered, x === undefined ? 1_000 : 1)],
    },
    tzDate: (seconds) => uPlot.tzDate(new Date(seconds * 1_000), 'Etc/UTC'),
  }
}

/** The steps of an axis of whole figures, such as counts. */
const wholeSteps = Array.from({ length: 48 }, (_, place) => [1, 2, 5][place % 3] ?? 1).map((digit, place) =>
  Number(`${digit}e${Math.floor(place / 3)}`),
)

/** Gives a series of a plot what uPlot does not know: the place of an axis other than time, bars, and names of markers. */
function describeSeries(
  series: uPlot.Series,
  { columns, data }: PlotTable,
  column: number,
  x: ZoomAxis | undefined,
): uPlot.Series {
  const { beside = [], isBase, series: drawn } = columns[column] ?? {}
  if (column === 0)
    return x === undefined ? series : { label: x.label || 'Name', value: (view) => describePlace(view, x) }
  if (drawn === undefined) return series
  const { commands, kind, titles } = drawn
  if (commands !== undefined && titles !== undefined)
    return {
      ...series,
      value: (_view, _value, _series, row) =>
        row === null ? '--' : readSharedText(titles, beside[row] ?? 0),
    }
  if (kind !== 'bars') return series
  const { value: text } = series
  const tell: uPlot.Series.Value = (view, value, place, row) => {
    const told = typeof text === 'function' ? text(view, value, place, row) : '--'
    const [from, to] = [data[0][row ?? -1], beside[row ?? -1]]
    if (x?.names !== undefined || x === undefined || typeof from !== 'number' || typeof to !== 'number')
      return told
    return `${told} (${formatPlace(from, view)} to ${formatPlace(to, view)})`
  }
  const stroke = typeof series.stroke === 'string' ? series.stroke : ''
  const paths = isBase === true ? () => null : makeBarPaths({ columns, data })
  return { ...series, value: tell, width: 0, fill: `${stroke}bf`, paths }
}

/** Makes the function with which uPlot draws a column of bars, from 0 or from the values of the column before it. */
function makeBarPaths({ columns, data }: PlotTable): uPlot.Series.PathBuilder {
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

/** Writes the title of a panel, with the names of its straight lines, which have no row in the legend. */
function describePanel({ rules = [], title }: ZoomPanel): string {
  const names = [...new Set(rules.flatMap(({ label }) => label ?? []))]
  return names.length === 0 ? title : `${title} (dashed: ${names.join(', ')})`
}

const includeZero: uPlot.Range.Function = (_plot, least, greatest) =>
  uPlot.rangeNum(Math.min(0, least ?? 0), Math.max(0, greatest ?? 0), 0.1, true)

/** Shows the command of the marker under the pointer below the plots; leaves what was shown where there is none. */
function showPicked(plot: uPlot, { columns, data }: PlotTable, box: HTMLElement): void {
  for (const [column, drawn] of columns.entries()) {
    const { commands, titles } = drawn?.series ?? {}
    if (drawn === null || commands === undefined || titles === undefined) continue
    const row = findPointed(plot, { columns, data }, column, undefined)
    if (typeof row !== 'number') continue
    const place = drawn.beside[row] ?? 0
    const shown = box.querySelector('.picked') ?? document.createElement('div')
    shown.className = 'picked'
    shown.role = 'status'
    const [name, command] = [document.createElement('p'), document.createElement('pre')]
    name.textContent = readSharedText(titles, place)
    command.textContent = readSharedText(commands, place)
    shown.replaceChildren(name, command)
    box.append(shown)
  }
}

/** Labels the values of an axis with the decimals of the step between them, where uPlot has three at most. */
const labelFigures = (values: readonly number[], step: number, suffix = ''): string[] =>
  values.map((value) => `${formatPlainValue(value, countDecimals(step))}${suffix}`)

/** Chooses the fill of a series' sample in the legend; `place` is its column, of which a band has two and the time one. */
function chooseSample(
  { series }: ZoomPanel,
  lines: readonly { readonly color: string }[],
  place: number,
): string {
  const columns = series.flatMap(({ ys }, line) => ys.map(() => line))
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
function drawRules(
  plot: uPlot,
  { rules = [] }: ZoomPanel,
  colorOf: (color: number) => string,
  xUnit: number,
): void {
  const { bbox, ctx } = plot
  const [right, bottom] = [bbox.left + bbox.width, bbox.top + bbox.height]
  ctx.save()
  ctx.setLineDash([5, 3])
  for (const { at, axis, color } of rules) {
    const pixel = axis === 'x' ? plot.valToPos(at / xUnit, 'x', true) : plot.valToPos(at, 'y', true)
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
