import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { otcsim, serve } from './harness.ts'

it('answers a signed request, takes an order and shows its fill on the next read', async () => {
  const { url } = await serve(['--port', '0', '--clock', 'manual'])
  const price = await otcsim(['curl', '--url', url, 'GET', '/market-data/prices/BTC'])
  expect(price.code).toBe(0)
  expect(JSON.parse(price.out)).toMatchObject({
    asset: 'BTC',
    bid: expect.any(Number),
    ask: expect.any(Number),
  })
  const order = '{"side":"buy","asset":"BTC","quantity":0.5,"price":100000}'
  const created = await otcsim(['curl', '--url', url, '-i', 'POST', '/orders', '-d', order])
  expect(created.out).toMatch(/^HTTP\/1\.1 201 Created\n/)
  const body: { orderId: string; status: string } = JSON.parse(created.out.slice(created.out.indexOf('\n\n')))
  expect(body.status).toBe('open')
  const read = await otcsim(['curl', '--url', url, 'GET', `/orders/${body.orderId}`])
  expect(JSON.parse(read.out)).toMatchObject({ status: 'filled', filledQuantity: 0.5 })
})

it('accepts readings separated by commas, which apply to all later worlds', async () => {
  const readings = { envelope: 'wrapped', createdStatus: '200', nulls: 'omitted' }
  const { url } = await serve([
    ...['--port', '0', '--readings', 'envelope=wrapped,createdStatus=200', '--readings', 'nulls=omitted'],
  ])
  const read = await otcsim(['curl', '--url', url, 'GET', '/portfolio/balances/USD'])
  expect(JSON.parse(read.out)).toMatchObject({ data: { asset: 'USD' } })
  const made = await fetch(`${url}/__admin/worlds`, { method: 'POST' })
  expect(await made.json()).toMatchObject({ id: 'w1', readings })
})

it('prints its address and keys in one line, and a line at the end', async () => {
  const served = await serve(['--port', '0', '--seed', '42', '--scenario', 'thin-book'])
  expect(served.ready).toMatchObject({
    event: 'ready',
    adminUrl: `${served.url}/__admin`,
    seed: '42',
    scenario: 'thin-book',
    world: 'default',
    pid: process.pid,
  })
  expect(served.ready['accounts']).toContainEqual({
    id: 'viewer',
    keys: [{ apiKey: 'simk_default_viewer', apiSecret: 'sims_default_viewer', scopes: ['READ'] }],
  })
  const ended = await served.finished()
  expect(ended.code).toBe(0)
  expect(
    ended.out
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line).event),
  ).toEqual(['ready', 'shutdown'])
  await expect(fetch(served.url)).rejects.toThrow()
})

it('writes the ready file when it answers, and removes it at the end', async () => {
  const folder = temporaryFolder()
  const served = await serve(['--port', '0', '--ready-file', 'ready.json'], { cwd: folder })
  const file = join(folder, 'ready.json')
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual(served.ready)
  await served.finished()
  expect(existsSync(file)).toBe(false)
})

it('removes the ready file of an earlier run when it cannot listen', async () => {
  const folder = temporaryFolder()
  writeFileSync(join(folder, 'ready.json'), '{}')
  const port = await busyPort()
  const ended = await otcsim(['serve', '--port', String(port), '--ready-file', 'ready.json'], { cwd: folder })
  expect(ended.code).toBe(4)
  expect(existsSync(join(folder, 'ready.json'))).toBe(false)
})

it('reports a ready file that cannot be written', async () => {
  const cwd = temporaryFolder()
  writeFileSync(join(cwd, 'nix'), '')
  const ended = await otcsim(['serve', '--port', '0', '--ready-file', 'nix/ready.json'], { cwd })
  const err = 'cannot write nix/ready.json: a part of its path is not a folder\n'
  expect(ended).toEqual({ code: 2, out: '', err })
})

it('runs the timeline of its scenario on the clock of its world', async () => {
  const { url } = await serve(['--port', '0', '--clock', 'manual', '--scenario', 'thin-book'])
  const orders = async (): Promise<number> => {
    const answer = await otcsim(['curl', '--url', url, '--account', 'trader', 'GET', '/orders'])
    const body: { pagination: { total: number } } = JSON.parse(answer.out)
    return body.pagination.total
  }
  expect(await orders()).toBe(0)
  const advanced = await otcsim([
    'curl',
    '--url',
    url,
    'POST',
    '/__admin/worlds/default/clock/advance',
    '-d',
    '{"byMs":31000}',
  ])
  expect(advanced.code).toBe(0)
  expect(await orders()).toBe(3)
})

