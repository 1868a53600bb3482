import type { MarkerPath } from '../../../pages/live-chart.ts'
import type { ZoomChart } from '../../../pages/pictures.ts'
import { enableLists } from './lists.ts'
import type {
  BrowserDocument,
  BrowserElement,
  ColorReader,
  DarkPreference,
  Plot,
  PlotMaker,
  Sight,
} from './plot.ts'
import { plotOptions, plotTable } from './plot.ts'

/*
 * The reports' script: a chart over time can be zoomed as soon as it is in sight, and lists of trades can be sorted and
 * taken along as CSV. Without the script the page has the same pictures and tables.
 */

declare const document: BrowserDocument
declare const getComputedStyle: (element: BrowserElement) => ColorReader
declare const matchMedia: (query: string) => DarkPreference
declare const uPlot: PlotMaker
declare const Path2D: new () => MarkerPath
declare const IntersectionObserver: Sight

const redraws: (() => void)[] = []
const charts: readonly ZoomChart[] = JSON.parse(document.getElementById('zoom-data')?.textContent ?? '[]')
for (const chart of charts) whenInSight(chart)
enableLists(document, (name, text) => {
  const link = document.createElement('a')
  link.setAttribute('href', `data:text/csv;charset=utf-8,${encodeURIComponent(text)}`)
  link.setAttribute('download', name)
  link.click()
})
matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => {
  for (const redraw of redraws) redraw()
})

/** A plot takes a moment to be made, and a report has many: each is made when somebody comes to it. */
function whenInSight(chart: ZoomChart): void {
  const figure = document.getElementById(`figure-${chart.id}`)
  const picture = figure?.querySelector('.picture') ?? null
  if (figure === null || picture === null) return
  const sight = new IntersectionObserver((seen) => {
    if (!seen.some(({ isIntersecting }) => isIntersecting)) return
    sight.disconnect()
    live(chart, figure, picture)
  })
  sight.observe(figure)
}

function live(chart: ZoomChart, figure: BrowserElement, picture: BrowserElement): void {
  let remove = draw(chart, figure)
  picture.hidden = true
  redraws.push(() => {
    remove()
    remove = draw(chart, figure)
  })
}

/** One plot a panel, the cursors and the zoom of all together. Answers how to take them away. */
function draw(chart: ZoomChart, figure: BrowserElement): () => void {
  const colors = getComputedStyle(document.documentElement)
  const colorOf = (name: string): string => colors.getPropertyValue(`--chart-${name}`).trim()
  const box = document.createElement('div')
  box.setAttribute('class', 'live')
  const hint = document.createElement('p')
  hint.textContent = 'Drag to zoom, double-click for the whole. Times are UTC.'
  figure.append(box)
  box.append(hint)
  const plots: Plot[] = chart.panels.map((panel) => {
    const table = plotTable(panel, uPlot)
    const options = plotOptions(panel, {
      width: Math.max(320, figure.clientWidth),
      colorOf,
      sync: chart.id,
      uPlot,
      path: () => new Path2D(),
    })
    return new uPlot(options, table, box)
  })
  return () => {
    for (const plot of plots) plot.destroy()
    box.remove()
  }
}
