import { readFileSync } from 'node:fs'
import process from 'node:process'
import { divergence } from './replay.ts'
import { readVectors } from './vector.ts'

/* Replays the golden vectors of the file named on the command line; exit code 1 when one differs. */
const [, , file] = process.argv
if (file === undefined) throw new Error('Name the file of the golden vectors')
const broken = readVectors(readFileSync(file, 'utf8')).map(divergence).filter((one) => one !== null)
for (const line of broken) process.stdout.write(`${line}\n`)
process.exitCode = broken.length === 0 ? 0 : 1
