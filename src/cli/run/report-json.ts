import { failuresOf, type RunReport } from './run-report.ts'

/** The machine's form of a whole run (design section 16): one document. */
export function jsonReport(reports: readonly RunReport[]): string {
  const scenarios = reports.map((report) => ({
    name: report.name,
    file: report.file,
    seed: report.seed,
    ok: report.ok,
    digest: report.digest,
    sequence: report.sequence,
    failures: failuresOf(report).map(({ place, message, failure }) => ({
      file: place.file,
      line: place.line,
      col: place.column,
      expected: failure.expected,
      got: failure.got,
      message,
    })),
  }))
  return `${JSON.stringify({ ok: scenarios.every((scenario) => scenario.ok), scenarios }, null, 2)}\n`
}
