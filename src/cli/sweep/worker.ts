import { Command } from 'commander'
import { withoutPassword, workOnQueue } from '../../backtest/sweep/queue.ts'
import { startPool } from '../../backtest/sweep/worker-pool.ts'
import { CliFailure, exitCode } from '../failure.ts'
import { applySettings, configOption } from '../settings.ts'
import type { Terminal } from '../terminal.ts'
import { version } from '../version.ts'
import { checkQueue, parseJobs, spanOf, taskFile } from './sweep.ts'

/** `otcsim worker --queue URL`: runs the cases of sweeps, on any number of machines. */
export function workerCommand(terminal: Terminal): Command {
  return new Command('worker')
    .option('--queue <url>', 'redis://...')
    .option('--queue-name <name>', 'sweeps and workers of one name find each other', 'otcsim-sweep')
    .option('--jobs <count>', 'threads; as many as there are processors unless given', parseJobs)
    .option('--idle <span>', 'end after this time without a case; never by default')
    .option(
      '--take-over-after <span>',
      'after this time without a sign of life, others take over a case',
      '30s',
    )
    .addOption(configOption())
    .action(async (_options: unknown, command: Command) => {
      await applySettings(command, terminal)
      await worker(command.opts(), terminal)
    })
}

interface WorkerFlags {
  readonly queue?: string
  readonly queueName: string
  readonly jobs?: number
  readonly idle?: string
  readonly takeOverAfter: string
}

/**
 * Runs cases until it is told to stop. Ends with 5 when it is asked for work that it does not have, such as another
 * strategy.
 */
async function worker(flags: WorkerFlags, terminal: Terminal): Promise<void> {
  const { queue } = flags
  if (queue === undefined) throw new CliFailure(exitCode.usage, 'a worker needs a queue: --queue redis://...')
  const lockMillis = spanOf('--take-over-after', flags.takeOverAfter) ?? 30_000
  const idleMillis = spanOf('--idle', flags.idle)
  await checkQueue(queue)
  const pool = startPool({
    workerFile: taskFile(),
    jobs: flags.jobs ?? null,
    cwd: terminal.cwd,
    isConfined: true,
  })
  const stop = new AbortController()
  const listenNoMore = terminal.onStop(() => stop.abort())
  terminal.err(
    `otcsim ${version}: ${pool.jobs} threads for ${flags.queueName} at ${withoutPassword(queue)}\n`,
  )
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
  }).finally(listenNoMore)
  await pool.close()
  terminal.err(`${cases} cases done\n`)
  if (problem !== null) throw new CliFailure(exitCode.unusableData, `cannot work for this sweep: ${problem}`)
}
