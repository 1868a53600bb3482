import type { Command } from 'commander'
import type { Terminal } from './terminal.ts'

/**
 * One row of the table of commands. `load` imports the command's file only when the command is called, because
 * importing all of them takes longer than most commands run.
 */
export interface CommandRow {
  readonly name: string
  /** The heading above this command and those after it in the program's help. */
  readonly group?: string
  readonly summary: string
  readonly load: () => Promise<(name: string, context: CommandContext) => Command>
}

/** What a command receives: its terminal and the table of all commands. */
export interface CommandContext extends Terminal {
  /** All commands in the order of the help. The first one runs when `otcsim` is called without a command. */
  readonly commands: readonly CommandRow[]
}

/** Loads every command with its options, for configuration files, `doctor` and completion. */
export async function loadEveryCommand(context: CommandContext): Promise<readonly Command[]> {
  return Promise.all(context.commands.map(async ({ load, name }) => (await load())(name, context)))
}
