import { listCandles } from '../../../src/market/recordings/candle-table.ts'
import type { FileOptions } from '../../../src/market/recordings/file-options.ts'
import { readTable } from '../../../src/market/recordings/recording.ts'
import type { TextTable } from '../../../src/market/recordings/table-header.ts'

/** The table of a comma-separated text. */
export const tableOf = (text: string): TextTable => ({
  rows: text
    .trim()
    .split('\n')
    .map((line) => line.trim().split(',')),
  hasSemicolons: false,
  firstRowNumber: 1,
})

/** Reads a comma-separated text: its candles or trades and how it was understood, or its first problem. */
export function parseText(text: string, options: FileOptions = {}) {
  const reading = readTable(tableOf(text), options)
  const { explanation, problem } = reading
  if (problem !== null) return { ok: false as const, kind: reading.kind, problem }
  return reading.kind === 'trades'
    ? { ok: true as const, kind: reading.kind, explanation, trades: reading.trades, candles: listCandles([]) }
    : {
        ok: true as const,
        kind: reading.kind,
        explanation,
        candles: listCandles(reading.candles),
        trades: [],
      }
}
