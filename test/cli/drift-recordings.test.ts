import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { caseBudget } from '../support/full-run.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { otcsim } from './harness.ts'

/* Recordings as browsers and proxies write them, of one venue and of several: what is judged, and what is left out. */

const balance = { asset: 'USD', total: 1, available: 1, locked: 0, usdValue: 1 }
const at = Date.parse('2026-03-01T10:00:00Z')
const path = '/api/sdk/portfolio/balances/USD'

interface Sent {
  readonly url?: string
  readonly key?: string
  readonly method?: string
  readonly status?: number
  readonly answer?: unknown
  readonly requestHeaders?: readonly Pair[]
  readonly headers?: readonly Pair[]
  readonly content?: object
  readonly entry?: object
  readonly body?: object
}

interface Pair {
  readonly name: string
  readonly value: string
}

let requests = 0

/** An entry of a request of its own, with what a recorder adds. */
function entryOf({ url = `https://venue${path}`, key = 'desk', ...sent }: Sent): object {
  requests += 1
  const millis = at + requests * 1000
  const answer = sent.answer ?? balance
  return {
    startedDateTime: new Date(millis).toISOString(),
    time: 20,
    request: {
      method: sent.method ?? 'GET',
      url,
      headers: [
        ...(key === '' ? [] : [{ name: 'X-API-Key', value: key }]),
        { name: 'X-API-Timestamp', value: String(millis) },
        ...(sent.requestHeaders ?? []),
      ],
      ...(sent.body === undefined ? {} : { postData: { text: JSON.stringify(sent.body) } }),
    },
    response: {
      status: sent.status ?? 200,
      headers: [{ name: 'X-RateLimit-Limit', value: '10' }, ...(sent.headers ?? [])],
      content: sent.content ?? { text: JSON.stringify(answer) },
    },
    ...sent.entry,
  }
}

async function drift(entries: readonly unknown[], words: readonly string[] = [], cwd = temporaryFolder()) {
  writeFileSync(join(cwd, 'a.har'), JSON.stringify({ log: { version: '1.2', entries } }))
  const { code, out, err } = await otcsim(['drift', '--har', 'a.har', '--json', ...words], { cwd })
  return { code, err, cwd, ...JSON.parse(out) }
}

const wrapped = { data: balance, timestamp: 'x' }

describe('several venues or keys in one recording', () => {
  it.each<[string, Sent]>([
    ['two hosts', { url: `https://staging${path}`, answer: wrapped }],
    ['two ports', { url: `https://venue:8443${path}`, answer: wrapped }],
    ['two services behind one host', { url: `https://venue/staging${path}`, answer: wrapped }],
    ['two keys at one host', { key: 'other', answer: wrapped }],
  ])('%s are two verdicts, and no contradiction', async (_, other) => {
    const found = await drift([entryOf({}), entryOf(other), entryOf({}), entryOf(other)])
    expect(found).toMatchObject({ code: 0, err: '' })
    expect(found.sources).toHaveLength(2)
    const about = found.verdicts.filter(({ key }: { key: string }) => key === 'envelope')
    expect(about.map(({ fits, shownBy }: { fits: string[]; shownBy: number }) => [fits, shownBy])).toEqual([
      [['bare'], 2],
      [['wrapped'], 2],
    ])
    expect(found.readings['envelope']).toBeUndefined()
    expect(found.disputed).toMatchObject([
      { key: 'envelope', values: [{ fits: ['bare'] }, { fits: ['wrapped'] }] },
    ])
  })

  it('are not pinned together, and one by one with --source', async () => {
    const cwd = temporaryFolder()
    const entries = [entryOf({}), entryOf({ url: `https://staging${path}`, answer: wrapped })]
    const both = await drift(entries, ['-o', 'pins.json'], cwd)
    expect(both).toMatchObject({ code: 2, err: expect.stringContaining('--source') })
    expect(existsSync(join(cwd, 'pins.json'))).toBe(false)
    const one = await drift(entries, ['-o', 'pins.json', '--source', 'staging'], cwd)
    expect(one).toMatchObject({ code: 0, pins: { added: expect.arrayContaining(['envelope']), kept: 0 } })
    expect(JSON.parse(readFileSync(join(cwd, 'pins.json'), 'utf8'))).toMatchObject({ envelope: 'wrapped' })
    expect(await drift(entries, ['--source', 'production'], cwd)).toMatchObject({
      code: 5,
      err: expect.stringContaining('no venue and no key has "production" in it'),
    })
  })

  it('are named with their exchanges, the keys shortened', async () => {
    const cwd = temporaryFolder()
    const long = 'live_0123456789abcdef'
    await drift([entryOf({}), entryOf({ key: long, answer: wrapped })], [], cwd)
    const { out } = await otcsim(['drift', '--har', 'a.har'], { cwd })
    expect(out).toContain('https://venue with key desk: 1 exchange\n')
    expect(out).toContain('https://venue with key live_0...cdef: 1 exchange\n')
    expect(out).not.toContain(long)
    expect(out).toMatch(/≠ envelope differs: bare at https:\/\/venue with key desk, wrapped at /)
    expect(out).toMatch(
      /✓ envelope: bare {2}#0 GET \/portfolio\/balances\/USD 200 2026-03-01T10:\d\d:\d\d\.000Z\n/,
    )
  })
})

