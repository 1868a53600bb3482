import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { beforeEach, describe, expect, it } from 'vitest'
import { maximumBodyBytes } from '../../../src/pipeline/call.ts'
import { type Sending, signedHeaders, trader } from '../signed-request.ts'
import { startFixture, useVenue } from '../venue-fixture.ts'
import { answersIn, rawExchange } from './raw-exchange.ts'

/* Nothing here is signed unless it says so: what comes through is a 401 or 404, and in the request log. */

const close = 'Connection: close\r\n'
const venue = useVenue()
beforeEach(() => venue.worlds.default.requests.clear())

/** What the venue has been asked. */
const seen = () => venue.worlds.default.requests.since(0)
const answersTo = async (...parts: (string | Buffer)[]) =>
  answersIn(await rawExchange(venue.server.port, parts))

describe('requests that are not valid HTTP', () => {
  it.each([
    ['no Host', `GET /nowhere HTTP/1.1\r\n${close}\r\n`, 400],
    ['two Hosts', `GET /nowhere HTTP/1.1\r\nHost: a\r\nHost: b\r\n${close}\r\n`, 400],
    ['HTTP/2.0', `GET /nowhere HTTP/2.0\r\nHost: a\r\n${close}\r\n`, 400],
    ['an absolute target', `GET http://evil/api HTTP/1.1\r\nHost: a\r\n${close}\r\n`, 400],
    ['a tunnel', `CONNECT venue.example:443 HTTP/1.1\r\nHost: venue.example:443\r\n\r\n`, 400],
    ['a fragment', `GET /a#b HTTP/1.1\r\nHost: a\r\n${close}\r\n`, 400],
    ['raw UTF-8 in the path', `GET /\u00e9 HTTP/1.1\r\nHost: a\r\n${close}\r\n`, 400],
    ['a space in the path', `GET /a b HTTP/1.1\r\nHost: a\r\n${close}\r\n`, 400],
    ['NUL in a header', `GET /nowhere HTTP/1.1\r\nHost: a\r\nX: \0\r\n${close}\r\n`, 400],
    ['a space before the colon', `GET /nowhere HTTP/1.1\r\nHost : a\r\n${close}\r\n`, 400],
    ['a folded header', `GET /nowhere HTTP/1.1\r\nHost: a\r\nX: b\r\n c\r\n${close}\r\n`, 400],
    ['a bare line feed', `GET /nowhere HTTP/1.1\nHost: a\n\n`, 400],
    ['two lengths', `POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab`, 400],
    [
      'length and chunks',
      'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
      400,
    ],
    ['an unknown coding', 'POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: identity\r\n\r\nab', 400],
    ['a bad chunk', 'POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\nab\r\n', 400],
    [
      'two content types',
      `POST / HTTP/1.1\r\nHost: a\r\nContent-Type: a/b\r\nContent-Type: a/b\r\n${close}\r\n`,
      400,
    ],
    ['an unknown method', 'NONSENSE / HTTP/1.1\r\nHost: a\r\n\r\n', 400],
    ['a large header', `GET /nowhere HTTP/1.1\r\nHost: a\r\nX: ${'x'.repeat(17_000)}\r\n\r\n`, 431],
    ['a long target', `GET /${'x'.repeat(17_000)} HTTP/1.1\r\nHost: a\r\n\r\n`, 431],
    ['an expectation', `GET /nowhere HTTP/1.1\r\nHost: a\r\nExpect: foo\r\n${close}\r\n`, 417],
  ])('%s', async (_name, request, status) => {
    const [answer] = await answersTo(request)
    expect(answer?.status).toBe(status)
    const body: unknown = JSON.parse(answer?.body ?? '')
    expect(body).toEqual({
      statusCode: status,
      message: expect.any(String),
      error: expect.any(String),
      details: expect.any(Object),
    })
    expect(seen()).toEqual([])
  })
})

