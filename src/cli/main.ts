import { readFileSync } from 'node:fs'
import { Command, CommanderError } from 'commander'
import { guides, readGuide } from '../server/pages/guides.ts'
import { commands } from './commands.ts'
import { ChildExit, CliFailure, diskFailure, exitCode, meantOrKnown, systemReason } from './failure.ts'
import { completeHelp } from './help.ts'
import type { Terminal } from './terminal.ts'
import { version } from './version.ts'

/**
 * The command, from its arguments to its exit code. Loading this file does nothing: the bundle's threads load it for
 * what they share with the command.
 */
export function start(): void {
  // `otcsim ... | head` closes our stdout early, which is no failure; a result that cannot be written is one.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') return
    process.stderr.write(`cannot write the result to standard output: ${systemReason(error)}\n`)
    process.exit(exitCode.usage)
  })
  // If nobody reads stderr, the result and the exit code still come.
  process.stderr.on('error', () => {})

  // No top-level await: the command is bundled as CommonJS. Output may still be on its way, so no exit is forced.
  const tooOld = nodeProblem(process.versions.node)
  if (tooOld !== null) {
    process.stderr.write(`${tooOld}\n`)
    process.exitCode = exitCode.usage
    return
  }
  runProgram(process.argv.slice(2), terminalOfProcess()).then((code) => {
    process.exitCode = code
  })
}

const terminalOfProcess = (): Terminal => ({
  out: (text) => process.stdout.write(text),
  err: (text) => process.stderr.write(text),
  env: process.env,
  cwd: process.cwd(),
  isOutTty: process.stdout.isTTY,
  isErrTty: process.stderr.isTTY,
  readInput: () => readFileSync(0, 'utf8'),
  onStop,
})

/** A closed terminal ends the command too, or programs that it has started would be left behind. */
const stopSignals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** The first signal asks for a clean end, the second forces one. */
function onStop(listener: () => void): () => void {
  let isAsked = false
  const handle = (): void => {
    if (isAsked) process.exit(130)
    isAsked = true
    listener()
  }
  for (const signal of stopSignals) process.on(signal, handle)
  return () => {
    for (const signal of stopSignals) process.off(signal, handle)
  }
}

/** The first sufficient release of each line; `engines` in package.json says the same. */
const least = { major: 20, minor: 19 }

/** What to say when Node is too old, before something fails halfway; null when it is not. */
export function nodeProblem(version: string): string | null {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  if (major > least.major || (major === least.major && minor >= least.minor)) return null
  return `otcsim needs Node ${least.major}.${least.minor} or newer; this is Node ${version}`
}

/** Runs the command line and answers its exit code. `words` are those after the program's name. */
export async function runProgram(words: readonly string[], terminal: Terminal): Promise<number> {
  try {
    if (printGuide(words, terminal)) return exitCode.ok
    const program = await createProgram(calledCommand(words), terminal)
    await program.parseAsync([...words], { from: 'user' })
    return exitCode.ok
  } catch (error) {
    return report(error, terminal)
  }
}

/** `otcsim help TOPIC`. False for other words: of those, the program knows its commands. */
function printGuide(words: readonly string[], terminal: Terminal): boolean {
  const [first, topic] = words
  const guide =
    words.length === 2 && first === 'help' ? guides.find((known) => known.topic === topic) : undefined
  if (guide === undefined) return false
  const text = readGuide(guide)
  if (text === null) throw new CliFailure(exitCode.unusableData, `the guide ${topic} has not been built`)
  terminal.out(text)
  return true
}

/** The name of the command that the words call, or whose help they ask for; null for the program's own help. */
function calledCommand(words: readonly string[]): string | null {
  const [first] = words
  const given = first === 'help' ? words[1] : first
  if (given === undefined || given.startsWith('-')) {
    const isForProgram = first === 'help' || ['-h', '--help', '-V', '--version'].includes(first ?? '')
    return isForProgram ? null : (commands[0]?.name ?? null)
  }
  const names = commands.map(({ name }) => name)
  // With a default command, commander would take a misspelt command for its argument.
  if (!names.includes(given)) {
    const topics = first === 'help' ? guides.map(({ topic }) => topic) : []
    const what = first === 'help' ? 'command or guide' : 'command'
    const known = meantOrKnown(given, [...names, ...topics], `${what.replace(' or ', 's and ')}s`)
    throw new CliFailure(exitCode.usage, `unknown ${what} "${given}"${known}`)
  }
  return given
}

async function createProgram(called: string | null, terminal: Terminal): Promise<Command> {
  const program = new Command('otcsim')
    .description('A deterministic simulator and test double of an over-the-counter digital-asset venue')
    .version(version, '-V, --version')
    .addHelpText('after', afterHelp)
    // What follows a command belongs to it: sweep plan and sweep have options with the same names.
    .enablePositionalOptions()
  for (const { name, summary, load } of commands) {
    const command = name === called ? (await load())(terminal) : new Command(name)
    if (name === called) completeHelp(command, name)
    program.addCommand(command.description(summary), { isDefault: name === commands[0]?.name })
  }
  // Commander passes settings of the program only to commands that it creates itself, so each gets them here.
  for (const command of [program, ...program.commands, ...program.commands.flatMap((one) => one.commands)]) {
    command
      .exitOverride()
      .configureOutput({ writeOut: terminal.out, writeErr: terminal.err })
      .showHelpAfterError('(otcsim --help lists the commands, otcsim COMMAND --help their options)')
  }
  return program
}

const afterHelp = `
Guides, by otcsim help TOPIC:
${guides.map(({ topic, title }) => `  ${topic.padEnd(12)}${title}`).join('\n')}

Options come from flags, else from variables (--ready-file: OTCSIM_READY_FILE),
else from otcsim.config.yaml here or the file of --config. Results go to stdout,
all else to stderr. Files are written whole or not at all, and missing folders
are made for them.

Exit codes: 0 fine, 1 an expectation failed or a request was refused, 2 wrong
usage or an invalid file, 3 determinism broken, 4 cannot listen or reach,
5 unusable data or journal, 70 an error of ours, 130 interrupted.`

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
