import { execFileSync } from 'node:child_process'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { repositoryRoot } from './source.ts'

/** The most files of the sources that one order may pass: as many as a newcomer reads on its way. */
export const mostOrderFiles = 40
export const orderRemedy = 'let a file next door do it, or load what an order does not need when it is called'

/** The files that an order passed, as paths in the repository, and the trades that it made. */
export interface OrderWay {
  readonly trades: number
  readonly files: readonly string[]
}

/** Sends an order through a server in a process of its own, and lists the files it passes from the socket to its answer. */
export function followOrder(): OrderWay {
  const script = fileURLToPath(new URL('order-files.ts', import.meta.url))
  const words = ['--import', 'tsx', script]
  return JSON.parse(execFileSync(process.execPath, words, { cwd: repositoryRoot, encoding: 'utf8' }))
}
