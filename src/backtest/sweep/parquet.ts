import type { ColumnSource } from 'hyparquet-writer'
import { type CaseRow, planDigest, type SweepPlan } from './plan.ts'

/**
 * Creates a Parquet file of a sweep's rows. Its columns are `id`, `seed`, for a walk forward `from` and `to`,
 * `param.NAME` for each parameter (numbers if all its values are), `digest`, `failure`, `metric.NAME` for each metric
 * (null where a run has none), `reasons` why those are null as JSON, and `equity` as JSON. The same rows give the same bytes.
 *
 * The writer is an ES module that few runs need, so it is loaded on demand.
 */
export async function createParquetFile(plan: SweepPlan, rows: readonly CaseRow[]): Promise<Uint8Array> {
  const { parquetWriteBuffer } = await import('hyparquet-writer')
  const bytes = parquetWriteBuffer({
    columnData: createColumns(plan, rows),
    kvMetadata: [
      { key: 'otcsim.plan', value: planDigest(plan) },
      { key: 'otcsim.version', value: plan.work.version },
    ],
    createdBy: 'otcsim',
  })
  return new Uint8Array(bytes)
}

function createColumns(plan: SweepPlan, rows: readonly CaseRow[]): ColumnSource[] {
  const texts = (name: string, of: (row: CaseRow) => string): ColumnSource => ({
    name,
    data: rows.map(of),
    type: 'STRING',
    nullable: false,
  })
  const optionalTexts = (name: string, of: (row: CaseRow) => string | null): ColumnSource => ({
    name,
    data: rows.map(of),
    type: 'STRING',
    nullable: true,
  })
  const numbers = (name: string, of: (row: CaseRow) => number | null, nullable: boolean): ColumnSource => ({
    name,
    data: rows.map(of),
    type: 'DOUBLE',
    nullable,
  })
  const parameters = plan.grid.map(({ name, values }) => {
    const textOf = (row: CaseRow): string => row.parameters[name] ?? ''
    return values.every(isPlainNumber)
      ? numbers(`param.${name}`, (row) => Number(textOf(row)), false)
      : texts(`param.${name}`, textOf)
  })
  const metrics = [...new Set(rows.flatMap((row) => Object.keys(row.metrics)))].sort()
  return [
    texts('id', ({ id }) => id),
    texts('seed', ({ seed }) => seed),
    ...(plan.walkForward === undefined
      ? []
      : [texts('from', ({ window }) => window?.from ?? ''), texts('to', ({ window }) => window?.to ?? '')]),
    ...parameters,
    optionalTexts('digest', ({ digest }) => digest),
    optionalTexts('failure', ({ failure }) => failure),
    ...metrics.map((name) => numbers(`metric.${name}`, (row) => row.metrics[name] ?? null, true)),
    { name: 'reasons', data: rows.map(({ reasons }) => reasons ?? {}), type: 'JSON', nullable: false },
    { name: 'equity', data: rows.map(({ equity }) => equity), type: 'JSON', nullable: false },
  ]
}

const isPlainNumber = (text: string): boolean => /^-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?$/.test(text)
