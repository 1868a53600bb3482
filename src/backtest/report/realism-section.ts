import { escapeText } from '../../charts/svg-text.ts'
import { paragraph, type Section, tableMarkup } from './html.ts'
import type { RealismCheck } from './report-context.ts'

/** What the price path itself was like, compared with real markets. */
export function realismSection(checks: readonly RealismCheck[] | null): Section {
  const title = 'Realism of the path'
  if (checks === null || checks.length === 0) {
    const text = 'There was no self-check: the path is recorded or scripted, or too short to be judged.'
    return { id: 'realism', title, body: paragraph(text) }
  }
  const passed = checks.filter(({ isPassed }) => isPassed).length
  const summary = `${passed} of ${checks.length} tests of the stylized facts hold on this very path.`
  const rows = checks.map(({ asset, name, isPassed, measured, expected }) => [
    asset,
    name,
    isPassed ? 'holds' : 'does not hold',
    measured,
    expected,
  ])
  const head = ['Asset', 'Test', 'Result', 'Measured', 'Expected']
  const table = tableMarkup({ caption: 'Stylized facts on this path', head, rows, figures: [] })
  const lead = `<p class="${passed === checks.length ? 'pass' : 'fail'}">${escapeText(summary)}</p>`
  return { id: 'realism', title, body: lead + table }
}
