import { appendFileSync } from 'node:fs'
import { InvalidArgumentError } from 'commander'
import { escapeText } from '../../pages/svg-text.ts'
import type { SourceLocation } from '../../scenario/file/tree.ts'
import type { EvaluationCount } from '../../scenario/run/expectation-evaluator.ts'
import { formatEvidence, listEvidence } from '../evidence.ts'
import { writeReason } from '../failure.ts'
import { writeResult } from '../files.ts'
import { createPainter, jsonText, type Terminal } from '../terminal.ts'
import { formatHtmlReport, type PageOfFailure } from './report-html.ts'
import {
  type Check,
  formatCounts,
  formatFailure,
  formatHeld,
  formatPlace,
  formatPrettyReport,
  formatVerdict,
  isJudged,
  isOverall,
  listFailures,
  nameResult,
  nameVerdict,
  type RunReport,
  sumEvidence,
} from './run-report.ts'

export type Reporting = ReturnType<typeof startReporting>

/**
 * Starts the chosen reporters. `add` reports a run that has ended, `finish` writes the reports of all runs. `mayLack`
 * lets them pass though nothing was judged.
 */
export function startReporting(
  choices: readonly ReporterChoice[],
  sources: ReadonlyMap<string, string>,
  terminal: Terminal,
  mayLack: boolean,
) {
  const reports: RunReport[] = []
  const paint = createPainter(terminal, terminal.isOutTty)
  const streams = choices.some(({ kind, file }) => kind === 'pretty' && file === null)
  return {
    add: (report: RunReport): void => {
      reports.push(report)
      if (streams) terminal.out(formatPrettyReport(report, sources, paint))
    },
    /** `pagesOf` has the page of the console at each failure, for each report in HTML by its file. */
    finish: (pagesOf: ReadonlyMap<string, PageOfFailure>): void => {
      for (const { kind, file } of choices) {
        if (kind === 'github') writeSummary(formatSummary(reports, sources), terminal)
        if (kind === 'pretty' && file === null) {
          if (reports.length > 1) terminal.out(formatWhole(reports))
          continue
        }
        const text =
          kind === 'html'
            ? formatHtmlReport(reports, sources, pagesOf.get(file ?? ''))
            : formatters[kind](reports, sources, mayLack)
        writeResult(terminal, file ?? undefined, text)
      }
    },
  }
}

type Formatter = (
  reports: readonly RunReport[],
  sources: ReadonlyMap<string, string>,
  mayLack: boolean,
) => string

const formatters: { readonly [Kind in Exclude<ReporterKind, 'html'>]: Formatter } = {
  json: formatJsonReport,
  junit: formatJunitReport,
  github: formatAnnotations,
  pretty: (reports, sources) => {
    const each = reports.map((report) => formatPrettyReport(report, sources, (_, text) => text))
    return [...each, ...(reports.length > 1 ? [formatWhole(reports)] : [])].join('')
  },
}

const formatWhole = (reports: readonly RunReport[]): string =>
  `${formatVerdict(reports)}, ${formatEvidence(sumEvidence(reports))}\n`

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
function formatJsonReport(
  reports: readonly RunReport[],
  _sources: ReadonlyMap<string, string>,
  mayLack: boolean,
): string {
  const scenarios = reports.map((report) => ({
    name: report.name,
    file: report.file,
    seed: report.seed,
    ok: report.ok,
    digest: report.digest,
    sequence: report.sequence,
    noEffect: report.idle,
    lookedAt: report.lookedAt,
    failures: listFailures(report).map(({ place, message, failure }) => ({
      ...toJsonPlace(place),
      expected: failure.expected,
      got: failure.got,
      message,
    })),
    expectations: report.checks.map((check) => ({
      ...toJsonPlace(check.place),
      text: check.text,
      message: check.message,
      result: nameResult(check),
      reason: check.unjudged,
      evaluations: check.evaluations,
      known: check.known,
    })),
  }))
  const ok = scenarios.every((scenario) => scenario.ok) && (mayLack || reports.some(isJudged))
  return jsonText({ ok, lookedAt: sumEvidence(reports), scenarios })
}

const toJsonPlace = ({ file, line, column }: SourceLocation) => ({ file, line, col: column })

/**
 * Formats a GitHub workflow command for each failure and for each expectation that was not judged, which GitHub shows at
 * the line of the file, and what was looked at.
 */
function formatAnnotations(reports: readonly RunReport[]): string {
  const annotate = (kind: string, { file, line, column }: SourceLocation, title: string, text: string) =>
    `::${kind} file=${escapeProperty(file)},line=${line},col=${column},title=${escapeProperty(title)}::${escapeData(text)}`
  const lines = reports.flatMap((report) => [
    ...listFailures(report).map(({ place, message, failure }) => {
      const text = `expected ${failure.expected}\ngot      ${failure.got}\nreplay   ${report.replay}`
      return annotate('error', place, message ?? report.name, text)
    }),
    ...report.checks.flatMap(({ place, text, unjudged }) =>
      unjudged === null ? [] : [annotate('notice', place, `not judged: ${text}`, unjudged)],
    ),
  ])
  return [...lines, formatEvidence(sumEvidence(reports))].map((line) => `${line}\n`).join('')
}

