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
  setAttribute(name: string, value: string): void
  addEventListener(type: 'click', listener: () => void): void
}

export interface BrowserDocument {
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

export interface Plot {
  destroy(): void
}

/** The global of uPlot. */
export interface PlotMaker {
  new (options: object, data: readonly unknown[], target: BrowserElement): Plot
  join(tables: readonly unknown[]): readonly unknown[]
  tzDate(date: Date, zone: string): Date
  readonly paths: { stepped(options: { readonly align: number }): unknown }
}
