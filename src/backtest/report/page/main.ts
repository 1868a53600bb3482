import type { ZoomChart } from '../../../pages/pictures.ts'
import type { BrowserDocument, BrowserElement, ColorReader, DarkPreference, Plot, PlotMaker } from './plot.ts'
import { plotOptions, plotTable } from './plot.ts'

/*
 * The reports' script: a button under each chart over time, which replaces the picture by a chart that can be zoomed.
 * Without the script the page lacks nothing else.
 */

declare const document: BrowserDocument
declare const getComputedStyle: (element: BrowserElement) => ColorReader
declare const matchMedia: (query: string) => DarkPreference
declare const uPlot: PlotMaker

const redraws: (() => void)[] = []
const charts: readonly ZoomChart[] = JSON.parse(document.getElementById('zoom-data')?.textContent ?? '[]')
for (const chart of charts) addButton(chart)
matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => {
  for (const redraw of redraws) redraw()
})

function addButton(chart: ZoomChart): void {
  const figure = document.getElementById(`figure-${chart.id}`)
  const picture = figure?.querySelector('.picture') ?? null
  if (figure === null || picture === null) return
  const button = document.createElement('button')
  button.setAttribute('type', 'button')
  button.textContent = 'Zoom'
  let drawn: Drawn | null = null
  const show = (isZoomed: boolean): void => {
    drawn?.remove()
    drawn = isZoomed ? draw(chart, figure) : null
    picture.hidden = isZoomed
    button.textContent = isZoomed ? 'Back to the picture' : 'Zoom'
  }
  button.addEventListener('click', () => show(drawn === null))
  redraws.push(() => {
    if (drawn !== null) show(true)
  })
  figure.append(button)
}

interface Drawn {
  readonly remove: () => void
}

/** One plot a panel, the cursors and the zoom of all together. */
function draw(chart: ZoomChart, figure: BrowserElement): Drawn {
  const colors = getComputedStyle(document.documentElement)
  const colorOf = (name: string): string => colors.getPropertyValue(`--chart-${name}`).trim()
  const box = document.createElement('div')
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
    })
    return new uPlot(options, table, box)
  })
  const remove = (): void => {
    for (const plot of plots) plot.destroy()
    box.remove()
  }
  return { remove }
}
