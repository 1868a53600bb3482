import type { Color } from '../pages/chart.ts'
import { formatValue } from '../pages/ticks.ts'

export const formatMoney = (value: number | undefined): string =>
  formatValue(value ?? Number.NaN, value === undefined || value >= 1_000 ? 0 : value >= 10 ? 2 : 4)

const colors: readonly Color[] = [1, 2, 3, 4, 5, 6, 7, 8]

export const colorOf = (index: number): Color => colors[index % colors.length] ?? 1

/** Returns whether all colours are taken by the lines before, so that a further line needs another style. */
export const isSecondRound = (index: number): boolean => index >= colors.length
