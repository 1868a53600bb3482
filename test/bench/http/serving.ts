import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { get } from 'node:http'
import { createServer } from 'node:net'
import type { Command } from './contenders.ts'
import { type Call, type Credentials, signedHeaders } from './keys.ts'

/** A program that answers, in a process of its own. */
export interface Served extends AsyncDisposable {
  readonly port: number
  /** From its spawn to its first answer. */
  readonly startMillis: number
  /** Processor time that it has used; null where the system does not say. */
  cpuMillis(): number | null
}

/** Resolves at the first answer, whatever it is, to a call that is made every few milliseconds. */
export async function serve(
  commandAt: (port: number) => Command,
  call: Call,
  credentials: Credentials,
): Promise<Served> {
  const port = await freePort()
  const { program, words } = commandAt(port)
  const begun = performance.now()
  const child = spawn(program, [...words], { stdio: ['ignore', 'ignore', 'pipe'] })
  let errors = ''
  child.stderr.on('data', (text) => {
    errors += text
  })
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()))
  while (!(await isAnswered(port, call, credentials))) {
    if (child.exitCode !== null) throw new Error(`${program} ${words.join(' ')} ended: ${errors}`)
    if (performance.now() - begun > startLimitMillis) throw new Error(`${words.join(' ')} does not answer`)
    await new Promise((resolve) => setTimeout(resolve, 2))
  }
  const startMillis = performance.now() - begun
  return {
    port,
    startMillis,
    cpuMillis: () => cpuMillisOf(child),
    [Symbol.asyncDispose]: async () => {
      child.kill()
      await ended
    },
  }
}

const startLimitMillis = 60_000

/** What a process costs that does nothing. */
export function bareStartMillis(): number {
  const begun = performance.now()
  spawnSync(process.execPath, ['-e', '0'])
  return performance.now() - begun
}

function isAnswered(port: number, call: Call, credentials: Credentials): Promise<boolean> {
  const headers = signedHeaders(call, credentials)
  return new Promise((resolve) => {
    const request = get({ host: '127.0.0.1', port, path: call.path, headers, agent: false }, (response) => {
      response.resume()
      response.once('end', () => resolve(true))
    })
    request.once('error', () => resolve(false))
  })
}

async function freePort(): Promise<number> {
  const server = createServer()
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  server.close()
  await once(server, 'close')
  return port
}

/** Source: proc(5): fields 14 and 15 of `stat`, in hundredths of a second; the name before them may have spaces. */
function cpuMillisOf({ pid }: ChildProcess): number | null {
  if (process.platform !== 'linux') return null
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? []
  return (Number(fields[11]) + Number(fields[12])) * 10
}
