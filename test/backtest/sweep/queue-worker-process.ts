import { fileURLToPath } from 'node:url'
import { workOnQueue } from '../../../src/backtest/sweep/queue-worker.ts'
import { startPool } from '../../../src/backtest/sweep/worker-pool.ts'

/* A worker as a process of its own, so that a test can kill it: its words are the address and the queue's name. */

const [url = '', name = ''] = process.argv.slice(2)
const workerFile = fileURLToPath(new URL('./test-task.ts', import.meta.url))
const stop = new AbortController()
process.on('SIGTERM', () => stop.abort())
const pool = startPool({ workerFile, jobs: 1, cwd: '.', isConfined: true })
workOnQueue({
  place: { url, name },
  pool,
  lockMillis: 1_000,
  idleMillis: null,
  onDone: ({ id }) => process.stdout.write(`${id}\n`),
  signal: stop.signal,
}).then(async (problem) => {
  if (problem !== null) process.stdout.write(`refused: ${problem}\n`)
  await pool.close()
})
