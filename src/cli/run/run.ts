import type { RecordedNow } from '../../scenario/run/recorded-values.ts'
import { CliFailure, exitCode } from '../failure.ts'
import { pairsOf, type Shard } from '../option-parsers.ts'
import { progressLine } from '../progress.ts'
import { type MatrixFile, openMatrix } from '../scenario/scenario-files.ts'
import type { Terminal } from '../terminal.ts'
import { judgeMatrix } from './judge-matrix.ts'
import type { ReporterChoice } from './reporter-choices.ts'
import { type Reporting, startReporting } from './reporters.ts'
import type { LiveOptions } from './run-live.ts'
import { type RunTask, runOne } from './run-one.ts'
import { planRuns } from './run-plan.ts'
import type { RunReport } from './run-report.ts'
import { asRecorded, recordedIn, writeRecorded } from './run-update.ts'
import { watchFiles } from './run-watch.ts'

export interface RunOptions {
  readonly reporter: readonly ReporterChoice[]
  /** Where to write an HTML report as well. */
  readonly report?: string
  readonly param?: unknown
  readonly seed?: string
  readonly only?: string
  readonly shard?: Shard
  readonly bail?: boolean
  readonly update?: boolean
  readonly watch?: boolean
  readonly jobs?: number
  /** A command line: the client that runs with the scenarios. */
  readonly client?: string
  readonly wallLimit?: number
  readonly account?: string
}

/** Runs scenarios and reports them. Fails when an expectation did; with `watch`, continues until it is stopped. */
export async function run(files: readonly string[], options: RunOptions, terminal: Terminal): Promise<void> {
  if (options.watch !== true) return runOnce(files, options, terminal)
  await watchFiles(
    files,
    (chosen) => tellFailures(() => runOnce(chosen, options, terminal), terminal),
    (file) => sourcesOf(file, options, terminal),
    terminal,
  )
}

async function runOnce(files: readonly string[], options: RunOptions, terminal: Terminal): Promise<void> {
  const live = liveOf(options)
  // All files are read before any runs: a typing error in the last one should not cost the time of the first.
  const opened = files.map((file) => openOne(file, options, terminal))
  const sources = new Map(opened.flatMap((file) => [...file.sources]))
  const choices = choicesOf(options)
  const { shard = null } = options
  const plan = planRuns(opened, { only: options.only ?? null, shard, hasCharts: drawsCharts(choices) })
  if (shard !== null && plan.length === 0)
    terminal.err(`the shard ${shard.number}/${shard.of} is empty: there are fewer runs than shards\n`)
  const reporting = startReporting(choices, sources, terminal)
  const recorded: RecordedNow[] = []
  const reports = await runAll(plan, options, live, terminal, (report, { opened: file, variant }) => {
    const values = options.update === true ? recordedIn(file.compile(variant), report) : []
    recorded.push(...values)
    const settled = asRecorded(report, values, sources)
    reporting.ended(settled)
    return settled
  })
  if (shard === null && options.only === undefined) judgeAll(opened, reports, reporting)
  reporting.finish()
  for (const { file, line, from, to } of writeRecorded(recorded, sources, terminal.cwd))
    terminal.err(`updated ${file}:${line}  ${from} -> ${to}\n`)
  const failed = reports.filter(({ ok }) => !ok)
  if (failed.length > 0) {
    const skipped = reports.length < plan.length ? `, ${plan.length - reports.length} not run` : ''
    throw new CliFailure(
      exitCode.expectationFailed,
      `${failed.length} of ${reports.length} scenarios failed${skipped}`,
    )
  }
}

function openOne(scenario: string, options: RunOptions, terminal: Terminal): MatrixFile {
  const params = pairsOf(options.param)
  return openMatrix({ scenario, cwd: terminal.cwd, params, seed: options.seed ?? null })
}

function liveOf({ client, wallLimit, account }: RunOptions): LiveOptions | null {
  if (client === undefined) return null
  return { client, account: account ?? null, wallLimitMillis: wallLimit ?? 600_000 }
}

const choicesOf = ({ reporter, report }: RunOptions): readonly ReporterChoice[] =>
  report === undefined ? reporter : [...reporter, { kind: 'html', file: report }]

const drawsCharts = (choices: readonly ReporterChoice[]): boolean =>
  choices.some(({ kind }) => kind === 'html')

/**
 * The reports in the order of the plan, from whatever threads; fewer of them when one failed and `bail` was asked
 * for.
 */
async function runAll(
  plan: readonly RunTask[],
  options: RunOptions,
  live: LiveOptions | null,
  terminal: Terminal,
  ended: (report: RunReport, task: RunTask) => RunReport,
): Promise<RunReport[]> {
  const reports: RunReport[] = []
  // Choice: clients run one after the other, because each may use something that exists once, such as a port.
  const jobs = live === null ? Math.min(options.jobs ?? 1, plan.length) : 1
  const pool = jobs > 1 ? (await import('./run-pool.ts')).startRunPool(jobs) : null
  try {
    const pending = pool === null ? [] : plan.map((task) => pool.run(task))
    for (const promise of pending) promise.catch(() => {})
    for (const [place, task] of plan.entries()) {
      const report = ended(await (pending[place] ?? runHere(task, live, terminal)), task)
      reports.push(report)
      if (!report.ok && options.bail === true) break
    }
  } finally {
    await pool?.close()
  }
  return reports
}

async function runHere(task: RunTask, live: LiveOptions | null, terminal: Terminal): Promise<RunReport> {
  const scenario = task.opened.compile(task.variant)
  if (live !== null) {
    const { runLive } = await import('./run-live.ts')
    return runLive(scenario, task, live, terminal)
  }
  const progress = progressLine(terminal, scenario.name)
  const report = runOne(scenario, task, progress.tell)
  progress.end()
  return report
}

/** What is judged over all runs of a file comes after them. */
function judgeAll(opened: readonly MatrixFile[], reports: RunReport[], reporting: Reporting): void {
  for (const file of opened) {
    const [first] = file.variants
    const own = reports.filter((report) => report.file === file.file)
    if (first === undefined || own.length < file.variants.length) continue
    const judged = judgeMatrix(file.compile(first), file, own)
    if (judged === null) continue
    reports.push(judged)
    reporting.ended(judged)
  }
}

/** Work whose failures are reported, and do not end the command. */
async function tellFailures(work: () => Promise<void>, terminal: Terminal): Promise<void> {
  try {
    await work()
  } catch (error) {
    if (!(error instanceof CliFailure)) throw error
    terminal.err(`${error.message}\n`)
  }
}

/** The files that a scenario is read from, as far as it can be read at all. */
function sourcesOf(file: string, options: RunOptions, terminal: Terminal): readonly string[] {
  try {
    const opened = openOne(file, options, terminal)
    return [opened.path, ...opened.sources.keys()]
  } catch (error) {
    if (error instanceof CliFailure) return [file]
    throw error
  }
}
