import { Command } from 'commander'
import { applySettings } from '../settings.ts'
import type { Terminal } from '../terminal.ts'

/** `otcsim drift --har FILE`: what a recording of the real venue says about the readings. */
export function driftCommand(terminal: Terminal): Command {
  return new Command('drift')
    .description('say which readings a recording of the real venue proves or refutes')
    .requiredOption('--har <file>', 'the recording, as browsers and proxies write it')
    .option('-o, --output <file>', 'where the proved readings go, such as readings.json')
    .option('--json', 'the result as one line of JSON')
    .action(async (_options: unknown, command: Command) => {
      await applySettings(command, terminal)
      const { drift } = await import('./drift.ts')
      drift(command.opts(), terminal)
    })
}
