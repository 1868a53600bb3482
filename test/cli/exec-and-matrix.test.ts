import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { otcsim, repository } from './harness.ts'

const node = process.execPath
const naive = ['--', node, join(repository, 'test/matrix/naive-client.mjs')]
/** What a suite asks so that it has asked for something. No world lets it in, but each answers. */
const askOnce = `await fetch(process.env.OTC_BASE_URL + '/api/sdk/orders', { headers: { 'X-API-Key': process.env.OTC_API_KEY } });`
const careful = ['--', node, join(repository, 'scenarios/clients/careful-client.mjs')]

describe('otcsim exec', () => {
  it('gives a program a venue and a valid key, and passes on its output and exit code', async () => {
    const program = `
      const { OTC_BASE_URL, OTC_API_KEY, OTC_API_SECRET, OTC_ADMIN_URL, OTC_WORLD, OTC_ACCOUNTS } = process.env
      const health = await (await fetch(OTC_ADMIN_URL + '/health')).json()
      const world = await (await fetch(OTC_ADMIN_URL + '/worlds/' + OTC_WORLD)).json()
      console.log(JSON.stringify({ health, url: OTC_BASE_URL, key: OTC_API_KEY, secret: OTC_API_SECRET, seed: world.seed, ids: JSON.parse(OTC_ACCOUNTS).map(({ id }) => id) }))
      console.error('bad news')
      process.exit(7)`
    const done = await otcsim([
      'exec',
      '--seed',
      '99',
      '--account',
      'viewer',
      '--',
      node,
      '--input-type=module',
      '-e',
      program,
    ])
    expect(done).toMatchObject({ code: 7, err: 'bad news\n' })
    const said = JSON.parse(done.out)
    expect(said).toMatchObject({
      health: { status: 'ok' },
      key: 'simk_default_viewer',
      secret: 'sims_default_viewer',
      seed: '99',
      ids: ['desk', 'trader', 'maker', 'viewer'],
    })
    await expect(fetch(said.url)).rejects.toThrow()
  })

  it.each([
    ['a missing program', ['exec', '--', 'no-such-program'], 2, /cannot run no-such-program/],
    [
      'an unknown account',
      ['exec', '--account', 'bob', '--', node, '-v'],
      2,
      /no key for account "bob"; the accounts are desk/,
    ],
    ['a signal', ['exec', '--', node, '-e', 'process.kill(process.pid, "SIGKILL")'], 137, /^$/],
  ])('reports %s', async (_what, words, code, err) => {
    const done = await otcsim(words)
    expect(done.code).toBe(code)
    expect(done.err).toMatch(err)
  })

  it('runs the clients of the matrix under the default readings', async () => {
    const done = await otcsim(['exec', ...naive])
    expect(done.code).toBe(0)
    expect(done.out).toContain('ok 8 - waits for the rate limit on its own clock')
  })
})

