import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { otcsim, repository } from '../cli/harness.ts'
import { folderWith } from '../support/temporary-folder.ts'

const env = { PATH: process.env['PATH'] ?? '' }
const testing = pathToFileURL(join(repository, 'dist/testing.js')).href

const shell = (line: string): readonly string[] => ['--', 'sh', '-c', line]
/** The words of a program in JavaScript, which may await. */
const program = (text: string): readonly string[] => [
  ...['--', process.execPath, '--input-type=module', '-e', text],
]

/** The code of a request to the admin API, and of one to the venue. */
const askAdmin = (path: string, options = '{}'): string =>
  `await fetch(process.env.OTC_ADMIN_URL + '${path}', ${options})`
const posting = (body: string): string =>
  `{ method: 'POST', headers: { 'Content-Type': 'application/json' }, body: '${body}' }`
const askVenue = (key = 'process.env.OTC_API_KEY'): string =>
  `await fetch(process.env.OTC_BASE_URL + '/api/sdk/orders', { headers: { 'X-API-Key': ${key} } })`

const lacking = 'nothing was judged: looked at no requests; --allow-no-requests lets the program pass\n'

const askAt = (path: string, options = '{}'): string =>
  `await fetch(process.env.OTC_BASE_URL + '${path}', ${options})`

describe('otcsim exec', () => {
  it.each([
    ['a program that does nothing', shell('true')],
    ['a program that only prints', shell('echo 12 tests passed')],
    ['a suite of no tests', shell("printf 'TAP version 13\\n1..0\\n'")],
    ['a program that only reads its variables', shell('test -n "$OTC_BASE_URL" && test -n "$OTC_API_KEY"')],
    ['a request to nobody', program("await fetch('http://127.0.0.1:9/api/sdk/orders').catch(() => {})")],
    [
      'a request that was broken off',
      program('await fetch(process.env.OTC_BASE_URL, { signal: AbortSignal.abort() }).catch(() => {})'),
    ],
    ['questions about the world alone', program(`${askAdmin('/worlds')}; ${askAdmin('/health')}`)],
    ['a world that is made and asked for nothing', program(askAdmin('/worlds', posting('{"id":"w"}')))],
    ['time that passes alone', program(askAdmin('/worlds/default/clock/advance', posting('{"byMs":1000}')))],
    [
      'a venue of its own, asked for nothing',
      program(`import { startVenue } from '${testing}'; await (await startVenue()).close()`),
    ],
    [
      'a program that ends before it asks',
      program(`setTimeout(async () => { ${askVenue()} }, 600000).unref()`),
    ],
  ])('fails for %s', async (_what, words) => {
    const done = await otcsim(['exec', ...words], { env })
    expect(done).toMatchObject({ code: 1, err: `looked at: 0 requests\n${lacking}` })
    const allowed = await otcsim(['exec', '--allow-no-requests', ...words], { env })
    expect(allowed).toEqual({ code: 0, out: done.out, err: 'looked at: 0 requests\n' })
  })

  it.each([
    ['the console and its icon', `${askAt('/')}; ${askAt('/favicon.ico')}`, 1],
    ['the paths of another interface', `${askAt('/v1/orders')}; ${askAt('/api/v3/ticker')}`, 2],
    ['an unknown path of ours', askAt('/api/sdk/nothing'), 1],
    ['a method that a path does not have', askAt('/api/sdk/orders', "{ method: 'PATCH' }"), 1],
    ['questions what a path allows', askAt('/api/sdk/orders', "{ method: 'OPTIONS' }"), 1],
  ])('fails for %s, and says what came', async (_what, text, count) => {
    const done = await otcsim(['exec', ...program(text)], { env })
    const others = `${count} request${count === 1 ? '' : 's'} to no operation of the venue (an unknown path or method): not counted\n`
    expect(done).toMatchObject({ code: 1, err: `looked at: 0 requests\n${others}${lacking}` })
  })

  it.each([
    ['of the first world', `${askVenue()}; ${askVenue("'nobody'")}`, 2],
    [
      'of a world that it made and deleted',
      `const made = ${askAdmin('/worlds', posting('{"id":"w"}'))}
      const { accounts } = await made.json()
      ${askVenue('accounts[0].keys[0].apiKey')}
      ${askAdmin('/worlds/w', "{ method: 'DELETE' }")}`,
      1,
    ],
    [
      'that the log has forgotten',
      `${askVenue()}; ${askAdmin('/worlds/default/requests', "{ method: 'DELETE' }")}`,
      1,
    ],
    [
      'to a venue of its own',
      `import { startVenue } from '${testing}'
      const venue = await startVenue()
      await fetch(venue.url + '/api/sdk/orders')
      await venue.close()`,
      1,
    ],
  ])('counts requests %s', async (_what, text, requests) => {
    const done = await otcsim(['exec', ...program(text)], { env })
    const err = `looked at: ${requests} request${requests === 1 ? '' : 's'}\n`
    expect(done).toEqual({ code: 0, out: '', err })
  })

  it('passes on what the program ends with, whatever it asked for', async () => {
    expect(await otcsim(['exec', ...shell('exit 3')], { env })).toEqual({ code: 3, out: '', err: '' })
  })

  it('tells the command around it of all requests', async () => {
    const outer = join(folderWith({}), 'outer')
    const uses = `{"requests":3,"strikes":0,"settings":[]}\\n{"requests":0,"strikes":0,"settings":[]}\\n`
    const words = shell(`printf '${uses}' >> "$OTC_EVIDENCE_FILE"`)
    const done = await otcsim(['exec', ...words], { env: { ...env, OTC_EVIDENCE_FILE: outer } })
    expect(done).toMatchObject({ code: 0, err: 'looked at: 3 requests\n' })
    const told = readFileSync(outer, 'utf8').trim().split('\n')
    expect(told.map((line) => JSON.parse(line).requests)).toEqual([0, 3, 0])
  })
})

const deed = fc.constantFrom(
  { text: 'await 0', requests: 0 },
  { text: askAdmin('/worlds'), requests: 0 },
  { text: askVenue(), requests: 1 },
  {
    text: "await fetch(process.env.OTC_BASE_URL + '/api/sdk/x', { method: 'POST', body: 'x' })",
    requests: 0,
  },
  {
    text: "await fetch(process.env.OTC_BASE_URL + '/api/sdk/orders', { method: 'POST', body: 'x' })",
    requests: 1,
  },
)

it('exec ends with 0 exactly where it saw a request', async () => {
  const property = fc.asyncProperty(fc.array(deed, { maxLength: 3 }), async (deeds) => {
    const { code, err } = await otcsim(['exec', ...program(deeds.map(({ text }) => text).join('\n'))], {
      env,
    })
    const requests = deeds.reduce((sum, one) => sum + one.requests, 0)
    expect(err).toMatch(new RegExp(`^looked at: ${requests} requests?\n`))
    expect(code).toBe(requests > 0 ? 0 : 1)
  })
  await fc.assert(property, { numRuns: 12 })
})
