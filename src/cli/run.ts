import { runScenario } from '../scenario/run-scenario.ts'
import { CliFailure, exitCode } from './failure.ts'
import { isPairs } from './option-parsers.ts'
import { progressLine } from './progress.ts'
import { prettyReport } from './report-pretty.ts'
import { type FinishedScenario, jsonReport } from './run-report.ts'
import { openScenario } from './scenario-files.ts'
import { painter, type Terminal } from './terminal.ts'

export interface RunOptions {
  readonly reporter: string
  readonly param?: unknown
  readonly seed?: string
}

/** Runs scenarios one after the other and reports them. Fails when an expectation did. */
export function run(files: readonly string[], options: RunOptions, terminal: Terminal): void {
  const params = isPairs(options.param) ? options.param : new Map<string, string>()
  const paint = painter(terminal, terminal.isOutTty)
  const finished: FinishedScenario[] = []
  // Every file is read before any is run: a typing error in the last one should not cost the time of the first.
  const opened = files.map((scenario) =>
    openScenario({ scenario, cwd: terminal.cwd, params, seed: options.seed ?? null }),
  )
  for (const { compiled, file, sourceLines } of opened) {
    const progress = progressLine(terminal, compiled.name)
    const done = runScenario(compiled, { progress: progress.tell })
    progress.end()
    const report = { file, scenario: compiled, run: done, ok: done.failures.length === 0, sourceLines }
    finished.push(report)
    if (options.reporter === 'pretty') terminal.out(prettyReport(report, paint))
  }
  if (options.reporter === 'json') terminal.out(jsonReport(finished))
  const failed = finished.filter((report) => !report.ok)
  if (failed.length > 0) {
    throw new CliFailure(
      exitCode.expectationFailed,
      `${failed.length} of ${finished.length} scenarios failed`,
    )
  }
}