describe('otcsim matrix', () => {
  it('names the readings that break the naive client, with the broken tests', async () => {
    const only = 'createdStatus,orders.createResponse,percent.unit'
    const done = await otcsim([
      'matrix',
      '--depth',
      '1',
      '--no-faults',
      '--json',
      '--jobs',
      '4',
      '--only',
      only,
      ...naive,
    ])
    expect(done.code).toBe(1)
    const { tests, tried, breaks } = JSON.parse(done.out)
    expect([tests, tried]).toEqual([8, 4])
    const named = new Map(
      breaks.map(({ name, tests: broken }: { name: string; tests: string[] }) => [name, broken]),
    )
    expect(named.get('createdStatus=200')).toEqual(['places an order'])
    expect(named.get('orders.createResponse=final')).toEqual(['sees its order open before it is filled'])
    expect(named.has('percent.unit=fraction')).toBe(false)
  })

  it('passes the careful client, which also survives a lost answer', async () => {
    const only = 'envelope,fault.lost-answer'
    const done = await otcsim([
      'matrix',
      '--depth',
      '1',
      '--jobs',
      '4',
      '--only',
      only,
      '--require',
      'envelope,fault.lost-answer',
      ...careful,
    ])
    expect(done).toMatchObject({
      code: 0,
      out: expect.stringMatching(/nothing that its requests have met breaks it/),
    })
  })

  it.each([
    ['--only envelop', 'envelop is neither a reading nor a fault; did you mean "envelope"? Other names: '],
    ['--require zebra', 'zebra is neither a reading nor a fault; known names: envelope, '],
    ['--only nulls --require envelope', 'envelope is required, but not among what is tried'],
    ['--no-faults --require fault.slow', 'fault.slow is required, but not among what is tried'],
  ])('refuses %s', async (words, message) => {
    const done = await otcsim(['matrix', ...words.split(' '), '--', node, '-e', ''])
    expect(done).toMatchObject({ code: 2, out: '', err: expect.stringContaining(message) })
  })

  it('finds two readings that break a suite only together', async () => {
    const program = `${askOnce}
      const read = async (headers) => (await fetch(process.env.OTC_ADMIN_URL + '/worlds/' + process.env.OTC_WORLD)).json()
      const { readings } = await read()
      console.log('TAP version 13\\n1..1')
      const isBad = readings.envelope === 'wrapped' && readings['lists.order'] === 'oldest'
      console.log((isBad ? 'not ok' : 'ok') + ' 1 - both')
      process.exitCode = isBad ? 1 : 0`
    const only = 'envelope,lists.order,nulls'
    const words = [
      'matrix',
      '--no-faults',
      '--json',
      '--only',
      only,
      '--',
      node,
      '--input-type=module',
      '-e',
      program,
    ]
    const done = await otcsim(words)
    const report = JSON.parse(done.out)
    expect(report.breaks).toEqual([])
    expect(report.combinations).toMatchObject([
      { readings: { envelope: 'wrapped', 'lists.order': 'oldest' }, tests: ['both'] },
    ])
    expect(done).toMatchObject({
      code: 1,
      err: expect.stringContaining('1 of the required readings and faults breaks the suite\n'),
    })
  })

  it('does not vary pinned readings, and refuses to require them', async () => {
    const cwd = temporaryFolder()
    writeFileSync(join(cwd, 'readings.json'), JSON.stringify({ envelope: 'wrapped', createdStatus: 200 }))
    const program = `${askOnce}
      const { readings } = await (await fetch(process.env.OTC_ADMIN_URL + '/worlds/' + process.env.OTC_WORLD)).json()
      process.exitCode = readings.envelope === 'wrapped' && readings.createdStatus === '200' && readings.nulls === 'explicit' ? 0 : 3`
    const words = [
      '--depth',
      '1',
      '--no-faults',
      '--only',
      'envelope,nulls',
      '--',
      node,
      '--input-type=module',
      '-e',
      program,
    ]
    const all = await otcsim(['matrix', ...words], { cwd })
    expect(all.code).toBe(1)
    expect(all.out).toMatch(/1 readings and faults[\s\S]*nulls=omitted\n {4}ends with 3/)
    expect((await otcsim(['matrix', '--require', 'envelope', ...words], { cwd })).code).toBe(2)
    writeFileSync(join(cwd, 'readings.json'), JSON.stringify({ envelop: 'wrapped' }))
    expect(await otcsim(['matrix', ...words], { cwd })).toMatchObject({
      code: 2,
      err: expect.stringMatching(/did you mean envelope/),
    })
  })

  it('stops during a run when asked to, and does not count that run', async () => {
    const cwd = temporaryFolder()
    const stop = new AbortController()
    const log = join(cwd, 'runs')
    const runs = () => (existsSync(log) ? readFileSync(log, 'utf8').length : 0)
    const suite = `${askOnce}
      const { appendFileSync, readFileSync } = await import('node:fs')
      appendFileSync('runs', 'x')
      if (readFileSync('runs').length === 3) setTimeout(() => {}, 60_000)`
    const words = ['matrix', '--jobs', '1', '--depth', '1', '--', node, '--input-type=module', '-e', suite]
    const ending = otcsim(words, { cwd, stop: stop.signal })
    await expect.poll(runs).toBe(3)
    stop.abort()
    expect(await ending).toEqual({ code: 130, out: '', err: 'interrupted after 2 runs\n' })
    expect(runs()).toBe(3)
  })

  it('reports a suite that fails under the default readings, or hangs', async () => {
    const program = `${askOnce}
      const { readings } = await (await fetch(process.env.OTC_ADMIN_URL + '/worlds/' + process.env.OTC_WORLD)).json()
      if (readings.nulls === 'omitted') setInterval(() => {}, 1000)`
    const words = [
      '--depth',
      '1',
      '--no-faults',
      '--only',
      'nulls',
      '--timeout',
      '6',
      '--',
      node,
      '--input-type=module',
      '-e',
      program,
    ]
    const ofBroken = otcsim(['matrix', '--', node, '-e', 'console.error("oh no"); process.exit(1)'])
    expect((await otcsim(['matrix', ...words])).out).toMatch(/nulls=omitted\n {4}takes too long/)
    expect(await ofBroken).toMatchObject({
      code: 1,
      err: expect.stringMatching(/oh no[\s\S]*fails under the default readings/),
      out: '',
    })
    const told = await otcsim([
      'matrix',
      '--json',
      '--',
      node,
      '-e',
      'console.log("not ok 1 - a\\nok 2 - b\\n1..2"); process.exit(3)',
    ])
    expect(told.code).toBe(1)
    const broken = {
      name: 'default readings',
      readings: {},
      fault: null,
      code: 3,
      timeout: false,
      met: true,
      reason: null,
      tests: ['a'],
    }
    expect(JSON.parse(told.out)).toEqual({
      ok: false,
      verdict: 'the suite already fails under the default readings',
      tests: 2,
      tried: 0,
      rows: 0,
      breaks: [broken],
      combinations: [],
      flaky: [],
      neverMet: [],
      leftOut: { readings: 0, faults: 0 },
      lookedAt: { requests: 0, tests: 2, readings: 0, faults: 0 },
    })
  })
})
