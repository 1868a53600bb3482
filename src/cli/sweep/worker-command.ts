import { Command } from 'commander'
import { applySettings, configOption } from '../settings.ts'
import type { Terminal } from '../terminal.ts'
import { parseJobs } from './sweep-command.ts'

/** `otcsim worker --queue URL`: runs the cases of sweeps, on any number of machines. */
export function workerCommand(terminal: Terminal): Command {
  return new Command('worker')
    .description('run cases of sweeps from a queue; start it where the strategy and the scenario lie')
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
      const { worker } = await import('./worker.ts')
      await worker(command.opts(), terminal)
    })
}
