import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { otcsim } from './harness.ts'

/** A client in JavaScript, where `send` signs, and `steps` is the code of the test. */
const client = (steps: string): string => `
const { createHmac } = require('node:crypto')
const { OTC_BASE_URL: url, OTC_ADMIN_URL: admin, OTC_API_KEY: key, OTC_API_SECRET: secret } = process.env
async function send(method, path, body) {
  const text = body === undefined ? '' : JSON.stringify(body)
  const stamp = String(Date.now())
  const headers = {
    'X-API-Key': key, 'X-API-Timestamp': stamp, 'Content-Type': 'application/json',
    'X-API-Signature': createHmac('sha256', secret).update(stamp + method + path + text).digest('hex'),
  }
  const answer = await fetch(url + path, { method, headers, ...(text === '' ? {} : { body: text }) })
  return [answer.status, await answer.json()]
}
const advance = (byMs) => fetch(admin + '/worlds/default/clock/advance', {
  method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify({ byMs }),
})
;(async () => {${steps}})()
`

const scenario = (wallTimeout: string, rest: string): string => `version: 1
name: with-client
clock: {start: 2026-01-05T00:00:00Z, end: 1m, mode: manual}
market: {flow: {kind: none}, assets: {BTC: {price: 50000, model: {kind: constant}, liquidity: {kind: none}}}}
accounts: [{id: bot, balances: {USD: 1000000, BTC: 10}, keys: [{scopes: [READ, TRADE]}]}]
timeline:
  - {at: +1s, id: bid, await: {request: {method: POST, path: /api/sdk/orders, account: bot, status: 201}, bind: B, wallTimeout: ${wallTimeout}}}
  - {at: bid+5s, id: fall, path: {asset: BTC, price: 40000}}
  - {at: +0s, order: {account: bot, side: buy, asset: BTC, quantity: 100, price: 50000}}
expect:
${rest}`

const order = `{ side: 'buy', asset: 'BTC', quantity: 0.5, price: 45000 }`

async function runWith(file: string, steps: string, more: readonly string[] = []) {
  const folder = temporaryFolder()
  writeFileSync(join(folder, 'story.yaml'), file)
  writeFileSync(join(folder, 'client.cjs'), client(steps))
  const words = [
    'run',
    'story.yaml',
    '--client',
    `${process.execPath} client.cjs`,
    '--reporter',
    'json',
    ...more,
  ]
  const ended = await otcsim(words, { cwd: folder, env: { PATH: process.env['PATH'] ?? '' } })
  return { ...ended, folder }
}

const failuresOf = (
  out: string,
): readonly { readonly line: number; readonly expected: string; readonly got: string }[] =>
  JSON.parse(out).scenarios[0].failures

