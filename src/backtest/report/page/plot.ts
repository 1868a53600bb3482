import type { ZoomPanel, ZoomSeries } from '../../../pages/pictures.ts'

/*
 * The few parts of the browser and of uPlot that the reports' script uses. Their own types would bring the whole DOM
 * into all rooms.
 */

export interface BrowserElement {
  textContent: string | null
  hidden: boolean
  readonly clientWidth: number
  append(...children: readonly BrowserElement[]): void
  remove(): void
  querySelector(selector: string): BrowserElement | null
  querySelectorAll(selector: string): Iterable<BrowserElement>
  click(): void
  setAttribute(name: string, value: string): void
  addEventListener(type: 'click', listener: () => void): void
}

export interface BrowserDocument {
  querySelectorAll(selector: string): Iterable<BrowserElement>
  readonly documentElement: BrowserElement
  getElementById(id: string): BrowserElement | null
  createElement(name: string): BrowserElement
}

export interface DarkPreference {
  addEventListener(type: 'change', listener: () => void): void
}

export interface ColorReader {
  getPropertyValue(name: string): string
}

export interface Sight {
  new (
    listener: (seen: readonly { readonly isIntersecting: boolean }[]) => void,
  ): { observe(element: BrowserElement): void; disconnect(): void }
}

export interface Plot {
  destroy(): void
}

export interface PlotMaker {
  new (options: object, data: readonly unknown[], target: BrowserElement): Plot
  join(tables: readonly unknown[]): readonly unknown[]
  tzDate(date: Date, zone: string): Date
  readonly paths: { stepped(options: { readonly align: number }): unknown }
}

export interface PlotSettings {
  readonly width: number
  /** A colour of the palette: `1`, `ink`, `soft`, `grid`. */
  readonly colorOf: (name: string) => string
  /** Plots with the same name share cursor and zoom. */
  readonly sync: string
  readonly uPlot: PlotMaker
}

/**
 * The figures of a panel over one row of instants (seconds). Where a series has no value at an instant it is
 * undefined; gaps are null.
 */
export function plotTable(panel: ZoomPanel, uPlot: PlotMaker): readonly unknown[] {
  const tables = panel.series.map(({ xs, ys, quantum }) => [
    sums(xs).map((millis) => (millis ?? 0) / 1_000),
    ...ys.map((row) => sums(row).map((steps) => (steps === null ? null : steps * quantum))),
  ])
  return uPlot.join(tables)
}

export function plotOptions(panel: ZoomPanel, settings: PlotSettings): object {
  const { colorOf, uPlot } = settings
  const axis = {
    stroke: colorOf('soft'),
    grid: { stroke: colorOf('grid') },
    ticks: { stroke: colorOf('grid') },
  }
  const bands: object[] = []
  const series: object[] = [
    { label: 'Time (UTC)', value: (_: unknown, at: number | null) => (at === null ? '--' : instantText(at)) },
  ]
  for (const each of panel.series) {
    if (each.kind === 'band') {
      bands.push({ series: [series.length + 1, series.length], fill: `${colorOf(String(each.color))}40` })
    }
    for (const [place] of each.ys.entries()) series.push(seriesOptions(each, place, settings))
  }
  return {
    width: settings.width,
    height: panel.height + 70,
    title: panel.title,
    series,
    bands,
    axes: [
      { ...axis, values: (_: unknown, at: readonly number[]) => tickTexts(at) },
      { ...axis, size: 80 },
    ],
    cursor: { sync: { key: settings.sync, setSeries: false }, drag: { x: true, y: false } },
    tzDate: (seconds: number) => uPlot.tzDate(new Date(seconds * 1_000), 'Etc/UTC'),
  }
}

function seriesOptions(each: ZoomSeries, place: number, { colorOf, uPlot }: PlotSettings): object {
  const color = colorOf(each.color === 0 ? 'ink' : String(each.color))
  const end = each.kind === 'band' ? (place === 0 ? ' (low)' : ' (high)') : ''
  const common = { label: (each.label === '' ? 'value' : each.label) + end, stroke: color, width: 1.3 }
  switch (each.kind) {
    case 'line':
      return { ...common, points: { show: false } }
    case 'band':
      return { ...common, width: 0, points: { show: false } }
    case 'area':
      return { ...common, fill: `${color}40`, points: { show: false } }
    case 'steps':
      return { ...common, paths: uPlot.paths.stepped({ align: 1 }), points: { show: false } }
    default:
      return { ...common, paths: () => null, points: { show: true, size: 7, fill: color } }
  }
}

const isoText = (seconds: number): string => new Date(seconds * 1_000).toISOString()

const instantText = (seconds: number): string => isoText(seconds).slice(0, 19).replace('T', ' ')

/** Times of the day, with the day where it changes; only days where there is one per tick. */
function tickTexts(at: readonly number[]): readonly string[] {
  const isDaily = Number(at[1]) - Number(at[0]) >= 86_400
  let last = ''
  return at.map((seconds) => {
    const iso = isoText(seconds)
    const under = isDaily ? iso.slice(0, 4) : iso.slice(0, 10)
    const text = isDaily ? iso.slice(5, 10) : iso.slice(11, 19).replace(/:00$/, '')
    const shown = under === last ? text : `${text}\n${under}`
    last = under
    return shown
  })
}

/** The values in a text of differences; null for a gap. */
export function sums(text: string): readonly (number | null)[] {
  const values: (number | null)[] = []
  let value = 0
  if (text === '') return values
  for (const part of text.split(',')) {
    const [step = '', times = '1'] = part.split('*')
    for (let left = Number(times); left > 0; left -= 1) {
      if (step !== 'n') value += Number(step)
      values.push(step === 'n' ? null : value)
    }
  }
  return values
}