it.each(['GET http://venue.example/api', 'CONNECT venue.example:443'])(
  'says to a client that takes the venue for a proxy what it is: %s',
  async (line) => {
    const [answer] = await answersTo(`${line} HTTP/1.1\r\nHost: venue.example\r\n${close}\r\n`)
    expect(answer?.body).toContain('no proxy')
  },
)

describe('a target in absolute form', () => {
  const target = '/api/sdk/orders?limit=1'
  const send = (address: string) => {
    const headers = Object.entries(signedHeaders({ target }, venue.wall.nowMillis()))
    const lines = headers.map(([name, value]) => `${name}: ${value}\r\n`).join('')
    return answersTo(`GET ${address} HTTP/1.1\r\nHost: a\r\n${lines}${close}\r\n`)
  }

  it.each(['127.0.0.1', 'localhost', 'LOCALHOST'])(
    'is taken where it names this server: %s',
    async (host) => {
      const [answer] = await send(`http://${host}:${venue.server.port}${target}`)
      expect(answer?.status).toBe(200)
      expect(seen().map(({ path, query }) => path + query)).toEqual([target])
    },
  )

  it.each([
    ['another host', () => `http://venue.example:${venue.server.port}${target}`],
    ['another port', () => `http://127.0.0.1:9${target}`],
    ['no port', () => `http://127.0.0.1${target}`],
    ['another scheme', () => `https://127.0.0.1:${venue.server.port}${target}`],
    ['a user', () => `http://me@127.0.0.1:${venue.server.port}${target}`],
    ['no host', () => `http://:${venue.server.port}${target}`],
  ])('is refused where it names %s', async (_name, address) => {
    const [answer] = await send(address())
    expect([answer?.status, seen()]).toEqual([400, []])
    expect(answer?.body).toContain('no proxy')
  })

  it('leads to pages and the admin API, too', async () => {
    const [answer] = await answersTo(
      `GET http://127.0.0.1:${venue.server.port}/__admin/health HTTP/1.1\r\nHost: localhost\r\n${close}\r\n`,
    )
    expect(answer?.body).toBe('{"status":"ok"}')
  })
})

