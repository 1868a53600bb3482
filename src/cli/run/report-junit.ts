import { failureLines } from './failure-lines.ts'
import { type Check, failuresOf, type RunReport } from './run-report.ts'

/**
 * JUnit's XML, in the shape that test runners write and CI systems read: a suite for each run, a case for each
 * expectation. A run without expectations has one case, which is that it came to its end.
 *
 * Choice: cases have no `file` and `line`, because Jenkins' schema (junit-10.xsd) refuses files that have them there. The
 * suite has the file, and a failure's text begins with the place.
 */
export function junitReport(reports: readonly RunReport[], sources: ReadonlyMap<string, string>): string {
  const suites = reports.map((report) => suiteOf(report, sources))
  const tests = reports.reduce((sum, report) => sum + Math.max(1, report.checks.length), 0)
  const failures = reports.reduce((sum, report) => sum + failuresOf(report).length, 0)
  const time = seconds(reports.reduce((sum, report) => sum + report.wallMillis, 0))
  return [
    '<?xml version="1.0" encoding="UTF-8" ?>',
    `<testsuites name="otcsim run" tests="${tests}" failures="${failures}" errors="0" time="${time}">`,
    ...suites,
    '</testsuites>',
    '',
  ].join('\n')
}

function suiteOf(report: RunReport, sources: ReadonlyMap<string, string>): string {
  const checks = report.checks.length === 0 ? [endOf(report)] : report.checks
  const failures = failuresOf(report).length
  // The time of a run is not that of its expectations, which are judged along the way.
  const share = seconds(report.wallMillis / checks.length)
  return [
    `    <testsuite ${attributes({ name: report.name, file: report.file })} tests="${checks.length}" failures="${failures}" errors="0" skipped="0" time="${seconds(report.wallMillis)}">`,
    '        <properties>',
    `            <property ${attributes({ name: 'seed', value: report.seed })}/>`,
    `            <property ${attributes({ name: 'digest', value: report.digest })}/>`,
    '        </properties>',
    ...checks.map((check) => caseOf(check, report, share, sources)),
    '    </testsuite>',
  ].join('\n')
}

const endOf = ({ file }: RunReport): Check => ({
  text: 'runs to its end',
  message: null,
  place: { file, line: 1, column: 1 },
  failure: null,
})

function caseOf(check: Check, report: RunReport, time: string, sources: ReadonlyMap<string, string>): string {
  const { text, message, place, failure } = check
  const name = message === null ? text : `${message} (${text})`
  const about = attributes({ classname: report.name, name })
  if (failure === null) return `        <testcase ${about} time="${time}"/>`
  const lines = failureLines({ ...check, failure }, report, sources)
  const body = [`${place.file}:${place.line}:${place.column}`, ...lines].join('\n')
  return [
    `        <testcase ${about} time="${time}">`,
    `            <failure ${attributes({ message: message ?? `expected ${failure.expected}`, type: 'ExpectationFailed' })}>`,
    escapeXml(body),
    '            </failure>',
    '        </testcase>',
  ].join('\n')
}

const seconds = (millis: number): string => (millis / 1000).toFixed(3)

function attributes(values: { readonly [name: string]: string }): string {
  return Object.entries(values)
    .map(([name, value]) => `${name}="${escapeXml(value).replaceAll('\n', '&#10;')}"`)
    .join(' ')
}

/** Characters that XML 1.0 cannot hold at all are left out. */
function escapeXml(text: string): string {
  return [...text]
    .filter((character) => isXml(character.codePointAt(0) ?? 0))
    .join('')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
}

function isXml(code: number): boolean {
  if (code < 0x20) return code === 9 || code === 10 || code === 13
  return (code < 0xd800 || code > 0xdfff) && code !== 0xfffe && code !== 0xffff
}
