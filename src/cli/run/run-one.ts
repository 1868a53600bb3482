import { shellWord } from '../../backtest/command-words.ts'
import type { CompiledScenario } from '../../scenario/compile/compiled.ts'
import type { Variant } from '../../scenario/read/matrix.ts'
import { endOf, type Progress, runScenario } from '../../scenario/run/run-scenario.ts'
import type { MatrixFile } from '../scenario/scenario-files.ts'
import { type RunReport, reportOf } from './run-report.ts'
import { looksWanted, recordSeries } from './run-series.ts'

/** One run to carry out. */
export interface RunTask {
  readonly opened: MatrixFile
  readonly variant: Variant
  /** Whether prices and equities are kept for charts. */
  readonly hasCharts: boolean
}

/** Runs a scenario and reports the outcome. */
export function runOne(scenario: CompiledScenario, task: RunTask, progress: Progress): RunReport {
  const { opened, hasCharts } = task
  const startedAt = performance.now()
  const recorder = hasCharts || scenario.report.hasCharts ? recordSeries(scenario, endOf(scenario)) : null
  const run = runScenario(scenario, {
    progress,
    ...(recorder === null ? {} : { watch: recorder.look, sink: recorder.sink, stops: looksWanted }),
  })
  return reportOf({
    scenario,
    run,
    file: opened.file,
    replay: replayCommand(opened, task.variant, scenario.venue.seed),
    series: recorder === null ? null : recorder.series,
    wallMillis: performance.now() - startedAt,
  })
}

/** The command that repeats one run; of a matrix's all runs unless a variant of it is given. */
export function replayCommand({ file, request }: MatrixFile, variant: Variant | null, seed: string): string {
  const isOfMatrix = variant === null || variant.name !== ''
  const seeded = isOfMatrix ? request.seed : seed
  return [
    `otcsim run ${shellWord(file)}`,
    ...(seeded === null ? [] : [`--seed ${shellWord(seeded)}`]),
    ...[...request.params].map(([name, value]) => `--param ${shellWord(`${name}=${value}`)}`),
    ...(isOfMatrix && variant !== null ? [`--only ${shellWord(`[${variant.name}]`)}`] : []),
  ].join(' ')
}
