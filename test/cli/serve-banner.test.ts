import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, it, onTestFinished } from 'vitest'
import { clockModes } from '../../src/api/clock.ts'
import { runProgram } from '../../src/cli/main.ts'
import { programPath } from '../support/program-path.ts'
import { until } from '../support/until.ts'
import { bufferTerminal, otcsim, serve } from './harness.ts'

/** Starts `serve` as a person does, until the end of the test, and returns what it prints. */
async function readBanner(words: readonly string[]): Promise<string> {
  let stop = () => {}
  const onStop = (listener: () => void) => {
    stop = listener
    return () => {}
  }
  const { terminal, output } = bufferTerminal({}, { onStop })
  const running = runProgram(['serve', '--port', '0', ...words], terminal)
  onTestFinished(async () => {
    stop()
    await running
  })
  await until('the banner', () => output().err.includes('Ctrl-C ends it'))
  return output().err
}

it.each(clockModes)(
  'what the banner suggests works with the clock %s',
  { tags: ['sh', 'curl', 'openssl'] },
  async (clock) => {
    const banner = await readBanner(['--clock', clock])
    const [, url = ''] = /API +(http:\S+)\/api\/sdk/.exec(banner) ?? []
    const tried = banner.split('\n').filter((line) => / {4}npx otcsim curl /.test(line))
    expect(tried).toHaveLength(2)
    for (const line of tried) {
      const [, , ...words] = [...line.matchAll(/'([^']*)'|(\S+)/g)].map((match) => match[1] ?? match[2] ?? '')
      expect(await otcsim(words), line).toMatchObject({ code: 0, err: '' })
    }
    const [script = ''] = banner.split('\n').filter((line) => line.startsWith('    T='))
    const { stdout } = await promisify(execFile)(programPath('sh'), ['-c', script.trim()], {
      timeout: 60_000,
    })
    expect(JSON.parse(stdout)).toMatchObject({ asset: 'BTC' })
    const world = await otcsim(['curl', '--url', url, 'GET', '/__admin/worlds/default'])
    const { now } = JSON.parse(world.out)
    if (clock === 'follow') {
      // It suggests the time at which it stands, and looking at it moves nothing.
      expect(banner).toContain(`start that at ${now} (${Date.parse(now)}), not at the machine's time`)
      expect(now).toBe('2026-01-05T00:00:00.000Z')
    } else expect(banner).not.toContain('start that at')
  },
)

it('curl signs at the time of a world that follows, wherever that has gone', async () => {
  const { url } = await serve(['--port', '0', '--clock', 'follow'])
  const curl = (...words: readonly string[]) => otcsim(['curl', '--url', url, ...words])
  const advanced = await curl('POST', '/__admin/worlds/default/clock/advance', '-d', '{"byMs": 3600000}')
  expect(advanced.code).toBe(0)
  const key = ['--key', 'simk_default_trader', '--secret', 'sims_default_trader']
  for (const words of [[], ['--account', 'viewer'], key]) {
    const answer = await curl(...words, '-i', 'GET', '/orders')
    expect(answer).toMatchObject({ code: 0, out: expect.stringContaining('x-sim-time: 2026-01-05T01:00:00') })
  }
  const printed = await curl('--print-curl', 'GET', '/orders')
  expect(printed.out).toContain(`X-API-Timestamp: ${Date.parse('2026-01-05T01:00:00Z')}`)
})
