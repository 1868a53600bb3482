#!/usr/bin/env node
import { readFileSync } from 'node:fs'
import { isMainThread } from 'node:worker_threads'
import { exitCode, systemReason } from './failure.ts'
import { nodeProblem } from './node-version.ts'
import { runProgram } from './program.ts'
import type { Terminal } from './terminal.ts'

const terminal: Terminal = {
  out: (text) => process.stdout.write(text),
  err: (text) => process.stderr.write(text),
  env: process.env,
  cwd: process.cwd(),
  isOutTty: process.stdout.isTTY,
  isErrTty: process.stderr.isTTY,
  readInput: () => readFileSync(0, 'utf8'),
  onStop,
}

/** The first signal asks for a clean end, the second forces one. */
function onStop(listener: () => void): () => void {
  let isAsked = false
  const handle = (): void => {
    if (isAsked) process.exit(130)
    isAsked = true
    listener()
  }
  process.on('SIGINT', handle)
  process.on('SIGTERM', handle)
  return () => {
    process.off('SIGINT', handle)
    process.off('SIGTERM', handle)
  }
}

// `otcsim ... | head` closes our stdout early; that is no failure of ours. A result that finds no room is one.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') return
  process.stderr.write(`cannot write the result to standard output: ${systemReason(error)}\n`)
  process.exit(exitCode.usage)
})
// Whoever does not listen to what is said beside the result still gets the result and the exit code.
process.stderr.on('error', () => {})

// No top-level await: the command is bundled as CommonJS. Output may still be on its way, so no exit is forced.
// The bundle's threads load this file for what they share with it, and are not the command.
const tooOld = nodeProblem(process.versions.node)
if (isMainThread && tooOld !== null) {
  process.stderr.write(`${tooOld}\n`)
  process.exitCode = exitCode.usage
} else if (isMainThread) {
  runProgram(process.argv.slice(2), terminal).then((code) => {
    process.exitCode = code
  })
}
