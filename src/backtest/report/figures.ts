import { type Figure, isFigure, type MetricRow } from '../../metrics/figure.ts'
import { figureRow, findFigure, type Metrics, titledFigures } from '../../metrics/metrics.ts'
import { millisToIso } from '../../numeric/time-text.ts'
import { powerOfTen, withCommas } from '../../numeric/units.ts'
import type { Cell } from '../../pages/html.ts'
import { formatValue } from '../../pages/ticks.ts'

/* Texts of figures in reports: the same form everywhere, no locale, and a reason where a figure is undefined. */

export const count = (value: number): string => formatValue(value, 0)

/** Formats USD: with cents up to a billion, with four decimals below a dollar. */
export function usd(value: number): string {
  const size = Math.abs(value)
  const decimals = size !== 0 && size < 1 ? 4 : 2
  return size >= 1e9 ? `${formatValue(value, 2)} USD` : `${groupDigits(value, decimals)} USD`
}

/**
 * Formats a price in USD. A price step has at most eight decimals; cents are always shown, further digits where there
 * are any.
 */
export const price = (value: number): string => `${withCommas(value.toFixed(8).replace(/0{1,6}$/, ''))} USD`

/** Formats a quantity with all of its decimals, at most eight. */
export const formatQuantity = (value: number): string => formatValue(value, 8).replace(/\.?0+$/, '')

export const quantityText = (value: number, decimals: number): string => groupDigits(value, decimals)

/** Formats a range of two figures, stating a common unit once. */
export function rangeText(low: string, high: string): string {
  const unit = / (?:USD|%|bp)$/.exec(high)?.[0] ?? ''
  return `${unit !== '' && low.endsWith(unit) ? low.slice(0, -unit.length) : low} to ${high}`
}

export const percent = (fraction: number): string =>
  `${groupDigits(fraction * 100, percentDecimals(fraction * 100))} %`

/** Returns how many decimals a percentage needs: two, or as many as show two digits of a small value, at most six. */
function percentDecimals(value: number): number {
  const size = Math.abs(value)
  if (size < 0.000_001 || size >= 0.01) return 2
  return [3, 4, 5].find((decimals) => size * powerOfTen(decimals) >= 10) ?? 6
}

export const bps = (value: number): string => `${groupDigits(value, 2)} bp`

export const ratioText = (value: number): string => groupDigits(value, 2)

/** Formats a Sharpe ratio, with three digits where it is small, as those of single returns are. */
export const sharpeText = (value: number): string =>
  Math.abs(value) >= 0.1 || value === 0 ? ratioText(value) : groupDigits(value, smallDecimals(value))

const smallDecimals = (value: number): number =>
  [3, 4, 5, 6, 7].find((decimals) => Math.abs(value) * powerOfTen(decimals) >= 10) ?? 8

export const share = (fraction: number): string => `${groupDigits(fraction * 100, 1)} %`

/** Formats a span by its two largest units, such as `3 d 4 h`. */
export function span(millis: number): string {
  if (millis < 1_000) return `${groupDigits(millis, 0)} ms`
  const parts: string[] = []
  let rest = Math.round(millis / 1_000)
  for (const [unit, seconds] of spanUnits) {
    const whole = Math.floor(rest / seconds)
    rest -= whole * seconds
    if (whole > 0) parts.push(`${whole} ${unit}`)
  }
  return parts.slice(0, 2).join(' ')
}

const spanUnits = [
  ['d', 86_400],
  ['h', 3_600],
  ['min', 60],
  ['s', 1],
] as const

/** Formats an instant as `2026-01-05 12:30:00 UTC`, with milliseconds where there are any. */
export function instant(millis: number): string {
  const iso = millisToIso(millis)
  return `${iso.slice(0, 10)} ${iso.slice(11, millis % 1_000 === 0 ? 19 : 23)} UTC`
}

/** Formats a figure with `show`, or as `n/a` with the reason why it is undefined. */
export function formatFigure(
  figure: Figure,
  show: (value: number) => string,
): { readonly text: string; readonly reason: string | null } {
  return figure.value === null
    ? { text: 'n/a', reason: figure.reason }
    : { text: show(figure.value), reason: null }
}

const formatByUnit: { readonly [Unit in MetricRow['unit']]: (value: number) => string } = {
  usd,
  fraction: percent,
  share,
  basisPoints: bps,
  ratio: ratioText,
  count,
  span: (millis) => span(Math.abs(millis)),
  instant,
  text: String,
}

/** Returns by how much a figure is multiplied on an axis, and what stands after its numbers: fractions are in per cent. */
export function axisScale(name: string): { readonly factor: number; readonly suffix: string } {
  const unit = figureRow(name)?.unit
  return unit === 'fraction' || unit === 'share' ? { factor: 100, suffix: '%' } : { factor: 1, suffix: '' }
}

/** Formats a figure with the unit that it has by its name in `flattenMetrics`. */
export const metricText = (name: string, value: number): string =>
  formatByUnit[figureRow(name)?.unit ?? 'ratio'](value)

/** Formats a figure of a run by its name in `flattenMetrics`, or as `n/a` with the reason why it is undefined. */
export function describeFigure(metrics: Metrics, name: string): string {
  const found = findFigure(metrics, name)
  if (found === null) return 'n/a'
  return found.value === null ? `n/a (${found.reason})` : metricText(name, found.value)
}

export type ReportLine = readonly [title: string, value: Cell]

/** Lists the figures of a group that have titles, as rows of a table. */
export function metricLines(group: string, figures: object): readonly ReportLine[] {
  const values = new Map<string, unknown>(Object.entries(figures))
  return titledFigures(group).map(([name, { title, unit }]) => {
    const value = values.get(name)
    return [
      title,
      isFigure(value) ? formatFigure(value, formatByUnit[unit]) : formatByUnit[unit](Number(value)),
    ]
  })
}

/** Formats a number with its digits grouped in thousands. Unlike labels of charts, tables do not shorten millions. */
function groupDigits(value: number, decimals: number): string {
  if (!Number.isFinite(value)) return 'n/a'
  const text = Math.abs(value).toFixed(decimals)
  if (text.includes('e')) return String(value)
  const sign = value < 0 && Number(text) !== 0 ? '−' : ''
  return `${sign}${withCommas(text)}`
}
