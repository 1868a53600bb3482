import { type FSWatcher, readFileSync, watch } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { CompiledScenario } from '../../scenario/compile/compiled.ts'
import type { SourceLocation } from '../../scenario/file/tree.ts'
import type { RecordedReplacement } from '../../scenario/run/expectation-evaluator.ts'
import { decodeText } from '../../shape/decode-text.ts'
import { defineCommand } from '../define-command.ts'
import { CliFailure, exitCode, usageFailure } from '../failure.ts'
import { writeFile } from '../files.ts'
import {
  accountFlag,
  aFlag,
  aSwitch,
  cacheFlag,
  configFlag,
  type FlagsOf,
  pairsOf,
  paramFlag,
  parsedFlag,
  parseSeed,
  parseShard,
  parseSpan,
  type Shard,
  wholeNumber,
} from '../flags.ts'
import { type MatrixFile, openMatrix, reportFilesRead } from '../scenario/scenario-files.ts'
import { startCountLine, startProgressLine, type Terminal } from '../terminal.ts'
import { findFileLack, isSingleRun, judgeFile } from './judge-file.ts'
import type { PageOfFailure } from './report-html.ts'
import { parseReporters, type ReporterChoice, startReporting } from './reporters.ts'
import { type RunTask, runOne } from './run-one.ts'
import { formatPlace, isJudged, isOverall, judgeChecks, type RunReport } from './run-report.ts'
import type { PoolAnswer, PoolTask } from './run-worker.ts'

const needsClient = { needs: ['client'] }

const runFlags = {
  reporter: {
    ...parsedFlag(
      parseReporters,
      '<list>',
      'how to report: pretty, json, junit, github, html; several comma-separated, KIND:FILE into a file',
      { default: parseReporters('pretty') },
    ),
    defaultText: 'pretty',
  },
  html: {
    ...aFlag('<file>', 'also write one HTML file with charts of prices, spreads, depth and volume'),
    formerNames: ['report'],
  },
  param: paramFlag,
  cache: cacheFlag,
  seed: parsedFlag(
    parseSeed,
    '<text>',
    "the seed to use instead of the scenario's, or of all seeds of a matrix",
  ),
  only: aFlag('<text>', 'only runs whose file or variant contains this'),
  shard: parsedFlag(parseShard, '<i/n>', 'only every n-th run, from the i-th on'),
  allowNoExpectations: aSwitch('do not fail where no expectation was judged', { default: false }),
  bail: aSwitch('stop after the first run that fails', { default: false }),
  jobs: parsedFlag(wholeNumber(1, 256), '<count>', 'threads that run at the same time'),
  client: aFlag('<command>', 'serve each scenario, run this command against it, and judge the result'),
  account: accountFlag('give the client the key of', needsClient),
  wallLimit: parsedFlag(
    parseSpan,
    '<duration>',
    'how long a run with a client may take in real time (10m)',
    needsClient,
  ),
  update: aSwitch('rewrite pinned digests and recorded values'),
  watch: aSwitch('run scenarios again when they change, until stopped', { default: false }),
  config: configFlag,
}

type RunOptions = FlagsOf<typeof runFlags>

export const runCommand = defineCommand({
  flags: runFlags,
  takes: { '<files...>': 'scenario files, or names of shipped scenarios' },
  conflicts: [
    { with: 'client', options: ['update', 'jobs'] },
    // Values recorded under another seed would break the file's own run.
    { with: 'update', options: ['seed'] },
  ],
  act: run,
})

/**
 * Runs scenarios and reports them. Fails when an expectation failed. With `--watch`, continues until it is stopped, and then
 * fails where a scenario has failed when it was run last, or was not judged to its end.
 */
async function run(options: RunOptions, terminal: Terminal, files: readonly string[]): Promise<void> {
  if (options.watch !== true) return runOnce(files, options, terminal)
  const unsettled = new Set(files)
  const runAgain = async (chosen: readonly string[]): Promise<void> => {
    for (const file of chosen) unsettled.add(file)
    const settle = (file: string): unknown => unsettled.delete(file)
    await reportFailures(() => runOnce(chosen, options, terminal, settle), terminal)
  }
  await watchFiles(files, runAgain, (file) => listSources(file, options, terminal), terminal)
  if (unsettled.size > 0)
    throw new CliFailure(
      exitCode.expectationFailed,
      `stopped, and not all is well: the last run of ${[...unsettled].join(', ')} failed, or was not judged to its end`,
    )
}

