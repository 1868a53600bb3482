import { appendFileSync } from 'node:fs'
import { writeReason } from '../failure.ts'
import { painter, type Terminal } from '../terminal.ts'
import { writeFile } from '../write-file.ts'
import { githubAnnotations, githubSummary } from './report-github.ts'
import { htmlReport } from './report-html.ts'
import { jsonReport } from './report-json.ts'
import { junitReport } from './report-junit.ts'
import { prettyReport } from './report-pretty.ts'
import type { ReporterChoice, ReporterKind } from './reporter-choices.ts'
import type { RunReport } from './run-report.ts'

/** Shows runs as they end, and all of them when the last one has. */
export interface Reporting {
  readonly ended: (report: RunReport) => void
  readonly finish: () => void
}

export function startReporting(
  choices: readonly ReporterChoice[],
  sources: ReadonlyMap<string, string>,
  terminal: Terminal,
): Reporting {
  const reports: RunReport[] = []
  const paint = painter(terminal, terminal.isOutTty)
  const streams = choices.some(({ kind, file }) => kind === 'pretty' && file === null)
  return {
    ended: (report) => {
      reports.push(report)
      if (streams) terminal.out(prettyReport(report, sources, paint))
    },
    finish: () => {
      for (const { kind, file } of choices) {
        if (kind === 'github') writeSummary(githubSummary(reports, sources), terminal)
        if (kind === 'pretty' && file === null) continue
        const text = documentOf(kind, reports, sources)
        if (file === null) terminal.out(text)
        else writeFile(terminal.cwd, file, text)
      }
    },
  }
}

function documentOf(
  kind: ReporterKind,
  reports: readonly RunReport[],
  sources: ReadonlyMap<string, string>,
): string {
  switch (kind) {
    case 'json':
      return jsonReport(reports)
    case 'junit':
      return junitReport(reports, sources)
    case 'github':
      return githubAnnotations(reports)
    case 'html':
      return htmlReport(reports, sources)
    case 'pretty':
      return reports.map((report) => prettyReport(report, sources, (_, text) => text)).join('')
  }
}

/** Where GitHub's runner wants it; nowhere else. */
function writeSummary(text: string, terminal: Terminal): void {
  const path = terminal.env['GITHUB_STEP_SUMMARY']
  if (path === undefined || path === '') return
  try {
    appendFileSync(path, text)
  } catch (error) {
    terminal.err(`cannot write the summary to ${path}: ${writeReason(error)}\n`)
  }
}
