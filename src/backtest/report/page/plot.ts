import { livePlot, type MarkerPath } from '../../../pages/live-chart.ts'
import type { ZoomPanel } from '../../../pages/pictures.ts'

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
  readonly pxRatio: number
}

export interface PlotSettings {
  readonly width: number
  /** A colour of the palette: `1`, `ink`, `soft`, `grid`. */
  readonly colorOf: (name: string) => string
  /** Plots with the same name share cursor and zoom. */
  readonly sync: string
  readonly uPlot: PlotMaker
  /** An empty path of a canvas. */
  readonly path: () => MarkerPath
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

export function plotOptions(panel: ZoomPanel, { width, colorOf, sync, uPlot, path }: PlotSettings): object {
  const lines = panel.series.map(({ label, kind, color }) => ({
    label,
    kind,
    color: colorOf(color === 0 ? 'ink' : String(color)),
  }))
  const steps = uPlot.paths.stepped({ align: 1 })
  const kit = { steps, path, pixelRatio: uPlot.pxRatio, axis: colorOf('soft'), grid: colorOf('grid') }
  return {
    ...livePlot(lines, kit),
    width,
    height: panel.height + 70,
    title: panel.title,
    cursor: { sync: { key: sync, setSeries: false }, drag: { x: true, y: false } },
    tzDate: (seconds: number) => uPlot.tzDate(new Date(seconds * 1_000), 'Etc/UTC'),
  }
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
