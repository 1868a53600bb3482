import { Command } from 'commander'
import { applySettings } from '../settings.ts'
import type { Terminal } from '../terminal.ts'

/** `otcsim diff A B`: where two journals diverge. */
export function diffCommand(terminal: Terminal): Command {
  return new Command('diff')
    .description('find the first line in which two journals differ, and say why')
    .argument('<a>', 'a journal, plain or gzip')
    .argument('<b>', 'another')
    .option('--json', 'the result as one line of JSON')
    .action(async (a: string, b: string, _options: unknown, command: Command) => {
      await applySettings(command, terminal)
      const { diff } = await import('./diff.ts')
      diff(a, b, command.opts(), terminal)
    })
}