describe('bodies', () => {
  const head = (length: number, method = 'POST') =>
    `${method} / HTTP/1.1\r\nHost: a\r\nContent-Length: ${length}\r\n${close}\r\n`

  it('are read for every method, as bytes', async () => {
    const bytes = Buffer.from([0xef, 0xbb, 0xbf, 0xff, 0x00])
    const timestamp = String(venue.wall.nowMillis())
    const signature = createHmac('sha256', trader.apiSecret)
      .update(`${timestamp}DELETE/api/sdk/orders/batch`)
      .update(bytes)
      .digest('hex')
    const signed = [
      'DELETE /api/sdk/orders/batch HTTP/1.1',
      'Host: a',
      'Content-Length: 5',
      'Content-Type: application/json',
      `X-API-Key: ${trader.apiKey}`,
      `X-API-Timestamp: ${timestamp}`,
      `X-API-Signature: ${signature}`,
    ].join('\r\n')
    const [answer] = await answersTo(`${signed}\r\n${close}\r\n`, bytes)
    expect(answer).toMatchObject({ status: 400, body: expect.stringContaining('is not valid UTF-8') })
  })

  it('are joined from their chunks', async () => {
    const chunks = '3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n'
    await answersTo(`POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n${close}\r\n${chunks}`)
    expect(seen()[0]?.requestBody).toBe('abcde')
  })

  it('may be 1 MiB long', async () => {
    const [answer] = await answersTo(head(maximumBodyBytes), Buffer.alloc(maximumBodyBytes, 97))
    expect(answer?.status).toBe(404)
    expect(seen()[0]?.requestBody).toBe('a'.repeat(4096))
  })

  it('are refused when longer, whatever their length says', async () => {
    const [declared] = await answersTo(head(maximumBodyBytes + 1), Buffer.alloc(maximumBodyBytes + 1, 97))
    expect(declared?.status).toBe(413)
    const size = (maximumBodyBytes + 1).toString(16)
    const [chunked] = await answersTo(
      `POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n${size}\r\n`,
      Buffer.alloc(maximumBodyBytes + 1, 97),
      '\r\n0\r\n\r\n',
    )
    expect(chunked?.status).toBe(413)
    const [huge] = await answersTo(head(1e12))
    expect(huge?.status).toBe(413)
    expect(seen()).toEqual([])
  })

  it('have no effect when the client leaves before their end', async () => {
    await new Promise<void>((resolve) => {
      const socket = connect(venue.server.port, '127.0.0.1', () => {
        socket.write(`${head(10)}half`, () => socket.destroy())
      })
      socket.on('close', () => resolve())
    })
    await answersTo(`GET /after HTTP/1.1\r\nHost: a\r\n${close}\r\n`)
    expect(seen().map(({ path }) => path)).toEqual(['/after'])
  })

  it('wait for 100 Continue', async () => {
    const [answer] = await answersTo(
      `${headOf()}Content-Length: 2\r\nExpect: 100-continue\r\n${close}\r\n`,
      'ab',
    )
    expect(answer?.status).toBe(401)
    expect(seen()[0]?.requestBody).toBe('ab')
  })

  const headOf = (sending: Sending = {}) => {
    const target = '/api/sdk/orders'
    const headers = signedHeaders(
      { method: 'POST', target, body: 'another', ...sending },
      venue.wall.nowMillis(),
    )
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
    return `POST ${sending.target ?? target} HTTP/1.1\r\nHost: a\r\n${lines.join('')}`
  }

  it.each<[string, number, Sending, string]>([
    ['announces too much', 413, {}, '50000000'],
    ['has no operation', 404, { target: '/api/sdk/nope' }, '2'],
    ['has an unknown key', 401, { apiKey: 'simk_nobody' }, '2'],
    ['has no key', 401, { headers: { 'x-api-key': null } }, '2'],
    ['is too old', 401, { timestamp: 1_700_000_000_000 }, '2'],
    ['has another type', 415, { headers: { 'content-type': 'text/plain' } }, '2'],
  ])('are not asked for where the head %s: %d', async (_name, status, sending, length) => {
    const head = `${headOf(sending)}Content-Length: ${length}\r\nExpect: 100-continue\r\n\r\n`
    const text = await rawExchange(venue.server.port, [head])
    expect(text).not.toContain('100 Continue')
    expect(answersIn(text)).toMatchObject([{ status, head: expect.stringContaining('Connection: close') }])
    expect(seen()).toHaveLength(status === 413 ? 0 : 1)
  })

  it('are asked for where a fault may come first', async () => {
    await venue.admin('POST', '/worlds/default/faults', { type: 'http_error', attributes: { status: 500 } })
    const head = `${headOf({ apiKey: 'simk_nobody' })}Content-Length: 2\r\nExpect: 100-continue\r\n${close}\r\n`
    const text = await rawExchange(venue.server.port, [head, 'ab'])
    await venue.admin('DELETE', '/worlds/default/faults')
    expect(text).toMatch(/^HTTP\/1.1 100 Continue\r\n\r\nHTTP\/1.1 500/)
  })

  it('are not asked for by the admin API of those who may not call it', async () => {
    const head = 'POST /__admin/worlds HTTP/1.1\r\nHost: evil.example\r\nContent-Length: 2\r\n'
    const text = await rawExchange(venue.server.port, [`${head}Expect: 100-continue\r\n\r\n`])
    expect(text).toMatch(/^HTTP\/1.1 403/)
  })
})