describe('a scenario run with a client', () => {
  const expectations = `  - {at: fall+1s, that: "order[B].status == 'open' and price.BTC.mark == 40000"}
  - {at: end, that: "order[B].status == 'cancelled'", message: the client takes its bid back when the price falls}
  - {always: "account[bot].balance.USD.available >= 900000"}
`
  const story = scenario('1m', expectations)

  it('waits for the client, and judges what it did during the run and at the end', async () => {
    const { code, out, err, folder } = await runWith(
      story,
      `await advance(2000)
      const [status, { orderId }] = await send('POST', '/api/sdk/orders', ${order})
      await advance(7000)
      console.log(status, (await send('DELETE', '/api/sdk/orders/' + orderId))[0])`,
    )
    expect([code, err]).toEqual([0, '201 200\n'])
    expect(JSON.parse(out)).toMatchObject({ ok: true, scenarios: [{ name: 'with-client', failures: [] }] })
    expect(existsSync(join(folder, '.otcsim'))).toBe(false)
  })

  it('fails when the client does not do what is expected, and keeps a journal that replays', async () => {
    const { code, out, folder } = await runWith(
      story,
      `await advance(2000)
      await send('POST', '/api/sdk/orders', ${order})`,
    )
    expect(code).toBe(1)
    expect(failuresOf(out)).toMatchObject([
      { line: 12, got: expect.stringContaining("= 'open' at 2026-01-05T00:01") },
    ])
    const replayed = await otcsim(['replay', '.otcsim/with-client.journal', '--verify'], { cwd: folder })
    expect(replayed).toMatchObject({ code: 0, out: expect.stringContaining('ok  3 lines') })
  })

  it('reports a request that did not come in real time, the time of the world, and what came instead', async () => {
    // The other request comes before the real time begins, which it does when the world has come to the await.
    const { code, out } = await runWith(
      scenario('400ms', expectations),
      `await send('GET', '/api/sdk/orders')
      await advance(3000)
      setInterval(() => {}, 1000)`,
    )
    expect(code).toBe(1)
    const [first, ...rest] = failuresOf(out)
    expect(first).toMatchObject({
      line: 7,
      expected: 'await bid: POST /api/sdk/orders by bot answered with 201, within 400ms of real time',
      got: 'it did not come: the world stood at 2026-01-05T00:00:03.000Z (+3s), the one request that came was GET /api/sdk/orders by bot, answered with 200',
    })
    expect(rest.map(({ got }) => got)).toContain('"fall" never happened')
  })

  it('ends when the clock of the world has reached the end, even if the client continues', async () => {
    const { code, out } = await runWith(
      `version: 1
name: with-client
clock: {start: 2026-01-05T00:00:00Z, end: 400s, mode: scaled, scale: 100}
market: {assets: {BTC: {price: 50000}}}
accounts: [{id: bot, balances: {USD: 100}}]
expect: [{at: +30s, that: "clock == 30"}]
`,
      "await send('GET', '/api/sdk/orders'); setInterval(() => {}, 1000)",
    )
    expect([code, failuresOf(out)]).toEqual([0, []])
  })

  it.each([
    ['ends badly', 'process.exit(3)', [], 'it ended with 3'],
    [
      'takes too long',
      `await advance(2000); await send('POST', '/api/sdk/orders', ${order}); setInterval(() => {}, 1000)`,
      ['--wall-limit', '700ms'],
      'its clock is moved by POST clock/advance only',
    ],
  ])('reports a client that %s', async (_, steps, more, got) => {
    const { code, out } = await runWith(story, steps, more)
    expect(code).toBe(1)
    expect(
      failuresOf(out)
        .map((failure) => failure.got)
        .join('\n'),
    ).toContain(got)
  })
})

it('says which faults have struck no request of the client', async () => {
  const faults = `timeline:
  - {at: +0s, id: books, fault: {match: {path: /api/sdk/quotes*}, status: 503}}
  - {at: +0s, id: list, fault: {match: {path: /api/sdk/orders}, status: 503, for: 5s}}
expect: [{always: "clock < 9999999"}]
`
  const file = scenario('1m', '').replace(/timeline:[\s\S]*$/, faults)
  const { code, out } = await runWith(
    file,
    `const [status] = await send('GET', '/api/sdk/orders')
    await advance(30000)
    process.exit(status === 503 ? 0 : 1)`,
  )
  expect(code).toBe(0)
  expect(JSON.parse(out).scenarios[0]).toMatchObject({
    noEffect: ['books: it struck no request (line 7)'],
    lookedAt: { requests: 1 },
  })
})

it('ignores variables about clients when there is no client', async () => {
  const ended = await otcsim(['run', 'quote-expiry'], { env: { OTCSIM_ACCOUNT: 'desk' } })
  expect(ended).toMatchObject({ code: 0, err: '' })
})

it('runs clients one after the other, whatever the variable for jobs says', async () => {
  const env = { PATH: process.env['PATH'] ?? '', OTCSIM_JOBS: '2' }
  const asks = `${process.execPath} -e "fetch(process.env.OTC_BASE_URL + '/api/sdk/orders')"`
  const ended = await otcsim(['run', 'calm', 'thin-book', '--client', asks], { env })
  expect(ended).toMatchObject({ code: 0, err: '' })
  expect(ended.out.match(/looked at: 1 request, /g)).toHaveLength(2)
})

it.each([
  [['--account', 'desk'], '--account needs --client'],
  [['--client', 'true', '--account', 'nobody'], 'no key for account "nobody"'],
  [['--wall-limit', '5s'], '--wall-limit needs --client'],
  [['--client', 'true', '--update'], '--update does not go with --client'],
  [['--client', 'true', '--jobs', '2'], '--jobs does not go with --client'],
  [['--client', 'true', '--wall-limit', '0s'], 'a duration such as 30s'],
])('refuses %j', async (words, said) => {
  const { code, err } = await otcsim(['run', 'quote-expiry', ...words])
  expect([code, err]).toEqual([2, expect.stringContaining(said)])
})
