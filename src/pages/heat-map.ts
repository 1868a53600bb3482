import { pictureWidth, wrapPicture } from './draw-chart.ts'
import { findExtent } from './frame.ts'
import { characterWidth } from './style.ts'
import { element, escapeText } from './svg-text.ts'

/** A table of figures to be drawn as coloured cells: blue above 0, orange below, stronger the further from 0. */
export interface HeatMap {
  readonly id: string
  readonly title: string
  readonly description: string
  /** The names of the rows, from top to bottom. */
  readonly rowNames: readonly string[]
  /** The names of the columns, from left to right. */
  readonly columnNames: readonly string[]
  /** The figures by row, then column. The cell of one that is not finite stays empty. */
  readonly values: readonly (readonly number[])[]
  /** Formats a figure for its tooltip, and for its cell if that is wide enough. */
  readonly show: (value: number) => string
}

/** Draws a heat map as an `<svg>` element, for a page that includes `chartStyle`. */
export function drawHeatMap(map: HeatMap): string {
  const left = Math.ceil(Math.max(2, ...map.rowNames.map(({ length }) => length)) * characterWidth + 12)
  const cellWidth = (pictureWidth - left - 8) / Math.max(1, map.columnNames.length)
  const height = 8 + map.rowNames.length * rowHeight + 24
  const parts: string[] = []
  const { least, greatest } = findExtent(map.values) ?? { least: 0, greatest: 0 }
  const largest = Math.max(Math.abs(least), Math.abs(greatest))
  for (const [row, rowName] of map.rowNames.entries()) {
    const y = 8 + row * rowHeight
    parts.push(element('text', { class: 'y', x: left - 6, y: y + 16 }, escapeText(rowName)))
    for (const [column, columnName] of map.columnNames.entries()) {
      const value = map.values[row]?.[column] ?? Number.NaN
      const cell = { x: left + column * cellWidth, y, width: cellWidth, name: `${rowName}, ${columnName}` }
      parts.push(drawCell(map, value, largest, cell))
    }
  }
  const every = Math.max(
    1,
    Math.ceil((Math.max(0, ...map.columnNames.map(({ length }) => length)) * characterWidth + 4) / cellWidth),
  )
  for (const [column, name] of map.columnNames.entries()) {
    if (column % every !== 0) continue
    const x = left + (column + 0.5) * cellWidth
    parts.push(element('text', { class: 'x', x, y: height - 8 }, escapeText(name)))
  }
  return wrapPicture(map, pictureWidth, height, parts.join(''))
}

interface Cell {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly name: string
}

function drawCell(map: HeatMap, value: number, largest: number, { x, y, width, name }: Cell): string {
  const isEmpty = !Number.isFinite(value)
  const share = isEmpty || largest === 0 ? 0 : Math.abs(value) / largest
  const shown = isEmpty ? 'n/a' : map.show(value)
  const cell = element(
    'rect',
    {
      class: isEmpty || value >= 0 ? 'f1' : 'f2',
      'fill-opacity': (share * maximumOpacity).toFixed(2),
      height: rowHeight - 2,
      stroke: 'var(--chart-grid)',
      width: Math.max(0.5, width - 2),
      x,
      y,
    },
    `<title>${escapeText(`${name}: ${shown}`)}</title>`,
  )
  if (isEmpty || shown.length * characterWidth + 6 > width) return cell
  return cell + element('text', { class: 'x key', x: x + width / 2 - 1, y: y + 16 }, escapeText(shown))
}

const rowHeight = 24
/**
 * The opacity of the strongest colour. Text in the page's text colour keeps a contrast of 4.5 to 1 on it, in light and in
 * dark mode.
 */
const maximumOpacity = 0.55