/** A port that something listens on until the test ends. */
async function busyPort(receive = (socket: Socket): unknown => socket.destroy()): Promise<number> {
  const server = createServer(receive)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => new Promise<void>((resolve) => server.close(() => resolve())))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no address')
  return address.port
}

it('exits with 4 when the port is in use, and names it', async () => {
  const port = await busyPort()
  expect(await otcsim(['serve', '--port', String(port)])).toEqual({
    code: 4,
    out: '',
    err: expect.stringContaining(`cannot listen on 127.0.0.1:${port}: port ${port} is in use`),
  })
})

it('says which otcsim has the port', async () => {
  const { url } = await serve(['--port', '0'])
  const port = new URL(url).port
  const second = await otcsim(['serve', '--port', port])
  expect(second.code).toBe(4)
  expect(second.err).toMatch(
    new RegExp(`port ${port} is in use by otcsim \\S+, which serves ${url} since 20\\S+; stop it, or use it`),
  )
})

it('does not say what it does not know of a program that has the port and is silent', async () => {
  const port = await busyPort((socket) => socket.resume())
  const { err } = await otcsim(['serve', '--port', String(port)])
  expect(err).toContain(`port ${port} is in use by a program that did not answer within 3 s; --port 0`)
})

it('names the port of the admin API when that one is in use', async () => {
  const port = await busyPort()
  expect(await otcsim(['serve', '--port', '0', '--admin-port', String(port)])).toMatchObject({
    code: 4,
    err: expect.stringContaining(`cannot listen on 127.0.0.1:${port}: port ${port} is in use`),
  })
})

it('exits with 4 when nothing answers a request', async () => {
  const ended = await otcsim(['curl', '--url', 'http://127.0.0.1:1', 'GET', '/orders'])
  expect(ended.code).toBe(4)
  expect(ended.err).toMatch(/^cannot reach http:\/\/127\.0\.0\.1:1\/\S*: .*is "otcsim serve" running\?\n$/)
})

it.each([
  [['serve', '--port', '70000'], /expected a whole number from 0 to 65535/],
  [['serve', '--scenario', 'clam'], /did you mean "calm"\?/],
  [['serve', '--clock', 'real'], /Allowed choices are realtime, manual, auto/],
  [['serve', '--readings', 'envelop=bare'], /--readings envelop: is not a known reading/],
  [['serve', '--readings', 'envelope=wraped'], /--readings envelope: must be one of bare, wrapped/],
  [['serve', '--host', '0.0.0.0'], /--host 0\.0\.0\.0 is open to other machines and needs --admin-token/],
  [['serve', '--host', '0.0.0.0', '--admin-token', ''], /a token is a word of printable ASCII characters/],
  [['serve', '--admin-token', 'two words'], /a token is a word of printable ASCII characters/],
  [['serve', '--sed', '7'], /unknown option '--sed'\n\(Did you mean --seed\?\)/],
  [['serve', 'calm'], /too many arguments/],
  [['--prot', '4010'], /unknown option '--prot'\n\(Did you mean --port\?\)/],
])('refuses %j before it listens', async (words, complaint) => {
  const ended = await otcsim(words)
  expect(ended.code).toBe(2)
  expect(ended.err).toMatch(complaint)
})

it('reports a refusal by the exit code, the status and the hint', async () => {
  const { url } = await serve(['--port', '0'])
  const forbidden = await otcsim(['curl', '--url', url, '--account', 'viewer', 'POST', '/orders', '-d', '{}'])
  expect(forbidden.code).toBe(1)
  expect(forbidden.err).toMatch(/^HTTP 403 Forbidden\n/)
  expect(JSON.parse(forbidden.out)).toMatchObject({
    statusCode: 403,
    details: { type: 'INSUFFICIENT_SCOPE' },
  })
  const stranger = await otcsim(['curl', '--url', url, '--account', 'nobody', 'GET', '/orders'])
  expect(stranger).toMatchObject({
    code: 2,
    err: 'no key for account "nobody"; the accounts are desk, trader, maker, viewer\n',
  })
  const wrong = await otcsim([
    'curl',
    '--url',
    url,
    '--key',
    'simk_default_desk',
    '--secret',
    'no',
    'GET',
    '/orders',
  ])
  expect(wrong.err).toMatch(/^HTTP 401 /)
})

