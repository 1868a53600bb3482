import { expect, it } from 'vitest'
import { otcsim } from './harness.ts'

it('prints the interface as an OpenAPI document, without a server', async () => {
  const ended = await otcsim(['openapi'])
  expect(ended).toMatchObject({ code: 0, err: '' })
  expect(JSON.parse(ended.out)).toMatchObject({
    openapi: '3.1.0',
    servers: [{ url: 'http://127.0.0.1:4010' }],
    'x-readings': { envelope: 'bare' },
  })
})

it('documents another server, and other readings', async () => {
  const words = [
    '--url',
    'https://venue.test/',
    '--readings',
    'envelope=wrapped',
    '--readings',
    'createdStatus=200',
  ]
  const ended = await otcsim(['openapi', ...words])
  expect(JSON.parse(ended.out)).toMatchObject({
    servers: [{ url: 'https://venue.test' }],
    'x-readings': { envelope: 'wrapped', createdStatus: '200' },
  })
})

it.each([
  [['--openapi', '3.0'], '3.0.3', 'otcsim'],
  [['--admin'], '3.1.0', 'Admin API'],
  [['--admin', '--openapi', '3.0'], '3.0.3', 'Admin API'],
])('prints with %j version %s of the %s', async (words, openapi, title) => {
  const ended = await otcsim(['openapi', ...words])
  expect(JSON.parse(ended.out)).toMatchObject({ openapi, info: { title } })
})

it.each([
  [
    ['--openapi', '2.0'],
    "error: option '--openapi <version>' argument '2.0' is invalid. Allowed choices are 3.1, 3.0.\n(otcsim --help lists the commands, otcsim COMMAND --help their options)\n",
  ],
  [
    ['--readings', 'envelop=wrapped'],
    expect.stringContaining('--readings envelop: is not a known reading (did you mean envelope? Also known:'),
  ],
])('refuses %j', async (words, err) => {
  expect(await otcsim(['openapi', ...words])).toEqual({ code: 2, out: '', err })
})
