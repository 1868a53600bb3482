import { readFileSync } from 'node:fs'
import { exitCode, systemReason } from './failure.ts'
import { runProgram } from './program.ts'
import type { Terminal } from './terminal.ts'

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
