#!/usr/bin/env node
import { runProgram } from './program.ts'
import type { Terminal } from './terminal.ts'

const terminal: Terminal = {
  out: (text) => process.stdout.write(text),
  err: (text) => process.stderr.write(text),
  env: process.env,
  cwd: process.cwd(),
  isOutTty: process.stdout.isTTY,
  isErrTty: process.stderr.isTTY,
}

// No top-level await: the command is bundled as CommonJS. Output may still be on its way, so no exit is forced.
runProgram(process.argv.slice(2), terminal).then((code) => {
  process.exitCode = code
})
