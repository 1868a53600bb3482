import { Command } from 'commander'
import type { Terminal } from '../terminal.ts'

/** `otcsim init [FOLDER]`: a configuration, a first scenario and the schema for editors; nothing is ever overwritten. */
export function initCommand(terminal: Terminal): Command {
  return new Command('init')
    .description('write a configuration and a first scenario, and say what to do next')
    .argument('[folder]', 'the folder; the current one by default', '.')
    .action(async (folder: string) => {
      const { init } = await import('./init.ts')
      init(folder, terminal)
    })
}
