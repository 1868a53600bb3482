import type { CompiledScenario } from '../scenario/compiled.ts'
import type { ScenarioRun } from '../scenario/run-scenario.ts'

/** A scenario after its run, with what reporters need to show it. */
export interface FinishedScenario {
  readonly file: string
  readonly scenario: CompiledScenario
  readonly run: ScenarioRun
  readonly ok: boolean
  /** The file's text by lines, for code frames. */
  readonly sourceLines: readonly string[]
}

/** The machine's form of a whole run (design section 16): one document. */
export function jsonReport(finished: readonly FinishedScenario[]): string {
  const scenarios = finished.map(({ file, scenario, run, ok }) => ({
    name: scenario.name,
    file,
    seed: scenario.venue.seed,
    ok,
    digest: run.digest,
    sequence: run.sequence,
    failures: run.failures.map(({ expectation, expected, got }) => ({
      file: expectation.place.file,
      line: expectation.place.line,
      col: expectation.place.column,
      expected,
      got,
      message: expectation.message,
    })),
  }))
  return `${JSON.stringify({ ok: scenarios.every((scenario) => scenario.ok), scenarios }, null, 2)}\n`
}
