import { existsSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { InvalidArgumentError } from 'commander'
import {
  type CaseRow,
  describeUnknown,
  formatPlan,
  parsePlan,
  planDigest,
  type SweepPlan,
} from '../../backtest/sweep/plan.ts'
import { findRedisProblem, hidePassword, loadQueuePackages, workOnQueue } from '../../backtest/sweep/queue.ts'
import { runSweep, type SweepOutcome, type SweepRequest } from '../../backtest/sweep/run-sweep.ts'
import { mergeStores, openStore, type StoreProblem, type SweepStore } from '../../backtest/sweep/store.ts'
import { towardsBetter } from '../../backtest/sweep/summary.ts'
import { startPool } from '../../backtest/sweep/worker-pool.ts'
import { parseDuration } from '../../numeric/time-text.ts'
import { runConflicts, sourceAlternatives } from '../backtest/backtest-flags.ts'
import { checkFigureName } from '../backtest/backtest-outputs.ts'
import { defineCommand } from '../define-command.ts'
import {
  CliFailure,
  dataFailure,
  type ExitCode,
  exitCode,
  formatSuggestion,
  usageFailure,
  writeReason,
} from '../failure.ts'
import { readTextFile, unreadableReason, writeResult } from '../files.ts'
import { aFlag, aSwitch, configFlag, type FlagsOf, parsedFlag, parseShard } from '../flags.ts'
import { createStopSignal, startCountLine, type Terminal } from '../terminal.ts'
import { version } from '../version.ts'
import { formatShortFigure, type OutputFlags, outputFlags, writeOutputs } from './sweep-outputs.ts'
import { planFlags, planSweep } from './sweep-plan.ts'

const queueFlags = {
  queueName: aFlag('<name>', 'the name of the queue, which sweeps and workers share', {
    default: 'otcsim-sweep',
  }),
  jobs: parsedFlag(parseJobs, '<count>', 'the number of threads; by default one for each processor'),
}

const workFlags = {
  jobs: queueFlags.jobs,
  queue: aFlag('<url>', 'redis://...: let the workers of this queue run the cases'),
  queueName: queueFlags.queueName,
  budget: aFlag('<span>', 'start no more cases after this time, such as 5m'),
  store: aFlag('<file>', 'where finished cases are stored; by default in .otcsim/sweeps/'),
  fresh: aSwitch('discard what the store has, and start over'),
  trustStore: aSwitch('take stored cases of a strategy whose inputs are not all known, too'),
  repeats: parsedFlag(
    parseRepeats,
    '<count>',
    'how many cases are repeated and compared; by default one in fifty, at least 2, at most 20',
  ),
}

const shardFlags = {
  shard: parsedFlag(parseShard, '<part>', 'a part of the cases: 1/4 to 4/4'),
  ...workFlags,
  ...outputFlags,
}

type RunFlags = FlagsOf<typeof shardFlags>

/** `otcsim sweep` plans, runs and reports a sweep. Called again, it continues where it stopped. */
export const sweepCommand = defineCommand({
  flags: { ...planFlags, ...workFlags, ...outputFlags },
  takes: { '<strategy>': 'a file that exports a strategy; or plan, run, merge for shards' },
  conflicts: runConflicts,
  alternatives: sourceAlternatives,
  extend: (command, terminal) => {
    command.enablePositionalOptions()
    for (const [name, { about, make }] of Object.entries(subcommands))
      command.addCommand(make(name, terminal).description(about))
  },
  act: async (flags, terminal, file: string) =>
    runPlan(await planSweep(file, flags, terminal.cwd), flags, terminal, exitCode.usage),
})

const subcommands = {
  plan: {
    about: 'write the plan of a sweep, to be run in shards',
    make: defineCommand({
      flags: {
        out: { ...aFlag('<file>', 'write it to this file instead of stdout'), short: 'o' },
        ...planFlags,
      },
      takes: { '<strategy>': 'a file that exports a strategy' },
      conflicts: runConflicts,
      alternatives: sourceAlternatives,
      act: async (flags, terminal, file: string) =>
        writeResult(terminal, flags.out, formatPlan(await planSweep(file, flags, terminal.cwd))),
    }),
  },
  run: {
    about: 'run a plan, or a shard of it',
    make: defineCommand({
      flags: shardFlags,
      takes: { '<plan>': 'a file that otcsim sweep plan wrote' },
      act: sweepRun,
    }),
  },
  merge: {
    about: 'merge the stores of all shards',
    make: defineCommand({
      flags: outputFlags,
      takes: { '<stores...>': 'the files that the shards wrote with --store' },
      act: sweepMerge,
    }),
  },
}

/** Parses `auto`, as undefined, or a number of threads. */
function parseJobs(text: string): number | undefined {
  if (text === 'auto') return undefined
  const jobs = Number(text)
  if (/^[0-9]{1,3}$/.test(text) && jobs >= 1) return jobs
  throw new InvalidArgumentError('expected auto or a number of threads')
}

function parseRepeats(text: string): number {
  if (/^[0-9]{1,8}$/.test(text)) return Number(text)
  throw new InvalidArgumentError('expected a number of cases')
}

async function sweepRun(flags: RunFlags, terminal: Terminal, file: string): Promise<void> {
  const plan = parsePlan(readTextFile(terminal.cwd, file, maximumPlanBytes))
  if (plan === null) throw dataFailure(`${file} is not a plan of a sweep in this format`)
  // The options were checked when the plan was made. If something cannot run now, the files have changed since.
  await runPlan(plan, flags, terminal, exitCode.unusableData)
}

async function sweepMerge(flags: OutputFlags, terminal: Terminal, files: readonly string[]): Promise<void> {
  const paths = files.map((file) => resolve(terminal.cwd, file))
  const unreadable = files.flatMap((file, place) => {
    const reason = unreadableReason(paths[place] ?? '')
    return reason === null ? [] : [`cannot read ${file}: ${reason}`]
  })
  if (unreadable.length > 0) throw dataFailure(unreadable.join('\n'))
  const merged = mergeStores(paths)
  if (!merged.ok) {
    const { problems, isDeterminismBroken } = merged
    const shown = problems.slice(0, maximumProblems)
    const more = problems.length > shown.length ? [`and ${problems.length - shown.length} more`] : []
    const code = isDeterminismBroken ? exitCode.determinismBroken : exitCode.unusableData
    throw new CliFailure(code, [...shown, ...more].join('\n'))
  }
  const outcome: SweepOutcome = {
    rows: merged.rows,
    cases: merged.rows.length,
    end: 'complete',
    problem: null,
    stored: { cases: merged.rows.length, dates: merged.dates },
    repetition: null,
  }
  for (const row of merged.rows) checkObjective(row, flags.objective)
  await writeOutputs(merged.plan, outcome, flags, terminal, paths)
}

const maximumPlanBytes = 256 * 1024 * 1024
const maximumProblems = 50

async function runPlan(
  plan: SweepPlan,
  flags: RunFlags,
  terminal: Terminal,
  problemCode: ExitCode,
): Promise<void> {
  checkFigureName('--objective', flags.objective)
  const path = resolve(terminal.cwd, flags.store ?? join('.otcsim', 'sweeps', `${planDigest(plan)}.ndjson`))
  const workers = await chooseWorkers(flags, terminal)
  const store = openSweepStore(path, plan, flags)
  const stop = createStopSignal(terminal)
  const progress = startProgress(terminal, flags.objective)
  let outcome: SweepOutcome
  try {
    for (const row of store.rows) {
      checkObjective(row, flags.objective)
      progress.note(row)
    }
    outcome = await runSweep({
      plan,
      store,
      workers,
      shard: flags.shard ?? { number: 1, of: 1 },
      budgetMillis: parseSpanFlag('--budget', flags.budget),
      interruption: stop.signal,
      repeats: flags.repeats,
      onRow: (row, done, cases) => {
        checkObjective(row, flags.objective)
        progress.note(row)
        progress.update(done, cases)
      },
    })
  } finally {
    progress.end()
    stop.ignore()
    store.close()
  }
  if (outcome.end === 'problem') throw new CliFailure(problemCode, outcome.problem ?? '')
  await writeOutputs(plan, outcome, flags, terminal, [path])
  if (outcome.end === 'complete') return
  const how = describeUnknown(plan) === null ? '' : ' with --trust-store'
  const done = `${outcome.rows.length} of ${outcome.cases} cases are done; the same command${how} continues with the rest`
  if (outcome.end === 'interrupted') throw new CliFailure(exitCode.interrupted, `interrupted: ${done}`)
  terminal.err(`stopped after ${flags.budget}: ${done}\n`)
}

async function chooseWorkers(flags: RunFlags, terminal: Terminal): Promise<SweepRequest['workers']> {
  const { jobs, queue, queueName } = flags
  const own = { workerFile: findTaskFile(), jobs: jobs ?? null, cwd: terminal.cwd, isConfined: false }
  if (queue === undefined) return { kind: 'threads', ...own }
  await checkQueue(queue)
  return { kind: 'queue', url: queue, name: queueName, own }
}

/** Ends the command when a queue cannot be used. */
async function checkQueue(url: string): Promise<void> {
  if (!/^rediss?:\/\//.test(url)) {
    throw usageFailure(`--queue: expected an address such as redis://127.0.0.1:6379, found "${url}"`)
  }
  const packages = await loadQueuePackages()
  if (!packages.ok) throw usageFailure(packages.problem)
  const problem = await findRedisProblem(url)
  if (problem !== null) throw new CliFailure(exitCode.unreachable, problem)
}

/** Finds the module that threads run: beside the bundle, else in this folder's sources. */
function findTaskFile(): string {
  const here = dirname(fileURLToPath(import.meta.url))
  const built = join(here, 'sweep-task.cjs')
  return existsSync(built) ? built : join(here, 'sweep-task.ts')
}

function openSweepStore(path: string, plan: SweepPlan, { fresh, trustStore }: RunFlags): SweepStore {
  try {
    const opened = openStore(path, plan, { isFresh: fresh === true, isTrusted: trustStore === true })
    if (opened.ok) return opened.store
    const { lack, problem } = opened
    const code = lack === 'in use' ? exitCode.unreachable : exitCode.unusableData
    throw new CliFailure(code, problem + remedies[lack])
  } catch (error) {
    if (error instanceof CliFailure) throw error
    throw usageFailure(`cannot write ${path}: ${writeReason(error)}`)
  }
}

const remedies: { readonly [lack in StoreProblem]: string } = {
  'in use': '',
  'no store': '; give another --store',
  'another version': '; remove it, or give another --store',
  'another sweep': '; give another --store, or --fresh to start over',
  damaged: '; give another --store, or --fresh to start over',
  'unknown inputs': '\n--trust-store takes them, --fresh runs them anew',
}

function checkObjective({ metrics, failure }: CaseRow, objective: string): void {
  if (failure !== null || objective in metrics) return
  const hint = formatSuggestion(objective, Object.keys(metrics), 'figure')
  throw usageFailure(`--objective: there is no figure "${objective}"${hint}`)
}

/** The longest span that a timer keeps, in whole days: one that is set for longer fires at once. */
const longestSpanMillis = 24 * 86_400_000

function parseSpanFlag(flag: string, text: string | undefined): number | null {
  if (text === undefined) return null
  const span = parseDuration(text)
  if (span === null || span <= 0) throw usageFailure(`${flag}: expected a span such as 5m, found "${text}"`)
  if (span <= longestSpanMillis) return span
  throw usageFailure(`${flag}: expected a span such as 5m, at most 24d, found "${text}"`)
}

function startProgress(terminal: Terminal, objective: string) {
  const line = startCountLine(terminal, 'cases')
  const sorted: number[] = []
  let known: number | null = null
  let failed = 0
  const note = ({ metrics, failure }: CaseRow): void => {
    if (failure !== null) failed += 1
    const figure = metrics[objective]
    if (typeof figure === 'number') sorted.splice(findPlace(sorted, figure), 0, figure)
  }
  const update = (done: number, cases: number): void => {
    // Cases of earlier runs cost this one no time.
    known ??= done - 1
    line.update({ done, of: cases, failed, known }, formatSpread(sorted, objective))
  }
  return { note, update, end: line.clear }
}

function formatSpread(sorted: readonly number[], objective: string): string {
  const isLargeBetter = towardsBetter(objective) > 0
  const worst = isLargeBetter ? sorted[0] : sorted.at(-1)
  const median = sorted[Math.floor((sorted.length - 1) / 2)]
  const best = isLargeBetter ? sorted.at(-1) : sorted[0]
  if (worst === undefined || median === undefined || best === undefined) return ''
  return `${objective} best ${formatShortFigure(best)}, median ${formatShortFigure(median)}, worst ${formatShortFigure(worst)}`
}

/** Finds the index at which a value belongs in an ascending list. */
function findPlace(sorted: readonly number[], value: number): number {
  let low = 0
  let high = sorted.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((sorted[middle] ?? 0) < value) low = middle + 1
    else high = middle
  }
  return low
}

