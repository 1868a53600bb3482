import { appendFileSync } from 'node:fs'
import { InvalidArgumentError } from 'commander'
import { escapeText } from '../../pages/svg-text.ts'
import { writeReason } from '../failure.ts'
import { writeResult } from '../files.ts'
import { createPainter, jsonText, type Terminal } from '../terminal.ts'
import { formatHtmlReport } from './report-html.ts'
import {
  type Check,
  formatFailure,
  formatPrettyReport,
  isOverall,
  listFailures,
  type RunReport,
} from './run-report.ts'

export type Reporting = ReturnType<typeof startReporting>

/** Starts the chosen reporters. `add` reports a run that has ended, `finish` writes the reports of all runs. */
export function startReporting(
  choices: readonly ReporterChoice[],
  sources: ReadonlyMap<string, string>,
  terminal: Terminal,
) {
  const reports: RunReport[] = []
  const paint = createPainter(terminal, terminal.isOutTty)
  const streams = choices.some(({ kind, file }) => kind === 'pretty' && file === null)
  return {
    add: (report: RunReport): void => {
      reports.push(report)
      if (streams) terminal.out(formatPrettyReport(report, sources, paint))
    },
    finish: (): void => {
      for (const { kind, file } of choices) {
        if (kind === 'github') writeSummary(formatSummary(reports, sources), terminal)
        if (kind === 'pretty' && file === null) continue
        const text = formatters[kind](reports, sources)
        writeResult(terminal, file ?? undefined, text)
      }
    },
  }
}

type Formatter = (reports: readonly RunReport[], sources: ReadonlyMap<string, string>) => string

const formatters: { readonly [Kind in ReporterKind]: Formatter } = {
  json: formatJsonReport,
  junit: formatJunitReport,
  github: formatAnnotations,
  html: formatHtmlReport,
  pretty: (reports, sources) =>
    reports.map((report) => formatPrettyReport(report, sources, (_, text) => text)).join(''),
}

/** Appends a job summary to the file that GitHub's runner names. Does nothing elsewhere. */
function writeSummary(text: string, terminal: Terminal): void {
  const path = terminal.env['GITHUB_STEP_SUMMARY']
  if (path === undefined || path === '') return
  try {
    appendFileSync(path, text)
  } catch (error) {
    terminal.err(`cannot write the summary to ${path}: ${writeReason(error)}\n`)
  }
}

/** Formats all runs as one JSON document (design section 16). */
function formatJsonReport(reports: readonly RunReport[]): string {
  const scenarios = reports.map((report) => ({
    name: report.name,
    file: report.file,
    seed: report.seed,
    ok: report.ok,
    digest: report.digest,
    sequence: report.sequence,
    failures: listFailures(report).map(({ place, message, failure }) => ({
      file: place.file,
      line: place.line,
      col: place.column,
      expected: failure.expected,
      got: failure.got,
      message,
    })),
  }))
  return jsonText({ ok: scenarios.every((scenario) => scenario.ok), scenarios })
}

/** Formats a GitHub workflow command for each failure, which GitHub shows at the line of the file. */
function formatAnnotations(reports: readonly RunReport[]): string {
  const lines = reports.flatMap((report) =>
    listFailures(report).map(({ place, message, failure }) => {
      const title = escapeProperty(message ?? report.name)
      const where = `file=${escapeProperty(place.file)},line=${place.line},col=${place.column},title=${title}`
      const text = `expected ${failure.expected}\ngot      ${failure.got}\nreplay   ${report.replay}`
      return `::error ${where}::${escapeData(text)}`
    }),
  )
  return lines.map((line) => `${line}\n`).join('')
}

function formatSummary(reports: readonly RunReport[], sources: ReadonlyMap<string, string>): string {
  const failed = reports.filter(({ ok }) => !ok).length
  const verdict =
    failed === 0 ? `all ${reports.length} runs passed` : `${failed} of ${reports.length} runs failed`
  const lines = [
    `## otcsim: ${verdict}`,
    '',
    '| | scenario | seed | expectations | digest |',
    '|---|---|---|---|---|',
    ...reports.map((report) => {
      const held = report.checks.length - listFailures(report).length
      const cells = [
        report.ok ? '✅' : '❌',
        escapeCell(report.name),
        isOverall(report) ? 'all' : escapeCell(report.seed),
        `${held} of ${report.checks.length}`,
        isOverall(report) ? '' : `\`${report.digest}\``,
      ]
      return `| ${cells.join(' | ')} |`
    }),
  ]
  for (const report of reports) {
    for (const failed of listFailures(report)) {
      const { file, line, column } = failed.place
      const code = ['```text', ...formatFailure(failed, report, sources), '```']
      const title = `### ${escapeCell(failed.message ?? report.name)}`
      lines.push('', title, '', `\`${file}:${line}:${column}\``, '', ...code)
    }
  }
  return `${lines.join('\n')}\n`
}

const escapeCell = (text: string): string =>
  text.replaceAll('|', '\\|').replaceAll('\n', ' ').replaceAll('<', '&lt;')

