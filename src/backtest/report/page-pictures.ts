import type { Chart } from '../../pages/chart.ts'
import { drawChart } from '../../pages/draw-chart.ts'
import { drawHeatMap, type HeatMap } from '../../pages/heat-map.ts'
import { element, escapeText } from '../../pages/svg-text.ts'
import { type ZoomChart, zoomChart } from './zoom-chart.ts'

/** The charts of a page, with what the page's script needs to zoom them. */
export interface Pictures {
  readonly zooms: readonly ZoomChart[]
  chart(chart: Chart, caption?: string): string
  heatMap(map: HeatMap, caption?: string): string
}

/** Draws the pictures of one page, one after the other, and keeps what its script needs. */
export function collectPictures(): Pictures {
  const zooms: ZoomChart[] = []
  const chart = (drawn: Chart, caption?: string): string => {
    const zoom = zoomChart(drawn)
    if (zoom !== null) zooms.push(zoom)
    return figureMarkup(drawn, drawChart(drawn), caption ?? drawn.description)
  }
  const heatMap = (map: HeatMap, caption?: string): string =>
    figureMarkup(map, drawHeatMap(map), caption ?? map.description)
  return { zooms, chart, heatMap }
}

function figureMarkup({ id, title }: Pick<Chart, 'id' | 'title'>, picture: string, caption: string): string {
  const attributes = { 'aria-label': title, class: 'picture', role: 'region', tabindex: '0' }
  const legend = element('figcaption', {}, escapeText(caption))
  return `<figure id="figure-${escapeText(id)}">${legend}${element('div', attributes, picture)}</figure>\n`
}
