import type { Style } from '../terminal.ts'
import { type Cell, settingText } from './matrix-cells.ts'
import type { CellOutcome } from './matrix-run.ts'

/** What a cell does to a suite that passes without it. */
export interface Break {
  readonly cell: Cell
  readonly code: number
  readonly isTimeout: boolean
  /** The names of the tests; null when the suite does not say. */
  readonly tests: readonly string[] | null
}

export interface MatrixReport {
  /** How many tests the suite has; null when it does not tell. */
  readonly tests: number | null
  /** Values and faults that were tried alone, and combinations of them. */
  readonly tried: number
  readonly rows: number
  readonly singles: readonly Break[]
  readonly combinations: readonly Break[]
}

/** Null when the suite passes as it does by default. */
export function breaksOf({ cell, code, isTimeout, tests }: CellOutcome, first: CellOutcome): Break | null {
  if (code === 0 && !isTimeout) return null
  const before = new Set(first.tests?.failed ?? [])
  const failed = tests?.failed.filter((name) => !before.has(name)) ?? null
  return { cell, code, isTimeout, tests: failed === null || failed.length === 0 ? null : failed }
}

/** Of a suite that fails under the default readings: nothing else is tried. */
export function brokenFromTheStart({ cell, code, isTimeout, tests }: CellOutcome): MatrixReport {
  const broken = { cell, code, isTimeout, tests: tests?.failed ?? null }
  const count = tests === null ? null : tests.passed.length + tests.failed.length
  return { tests: count, tried: 0, rows: 0, singles: [broken], combinations: [] }
}

export function matrixText(report: MatrixReport, paint: (style: Style, text: string) => string): string {
  const { tests, tried, rows, singles, combinations } = report
  const suite = tests === null ? 'the suite' : `${tests} tests`
  const lines = [
    `${suite} under ${tried} readings and faults one by one, and ${rows} combinations of readings`,
    '',
  ]
  const all = [...singles, ...combinations]
  for (const found of all) {
    lines.push(`${paint('red', '✗')} ${paint('bold', found.cell.name)}`)
    if (found.isTimeout) lines.push('    takes too long')
    if (found.tests === null) lines.push(`    ends with ${found.code}`)
    for (const name of found.tests ?? []) lines.push(`    breaks: ${name}`)
  }
  if (all.length === 0) lines.push(`${paint('green', '✓')} nothing breaks it`)
  else lines.push('', `${all.length} break it; pin in readings.json what the venue is known to do`)
  const read = all.find(({ cell }) => cell.settings.length > 0)
  if (read !== undefined)
    lines.push(`one again: otcsim exec --readings ${read.cell.settings.map(settingText).join(',')} -- ...`)
  return `${lines.join('\n')}\n`
}

export function reportJson({ tests, tried, rows, singles, combinations }: MatrixReport): string {
  const told = ({ cell, code, isTimeout, tests: names }: Break) => ({
    name: cell.name,
    readings: Object.fromEntries(cell.settings.map(({ key, value }) => [key, value])),
    fault: cell.fault === null ? null : cell.fault.type,
    code,
    timeout: isTimeout,
    tests: names,
  })
  return `${JSON.stringify({
    ok: singles.length + combinations.length === 0,
    tests,
    tried,
    rows,
    breaks: singles.map(told),
    combinations: combinations.map(told),
  })}\n`
}
