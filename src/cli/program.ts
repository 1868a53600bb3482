import { Command, CommanderError } from 'commander'
import { backtestCommand } from './backtest/backtest-command.ts'
import { ChildExit } from './child-exit.ts'
import { openApiCommand } from './contract/openapi-command.ts'
import { readingsCommand } from './contract/readings-command.ts'
import { driftCommand } from './drift/drift-command.ts'
import { CliFailure, diskFailure, exitCode } from './failure.ts'
import { fuzzCommand } from './fuzz/fuzz-command.ts'
import { diffCommand } from './journal/diff-command.ts'
import { replayCommand } from './journal/replay-command.ts'
import { shrinkCommand } from './journal/shrink-command.ts'
import { execCommand } from './matrix/exec-command.ts'
import { matrixCommand } from './matrix/matrix-command.ts'
import { meantOrKnown } from './meant.ts'
import { pathsCommand } from './paths/paths-command.ts'
import { curlCommand } from './request/curl-command.ts'
import { keysCommand } from './request/keys-command.ts'
import { signCommand } from './request/sign-command.ts'
import { runCommand } from './run/run-command.ts'
import { schemaCommand } from './scenario/schema-command.ts'
import { validateCommand } from './scenario/validate-command.ts'
import { serveCommand } from './serve/serve-command.ts'
import { doctorCommand } from './setup/doctor-command.ts'
import { initCommand } from './setup/init-command.ts'
import { sweepCommand } from './sweep/sweep-command.ts'
import { workerCommand } from './sweep/worker-command.ts'
import type { Terminal } from './terminal.ts'
import { version } from './version.ts'

/** Runs the command line and answers its exit code. `words` are those after the program's name. */
export async function runProgram(words: readonly string[], terminal: Terminal): Promise<number> {
  const program = createProgram(terminal)
  try {
    checkCommandName(words, program)
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
    .addHelpText('after', afterHelp)
    // What follows a command belongs to it: sweep plan and sweep have options with the same names.
    .enablePositionalOptions()
  const serve = serveCommand(terminal)
  const commands = [
    runCommand,
    backtestCommand,
    sweepCommand,
    workerCommand,
    replayCommand,
    diffCommand,
    shrinkCommand,
    execCommand,
    matrixCommand,
    driftCommand,
    fuzzCommand,
    curlCommand,
    signCommand,
    keysCommand,
    initCommand,
    validateCommand,
    schemaCommand,
    openApiCommand,
    readingsCommand,
    doctorCommand,
    pathsCommand,
  ].map((make) => make(terminal))
  program.addCommand(serve, { isDefault: true })
  for (const command of commands) program.addCommand(command)
  // Commander passes settings of the program only to commands that it creates itself, so each gets them here.
  for (const command of [program, serve, ...commands, ...commands.flatMap((one) => one.commands)]) {
    command
      .exitOverride()
      .configureOutput({ writeOut: terminal.out, writeErr: terminal.err })
      .showHelpAfterError('(otcsim --help lists the commands, otcsim COMMAND --help their options)')
  }
  return program
}

const afterHelp = `
Options come from flags, else from variables (--ready-file: OTCSIM_READY_FILE),
else from otcsim.config.yaml here or the file of --config. Results go to stdout,
all else to stderr. Files are written whole or not at all, and missing folders
are made for them.

Exit codes: 0 fine, 1 an expectation failed or a request was refused, 2 wrong
usage or an invalid file, 3 determinism broken, 4 cannot listen or reach,
5 unusable data or journal, 70 an error of ours, 130 interrupted.`

/** With a default command, commander would take a misspelt command for its argument. */
function checkCommandName(words: readonly string[], program: Command): void {
  const given = words[0] === 'help' ? words[1] : words[0]
  if (given === undefined || given.startsWith('-')) return
  const names = program.commands.map((command) => command.name())
  if (names.includes(given)) return
  const hint = meantOrKnown(given, names, 'commands')
  throw new CliFailure(exitCode.usage, `unknown command "${given}"${hint}`)
}

function report(error: unknown, terminal: Terminal): number {
  if (error instanceof ChildExit) return error.code
  const foreseen = error instanceof CliFailure ? error : diskFailure(error)
  if (foreseen !== null) {
    terminal.err(`${foreseen.message}\n`)
    return foreseen.code
  }
  // Help and version end this way, too, with code 0; what commander refuses is a usage error.
  if (error instanceof CommanderError) return error.exitCode === 0 ? exitCode.ok : exitCode.usage
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error)
  terminal.err(`otcsim ${version}: internal error; please report it with the lines below\n${text}\n`)
  return exitCode.internal
}
