import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findRedisProblem } from '../../../src/backtest/sweep/queue.ts'
import { programPath } from '../../support/program-path.ts'

export interface RedisServer {
  readonly url: string
  stop(): Promise<void>
}

/** A real Redis server on a free port, without persistence. Files of tests that start it have the tag `redis-server`. */
export async function startRedis(): Promise<RedisServer> {
  const program = programPath('redis-server')
  const folder = mkdtempSync(join(tmpdir(), 'otcsim-redis-'))
  const port = await freePort()
  const words = [
    '--port',
    String(port),
    '--bind',
    '127.0.0.1',
    '--dir',
    folder,
    '--save',
    '',
    '--appendonly',
    'no',
  ]
  const server = spawn(program, words, { stdio: 'ignore' })
  const ended = new Promise<void>((resolve) => server.once('exit', () => resolve()))
  const url = `redis://127.0.0.1:${port}`
  for (let attempt = 0; (await findRedisProblem(url)) !== null; attempt += 1) {
    if (attempt === 100) throw new Error('redis-server does not come up')
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  const stop = async (): Promise<void> => {
    server.kill('SIGKILL')
    await ended
    rmSync(folder, { recursive: true, force: true })
  }
  return { url, stop }
}

/** A port on which nothing listens at present. */
export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer()
    probe.once('error', reject)
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address()
      probe.close(() =>
        typeof address === 'object' && address !== null
          ? resolve(address.port)
          : reject(new Error('no port')),
      )
    })
  })
}
