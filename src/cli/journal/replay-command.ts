import { Command } from 'commander'
import { parsePort } from '../option-parsers.ts'
import { applySettings } from '../settings.ts'
import type { Terminal } from '../terminal.ts'
import { refuseUnusedFlags } from '../unused-options.ts'

/** `otcsim replay JOURNAL`: carries out a journal again, and names the first line that comes out differently. */
export function replayCommand(terminal: Terminal): Command {
  return new Command('replay')
    .description('carry out a journal again and compare everything with what was written down')
    .argument('<journal>', 'the file, plain or gzip')
    .option('--verify', 'compare every outcome, event and digest with the journal (always done)')
    .option('--until <place>', 'stop after this sequence, or before the first line after this instant')
    .option('--serve', 'then serve the world as it stands there; its clock stands still')
    .option('--open', 'the same, and opens its console in a browser where there is a desktop')
    .option('--port <number>', 'where to serve it; 0 takes a free one', parsePort, 0)
    .option('--json', 'the result as one line of JSON')
    .action(async (journal: string, _options: unknown, command: Command) => {
      await applySettings(command, terminal)
      refuseUnusedFlags(command, [{ needs: ['serve', 'open'], options: ['port'] }], [])
      const { replay } = await import('./replay.ts')
      await replay(journal, command.opts(), terminal)
    })
}