describe('a venue that contradicts itself', () => {
  it('is shown as such, ends with 1, and pins nothing', async () => {
    const cwd = temporaryFolder()
    writeFileSync(join(cwd, 'pins.json'), '{"nulls":"omitted"}')
    const found = await drift([entryOf({}), entryOf({ answer: wrapped })], ['-o', 'pins.json'], cwd)
    expect(found.code).toBe(1)
    expect(found.err).toContain('contradicts itself: https://venue with key desk about envelope')
    expect(found.readings).toEqual({})
    expect(readFileSync(join(cwd, 'pins.json'), 'utf8')).toBe('{"nulls":"omitted"}')
    const [verdict] = found.verdicts
    expect(verdict.evidence).toMatchObject([
      { entry: 0, method: 'GET', url: `https://venue${path}`, status: 200, fits: ['bare'] },
      { entry: 1, method: 'GET', url: `https://venue${path}`, status: 200, fits: ['wrapped'] },
    ])
  })
})

describe('pins', () => {
  it('that are only refuted stay, and are said', async () => {
    const cwd = temporaryFolder()
    writeFileSync(join(cwd, 'pins.json'), '{"createdStatus":"200","envelope":"bare","other":"mine"}')
    const order = { side: 'buy', asset: 'BTC', quantity: 1, price: 1 }
    const made = {
      ...{
        ...order,
        orderId: 'ord_1',
        clientOrderId: null,
        orderType: 'limit',
        timeInForce: 'GTC',
        status: 'open',
      },
      ...{ filledQuantity: 0, remainingQuantity: 1, averagePrice: null, metadata: {} },
    }
    const created: Sent = {
      method: 'POST',
      url: 'https://venue/api/sdk/orders',
      status: 201,
      body: order,
      answer: made,
    }
    const found = await drift([entryOf(created)], ['-o', 'pins.json'], cwd)
    expect(found.code).toBe(0)
    expect(found.err).toContain(
      'pins.json: createdStatus is "200", which the recording refutes: 201 or every-post',
    )
    expect(found.pins).toMatchObject({
      changed: [],
      kept: 3,
      refuted: [{ key: 'createdStatus', pin: '200', fits: ['201', 'every-post'] }],
    })
    expect(JSON.parse(readFileSync(join(cwd, 'pins.json'), 'utf8'))).toMatchObject({
      createdStatus: '200',
      envelope: 'bare',
      other: 'mine',
      nulls: 'explicit',
    })
  })
})

const error = { statusCode: 401, message: 'no', error: 'Unauthorized', details: { type: 'INVALID_API_KEY' } }

describe('what is left out', () => {
  it.each<[string, Sent]>([
    ['not about /api/sdk', { url: 'https://venue/other' }],
    ['no answer', { status: 0 }],
    ['HEAD: an answer without a body', { method: 'HEAD' }],
    ['from a cache', { entry: { _fromCache: 'disk' } }],
    ['from a cache', { headers: [{ name: 'Age', value: '31' }] }],
    ['from a cache', { entry: { cache: { beforeRequest: { lastAccess: '2026-03-01' } } } }],
    [
      'asks for an answer of its own (Prefer)',
      { requestHeaders: [{ name: 'Prefer', value: 'reading.envelope=bare' }] },
    ],
    [
      'asks for an answer of its own (Prefer)',
      { headers: [{ name: 'Preference-Applied', value: 'code=503' }] },
    ],
    [
      'changed by a fault of the simulator (X-Sim-Fault)',
      { headers: [{ name: 'X-Sim-Fault', value: 'f: latency' }] },
    ],
    ['no operation of the interface', { url: 'https://venue/api/sdk/nothing' }],
    ['no body: only its status and headers are judged', { content: {} }],
    ['no body: only its status and headers are judged', { content: { text: '' } }],
    [
      'a body of text/html, not JSON: only its status and headers are judged',
      { content: { mimeType: 'text/html; charset=utf-8', text: '<h1>Maintenance</h1>' } },
    ],
    [
      'a body that is cut off or not JSON: only its status and headers are judged',
      { content: { mimeType: 'application/json', text: '{"asset":"USD","tot' } },
    ],
    ["an answer that is not in the venue's form", { answer: { status: 'ok' } }],
    ["an answer that is not in the venue's form", { status: 401, answer: { message: 'Unauthorized' } }],
    [
      'an error of a server, which any server may send',
      { status: 503, answer: { ...error, statusCode: 503 } },
    ],
    ['no X-API-Key: not compared with other exchanges, which may be of another account', { key: '' }],
    [
      'no X-API-Key: not compared with other exchanges, which may be of another account',
      { key: '[REDACTED]' },
    ],
    [
      'no start or duration: not compared with what came before it',
      { entry: { startedDateTime: undefined } },
    ],
    ['no start or duration: not compared with what came before it', { entry: { time: -1 } }],
    [
      'no start or duration: not compared with what came before it',
      { entry: { startedDateTime: '2026-03-01T10:00:00' } },
    ],
  ])('is listed with its reason: %s', async (reason, sent) => {
    const { leftOut } = await drift([entryOf({}), entryOf(sent)])
    expect(leftOut).toEqual([{ entry: 1, reason }])
  })

  it('has requests that were recorded twice, and no repeated requests', async () => {
    const first = entryOf({})
    const { leftOut } = await drift([first, entryOf({}), first])
    expect(leftOut).toEqual([
      { entry: 2, reason: 'recorded before: the request of another entry, with its timestamp' },
    ])
  })

  it('has errors without the headers of the rate limit, which a gateway sends', async () => {
    const own = entryOf({ status: 401, answer: error })
    const gateway = entryOf({ status: 401, answer: error, entry: {} })
    Object.assign(gateway, {
      response: {
        status: 401,
        headers: [{ name: 'Server', value: 'nginx' }],
        content: { text: JSON.stringify(error) },
      },
    })
    const { leftOut, verdicts } = await drift([own, gateway])
    expect(leftOut).toEqual([{ entry: 1, reason: "an answer that is not in the venue's form" }])
    expect(verdicts.find(({ key }: { key: string }) => key === 'error.typeField')).toMatchObject({
      shownBy: 1,
    })
  })
})

