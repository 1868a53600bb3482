import { pictureWidth, wrapPicture } from './draw-chart.ts'
import { extentOf } from './frame.ts'
import { characterWidth } from './style.ts'
import { element, escapeText } from './svg-text.ts'

/** A table of figures as a field of colours: blue above 0, orange below, stronger the further away. */
export interface HeatMap {
  readonly id: string
  readonly title: string
  readonly description: string
  /** From top to bottom, and from left to right. */
  readonly rowNames: readonly string[]
  readonly columnNames: readonly string[]
  /** By row, then column; what is not finite is left empty. */
  readonly values: readonly (readonly number[])[]
  /** A figure as shown when pointed at, and in its cell where that is wide enough. */
  readonly show: (value: number) => string
}

/** A heat map as an `<svg>` element for a page that holds `chartStyle`. */
export function drawHeatMap(map: HeatMap): string {
  const left = Math.ceil(Math.max(2, ...map.rowNames.map(({ length }) => length)) * characterWidth + 12)
  const cellWidth = (pictureWidth - left - 8) / Math.max(1, map.columnNames.length)
  const height = 8 + map.rowNames.length * rowHeight + 24
  const parts: string[] = []
  const { least, greatest } = extentOf(map.values) ?? { least: 0, greatest: 0 }
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
      'fill-opacity': (share * deepest).toFixed(2),
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
 * The opacity of a cell's colour. Its text, in the page's ink, has a contrast of 4.5 to 1 on light and on dark
 * backgrounds.
 */
const deepest = 0.55
