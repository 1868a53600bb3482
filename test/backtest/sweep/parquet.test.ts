import { parquetMetadata, parquetReadObjects } from 'hyparquet'
import { expect, it } from 'vitest'
import { createParquetFile } from '../../../src/backtest/sweep/parquet.ts'
import { listCases, type SweepPlan } from '../../../src/backtest/sweep/plan.ts'
import { rowFor, plan as small } from './fixtures.ts'

const plan: SweepPlan = {
  ...small,
  grid: [...small.grid, { name: 'mode', of: 'strategy', values: ['a', 'b'] }],
}
const rows = listCases(plan).map((each, place) =>
  place === 3 ? { ...rowFor(each), digest: null, metrics: {}, failure: 'no “luck”' } : rowFor(each),
)

function bufferOf(bytes: Uint8Array): ArrayBuffer {
  const buffer = new ArrayBuffer(bytes.length)
  new Uint8Array(buffer).set(bytes)
  return buffer
}

it('is read back unchanged by another library', async () => {
  const file = bufferOf(await createParquetFile(plan, rows))
  const read = await parquetReadObjects({ file })
  expect(read).toHaveLength(24)
  for (const [place, row] of rows.entries()) {
    expect(read[place]).toEqual({
      id: row.id,
      seed: row.seed,
      'param.spreadBps': Number(row.parameters['spreadBps']),
      'param.informed': Number(row.parameters['informed']),
      'param.mode': row.parameters['mode'],
      digest: row.digest,
      failure: row.failure,
      'metric.returns.profit': row.metrics['returns.profit'] ?? null,
      'metric.returns.sharpe': row.metrics['returns.sharpe'] ?? null,
      reasons: row.reasons ?? {},
      equity: row.equity,
    })
  }
  const names = parquetMetadata(file).schema.map(({ name }) => name)
  expect(names.slice(1, 4)).toEqual(['id', 'seed', 'param.spreadBps'])
})

it('is the same bytes for the same rows, and valid without rows', async () => {
  expect(await createParquetFile(plan, rows)).toEqual(await createParquetFile(plan, rows))
  expect(await parquetReadObjects({ file: bufferOf(await createParquetFile(plan, [])) })).toEqual([])
})
