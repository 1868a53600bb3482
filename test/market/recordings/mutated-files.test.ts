import fc from 'fast-check'
import { expect, it } from 'vitest'
import { getCandleTable, listCandles } from '../../../src/market/recordings/candle-table.ts'
import { describeCandles } from '../../../src/market/recordings/candle-warnings.ts'
import { readTable } from '../../../src/market/recordings/recording.ts'
import { type ExportFile, exportFiles } from './exports.ts'

/*
 * Known exports with something wrong in them. Wrongly in silence means: the candles that are read differ from those
 * that the file stands for, and nothing says so: no refusal, no warning of a run (leaps and gaps are some), no row left
 * out, no change, and nothing assumed of what was changed.
 */

type Rows = readonly (readonly string[])[]

interface Mutation {
  readonly name: string
  readonly mutate: (rows: Rows, header: number, random: (below: number) => number) => Rows
}

const isNumber = (field: string | undefined): boolean => /^-?\d+(\.\d+)?$/.test(field ?? '')

/** Places of the columns that have numbers in every row. */
function numericColumns(rows: Rows, header: number): readonly number[] {
  const body = rows.slice(header)
  return (body[0] ?? []).flatMap((_, column) =>
    body.filter((row) => isNumber(row[column])).length > body.length - 3 ? [column] : [],
  )
}

const onBody = (
  rows: Rows,
  header: number,
  change: (row: readonly string[], place: number) => readonly string[],
): Rows => rows.map((row, place) => (place < header ? row : change(row, place - header)))

const mutations: readonly Mutation[] = [
  {
    name: 'two columns are exchanged',
    mutate: (rows, header, random) => {
      const columns = numericColumns(rows, header)
      const left = columns[random(columns.length)] ?? 0
      const right = columns[random(columns.length)] ?? 0
      return onBody(rows, header, (row) => row.with(left, row[right] ?? '').with(right, row[left] ?? ''))
    },
  },
  {
    name: 'a column is in another unit from a row on',
    mutate: (rows, header, random) => {
      const columns = numericColumns(rows, header)
      const column = columns[random(columns.length)] ?? 0
      const from = random(rows.length - header)
      const factor = [1000, 100, 0.001, 1e6][random(4)] ?? 1000
      return onBody(rows, header, (row, place) =>
        place < from || !isNumber(row[column]) ? row : row.with(column, String(Number(row[column]) * factor)),
      )
    },
  },
  {
    name: 'a row is lost',
    mutate: (rows, header, random) => rows.toSpliced(header + 1 + random(rows.length - header - 2), 1),
  },
  {
    name: 'a row stands at another place',
    mutate: (rows, header, random) => {
      const from = header + random(rows.length - header)
      const to = header + random(rows.length - header)
      return rows.toSpliced(from, 1).toSpliced(to, 0, rows[from] ?? [])
    },
  },
  {
    name: 'the clock is shifted from a row on',
    mutate: (rows, header, random) => {
      const columns = numericColumns(rows, header)
      const time = columns.find((column) => /^1[67]\d{8}(\d{3}){0,2}$/.test(rows[header]?.[column] ?? ''))
      const from = 1 + random(rows.length - header - 2)
      const minutes = [1, 60, -60, 7, 120][random(5)] ?? 1
      if (time === undefined) return rows.toSpliced(header + from, 1)
      const unit =
        Number(rows[header]?.[time]) > 1e14 ? 60_000_000 : Number(rows[header]?.[time]) > 1e11 ? 60_000 : 60
      return onBody(rows, header, (row, place) =>
        place < from ? row : row.with(time, String(Number(row[time]) + minutes * unit)),
      )
    },
  },
]

function readRows(rows: Rows, { hasSemicolons = false, options = {} }: ExportFile) {
  return readTable({ rows, hasSemicolons, firstRowNumber: 1 }, options)
}

const headerRowsOf = ({ text }: ExportFile): number => {
  const lines = text.split('\n')
  const first = lines.findIndex((line) => /\d{4}.*\d\.\d/.test(line))
  return first
}

it('200 mutated files are never read wrongly in silence', () => {
  const outcomes = { refused: 0, said: 0, right: 0 }
  const random = (seed: number) => {
    let state = seed
    return (below: number): number => {
      state = (state * 48_271) % 2_147_483_647
      return state % Math.max(1, below)
    }
  }
  const wrong: string[] = []
  for (let seed = 1; seed <= 200; seed += 1) {
    const draw = random(seed * 7919)
    draw(1)
    const file = exportFiles[draw(exportFiles.length)]
    const mutation = mutations[draw(mutations.length)]
    if (file === undefined || mutation === undefined) throw new Error('there are files and mutations')
    const rows = file.text
      .trimEnd()
      .split('\n')
      .map((line) => line.split(file.delimiter ?? ','))
    const before = readRows(rows, file)
    const reading = readRows(mutation.mutate(rows, headerRowsOf(file), draw), file)
    if (reading.problem !== null || reading.kind === 'trades') {
      outcomes.refused += 1
      continue
    }
    const { explanation } = reading
    const candles = listCandles(reading.candles)
    if (JSON.stringify(candles) === JSON.stringify(file.candles)) {
      outcomes.right += 1
      continue
    }
    const span = { fromMillis: 0, toMillis: Number.POSITIVE_INFINITY }
    const hasTroubles = describeCandles('BTC', getCandleTable(candles), span).length > 0
    const told = (one: typeof explanation): string =>
      JSON.stringify([one?.warnings, one?.leftOut, one?.changed, one?.volume, one?.times])
    const isVolumeAssumed = (explanation?.assumed ?? []).some((text) => text.startsWith('volumes'))
    const hasOnlyOtherVolumes =
      candles.length === file.candles.length &&
      candles.every((candle, place) => {
        const { volume: _, ...rest } = candle
        return (
          JSON.stringify({ ...file.candles[place], volume: 0 }) === JSON.stringify({ ...rest, volume: 0 })
        )
      })
    const isSaid = hasTroubles || told(explanation) !== told(before.explanation)
    if (isSaid || (isVolumeAssumed && hasOnlyOtherVolumes)) outcomes.said += 1
    else wrong.push(`seed ${seed}: ${file.name}, ${mutation.name}`)
  }
  expect(wrong).toEqual([])
  expect(outcomes.refused).toBeGreaterThan(50)
  expect(outcomes.said).toBeGreaterThan(20)
})

it('no table of fields ends with an error', () => {
  const field = fc.oneof(
    fc.constantFrom(
      'time',
      'open',
      'high',
      'low',
      'close',
      'volume',
      '',
      'NaN',
      '2024-01-01',
      '1735689600',
      '06-PM',
    ),
    fc.string({ maxLength: 6 }),
    fc.double().map(String),
  )
  fc.assert(
    fc.property(fc.array(fc.array(field, { maxLength: 8 }), { maxLength: 12 }), (rows) => {
      const reading = readTable({ rows, hasSemicolons: false, firstRowNumber: 1 })
      expect(reading.problem === null).toBe(reading.explanation !== null)
    }),
    { seed: 7, numRuns: 400 },
  )
})