function formatSummary(reports: readonly RunReport[], sources: ReadonlyMap<string, string>): string {
  const lines = [
    `## otcsim: ${formatVerdict(reports)}`,
    '',
    '| | scenario | seed | expectations | digest |',
    '|---|---|---|---|---|',
    ...reports.map((report) => {
      const cells = [
        icons[nameVerdict(report)],
        escapeCell(report.name),
        isOverall(report) ? 'all' : escapeCell(report.seed),
        formatHeld(report),
        isOverall(report) ? '' : `\`${report.digest}\``,
      ]
      return `| ${cells.join(' | ')} |`
    }),
    '',
    formatEvidence(sumEvidence(reports)),
  ]
  for (const report of reports) {
    for (const failed of listFailures(report)) {
      const code = ['```text', ...formatFailure(failed, report, sources), '```']
      const title = `### ${escapeCell(failed.message ?? report.name)}`
      lines.push('', title, '', `\`${formatPlace(failed.place)}\``, '', ...code)
    }
    for (const { place, text, unjudged } of report.checks)
      if (unjudged !== null)
        lines.push('', `- not judged: \`${text}\` at \`${formatPlace(place)}\`: ${escapeCell(unjudged)}`)
  }
  return `${lines.join('\n')}\n`
}

const icons = { passed: '✅', failed: '❌', 'not judged': '➖' } as const

const escapeCell = (text: string): string =>
  text.replaceAll('|', '\\|').replaceAll('\n', ' ').replaceAll('<', '&lt;')

/** Escapes the message of a workflow command, as GitHub's own toolkit does. */
const escapeData = (text: string): string =>
  text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A')

const escapeProperty = (text: string): string =>
  escapeData(text).replaceAll(':', '%3A').replaceAll(',', '%2C')

/**
 * Formats all runs as JUnit XML: a suite for each run, a case for each expectation, which is skipped when it was not
 * judged. A run without expectations has one case, which failed or was skipped.
 *
 * Choice: cases have no `file` and `line`, because Jenkins' schema (junit-10.xsd) forbids them. The suite has the file,
 * and a failure's text begins with the place.
 */
function formatJunitReport(reports: readonly RunReport[], sources: ReadonlyMap<string, string>): string {
  const suites = reports.map((report) => formatSuite(report, sources))
  const tests = reports.reduce((sum, report) => sum + listCases(report).length, 0)
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
  const cases = listCases(report)
  const failures = listFailures(report).length
  const skipped = cases.filter(({ unjudged }) => unjudged !== null).length
  // Expectations are judged during the run, so each gets an equal share of its time.
  const share = formatSeconds(report.wallMillis / cases.length)
  const lookedAt = listEvidence(report.lookedAt).map(([thing, count]) => [`lookedAt.${thing}`, String(count)])
  const noEffect = report.idle.map((entry) => ['noEffect', entry])
  const properties = [['seed', report.seed], ['digest', report.digest], ...lookedAt, ...noEffect]
  return [
    `    <testsuite ${formatAttributes({ name: report.name, file: report.file })} tests="${cases.length}" failures="${failures}" errors="0" skipped="${skipped}" time="${formatSeconds(report.wallMillis)}">`,
    '        <properties>',
    ...properties.map(
      ([name = '', value = '']) => `            <property ${formatAttributes({ name, value })}/>`,
    ),
    '        </properties>',
    ...cases.map((one) => formatCase(one, report, share, sources)),
    '    </testsuite>',
  ].join('\n')
}

type Case = Omit<Check, 'evaluations' | 'known'> & { readonly count: EvaluationCount | null }

/** Lists the cases of a report's suite, at least one. */
function listCases(report: RunReport): readonly Case[] {
  const { checks, file, lack, aggregateCount } = report
  const cases = checks.map((check): Case => ({ ...check, count: check }))
  if (lack !== null)
    return [...cases, ...listFailures({ ...report, checks: [] }).map((failed) => ({ ...failed, ...untold }))]
  if (cases.length > 0) return cases
  const unjudged = aggregateCount === 0 ? 'there is no expectation' : 'it is judged with all other runs'
  const place = { file, line: 1, column: 1 }
  return [{ text: 'something is judged', message: null, place, ...untold, failure: null, unjudged }]
}

const untold = { unjudged: null, count: null }

function formatCase(
  one: Case,
  report: RunReport,
  time: string,
  sources: ReadonlyMap<string, string>,
): string {
  const { text, message, place, failure, unjudged, count } = one
  const name = message === null ? text : `${message} (${text})`
  const parts: string[] = []
  if (unjudged !== null) parts.push(`<skipped ${formatAttributes({ message: unjudged })}/>`)
  if (failure !== null) {
    const lines = formatFailure({ ...one, failure }, report, sources)
    const about = { message: message ?? `expected ${failure.expected}`, type: 'ExpectationFailed' }
    const body = escapeText([formatPlace(place), ...lines].join('\n'))
    parts.push(`<failure ${formatAttributes(about)}>\n${body}\n            </failure>`)
  }
  if (count !== null) parts.push(`<system-out>${formatCounts(count)}</system-out>`)
  return [
    `        <testcase ${formatAttributes({ classname: report.name, name })} time="${time}">`,
    ...parts.map((part) => `            ${part}`),
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
