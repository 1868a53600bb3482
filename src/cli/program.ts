import { Command, CommanderError } from 'commander'
import { CliFailure, exitCode } from './failure.ts'
import { runCommand } from './run-command.ts'
import { schemaCommand } from './schema-command.ts'
import type { Terminal } from './terminal.ts'
import { validateCommand } from './validate-command.ts'
import { version } from './version.ts'

/** Runs the command line and answers its exit code. `words` are those after the program's name. */
export async function runProgram(words: readonly string[], terminal: Terminal): Promise<number> {
  const program = createProgram(terminal)
  try {
    await program.parseAsync([...words], { from: 'user' })
    return exitCode.ok
  } catch (error) {
    return report(error, terminal)
  }
}

function createProgram(terminal: Terminal): Command {
  const program = new Command('otcsim')
    .description('A deterministic simulator and test double of an over-the-counter digital-asset venue')
    .version(version, '-V, --version')
    .showHelpAfterError('(otcsim --help tells the commands, otcsim COMMAND --help their options)')
  const commands = [runCommand(terminal), validateCommand(terminal), schemaCommand(terminal)]
  for (const command of commands) program.addCommand(command)
  // Settings of the program reach only commands that it makes itself, so each is told.
  for (const command of [program, ...commands]) {
    command.exitOverride().configureOutput({ writeOut: terminal.out, writeErr: terminal.err })
  }
  return program
}

function report(error: unknown, terminal: Terminal): number {
  if (error instanceof CliFailure) {
    terminal.err(`${error.message}\n`)
    return error.code
  }
  // Help and version end this way, too, with the code 0; what commander refuses is a usage error.
  if (error instanceof CommanderError) return error.exitCode === 0 ? exitCode.ok : exitCode.usage
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error)
  terminal.err(`otcsim ${version}: internal error; please report it with the lines below\n${text}\n`)
  return exitCode.internal
}