const workerFlags = {
  queue: aFlag('<url>', 'redis://...'),
  ...queueFlags,
  idle: aFlag('<span>', 'end after this time without a case; never by default'),
  takeOverAfter: aFlag('<span>', 'the time without a sign of life after which others take over a case', {
    default: '30s',
  }),
  config: configFlag,
}

type WorkerFlags = FlagsOf<typeof workerFlags>

export const workerCommand = defineCommand({ flags: workerFlags, act: worker })

/** Runs `otcsim worker`. Ends with 5 when the queue's work does not match this worker, such as another strategy. */
async function worker(flags: WorkerFlags, terminal: Terminal): Promise<void> {
  const { queue } = flags
  if (queue === undefined) throw usageFailure('a worker needs a queue: --queue redis://...')
  const lockMillis = parseSpanFlag('--take-over-after', flags.takeOverAfter) ?? 30_000
  const idleMillis = parseSpanFlag('--idle', flags.idle)
  await checkQueue(queue)
  const pool = startPool({
    workerFile: findTaskFile(),
    jobs: flags.jobs ?? null,
    cwd: terminal.cwd,
    isConfined: true,
  })
  const stop = createStopSignal(terminal)
  terminal.err(`otcsim ${version}: ${pool.jobs} threads for ${flags.queueName} at ${hidePassword(queue)}\n`)
  let cases = 0
  const problem = await workOnQueue({
    place: { url: queue, name: flags.queueName },
    pool,
    lockMillis,
    idleMillis,
    onDone: () => {
      cases += 1
    },
    signal: stop.signal,
  }).finally(stop.ignore)
  await pool.close()
  terminal.err(`${cases} cases done\n`)
  if (problem !== null) throw dataFailure(`cannot work for this sweep: ${problem}`)
}
