import { existsSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { CaseRow } from '../../backtest/sweep/case-row.ts'
import { mergeStores } from '../../backtest/sweep/merge.ts'
import { planDigest, type SweepPlan } from '../../backtest/sweep/plan.ts'
import { parsePlan, planText } from '../../backtest/sweep/plan-file.ts'
import { loadQueuePackages, redisProblem } from '../../backtest/sweep/queue-packages.ts'
import { runSweep, type SweepOutcome, type SweepRequest } from '../../backtest/sweep/run-sweep.ts'
import { openStore, type SweepStore } from '../../backtest/sweep/store.ts'
import { parseDuration } from '../../numeric/time-text.ts'
import { CliFailure, type ExitCode, exitCode, writeReason } from '../failure.ts'
import { meant } from '../meant.ts'
import type { Shard } from '../option-parsers.ts'
import { readFile, unreadableReason } from '../read-file.ts'
import type { Terminal } from '../terminal.ts'
import { writeFile } from '../write-file.ts'
import { type OutputFlags, writeOutputs } from './sweep-outputs.ts'
import { type PlanFlags, planSweep } from './sweep-plan.ts'
import { sweepProgress } from './sweep-progress.ts'

export interface RunFlags extends OutputFlags {
  readonly jobs?: number
  readonly queue?: string
  readonly queueName: string
  readonly budget?: string
  readonly shard?: Shard
  readonly store?: string
  readonly fresh?: boolean
}

/** `otcsim sweep STRATEGY`: plans, runs and reports; when it is run again, it continues where it stopped. */
export async function sweep(file: string, flags: PlanFlags & RunFlags, terminal: Terminal): Promise<void> {
  await carryOut(await planSweep(file, flags, terminal.cwd), flags, terminal, exitCode.usage)
}

/** `otcsim sweep plan STRATEGY`: only the plan, as a file for many machines. */
export async function sweepPlan(
  file: string,
  flags: PlanFlags & { readonly out?: string },
  terminal: Terminal,
): Promise<void> {
  const plan = await planSweep(file, flags, terminal.cwd)
  if (flags.out === undefined) terminal.out(planText(plan))
  else writeFile(terminal.cwd, flags.out, planText(plan))
}

/** `otcsim sweep run PLAN`: a plan made elsewhere, or a shard of it. */
export async function sweepRun(file: string, flags: RunFlags, terminal: Terminal): Promise<void> {
  const plan = parsePlan(readFile(terminal.cwd, file, maximumPlanBytes).toString('utf8'))
  if (plan === null)
    throw new CliFailure(exitCode.unusableData, `${file} is not a plan of a sweep in this format`)
  // The options were checked when the plan was made: if something cannot run now, the files have changed since.
  await carryOut(plan, flags, terminal, exitCode.unusableData)
}

/** `otcsim sweep merge STORES...`: the stores of all shards as one result. */
export async function sweepMerge(
  files: readonly string[],
  flags: OutputFlags,
  terminal: Terminal,
): Promise<void> {
  const paths = files.map((file) => resolve(terminal.cwd, file))
  const unreadable = files.flatMap((file, place) => {
    const reason = unreadableReason(paths[place] ?? '')
    return reason === null ? [] : [`cannot read ${file}: ${reason}`]
  })
  if (unreadable.length > 0) throw new CliFailure(exitCode.unusableData, unreadable.join('\n'))
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
  }
  for (const row of merged.rows) checkObjective(row, flags.objective)
  await writeOutputs(merged.plan, outcome, flags, terminal)
}

const maximumPlanBytes = 256 * 1024 * 1024
const maximumProblems = 50

async function carryOut(
  plan: SweepPlan,
  flags: RunFlags,
  terminal: Terminal,
  problemCode: ExitCode,
): Promise<void> {
  const path = resolve(terminal.cwd, flags.store ?? join('.otcsim', 'sweeps', `${planDigest(plan)}.ndjson`))
  const workers = await workersOf(flags, terminal)
  const store = openedStore(path, plan, flags.fresh === true)
  const interruption = new AbortController()
  const listenNoMore = terminal.onStop(() => interruption.abort())
  const progress = sweepProgress(terminal, flags.objective)
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
      budgetMillis: spanOf('--budget', flags.budget),
      interruption: interruption.signal,
      onRow: (row, done, cases) => {
        checkObjective(row, flags.objective)
        progress.note(row)
        progress.tell(done, cases)
      },
    })
  } finally {
    progress.end()
    listenNoMore()
    store.close()
  }
  if (outcome.end === 'problem') throw new CliFailure(problemCode, outcome.problem ?? '')
  await writeOutputs(plan, outcome, flags, terminal)
  if (outcome.end === 'complete') return
  const done = `${outcome.rows.length} of ${outcome.cases} cases are done; the same command continues with the rest`
  if (outcome.end === 'interrupted') throw new CliFailure(exitCode.interrupted, `interrupted: ${done}`)
  terminal.err(`stopped after ${flags.budget}: ${done}\n`)
}

async function workersOf(flags: RunFlags, terminal: Terminal): Promise<SweepRequest['workers']> {
  const { jobs, queue, queueName } = flags
  if (queue === undefined) {
    const workerFile = taskFile()
    return { kind: 'threads', workerFile, jobs: jobs ?? null, cwd: terminal.cwd, isConfined: false }
  }
  await checkQueue(queue)
  return { kind: 'queue', url: queue, name: queueName }
}

/** Ends the command where a queue cannot be used. */
export async function checkQueue(url: string): Promise<void> {
  if (!/^rediss?:\/\//.test(url)) {
    throw new CliFailure(
      exitCode.usage,
      `--queue: expected an address such as redis://127.0.0.1:6379, found "${url}"`,
    )
  }
  const packages = await loadQueuePackages()
  if (!packages.ok) throw new CliFailure(exitCode.usage, packages.problem)
  const problem = await redisProblem(url)
  if (problem !== null) throw new CliFailure(exitCode.unreachable, problem)
}

/** The module that threads run: beside the bundle, or this folder's source. */
export function taskFile(): string {
  const here = dirname(fileURLToPath(import.meta.url))
  const built = join(here, 'sweep-task.cjs')
  return existsSync(built) ? built : join(here, 'sweep-task.ts')
}

function openedStore(path: string, plan: SweepPlan, isFresh: boolean): SweepStore {
  try {
    const opened = openStore(path, plan, isFresh)
    if (opened.ok) return opened.store
    const anew = opened.isForeign === true ? '' : ', or --fresh to start over'
    const hint = opened.isInUse ? '' : `; give another --store${anew}`
    throw new CliFailure(opened.isInUse ? exitCode.unreachable : exitCode.unusableData, opened.problem + hint)
  } catch (error) {
    if (error instanceof CliFailure) throw error
    throw new CliFailure(exitCode.usage, `cannot write ${path}: ${writeReason(error)}`)
  }
}

function checkObjective({ metrics, failure }: CaseRow, objective: string): void {
  if (failure !== null || objective in metrics) return
  const hint = meant(objective, Object.keys(metrics))
  throw new CliFailure(exitCode.usage, `--objective: there is no figure "${objective}"${hint}`)
}

export function spanOf(flag: string, text: string | undefined): number | null {
  if (text === undefined) return null
  const span = parseDuration(text)
  if (span === null || span <= 0) {
    throw new CliFailure(exitCode.usage, `${flag}: expected a span such as 5m, found "${text}"`)
  }
  return span
}
