import { shellWord } from '../../backtest/sweep/replay-command.ts'
import type { CompiledScenario } from '../../scenario/compile/compiled.ts'
import type { Variant } from '../../scenario/read/matrix.ts'
import { endOf, type Progress, runScenario } from '../../scenario/run/run-scenario.ts'
import { type RunReport, reportOf } from './run-report.ts'
import { looksWanted, recordSeries } from './run-series.ts'

/** One run to carry out: plain data, which any thread can take. */
export interface RunTask {
  /** As given to `run`. */
  readonly file: string
  readonly variant: Variant
  /** Whether prices and equities are kept for charts. */
  readonly hasCharts: boolean
}

/** Runs a scenario and reports what came of it. */
export function runOne(scenario: CompiledScenario, task: RunTask, progress: Progress): RunReport {
  const { file, variant, hasCharts } = task
  const startedAt = performance.now()
  const recorder = hasCharts || scenario.report.hasCharts ? recordSeries(scenario, endOf(scenario)) : null
  const run = runScenario(scenario, {
    progress,
    ...(recorder === null ? {} : { watch: recorder.look, sink: recorder.sink, stops: looksWanted }),
  })
  return reportOf({
    scenario,
    run,
    file,
    replay: replayCommand(file, scenario.venue.seed, variant),
    series: recorder === null ? null : recorder.series,
    wallMillis: performance.now() - startedAt,
  })
}

function replayCommand(file: string, seed: string, { params }: Variant): string {
  const given = [...params].map(([name, value]) => ` --param ${shellWord(`${name}=${value}`)}`)
  return `otcsim run ${shellWord(file)} --seed ${JSON.stringify(seed)}${given.join('')}`
}
