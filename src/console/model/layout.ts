/*
 * How the panels lie on a wide screen: three columns that fill the first screen, and three below it. Users move panels
 * between columns and set sizes.
 */

export const panelNames = [
  'market',
  'orders',
  'book',
  'ticket',
  'requests',
  'portfolio',
  'risk',
  'controls',
] as const
export type PanelName = (typeof panelNames)[number]

export interface Layout {
  /** The panels of six columns from top to bottom: those of the first screen from left to right, then those below. */
  readonly columns: readonly (readonly PanelName[])[]
  /** Widths in pixels of the second and the third column; the first takes the rest. */
  readonly widths: readonly [second: number, third: number]
  /** Heights in pixels that were set. */
  readonly heights: { readonly [name in PanelName]?: number }
}

export const defaultLayout: Layout = {
  columns: [['market', 'orders'], ['book'], ['requests', 'ticket'], ['portfolio'], ['risk'], ['controls']],
  widths: [256, 380],
  heights: {},
}

const across = 3
const [narrowest, widest] = [180, 900]
const [lowest, highest] = [90, 1600]

/** Reads a stored layout; the default for anything that is none, or that lacks a panel. */
export function readLayout(stored: unknown): Layout {
  const { columns, widths, heights } = Object(stored)
  const isList = (value: unknown): value is unknown[] => Array.isArray(value)
  if (!isList(columns) || columns.length !== 2 * across || !columns.every(isList)) return defaultLayout
  const named = columns.map((column) =>
    column.flatMap((name: unknown) => panelNames.filter((known) => known === name)),
  )
  const all = named.flat()
  if (all.length !== panelNames.length || new Set(all).size !== all.length) return defaultLayout
  const [second, third] = isList(widths) ? widths : []
  const kept = panelNames.flatMap((name) => {
    const height = Object(heights)[name]
    return typeof height === 'number' ? [[name, clamp(height, lowest, highest)] as const] : []
  })
  return {
    columns: named,
    widths: [
      typeof second === 'number' ? clamp(second, narrowest, widest) : defaultLayout.widths[0],
      typeof third === 'number' ? clamp(third, narrowest, widest) : defaultLayout.widths[1],
    ],
    heights: Object.fromEntries(kept),
  }
}

const clamp = (value: number, low: number, high: number): number => Math.min(high, Math.max(low, value))

export type LayoutStep = 'up' | 'down' | 'left' | 'right'

/**
 * Moves a panel by one place. Past the top or the foot of its column it goes to the column above or below. Where there is
 * no place, the layout stays as it is.
 */
export function movePanel(layout: Layout, name: PanelName, direction: LayoutStep): Layout {
  const from = layout.columns.findIndex((column) => column.includes(name))
  const place = layout.columns[from]?.indexOf(name) ?? 0
  const length = layout.columns[from]?.length ?? 0
  if (direction === 'left' || direction === 'right') {
    const to = from + (direction === 'left' ? -1 : 1)
    const isInRow = to >= 0 && Math.floor(to / across) === Math.floor(from / across)
    return isInRow ? insertPanel(layout, name, to, place) : layout
  }
  if (direction === 'up') {
    if (place > 0) return insertPanel(layout, name, from, place - 1)
    return from >= across ? insertPanel(layout, name, from - across, Number.POSITIVE_INFINITY) : layout
  }
  if (place < length - 1) return insertPanel(layout, name, from, place + 1)
  return from < across ? insertPanel(layout, name, from + across, 0) : layout
}

/** Puts a panel before another one. */
export function putBefore(layout: Layout, name: PanelName, other: PanelName): Layout {
  if (name === other) return layout
  const to = layout.columns.findIndex((column) => column.includes(other))
  const rest = layout.columns[to]?.filter((each) => each !== name) ?? []
  return insertPanel(layout, name, to, rest.indexOf(other))
}

function insertPanel(layout: Layout, name: PanelName, to: number, place: number): Layout {
  const columns = layout.columns.map((column, index) => {
    const rest = column.filter((each) => each !== name)
    return index === to ? [...rest.slice(0, place), name, ...rest.slice(Math.min(place, rest.length))] : rest
  })
  return { ...layout, columns }
}

/** Makes the second or the third column wider, or narrower for a negative number of pixels. */
export function widenColumn(layout: Layout, column: 1 | 2, pixels: number): Layout {
  const [second, third] = layout.widths
  const [by, other] = column === 1 ? [pixels, 0] : [0, pixels]
  return {
    ...layout,
    widths: [clamp(second + by, narrowest, widest), clamp(third + other, narrowest, widest)],
  }
}

export const setHeight = (layout: Layout, name: PanelName, pixels: number): Layout => ({
  ...layout,
  heights: { ...layout.heights, [name]: clamp(Math.round(pixels), lowest, highest) },
})