describe('a shared connection', () => {
  it('carries out requests in the order in which they were sent', async () => {
    const post = (path: string) => `POST ${path} HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\nab`
    const get = (path: string, more = '') => `GET ${path} HTTP/1.1\r\nHost: a\r\n${more}\r\n`
    const answers = await answersTo(post('/1') + get('/2') + post('/3') + get('/4') + get('/5', close))
    expect(seen().map(({ path }) => path)).toEqual(['/1', '/2', '/3', '/4', '/5'])
    expect(answers.map((answer) => answer.status)).toEqual([404, 404, 404, 404, 404])
  })

  it('answers complete requests before it refuses the rest', async () => {
    const answers = await answersTo('POST /1 HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\nabcdef\r\n\r\n')
    expect(answers.map((answer) => answer.status)).toEqual([404, 400])
    expect(seen()[0]?.requestBody).toBe('ab')
  })

  it('does not let a slow body hold up another connection', async () => {
    const slow = connect(venue.server.port, '127.0.0.1')
    await new Promise<void>((resolve) => {
      slow.write('POST /slow HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\nab', () => resolve())
    })
    const [answer] = await answersTo(`GET /fast HTTP/1.1\r\nHost: a\r\n${close}\r\n`)
    slow.destroy()
    expect(answer?.status).toBe(404)
  })
})

describe('slow and idle clients', () => {
  const limits = {
    headersTimeout: 150,
    requestTimeout: 300,
    connectionsCheckingInterval: 50,
    maxConnections: 3,
  }
  const impatient = useVenue({ limits })

  it.each([
    ['in its headers', 'GET /nowhere HTTP/1.1\r\nHost: a\r\nX-Slow'],
    ['in its body', 'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\nab'],
  ])('that stop %s are told, and let go', async (_name, request) => {
    const [answer] = answersIn(await rawExchange(impatient.server.port, [request]))
    expect(answer?.status).toBe(408)
    expect(answer?.body).toContain('"statusCode":408')
  })

  it('beyond the maximum of connections are closed, and accepted again later', async () => {
    const idle = [1, 2, 3].map(() => connect(impatient.server.port, '127.0.0.1'))
    await Promise.all(
      idle.map((socket) => new Promise<void>((resolve) => socket.on('connect', () => resolve()))),
    )
    const get = `GET /nowhere HTTP/1.1\r\nHost: a\r\n${close}\r\n`
    expect(await rawExchange(impatient.server.port, [get]).catch(() => '')).toBe('')
    for (const socket of idle) socket.destroy()
    const again = () => rawExchange(impatient.server.port, [get]).catch(() => '')
    await expect.poll(again).toContain('404 Not Found')
  })
})

describe('idle connections', () => {
  const few = useVenue({ limits: { maxConnections: 8 } })

  it('make room for others, the longest idle first, and none that is busy', async () => {
    const { port } = few.server
    const busy = connect(port, '127.0.0.1')
    busy.write('POST /slow HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\na')
    const sockets: Socket[] = []
    for (let turn = 0; turn < 40; turn += 1) {
      const socket = connect(port, '127.0.0.1')
      sockets.push(socket)
      const [answer] = await Promise.all([
        once(socket, 'data'),
        socket.write('GET /a HTTP/1.1\r\nHost: a\r\n\r\n'),
      ])
      expect(String(answer)).toMatch(/^HTTP\/1.1 404/)
    }
    const isOpen = () => sockets.map((socket) => !socket.destroyed && !socket.readableEnded)
    await expect.poll(() => isOpen().filter(Boolean).length).toBeLessThan(8)
    expect(isOpen().slice(-5)).toEqual([true, true, true, true, true])
    const [answer] = await Promise.all([once(busy, 'data'), busy.write('b')])
    expect(String(answer)).toMatch(/^HTTP\/1.1 404/)
    for (const socket of [busy, ...sockets]) socket.destroy()
  })
})

describe('connections', () => {
  it('may be silent for a minute, and say so', async () => {
    const answer = await fetch(`${venue.server.url}/a`)
    expect(answer.headers.get('keep-alive')).toBe('timeout=60')
  })
})

it('ends idle connections when it closes', async () => {
  const { server } = await startFixture()
  const idle = connect(server.port, '127.0.0.1')
  await new Promise<void>((resolve) => idle.on('connect', () => resolve()))
  const ended = new Promise<void>((resolve) => idle.on('close', () => resolve()))
  idle.on('error', () => {})
  await server.close()
  await ended
  expect(idle.destroyed).toBe(true)
})