describe('recorders', () => {
  const text = JSON.stringify(wrapped)
  const base64 = { size: text.length, text: Buffer.from(text).toString('base64'), encoding: 'base64' }

  it.each<[string, object]>([
    [
      'Chrome',
      { _initiator: { type: 'script' }, _priority: 'High', _resourceType: 'fetch', connection: '443' },
    ],
    ['Firefox', { pageref: 'page_1', serverIPAddress: '127.0.0.1', cache: {}, timings: { blocked: 0 } }],
    ['mitmproxy', { response: { status: 200, headers: [], content: base64 }, serverIPAddress: '127.0.0.1' }],
    [
      'Charles',
      { response: { status: 200, headers: [], content: { ...base64, mimeType: 'application/json' } } },
    ],
    ['a HAR with numbers of its own', { time: '20', cache: null }],
  ])('are read: %s', async (_, more) => {
    const { code, readings, verdicts } = await drift([entryOf({ answer: wrapped, entry: more })])
    expect(code).toBe(0)
    expect(readings.envelope).toBe('wrapped')
    expect(verdicts[0]).toMatchObject({ key: 'envelope', evidence: [{ entry: 0 }] })
  })

  it('may list entries in any order', async () => {
    const url = 'https://venue/api/sdk/orders/ord_1'
    const record = {
      asset: 'BTC',
      side: 'buy',
      quantity: 1,
      status: 'cancelled',
      createdAt: '2026-03-01T10:00:00Z',
    }
    const order: Sent = { url, answer: { ...record, orderId: 'ord_1', clientOrderId: 'x', averagePrice: 1 } }
    const done = { statusCode: 409, message: 'done', error: 'Conflict', details: {} }
    const entries = [
      entryOf(order),
      entryOf({ method: 'DELETE', url, status: 409, answer: done }),
      entryOf({ method: 'DELETE', url, status: 409, answer: done }),
    ]
    for (const ordered of [entries, entries.toReversed()]) {
      const { readings } = await drift(ordered)
      expect(readings).toMatchObject({ 'orders.cancelTerminal': '409' })
    }
    // Where the cancel was sent before the order was seen to be done, nobody knows what it met.
    const [first, second] = [entryOf({ method: 'DELETE', url, status: 409, answer: done }), entryOf(order)]
    expect((await drift([first, second])).readings).not.toHaveProperty('orders.cancelTerminal')
  })

  it('may have written thousands of entries', async () => {
    const count = caseBudget(20_000)
    const quote = {
      quoteId: 'qt_1',
      asset: 'BTC',
      bidPrice: 1,
      askPrice: 2,
      bidSize: 1,
      askSize: 1,
      bidFilled: 0,
    }
    const times = { createdAt: '2026-03-01T10:00:00Z', expiresAt: '2026-03-01T10:00:30Z' }
    const sent: Sent = {
      url: 'https://venue/api/sdk/quotes/qt_1',
      answer: { ...quote, ...times, status: 'active' },
    }
    const { lookedAt, readings } = await drift(Array.from({ length: count }, () => entryOf(sent)))
    expect(lookedAt.exchanges).toBe(count)
    expect(readings).toMatchObject({ envelope: 'bare' })
  })
})
