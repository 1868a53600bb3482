import { Command } from 'commander'
import { applySettings } from '../settings.ts'
import type { Terminal } from '../terminal.ts'

/** `otcsim shrink JOURNAL`: the shortest journal that still shows what this one shows. */
export function shrinkCommand(terminal: Terminal): Command {
  return new Command('shrink')
    .description('find the shortest part of a journal that still shows a failure')
    .argument('<journal>', 'the file, plain or gzip')
    .option('--assert <expression>', 'what should hold at the end and does not, in the words of scenarios')
    .option('--digest [digest]', "keep this digest, or the journal's own")
    .option('-o, --output <file>', 'where the short journal goes instead of standard output')
    .action(async (journal: string, _options: unknown, command: Command) => {
      await applySettings(command, terminal)
      const { shrink } = await import('./shrink.ts')
      await shrink(journal, command.opts(), terminal)
    })
}
