import { createHash, createHmac } from 'node:crypto'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { otcsim, repository } from './harness.ts'

it('validates shipped scenarios and summarises them', async () => {
  const ended = await otcsim(['validate', 'calm', 'scenarios/thin-book.yaml'])
  expect(ended).toMatchObject({ code: 0, err: '' })
  expect(ended.out).toBe(
    'scenarios/calm.yaml: ok, calm, 5 assets, 4 accounts, 0 actions, 5 expectations\n' +
      'scenarios/thin-book.yaml: ok, thin-book, 1 asset, 4 accounts, 4 actions, 6 expectations\n',
  )
})

it('lists every problem of an invalid scenario with its place, and exits with 2', async () => {
  const folder = temporaryFolder()
  writeFileSync(
    join(folder, 's.yaml'),
    'version: 1\nname: x\nsed: 7\nmarket: {assets: {BTC: {price: "1,000"}}}\n',
  )
  const ended = await otcsim(['validate', 's.yaml'], { cwd: folder })
  expect(ended).toEqual({
    code: 2,
    out: '',
    err: 's.yaml:3:1 sed: unknown key "sed". Did you mean "seed"?\ns.yaml:4:32 market.assets.BTC.price: expected a price in USD, as a number or as decimal text, found "1,000"\n',
  })
})

it('prints the schema of scenarios as JSON Schema', async () => {
  const ended = await otcsim(['schema', 'scenario'])
  expect(ended.code).toBe(0)
  expect(JSON.parse(ended.out)).toMatchObject({
    $schema: 'http://json-schema.org/draft-07/schema#',
    type: 'object',
  })
  expect(await otcsim(['schema', 'scenaro'])).toMatchObject({ code: 2, out: '' })
})

it.each([
  ['GET', '/market-data/prices', '/api/sdk/market-data/prices', ''],
  ['get', 'orders?limit=1', '/api/sdk/orders?limit=1', ''],
  ['POST', '/api/sdk/orders', '/api/sdk/orders', '{"side":"buy","note":"é"}'],
])('signs %s %s as the specification says', async (method, path, signedPath, body) => {
  const words = ['sign', method, path, '--timestamp', '1767571200000', '--json']
  const ended = await otcsim(body === '' ? words : [...words, '-d', body])
  const message = `1767571200000${method.toUpperCase()}${signedPath}${body}`
  expect(JSON.parse(ended.out)).toEqual({
    'X-API-Key': 'simk_default_desk',
    'X-API-Timestamp': '1767571200000',
    'X-API-Signature': createHmac('sha256', 'sims_default_desk').update(message).digest('hex'),
  })
})

it('signs with given keys, and a body from a file or from standard input', async () => {
  const folder = temporaryFolder()
  writeFileSync(join(folder, 'body.json'), '{"a":1}')
  const sign = (data: string, more: readonly string[] = []) =>
    otcsim(['sign', 'POST', '/orders', '--timestamp', '5', '-d', data, ...more], {
      cwd: folder,
      input: '{"a":1}',
    })
  const own = ['--key', 'k', '--secret', 's']
  const signature = createHmac('sha256', 's').update('5POST/api/sdk/orders{"a":1}').digest('hex')
  const expected = `X-API-Key: k\nX-API-Timestamp: 5\nX-API-Signature: ${signature}\n`
  for (const data of ['{"a":1}', '@body.json', '-'])
    expect(await sign(data, own)).toMatchObject({ out: expected })
  expect(await sign('@nix.json')).toMatchObject({
    code: 2,
    err: 'cannot read nix.json: there is no such file\n',
  })
  expect(await sign('x', ['--key', 'k'])).toMatchObject({ code: 2, err: '--key and --secret go together\n' })
})

it('lists a preset with its evidence, and signs by its rules', async () => {
  const { out } = await otcsim(['readings', '--preset', 'published-client'])
  expect(out).toMatch(/^signature\.key=sha256 +utils\/http\.py, /m)
  const json: unknown = JSON.parse(
    (await otcsim(['readings', '--preset', '@published-client', '--json'])).out,
  )
  expect(json).toMatchObject({ name: 'published-client', source: 'PyPI zenotc 0.2.2' })
  const unknown = await otcsim(['readings', '--preset', 'publishd-client'])
  expect(unknown).toMatchObject({ code: 2, err: expect.stringContaining('did you mean published-client?') })
  const request = ['sign', 'GET', '/orders?limit=1', '--key', 'k', '--timestamp', '1', '--json']
  const hashed = createHash('sha256').update('s').digest('hex')
  const asPreset = await otcsim([...request, '--secret', 's', '--readings', '@published-client'])
  const byHand = await otcsim(['sign', 'GET', '/orders', ...request.slice(3), '--secret', hashed])
  expect(JSON.parse(asPreset.out)).toEqual(JSON.parse(byHand.out))
})

