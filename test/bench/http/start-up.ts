import { spawn, spawnSync } from 'node:child_process'
import { get } from 'node:http'
import { fileURLToPath } from 'node:url'
import type { Call } from './keys.ts'

const command = fileURLToPath(new URL('../../dist/cli.cjs', import.meta.url))
const call: Call = { method: 'GET', path: '/api/sdk/market-data/trading-pairs', body: '' }

export interface StartUp {
  readonly nodeMillis: number
  /** From spawn to the first answered request of the built command. */
  readonly oursMillis: number
}

/** One process that does nothing, and one venue that answers a request. */
export async function startUp(sign: (call: Call) => Record<string, string>): Promise<StartUp> {
  const start = performance.now()
  spawnSync(process.execPath, ['-e', '0'])
  const between = performance.now()
  await firstAnswer(sign(call))
  return { nodeMillis: between - start, oursMillis: performance.now() - between }
}

function firstAnswer(headers: Record<string, string>): Promise<void> {
  const words = [command, 'serve', '--port', '0', '--json']
  const child = spawn(process.execPath, words, { stdio: ['ignore', 'pipe', 'inherit'] })
  return new Promise((resolve, reject) => {
    let text = ''
    child.on('exit', (code) => reject(new Error(`otcsim serve ended with ${code}`)))
    child.stdout.on('data', (bytes: Buffer) => {
      const isReady = text.includes('\n')
      text += bytes.toString()
      if (isReady || !text.includes('\n')) return
      const { port } = JSON.parse(text.slice(0, text.indexOf('\n')))
      get({ port, path: call.path, headers, agent: false }, (response) => {
        response.resume()
        response.on('end', () => {
          child.kill()
          if (response.statusCode === 200) resolve()
          else reject(new Error(`the first answer was ${response.statusCode}`))
        })
      }).on('error', reject)
    })
  })
}