/** Runs scenarios once and reports them. `settle` is called with each file of which every run has passed. */
async function runOnce(
  files: readonly string[],
  options: RunOptions,
  terminal: Terminal,
  settle: (file: string) => void = () => {},
): Promise<void> {
  // All files are read before the first run, so that a mistake in the last file is reported at once.
  const opened = files.map((file) => openFile(file, options, terminal))
  const sources = new Map(opened.flatMap((file) => [...file.sources]))
  const { html: page, only, reporter, shard } = options
  const choices: readonly ReporterChoice[] =
    page === undefined ? reporter : [...reporter, { kind: 'html', file: page }]
  const hasCharts = choices.some(({ kind }) => kind === 'html')
  const plan = planRuns(opened, only, shard).map((one): RunTask => ({ ...one, hasCharts }))
  const mayLack = options.allowNoExpectations === true
  const reporting = startReporting(choices, sources, terminal, mayLack)
  const recorded: RecordedReplacement[] = []
  const reports = await runAll(plan, options, terminal, (report, { opened: file, variant }) => {
    const values = options.update === true ? listRecorded(file.compile(variant), report) : []
    recorded.push(...values)
    const settled = settleRun(applyRecorded(report, values, sources), file, mayLack)
    reporting.add(settled)
    return settled
  })
  const wholeOf = new Map(
    opened.map((file) => {
      const own = reports.filter((_, place) => plan[place]?.opened === file)
      const [first] = file.variants
      return [file, first === undefined ? null : judgeFile(file.compile(first), file, own, mayLack)]
    }),
  )
  const wholes = [...wholeOf.values()].filter((whole) => whole !== null)
  for (const whole of wholes) reporting.add(whole)
  const ran = reports.flatMap((report, place) =>
    plan[place] === undefined ? [] : ([[report, plan[place]]] as const),
  )
  reporting.finish(await writePages(choices, ran, terminal))
  writeRecorded(recorded, sources, terminal)
  for (const [place, file] of opened.entries()) {
    const own = plan.flatMap((one, at) => (one.opened === file ? [reports[at]] : []))
    const hasPassed =
      own.length > 0 && own.every((report) => report?.ok === true) && wholeOf.get(file)?.ok !== false
    if (hasPassed) settle(files[place] ?? '')
  }
  if (plan.length === 0) endEmptyShard(shard, mayLack, terminal)
  endFailed([...reports, ...wholes], plan.length - reports.length)
}

/** Writes the pages of the console at failures beside each report in HTML. Returns the pages of each by its file. */
async function writePages(
  choices: readonly ReporterChoice[],
  ran: readonly (readonly [RunReport, RunTask])[],
  terminal: Terminal,
): Promise<ReadonlyMap<string, PageOfFailure>> {
  const pagesOf = new Map<string, PageOfFailure>()
  const files = choices.flatMap(({ kind, file }) => (kind === 'html' && file !== null ? [file] : []))
  if (files.length === 0 || ran.every(([{ ok }]) => ok)) return pagesOf
  const { writeFailurePages } = await import('./failure-pages.ts')
  for (const file of files) pagesOf.set(file, await writeFailurePages(file, ran, terminal))
  return pagesOf
}

/** Makes a failure of a report that is the only one of its file and has judged nothing, unless that may be. */
function settleRun(report: RunReport, file: MatrixFile, mayLack: boolean): RunReport {
  const lack = mayLack || !isSingleRun(file, report) ? null : findFileLack([report])
  return { ...report, ...judgeChecks(report.checks, lack, report.requests) }
}

/** Ends the command when any run failed. */
function endFailed(reports: readonly RunReport[], notRun: number): void {
  const failed = reports.filter(({ ok }) => !ok)
  if (failed.length === 0) return
  const skipped = notRun > 0 ? `, ${notRun} not run` : ''
  const lacks = failed.flatMap(({ name, lack }) =>
    lack === null ? [] : [`${name}: nothing was judged: ${lack}`],
  )
  const judged = reports.filter((report) => !report.ok || !isOverall(report) || isJudged(report))
  const count = `${failed.length} of ${judged.length} scenarios failed${skipped}`
  throw new CliFailure(exitCode.expectationFailed, [count, ...lacks].join('\n'))
}

function endEmptyShard(shard: Shard | undefined, mayLack: boolean, terminal: Terminal): void {
  const part = shard === undefined ? '' : `the shard ${shard.number}/${shard.of} is empty: `
  const said = `nothing was judged: ${part}there are fewer runs than shards`
  if (!mayLack) throw new CliFailure(exitCode.expectationFailed, said)
  terminal.err(`${said}\n`)
}

function openFile(scenario: string, options: RunOptions, terminal: Terminal): MatrixFile {
  const params = pairsOf(options.param)
  const opened = openMatrix({
    scenario,
    cwd: terminal.cwd,
    params,
    seed: options.seed ?? null,
    cache: options.cache,
  })
  const [first] = opened.variants
  if (first !== undefined) reportFilesRead(opened.compile(first), terminal)
  return opened
}