it('prints a curl command that works as printed', async () => {
  const { url } = await serve(['--port', '0'])
  const body = `{"side":"buy","asset":"BTC","quantity":0.1,"price":90000,"metadata":{"a":"it's"}}`
  const printed = await otcsim(['curl', '--url', url, '--print-curl', 'POST', '/orders', '-d', body])
  expect(printed.out).toContain(
    `--data-raw '{"side":"buy","asset":"BTC","quantity":0.1,"price":90000,"metadata":{"a":"it'\\''s"}}'`,
  )
  const headers = Object.fromEntries(
    [...printed.out.matchAll(/-H '([^:]+): ([^']+)'/g)].map((match) => [match[1] ?? '', match[2] ?? '']),
  )
  const answer = await fetch(`${url}/api/sdk/orders`, { method: 'POST', headers, body })
  expect(answer.status).toBe(201)
})

it('lists the keys of the running venue', async () => {
  const { url } = await serve(['--port', '0'])
  expect((await otcsim(['keys', '--url', url])).out.split('\n')[1]).toBe(
    'trader\tsimk_default_trader\tsims_default_trader\tREAD TRADE',
  )
})

it('requires its token of callers of the admin API', async () => {
  const { url } = await serve(['--port', '0', '--admin-token', 'open-sesame'])
  const without = await otcsim(['curl', '--url', url, 'GET', '/__admin/worlds/default'])
  expect(without).toMatchObject({ code: 1, err: 'HTTP 401 Unauthorized\n' })
  const withToken = await otcsim(['keys', '--url', url, '--admin-token', 'open-sesame'])
  expect(withToken.code).toBe(0)
})

it('takes an option from its flag, then its variable, then the file, then its default', async () => {
  const folder = temporaryFolder()
  writeFileSync(
    join(folder, 'otcsim.config.yaml'),
    'port: 0\nseed: file\nscenario: thin-book\nreadings: {envelope: wrapped}\n',
  )
  const byFile = await serve([], { cwd: folder })
  expect(byFile.ready).toMatchObject({ seed: 'file', scenario: 'thin-book' })
  const price = await otcsim(['curl', '--url', byFile.url, 'GET', '/market-data/prices/BTC'])
  expect(JSON.parse(price.out)).toMatchObject({ data: { asset: 'BTC' } })
  const byVariable = await serve([], {
    cwd: folder,
    env: { OTCSIM_SEED: 'variable', OTCSIM_READINGS: 'envelope=bare' },
  })
  expect(byVariable.ready).toMatchObject({ seed: 'variable', scenario: 'thin-book' })
  // One file serves all commands, so options of other commands in it are no mistake.
  const run = await otcsim(['run', 'thin-book', '--reporter', 'json'], { cwd: folder })
  expect(JSON.parse(run.out)).toMatchObject({ ok: true, scenarios: [{ seed: 'file' }] })
  const byFlag = await serve(['--seed', 'flag'], { cwd: folder, env: { OTCSIM_SEED: 'variable' } })
  expect(byFlag.ready).toMatchObject({ seed: 'flag', scenario: 'thin-book' })
})

it.each([
  ['prot: 1', 'c.yaml:1:1 prot: unknown key "prot". Did you mean "port"?\n'],
  ['port: many', 'c.yaml:1:7 port: expected a whole number from 0 to 65535\n'],
  ['clock: real', 'c.yaml:1:8 clock: expected one of realtime, manual, auto, follow, found "real"\n'],
  ['json: maybe', 'c.yaml:1:7 json: expected true or false\n'],
  ['port: 1\nport: 2', 'c.yaml:2:1 port: the key is there twice, first in line 1\n'],
  ['- port', 'c.yaml:1:1 expected a mapping\n'],
])('refuses the configuration %j with its place', async (text, err) => {
  const folder = temporaryFolder()
  writeFileSync(join(folder, 'c.yaml'), text)
  expect(await otcsim(['serve', '--config', 'c.yaml'], { cwd: folder })).toEqual({ code: 2, out: '', err })
})

it('names an invalid variable', async () => {
  const ended = await otcsim(['serve'], { env: { OTCSIM_PORT: 'x' } })
  expect(ended).toEqual({ code: 2, out: '', err: 'OTCSIM_PORT: expected a whole number from 0 to 65535\n' })
})
