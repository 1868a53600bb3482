import { failureLines } from './failure-lines.ts'
import { failuresOf, isOverall, type RunReport } from './run-report.ts'

/** Workflow commands that GitHub shows at the lines of the files, one for each failure. */
export function githubAnnotations(reports: readonly RunReport[]): string {
  const lines = reports.flatMap((report) =>
    failuresOf(report).map(({ place, message, failure }) => {
      const title = property(message ?? report.name)
      const where = `file=${property(place.file)},line=${place.line},col=${place.column},title=${title}`
      const text = `expected ${failure.expected}\ngot      ${failure.got}\nreplay   ${report.replay}`
      return `::error ${where}::${data(text)}`
    }),
  )
  return lines.map((line) => `${line}\n`).join('')
}

/** The summary of a job, in Markdown: a table of all runs, and each failure with its lines. */
export function githubSummary(reports: readonly RunReport[], sources: ReadonlyMap<string, string>): string {
  const failed = reports.filter(({ ok }) => !ok).length
  const verdict =
    failed === 0 ? `all ${reports.length} runs passed` : `${failed} of ${reports.length} runs failed`
  const lines = [
    `## otcsim: ${verdict}`,
    '',
    '| | scenario | seed | expectations | digest |',
    '|---|---|---|---|---|',
    ...reports.map((report) => {
      const held = report.checks.length - failuresOf(report).length
      const cells = [
        report.ok ? '✅' : '❌',
        cell(report.name),
        isOverall(report) ? 'all' : cell(report.seed),
        `${held} of ${report.checks.length}`,
        isOverall(report) ? '' : `\`${report.digest}\``,
      ]
      return `| ${cells.join(' | ')} |`
    }),
  ]
  for (const report of reports) {
    for (const failed of failuresOf(report)) {
      const { place, message } = failed
      lines.push(
        '',
        `### ${cell(message ?? report.name)}`,
        '',
        `\`${place.file}:${place.line}:${place.column}\``,
        '',
        '```text',
        ...failureLines(failed, report, sources),
        '```',
      )
    }
  }
  return `${lines.join('\n')}\n`
}

const cell = (text: string): string =>
  text.replaceAll('|', '\\|').replaceAll('\n', ' ').replaceAll('<', '&lt;')

/** As the runner's own toolkit escapes them. */
const data = (text: string): string =>
  text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A')

const property = (text: string): string => data(text).replaceAll(':', '%3A').replaceAll(',', '%2C')
