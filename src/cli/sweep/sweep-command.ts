import { Command, InvalidArgumentError, Option } from 'commander'
import { addRunOptions } from '../backtest/backtest-command.ts'
import { conflictsOfRuns, needsOfRuns } from '../backtest/backtest-flags.ts'
import { gatherPairs, parseShard } from '../option-parsers.ts'
import { applySettings, configOption } from '../settings.ts'
import type { Terminal } from '../terminal.ts'
import { refuseUnusedFlags } from '../unused-options.ts'

/** `otcsim sweep`: a strategy over seeds and parameters, here, on many machines, or in shards. */
export function sweepCommand(terminal: Terminal): Command {
  const command = new Command('sweep')
    .description('run a strategy over seeds and parameters, and tell luck from skill')
    .argument('<strategy>', 'a file that exports a strategy; or plan, run, merge for shards')
    .enablePositionalOptions()
  addOutputOptions(addWorkerOptions(addPlanOptions(command))).action(
    async (file: string, _options: unknown, own: Command) => {
      await applySettings(own, terminal)
      refuseUnusedFlags(own, needsOfRuns, conflictsOfRuns)
      const { sweep } = await import('./sweep.ts')
      await sweep(file, own.opts(), terminal)
    },
  )
  return command
    .addCommand(planCommand(terminal))
    .addCommand(runCommand(terminal))
    .addCommand(mergeCommand(terminal))
}

function planCommand(terminal: Terminal): Command {
  const command = new Command('plan')
    .description('write the plan of a sweep, to be run in shards')
    .argument('<strategy>', 'a file that exports a strategy')
    .option('-o, --out <file>', 'write it to this file instead of stdout')
  return addPlanOptions(command).action(async (file: string, _options: unknown, own: Command) => {
    await applySettings(own, terminal)
    refuseUnusedFlags(own, needsOfRuns, conflictsOfRuns)
    const { sweepPlan } = await import('./sweep.ts')
    await sweepPlan(file, own.opts(), terminal)
  })
}

function runCommand(terminal: Terminal): Command {
  const command = new Command('run')
    .description('run a plan, or a shard of it')
    .argument('<plan>', 'what otcsim sweep plan has written')
    .option('--shard <part>', 'a part of the cases: 1/4 to 4/4', parseShard)
  return addOutputOptions(addWorkerOptions(command)).action(
    async (file: string, _options: unknown, own: Command) => {
      await applySettings(own, terminal)
      const { sweepRun } = await import('./sweep.ts')
      await sweepRun(file, own.opts(), terminal)
    },
  )
}

function mergeCommand(terminal: Terminal): Command {
  const command = new Command('merge')
    .description('put the stores of all shards together')
    .argument('<stores...>', 'what the shards wrote by --store')
  return addOutputOptions(command).action(
    async (files: readonly string[], _options: unknown, own: Command) => {
      await applySettings(own, terminal)
      const { sweepMerge } = await import('./sweep.ts')
      await sweepMerge(files, own.opts(), terminal)
    },
  )
}

function addPlanOptions(command: Command): Command {
  const axis = (flags: string, text: string) => new Option(flags, text).argParser(gatherPairs)
  return addRunOptions(
    command
      .option('--seeds <list>', 'such as 1..500, or 1,2,7', '1..100')
      .addOption(axis('--set <name=values>', 'values of a parameter of the strategy, comma-separated'))
      .option(
        '--walk-forward <train/test>',
        'choose parameters in one span and judge them in the next, over and over: 180d/30d',
      )
      .addOption(axis('--param <name=values>', 'values of a parameter of the scenario, comma-separated')),
  )
}

function addWorkerOptions(command: Command): Command {
  return command
    .option('--jobs <count>', 'threads; as many as there are processors unless given', parseJobs)
    .option('--queue <url>', 'redis://... : run by the workers of otcsim worker')
    .option('--queue-name <name>', 'sweeps and workers of one name find each other', 'otcsim-sweep')
    .option('--budget <span>', 'start no more cases after this time, such as 5m')
    .option('--store <file>', 'where cases are gathered as they come; .otcsim/sweeps/ unless given')
    .option('--fresh', 'discard what the store has, and start over')
}

function addOutputOptions(command: Command): Command {
  return command
    .option('--objective <figure>', 'the figure that progress and table show', 'returns.profit')
    .option('--json', 'a summary on stdout instead of the table')
    .option('--html <file>', 'write a report as one HTML file')
    .option('--parquet <file>', 'all cases as Parquet')
    .option('--ndjson <file>', 'all cases as NDJSON, in the order of the plan')
    .addOption(configOption())
}

/** `auto`, or a number of threads. */
export function parseJobs(text: string): number | undefined {
  if (text === 'auto') return undefined
  const jobs = Number(text)
  if (/^[0-9]{1,3}$/.test(text) && jobs >= 1) return jobs
  throw new InvalidArgumentError('expected auto or a number of threads')
}
