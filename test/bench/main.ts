import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { judge } from './bars.ts'
import { contenderNames, requireBookPeers } from './contenders/contender.ts'
import type { Measurement } from './measure.ts'
import { mixNames } from './mixes.ts'
import type { Job, Plan, Size } from './plan.ts'
import { makePlan } from './plan.ts'
import { barLines, figureLines, mixLines } from './report.ts'
import { median, medianTiming } from './stopwatch.ts'
import type { Facts } from './workload.ts'
import { writeWorkload } from './workload.ts'

/*
 * The benchmark: order books from npm, our book, and our whole engine play the same commands, each in a process of
 * its own, round after round, so that a busy machine slows all of them. Only ratios within one run mean anything.
 * Exit code 1: a bar is missed. Run by `npm run bench engine`; `-- --quick` takes some seconds.
 */

const { values: flags } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    commands: { type: 'string' },
    rounds: { type: 'string' },
    millis: { type: 'string' },
    scale: { type: 'string' },
    seed: { type: 'string', default: '7' },
    mixes: { type: 'string', default: mixNames.join() },
    contenders: { type: 'string', default: contenderNames.join() },
    json: { type: 'boolean', default: false },
  },
})
const size: Size = {
  seed: flags.seed,
  commands: Number(flags.commands ?? (flags.quick ? 20_000 : 200_000)),
  rounds: Number(flags.rounds ?? (flags.quick ? 1 : 3)),
  millis: Number(flags.millis ?? (flags.quick ? 100 : 600)),
  scale: Number(flags.scale ?? (flags.quick ? 0.1 : 1)),
}
const mixes = mixNames.filter((name) => flags.mixes.split(',').includes(name))
const contenders = contenderNames.filter((name) => flags.contenders.split(',').includes(name))

requireBookPeers()
const plan = makePlan(size, mixes, contenders)
const directory = mkdtempSync(join(tmpdir(), 'otcsim-bench-'))
try {
  const facts = writeWorkloads(plan, directory)
  const rounds = Array.from({ length: size.rounds }, (_, round) => playRound(plan, round, directory))
  const figures = new Map(plan.jobs.map((job) => [job.key, overRounds(rounds, job)]))
  const bars = judge(figures, mixes)
  if (flags.json) console.log(JSON.stringify({ size, facts: [...facts], figures: [...figures], bars }))
  else
    console.log(
      [...mixLines(mixes, facts), ...figureLines(plan, figures, facts), ...barLines(bars)].join('\n'),
    )
  process.exitCode = bars.every((bar) => bar.holds) ? 0 : 1
} finally {
  rmSync(directory, { recursive: true })
}

/** Writes the workloads that some job plays. */
function writeWorkloads({ workloads, jobs }: Plan, into: string): ReadonlyMap<string, Facts> {
  const facts = new Map<string, Facts>()
  for (const [name, make] of workloads) {
    if (!jobs.some((job) => job.workload === name)) continue
    const workload = make()
    writeWorkload(join(into, name), workload)
    facts.set(name, workload.facts)
    console.error(`made ${name}: ${workload.count} commands`)
  }
  return facts
}

/** Every job once; odd rounds go backwards, so that no job always follows the same one. */
function playRound({ jobs }: Plan, round: number, from: string): ReadonlyMap<string, Measurement> {
  const results = new Map<string, Measurement>()
  for (const job of round % 2 === 0 ? jobs : [...jobs].reverse()) {
    results.set(job.key, playJob(job, from))
    console.error(`round ${round + 1}: ${job.key} ${results.get(job.key)?.cpuMillis.toFixed(1)} ms`)
  }
  return results
}

function playJob({ task, contender, workload }: Job, from: string): Measurement {
  const worker = fileURLToPath(new URL('worker.mjs', import.meta.url))
  const file = join(from, workload)
  const options = ['--expose-gc', worker, task, contender, file, String(size.millis)]
  const { status, stdout } = spawnSync(process.execPath, options, {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  if (status !== 0) throw new Error(`${contender} failed on ${workload}`)
  return JSON.parse(stdout)
}

function overRounds(rounds: readonly ReadonlyMap<string, Measurement>[], { key }: Job): Measurement {
  const all = rounds.flatMap((round) => round.get(key) ?? [])
  return {
    ...medianTiming(all),
    passes: all.reduce((passes, one) => passes + one.passes, 0),
    instanceBytes: median(all.map((one) => one.instanceBytes)),
    residentBytes: median(all.map((one) => one.residentBytes)),
  }
}
