import { fileURLToPath } from 'node:url'
import { workOnQueue } from '../../../src/backtest/sweep/queue.ts'
import { startPool } from '../../../src/backtest/sweep/worker-pool.ts'

/*
 * A worker in its own process, so that it can be killed. Its arguments are the address and the name of the queue, and
 * after how many cases it kills itself: by then it has begun the next one.
 */

const [url = '', name = '', lastCase = 'none'] = process.argv.slice(2)
let done = 0
const workerFile = fileURLToPath(new URL('./test-task.ts', import.meta.url))
const stop = new AbortController()
process.on('SIGTERM', () => stop.abort())
const pool = startPool({ workerFile, jobs: 1, cwd: '.', isConfined: true })
workOnQueue({
  place: { url, name },
  pool,
  lockMillis: 1_000,
  idleMillis: null,
  onDone: ({ id }) => {
    process.stdout.write(`${id}\n`)
    done += 1
    if (String(done) === lastCase) process.kill(process.pid, 'SIGKILL')
  },
  signal: stop.signal,
}).then(async (problem) => {
  if (problem !== null) process.stdout.write(`refused: ${problem}\n`)
  await pool.close()
})
