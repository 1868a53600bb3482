import { bands } from '../../src/metrics/realism/bands.ts'
import type { Sample } from './sample.ts'

/** A row of the realism table. */
export interface Row {
  /** Number in the list of facts; 0 for other figures. */
  readonly fact: number
  readonly name: string
  readonly band: string
  /** Medians by column, empty when missing. */
  readonly values: readonly string[]
  readonly isOk: boolean
}

/** The results of a part of the suite. */
export interface Section {
  readonly title: string
  readonly columns: readonly string[]
  readonly rows: readonly Row[]
}

export function printSection(section: Section): string {
  const header = ['fact', 'figure', 'band', ...section.columns, '']
  const lines = section.rows.map((row) => [
    row.fact === 0 ? '' : String(row.fact),
    row.name,
    row.band,
    ...row.values,
    row.isOk ? 'ok' : 'OUT',
  ])
  const widths = header.map((title, column) =>
    Math.max(title.length, ...lines.map((line) => (line[column] ?? '').length)),
  )
  const print = (line: readonly string[]): string =>
    line
      .map((text, column) =>
        column === 1 ? text.padEnd(widths[column] ?? 0) : text.padStart(widths[column] ?? 0),
      )
      .join('  ')
      .trimEnd()
  return [section.title, print(header), ...lines.map(print), ''].join('\n')
}

export function figureText(value: number): string {
  if (Number.isNaN(value)) return '-'
  const size = Math.abs(value)
  return value.toFixed(size >= 100 ? 0 : size >= 10 ? 1 : size >= 1 ? 2 : 3)
}

export function bandText(name: string): string {
  const band = bands[name]
  return band === undefined ? '' : rangeText(band.least, band.most)
}

export function rangeText(least: number, most: number): string {
  return most === Number.POSITIVE_INFINITY ? `>= ${least}` : `${least} .. ${most}`
}

/** The median, the minimum and the maximum of the windows. */
export function spreadText(sample: Sample, name: string): string {
  return `${figureText(sample.median(name))} [${figureText(sample.least(name))}, ${figureText(sample.most(name))}]`
}
