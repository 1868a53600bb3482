import { fileURLToPath } from 'node:url'
import { workOnQueue } from '../../../src/backtest/sweep/queue.ts'
import { startPool } from '../../../src/backtest/sweep/worker-pool.ts'

/* A worker in its own process, so that a test can kill it. Its arguments are the address and the name of the queue. */

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
