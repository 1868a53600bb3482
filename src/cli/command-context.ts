import type { Command } from 'commander'
import type { Terminal } from './terminal.ts'

/**
 * One row of the table of commands. A command is a file with its options and its work; `load` reads that file when the
 * command is called, because reading all of them takes longer than most of them run.
 */
export interface CommandRow {
  readonly name: string
  /** The heading above this command and those after it in the program's help. */
  readonly group?: string
  readonly summary: string
  readonly load: () => Promise<(name: string, context: CommandContext) => Command>
}

/** What a command is given: its terminal, and the table of all commands for what concerns them all. */
export interface CommandContext extends Terminal {
  /** In the order of the help; the first is the one of `otcsim` alone. */
  readonly commands: readonly CommandRow[]
}

/** Loads every command with its options: a configuration file, `doctor` and completion concern them all. */
export async function loadEveryCommand(context: CommandContext): Promise<readonly Command[]> {
  return Promise.all(context.commands.map(async ({ load, name }) => (await load())(name, context)))
}
