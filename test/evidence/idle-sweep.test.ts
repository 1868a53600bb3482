import { expect, it } from 'vitest'
import { type CaseRow, listCases } from '../../src/backtest/sweep/plan.ts'
import { CliFailure } from '../../src/cli/failure.ts'
import { writeOutputs } from '../../src/cli/sweep/sweep-outputs.ts'
import { plan, rowFor } from '../backtest/sweep/fixtures.ts'
import { bufferTerminal } from '../cli/harness.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

/* A sweep in which no case traded has looked at nothing: its profits of 0 are no verdict. */

const withFills =
  (fills: number) =>
  (row: CaseRow): CaseRow => ({ ...row, metrics: { ...row.metrics, 'activity.fills': fills } })

async function judge(rows: readonly CaseRow[], objective: string) {
  const { output, terminal } = bufferTerminal({ cwd: temporaryFolder() })
  const outcome = {
    rows,
    cases: rows.length,
    end: 'complete',
    problem: null,
    stored: { cases: 0, dates: null },
    repetition: null,
  } as const
  const done = await writeOutputs(plan, outcome, { objective, json: true }, terminal).then(
    () => 'held',
    (error) => (error instanceof CliFailure ? `${error.code}: ${error.message}` : String(error)),
  )
  const { ok, warnings } = JSON.parse(output().out)
  return { done, ok, warnings: warnings.filter((text: string) => text.startsWith('nothing was judged')) }
}

const idle = listCases(plan).map(rowFor).map(withFills(0))
const nothing = 'nothing was judged: no case traded, so every figure is one of nothing'
const [first, ...others] = idle
if (first === undefined) throw new Error('the plan has no cases')

it.each<[what: string, rows: readonly CaseRow[], objective: string, isHeld: boolean]>([
  ['of idle cases alone fails', idle, 'returns.profit', false],
  ['with one case that traded is judged', [withFills(2)(first), ...others], 'returns.profit', true],
  ['that counts fills has its answer', idle, 'activity.fills', true],
  ['of which a shard was idle says nothing of the rest', others, 'returns.profit', true],
])('a sweep %s', async (_what, rows, objective, isHeld) => {
  const found = await judge(rows, objective)
  expect(found).toMatchObject({ done: isHeld ? 'held' : `1: ${nothing}`, ok: isHeld })
  if (!isHeld) expect(found.warnings).toEqual([nothing])
})
