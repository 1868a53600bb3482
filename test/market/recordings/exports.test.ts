import { describe, expect, it } from 'vitest'
import { listCandles } from '../../../src/market/recordings/candle-table.ts'
import type { FileOptions } from '../../../src/market/recordings/file-options.ts'
import { readTable } from '../../../src/market/recordings/recording.ts'
import { type ExportFile, exportFiles, furtherExports, start } from './exports.ts'
import { lookAlikes } from './look-alikes.ts'

function read({ delimiter = ',', hasSemicolons = false, text }: ExportFile, options: FileOptions) {
  const rows = text
    .trimEnd()
    .split('\n')
    .map((line) => line.split(delimiter))
  return readTable({ rows, hasSemicolons, firstRowNumber: 1 }, options)
}

const cases = (files: readonly ExportFile[]) => files.map((file) => [file.name, file] as const)

describe('known exports', () => {
  it.each(cases([...exportFiles, ...furtherExports]))('%s is read to the last digit', (_name, file) => {
    const reading = read(file, file.options ?? {})
    expect(reading).toMatchObject({ kind: 'candles', problem: null })
    expect(reading.kind === 'candles' && listCandles(reading.candles)).toEqual(file.candles)
    if (file.known !== undefined) expect(reading.explanation?.export).toBe(file.known)
  })
})

describe('look-alikes', () => {
  it.each(lookAlikes.map((file) => [file.name, file] as const))(
    '%s is read right, or refused with the option that decides',
    (_name, file) => {
      const reading = read(file, {})
      if (file.says === undefined) {
        expect(reading.problem).toBeNull()
        expect(reading.kind === 'candles' && listCandles(reading.candles)).toEqual(file.candles)
      } else expect(reading.problem?.message).toContain(file.says)
    },
  )
})

describe('calendar digits', () => {
  it.each([
    [8, 86_400_000],
    [10, 3_600_000],
    [12, 60_000],
    [14, 1000],
    [17, 250],
  ])('of %d places are no seconds since 1970', (places, spanMillis) => {
    const rows = Array.from({ length: 40 }, (_, place) => {
      const digits = new Date(start + place * spanMillis).toISOString().replace(/\D/g, '').slice(0, places)
      return [digits, 10, 12, 9, 11, 5].map(String)
    })
    const reading = readTable({ rows, hasSemicolons: false, firstRowNumber: 1 })
    expect(reading).toMatchObject({ problem: null, explanation: { timeForm: 'calendar digits' } })
    const times = reading.kind === 'candles' ? [...reading.candles.atMillis] : []
    expect(times).toEqual(rows.map((_, place) => start + place * spanMillis))
  })
})