/** Runs the plan, here or on threads. Reports are in its order; with `--bail` they end with the first failure. */
async function runAll(
  plan: readonly RunTask[],
  options: RunOptions,
  terminal: Terminal,
  onReport: (report: RunReport, task: RunTask) => RunReport,
): Promise<RunReport[]> {
  const reports: RunReport[] = []
  const line = startCountLine(terminal, 'runs')
  let [done, failed] = [0, 0]
  const count = ({ ok }: RunReport): void => {
    done += 1
    if (!ok) failed += 1
    line.update({ done, of: plan.length, failed })
  }
  const formatPlace = (place: number, failures: number): string =>
    plan.length === 1 ? '' : `${place + 1} of ${plan.length} runs  ${failures} failed  `
  // Choice: clients run one after the other, because each may use something that exists once, such as a port.
  const jobs = options.client === undefined ? Math.min(options.jobs ?? 1, plan.length) : 1
  const pool = jobs > 1 ? await startRunThreads(jobs) : null
  try {
    const pending = pool === null ? [] : plan.map((task) => pool.run(task))
    for (const promise of pending) promise.then(count, () => {})
    for (const [place, task] of plan.entries()) {
      const ran = await (pending[place] ?? runHere(task, options, terminal, formatPlace(place, failed)))
      line.clear()
      const report = onReport(ran, task)
      reports.push(report)
      if (pool === null && !report.ok) failed += 1
      if (!report.ok && options.bail === true) break
    }
  } finally {
    line.clear()
    await pool?.end()
  }
  return reports
}

/** Starts threads that each open scenario files themselves. A run has the same result on any thread. */
async function startRunThreads(jobs: number) {
  const { startThreads } = await import('../../backtest/sweep/worker-pool.ts')
  // The worker lies beside this module: TypeScript in the sources, its own bundle in the package.
  const here = fileURLToPath(import.meta.url)
  const workerFile = join(dirname(here), here.endsWith('.ts') ? 'run-worker.ts' : 'run-worker.cjs')
  const threads = startThreads<PoolTask, PoolAnswer>(workerFile, jobs, null)
  const run = async ({ opened: { request }, variant, hasCharts }: RunTask): Promise<RunReport> => {
    const answer = await threads.run({ request, variant, hasCharts })
    if (answer.ok) return answer.report
    throw new CliFailure(answer.code, answer.message)
  }
  return { run, end: () => threads.abort() }
}

/** Runs a task on this thread. `place` is where it stands among others, for its line of progress. */
async function runHere(
  task: RunTask,
  options: RunOptions,
  terminal: Terminal,
  place: string,
): Promise<RunReport> {
  const scenario = task.opened.compile(task.variant)
  const { account = null, client, wallLimit: wallLimitMillis = 600_000 } = options
  if (client !== undefined) {
    const { runLive } = await import('./run-live.ts')
    return runLive(scenario, task, { client, account, wallLimitMillis }, terminal)
  }
  const progress = startProgressLine(terminal, `${place}${scenario.name}`)
  const report = runOne(scenario, task, progress.update)
  progress.end()
  return report
}

/** Reports the failure of `work` without ending the command. */
async function reportFailures(work: () => Promise<void>, terminal: Terminal): Promise<void> {
  try {
    await work()
  } catch (error) {
    if (!(error instanceof CliFailure)) throw error
    terminal.err(`${error.message}\n`)
  }
}

/** Lists the files that a scenario is read from; the scenario itself when it cannot be read. */
function listSources(file: string, options: RunOptions, terminal: Terminal): readonly string[] {
  try {
    const opened = openFile(file, options, terminal)
    return [opened.path, ...opened.sources.keys()]
  } catch (error) {
    if (error instanceof CliFailure) return [file]
    throw error
  }
}

/** Plans the runs of all files, in order. A shard takes every n-th run, which spreads a matrix evenly. */
function planRuns(files: readonly MatrixFile[], only: string | undefined, shard: Shard | undefined) {
  const all = files.flatMap((opened) => opened.variants.map((variant) => ({ opened, variant })))
  const chosen = all.filter(
    ({ opened, variant }) => only === undefined || `${opened.file} [${variant.name}]`.includes(only),
  )
  if (only !== undefined && chosen.length === 0)
    throw usageFailure(`no run's file or variant contains "${only}"`)
  return shard === undefined ? chosen : chosen.filter((_, place) => place % shard.of === shard.number - 1)
}

/** Changes within this time count as one, because editors write a file in several steps. */
const settleMillis = 100

/**
 * Runs all scenarios, then each one whose files change, until the terminal asks to stop. `filesOf` lists the files that
 * a scenario is read from.
 */
