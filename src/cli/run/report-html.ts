import { hashSource } from '../../backtest/report/page-assets.ts'
import { formatDuration, millisToIso } from '../../numeric/time-text.ts'
import {
  type Cell,
  codeMarkup,
  detailsMarkup,
  paragraph,
  type Section,
  tableMarkup,
} from '../../pages/html.ts'
import { renderPage } from '../../pages/page.ts'
import { element, escapeText } from '../../pages/svg-text.ts'
import { formatEvidence } from '../evidence.ts'
import { formatCount } from '../terminal.ts'
import { drawRun } from './run-charts.ts'
import {
  type FailedCheck,
  formatCounts,
  formatFailure,
  formatFigure,
  formatHeld,
  formatVerdict,
  isOverall,
  listFailures,
  nameResult,
  nameVerdict,
  type RunReport,
  sumEvidence,
} from './run-report.ts'

/** Returns the page of the console at a failure, relative to the report; null where there is none. */
export type PageOfFailure = (report: RunReport, failed: FailedCheck) => string | null

/**
 * Formats all runs as one HTML file without scripts and fonts, which links to no other files but the pages of the console
 * at its failures. Equal runs give equal bytes.
 */
export function formatHtmlReport(
  reports: readonly RunReport[],
  sources: ReadonlyMap<string, string>,
  pageOf: PageOfFailure = () => null,
): string {
  const said = formatVerdict(reports)
  const verdict = said.charAt(0).toUpperCase() + said.slice(1)
  return renderPage(
    {
      title: `otcsim: ${verdict}`,
      lead:
        element('h1', {}, escapeText(verdict)) +
        paragraph(formatEvidence(sumEvidence(reports))) +
        formatOverview(reports),
      sections: reports.map((report, place) => formatRun(report, place, sources, pageOf)),
    },
    hashSource,
  )
}

function formatOverview(reports: readonly RunReport[]): string {
  const rows = reports.map((report, place): readonly Cell[] => [
    { text: report.name, href: `#run-${place}` },
    verdictCell(report),
    isOverall(report) ? 'all' : report.seed,
    formatHeld(report),
    { text: report.digest, as: 'code' },
  ])
  const head = ['Scenario', 'Result', 'Seed', 'Expectations', 'Digest']
  return tableMarkup({ caption: 'Runs', head, rows, figures: [3] })
}

function verdictCell(report: RunReport): Cell {
  const text = nameVerdict(report)
  return { text, ...styles[text] }
}

const classes = { passed: 'pass', failed: 'fail', 'not judged': '' } as const
const styles = { passed: { as: 'pass' }, failed: { as: 'fail' }, 'not judged': {} } as const

function formatRun(
  report: RunReport,
  place: number,
  sources: ReadonlyMap<string, string>,
  pageOf: PageOfFailure,
): Section {
  const parts = [
    paragraph(summarizeRun(report).join(' · '), classes[nameVerdict(report)]),
    ...listFailures(report).map((failed) => {
      const { place: at, message } = failed
      const title = element('h3', {}, escapeText(message ?? 'An expectation failed'))
      const where = element('p', {}, element('code', {}, `${escapeText(at.file)}:${at.line}:${at.column}`))
      const lines = codeMarkup('Failure', formatFailure(failed, report, sources).join('\n'))
      const link = formatPageLink(pageOf(report, failed), failed)
      return element('article', { class: 'warning' }, title + where + lines + link)
    }),
    formatExpectations(report),
    formatFigures(report),
    ...drawRun(report, place),
    formatMarks(report),
    formatDetails('Fills', report.fills, report.fillCount),
    formatDetails('Refused actions', report.refusals, report.refusals.length),
    formatDetails('Entries without effect', report.idle, report.idle.length),
    formatDetails('Balances that moved', report.balances, report.balances.length),
  ]
  return { id: `run-${place}`, title: report.name, body: parts.join('') }
}

function formatPageLink(page: string | null, { failure }: FailedCheck): string {
  if (page === null || failure.moment === undefined) return ''
  const words = `See it in the console, at ${millisToIso(failure.moment.atMillis)}`
  return element('p', {}, element('a', { href: page }, escapeText(words)))
}

function summarizeRun(report: RunReport): readonly string[] {
  const verdict = nameVerdict(report)
  if (isOverall(report)) return [verdict, report.file, formatEvidence(report.lookedAt)]
  return [
    verdict,
    report.file,
    `seed “${report.seed}”`,
    `${formatDuration(report.spanMillis)} of virtual time`,
    formatCount(report.sequence, 'command'),
    formatCount(report.fillCount, 'fill'),
    formatEvidence(report.lookedAt),
  ]
}

function formatExpectations({ checks }: RunReport): string {
  if (checks.length === 0) return ''
  const rows = checks.map((check): readonly Cell[] => {
    const { text, message, place, unjudged } = check
    const result = nameResult(check)
    return [
      { text, as: 'code', reason: message },
      result === 'not judged'
        ? { text: result, reason: unjudged }
        : { text: result, as: result === 'held' ? 'pass' : 'fail' },
      formatCounts(check),
      { text: `${place.file}:${place.line}`, as: 'code' },
    ]
  })
  const head = ['Expectation', 'Result', 'Evaluated', 'Place']
  return tableMarkup({ caption: 'Expectations', head, rows, figures: [] })
}

function formatFigures({ figures: rows }: RunReport): string {
  if (rows.length === 0) return ''
  const cells = rows.map(({ account, name, value }) => [
    name,
    account,
    value === null ? 'n/a' : formatFigure(value),
  ])
  return tableMarkup({ caption: 'Figures', head: ['Figure', 'Account', 'Value'], rows: cells, figures: [2] })
}

function formatDetails(title: string, lines: readonly string[], count: number): string {
  if (lines.length === 0) return ''
  const rest = count > lines.length ? `\nand ${count - lines.length} more` : ''
  return detailsMarkup(`${title} (${count})`, codeMarkup(title, lines.join('\n') + rest))
}

/** Lists the events of the script, which charts show as upright lines. */
function formatMarks({ marks }: RunReport): string {
  if (marks.length === 0) return ''
  const rows = marks.map(({ atMillis, isFailure, text }): readonly Cell[] => [
    millisToIso(atMillis),
    isFailure ? { text, as: 'fail' } : text,
  ])
  const table = tableMarkup({
    caption: 'Script events and failures',
    head: ['Time', 'What'],
    rows,
    figures: [],
  })
  return detailsMarkup(`Script events and failures (${marks.length})`, table)
}
