import { quoteShellWord } from '../../backtest/parameters.ts'
import type { CompiledScenario } from '../../scenario/compile/compiled.ts'
import type { Variant } from '../../scenario/file/params.ts'
import { computeEndMillis, type Progress, runScenario } from '../../scenario/run/run-scenario.ts'
import type { MatrixFile } from '../scenario/scenario-files.ts'
import { createRunReport, type RunReport } from './run-report.ts'
import { recordSeries, targetSamples } from './run-series.ts'

export interface RunTask {
  readonly opened: MatrixFile
  readonly variant: Variant
  /** Whether prices and equity are recorded for charts. */
  readonly hasCharts: boolean
}

export function runOne(scenario: CompiledScenario, task: RunTask, progress: Progress): RunReport {
  const { opened, hasCharts } = task
  const startedAt = performance.now()
  const recorder =
    hasCharts || scenario.report.hasCharts ? recordSeries(scenario, computeEndMillis(scenario)) : null
  // With charts or without, a run stops as often, so that it counts the same evaluations.
  const observer = recorder === null ? {} : { watch: recorder.look, sink: recorder.sink }
  const run = runScenario(scenario, { progress, stops: targetSamples, ...observer })
  return createRunReport(scenario, run, {
    file: opened.file,
    replay: formatReplayCommand(opened, task.variant, scenario.venue.seed),
    requests: null,
    series: recorder?.series ?? null,
    wallMillis: performance.now() - startedAt,
  })
}

/** Formats the command that repeats a run; without a variant, that of all runs of the matrix. */
export function formatReplayCommand(
  { file, request }: MatrixFile,
  variant: Variant | null,
  seed: string,
): string {
  const isOfMatrix = variant === null || variant.name !== ''
  const seeded = isOfMatrix ? request.seed : seed
  return [
    `npx otcsim run ${quoteShellWord(file)}`,
    ...(seeded === null ? [] : [`--seed ${quoteShellWord(seeded)}`]),
    ...[...request.params].map(([name, value]) => `--param ${quoteShellWord(`${name}=${value}`)}`),
    ...(isOfMatrix && variant !== null ? [`--only ${quoteShellWord(`[${variant.name}]`)}`] : []),
  ].join(' ')
}