async function watchFiles(
  scenarios: readonly string[],
  runAgain: (scenarios: readonly string[]) => Promise<unknown>,
  filesOf: (scenario: string) => readonly string[],
  terminal: Terminal,
): Promise<void> {
  const resolvePaths = (scenario: string) => filesOf(scenario).map((file) => resolve(terminal.cwd, file))
  const watchers = new Map<string, FSWatcher>()
  const changed = new Set<string>()
  let changeCount = 0
  let wake = (): void => {}
  // Folders are watched, not files, because an editor may replace a file by a new one.
  const watchFolders = (): void => {
    for (const folder of new Set(scenarios.flatMap(resolvePaths).map((path) => dirname(path)))) {
      if (watchers.has(folder)) continue
      const note = (_: string, name: string | null): void => {
        if (name !== null) changed.add(resolve(folder, basename(name)))
        changeCount += 1
        wake()
      }
      watchers.set(folder, watch(folder, note))
    }
  }
  const runAll = async (): Promise<never> => {
    for (let chosen = scenarios; ; changed.clear()) {
      if (chosen.length > 0) {
        await runAgain(chosen)
        watchFolders()
        terminal.err(
          `watching ${scenarios.length === 1 ? 'it' : `${scenarios.length} scenarios`} for changes\n`,
        )
      }
      if (changed.size === 0)
        await new Promise<void>((resolve) => {
          wake = resolve
        })
      for (let seen = -1; seen !== changeCount; await delay(settleMillis)) seen = changeCount
      chosen = scenarios.filter((scenario) => resolvePaths(scenario).some((path) => changed.has(path)))
    }
  }
  let stopListening = (): void => {}
  const stopped = new Promise<void>((resolve) => {
    stopListening = terminal.onStop(resolve)
  })
  try {
    watchFolders()
    await Promise.race([stopped, runAll()])
  } finally {
    for (const watcher of watchers.values()) watcher.close()
    stopListening()
  }
}

/** Lists the recorded values and the pinned digest of a run, each with its place in a file. */
function listRecorded(scenario: CompiledScenario, report: RunReport): readonly RecordedReplacement[] {
  const { pinned } = scenario
  const pin = pinned === null ? [] : [{ place: pinned.place, length: pinned.length, text: report.digest }]
  return [...report.recorded, ...pin]
}

/** Removes the failures that writing the recorded values will mend from a run's report. */
function applyRecorded(
  report: RunReport,
  values: readonly RecordedReplacement[],
  sources: ReadonlyMap<string, string>,
): RunReport {
  const changed = values.filter(({ place, length, text }) => {
    const line = sources.get(place.file)?.split('\n')[place.line - 1] ?? ''
    return line.slice(place.column - 1, place.column - 1 + length) !== text
  })
  const changedPlaces = new Set(changed.map(({ place }) => formatPlace(place)))
  const isMended = (bound: SourceLocation): boolean => changedPlaces.has(formatPlace(bound))
  const checks = report.checks.map((check) =>
    check.failure?.places.every(isMended) === true
      ? { ...check, failure: null, unjudged: 'its values are recorded anew' }
      : check,
  )
  return { ...report, checks }
}

/**
 * Replaces recorded values in their files; comments and layout stay. Errors: two runs record different values in one
 * place; a file has changed since it was read, or cannot be written.
 */
function writeRecorded(
  values: readonly RecordedReplacement[],
  sources: ReadonlyMap<string, string>,
  { cwd, err }: Terminal,
): void {
  for (const [file, source] of sources) {
    const own = sortFromEnd(values.filter(({ place }) => place.file === file))
    if (own.length === 0) continue
    if (decodeText(readFileSync(resolve(cwd, file))) !== source)
      throw usageFailure(`${file} has changed since it was read; nothing was written`)
    const lines = source.split('\n')
    const changes: string[] = []
    for (const { place, length, text } of own) {
      const line = lines[place.line - 1] ?? ''
      const start = place.column - 1
      const from = line.slice(start, start + length)
      if (from === text) continue
      lines[place.line - 1] = line.slice(0, start) + text + line.slice(start + length)
      changes.push(`updated ${file}:${place.line}  ${from} -> ${text}\n`)
    }
    if (changes.length > 0) writeFile(cwd, file, lines.join('\n'))
    for (const change of changes) err(change)
  }
}

/** Sorts values from the last place to the first, so that no replacement moves a later one. */
function sortFromEnd(values: readonly RecordedReplacement[]): readonly RecordedReplacement[] {
  const byPlace = new Map<string, RecordedReplacement>()
  for (const value of values) {
    const key = formatPlace(value.place)
    const known = byPlace.get(key)
    if (known !== undefined && known.text !== value.text) {
      const reason = `runs of one matrix differ in what they record (${known.text}, ${value.text})`
      throw usageFailure(`${key}: ${reason}; a pin holds one run: choose it by --only`)
    }
    byPlace.set(key, value)
  }
  return [...byPlace.values()].sort(
    (left, right) => right.place.line - left.place.line || right.place.column - left.place.column,
  )
}