it('takes a preset in a scenario, alone or under single readings', async () => {
  const cwd = temporaryFolder()
  const scenario = (readings: string) =>
    `version: 1\nname: s\nreadings: ${readings}\nmarket: { assets: { BTC: { price: 1, model: { kind: constant } } } }\n`
  for (const fine of ['"@published-client"', '{ preset: published-client, limits.form: object }']) {
    writeFileSync(join(cwd, 's.yaml'), scenario(fine))
    expect((await otcsim(['validate', 's.yaml'], { cwd })).code).toBe(0)
  }
  writeFileSync(join(cwd, 's.yaml'), scenario('{ envelop: bare, preset: publishd-client }'))
  const { out, err } = await otcsim(['validate', 's.yaml'], { cwd })
  expect(out + err).toMatch(/3:36 readings\.preset: must be one of @published-client/)
})

it('takes options of readings and schema from variables, as doctor says', async () => {
  const env = { OTCSIM_PRESET: 'published-client', OTCSIM_MARKDOWN: 'yes' }
  expect(await otcsim(['readings'], { env })).toEqual(
    await otcsim(['readings', '--preset', 'published-client']),
  )
  expect(await otcsim(['schema', 'scenario'], { env })).toEqual(
    await otcsim(['schema', 'scenario', '--markdown']),
  )
  const refused = await otcsim(['readings'], { env: { OTCSIM_JSON: 'perhaps' } })
  expect(refused).toEqual({ code: 2, out: '', err: 'OTCSIM_JSON: expected true or false\n' })
})

it('lists the readings, as text and as JSON', async () => {
  const table = await otcsim(['readings'])
  expect(table.out).toMatch(/^envelope +bare \| wrapped$/m)
  const json: { readings: unknown[] } = JSON.parse((await otcsim(['readings', '--json'])).out)
  expect(json.readings).toContainEqual(expect.objectContaining({ key: 'createdStatus', default: '201' }))
})

it('prints help and version on stdout, and exits with 0', async () => {
  const help = await otcsim(['--help'])
  expect(help.code).toBe(0)
  for (const command of ['serve', 'run', 'curl', 'sign', 'keys', 'validate', 'schema', 'readings']) {
    expect(help.out).toMatch(new RegExp(`^ {2}${command} `, 'm'))
  }
  const manifest: { version: string } = JSON.parse(readFileSync(join(repository, 'package.json'), 'utf8'))
  expect(await otcsim(['--version'])).toEqual({ code: 0, out: `${manifest.version}\n`, err: '' })
})

it('ships scenarios that each state their purpose', () => {
  const folder = join(repository, 'scenarios')
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
    (name) => name.endsWith('.yaml') && !name.startsWith('clients'),
  )
  expect(files.length).toBeGreaterThanOrEqual(7)
  for (const file of files) expect(readFileSync(join(folder, file), 'utf8')).toMatch(/^# Why: /)
})

it('warns of actions that the venue is sure to refuse, and finds the file valid', async () => {
  const cwd = temporaryFolder()
  const file = [
    'version: 1',
    'name: doomed',
    'market: {assets: {BTC: {price: 50000}}}',
    'accounts: [{id: alice, balances: {USD: 1000}}]',
    'timeline:',
    '  - at: +1s',
    '    quote: {account: alice, asset: BTC, bidPrice: 50001, askPrice: 50000, bidSize: 1, askSize: 1}',
  ]
  writeFileSync(join(cwd, 's.yaml'), file.join('\n'))
  const ended = await otcsim(['validate', 's.yaml'], { cwd })
  expect(ended).toMatchObject({ code: 0, out: expect.stringContaining('s.yaml: ok, doomed') })
  expect(ended.err).toBe('s.yaml:6:5 warning: will be refused: bidPrice must be lower than askPrice\n')
})