/** Escapes the message of a workflow command, as GitHub's own toolkit does. */
const escapeData = (text: string): string =>
  text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A')

const escapeProperty = (text: string): string =>
  escapeData(text).replaceAll(':', '%3A').replaceAll(',', '%2C')

/**
 * Formats all runs as JUnit XML: a suite for each run, a case for each expectation. A run without expectations has one
 * case, which states that it ran to its end.
 *
 * Choice: cases have no `file` and `line`, because Jenkins' schema (junit-10.xsd) forbids them. The suite has the file,
 * and a failure's text begins with the place.
 */
function formatJunitReport(reports: readonly RunReport[], sources: ReadonlyMap<string, string>): string {
  const suites = reports.map((report) => formatSuite(report, sources))
  const tests = reports.reduce((sum, report) => sum + Math.max(1, report.checks.length), 0)
  const failures = reports.reduce((sum, report) => sum + listFailures(report).length, 0)
  const time = formatSeconds(reports.reduce((sum, report) => sum + report.wallMillis, 0))
  return [
    '<?xml version="1.0" encoding="UTF-8" ?>',
    `<testsuites name="otcsim run" tests="${tests}" failures="${failures}" errors="0" time="${time}">`,
    ...suites,
    '</testsuites>',
    '',
  ].join('\n')
}

function formatSuite(report: RunReport, sources: ReadonlyMap<string, string>): string {
  const checks = report.checks.length === 0 ? [makeEndCheck(report)] : report.checks
  const failures = listFailures(report).length
  // Expectations are judged during the run, so each gets an equal share of its time.
  const share = formatSeconds(report.wallMillis / checks.length)
  return [
    `    <testsuite ${formatAttributes({ name: report.name, file: report.file })} tests="${checks.length}" failures="${failures}" errors="0" skipped="0" time="${formatSeconds(report.wallMillis)}">`,
    '        <properties>',
    `            <property ${formatAttributes({ name: 'seed', value: report.seed })}/>`,
    `            <property ${formatAttributes({ name: 'digest', value: report.digest })}/>`,
    '        </properties>',
    ...checks.map((check) => formatCase(check, report, share, sources)),
    '    </testsuite>',
  ].join('\n')
}

const makeEndCheck = ({ file }: RunReport): Check => ({
  text: 'runs to its end',
  message: null,
  place: { file, line: 1, column: 1 },
  failure: null,
})

function formatCase(
  check: Check,
  report: RunReport,
  time: string,
  sources: ReadonlyMap<string, string>,
): string {
  const { text, message, place, failure } = check
  const name = message === null ? text : `${message} (${text})`
  const about = formatAttributes({ classname: report.name, name })
  if (failure === null) return `        <testcase ${about} time="${time}"/>`
  const lines = formatFailure({ ...check, failure }, report, sources)
  const body = [`${place.file}:${place.line}:${place.column}`, ...lines].join('\n')
  return [
    `        <testcase ${about} time="${time}">`,
    `            <failure ${formatAttributes({ message: message ?? `expected ${failure.expected}`, type: 'ExpectationFailed' })}>`,
    escapeText(body),
    '            </failure>',
    '        </testcase>',
  ].join('\n')
}

const formatSeconds = (millis: number): string => (millis / 1000).toFixed(3)

function formatAttributes(values: { readonly [name: string]: string }): string {
  return Object.entries(values)
    .map(([name, value]) => `${name}="${escapeText(value).replaceAll('\n', '&#10;')}"`)
    .join(' ')
}

const reporterKinds = ['pretty', 'json', 'junit', 'github', 'html'] as const
type ReporterKind = (typeof reporterKinds)[number]

export interface ReporterChoice {
  readonly kind: ReporterKind
  /** The file that the report goes to; null for stdout. */
  readonly file: string | null
}

/** Reports that are one document each, so that only one of them can go to stdout. */
const wholeDocuments: readonly ReporterKind[] = ['json', 'junit', 'html']

/** Parses a list of reporters such as `pretty,junit:report.xml`. */
export function parseReporters(text: string): readonly ReporterChoice[] {
  const choices = text.split(',').map((part): ReporterChoice => {
    const colon = part.indexOf(':')
    const name = colon === -1 ? part : part.slice(0, colon)
    const kind = reporterKinds.find((known) => known === name)
    if (kind === undefined)
      throw new InvalidArgumentError(
        `"${name}" is not a reporter; the reporters are ${reporterKinds.join(', ')}`,
      )
    const file = colon === -1 ? null : part.slice(colon + 1)
    if (file === '') throw new InvalidArgumentError(`"${part}" names no file`)
    return { kind, file }
  })
  const onStdout = choices.filter(({ file }) => file === null)
  const document = onStdout.find(({ kind }) => wholeDocuments.includes(kind))
  if (document !== undefined && onStdout.length > 1)
    throw new InvalidArgumentError(
      `${document.kind} is a document: give it a file, as in ${document.kind}:FILE`,
    )
  return choices
}
