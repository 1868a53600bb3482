import type { IncomingMessage, ServerResponse } from 'node:http'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Answer } from '../../../src/server/transport/answer.ts'
import { type Listening, listen } from '../../../src/server/transport/http-server.ts'
import { type Received, receive } from '../../../src/server/transport/receive.ts'
import { SocketTurns } from '../../../src/server/transport/socket-turns.ts'
import { rawExchange } from './raw-exchange.ts'

const lines = '\r\nX-Usual: one\r\nX-Time: 2026-01-05T00:00:00.000Z'

/** Answers as the path says: `/200/text`, with the header values of the query. */
function respond({ path, query, body }: Received): Answer {
  const [, status = '', text = ''] = path.split('/')
  const values = query === '' ? [] : decodeURIComponent(query.slice(1)).split(',')
  const headers = values.flatMap((value, at) => [`X-Value-${at}`, value])
  if (text === 'bytes') return { status: Number(status), headers, body: Buffer.from('größer') }
  if (text === 'plain') return { status: Number(status), lines, headers, body: '{"plain":true}' }
  return {
    status: Number(status),
    lines,
    headers,
    body: JSON.stringify({ text, sent: body.length, größer: true }),
  }
}

async function serve(isByNode: boolean): Promise<Listening> {
  const turns = new SocketTurns()
  const listener = (request: IncomingMessage, response: ServerResponse) => {
    receive(turns, request, response, respond, (failure) => {
      throw failure
    })
  }
  const server = await listen({ listener, turns }, '127.0.0.1', 0)
  if (isByNode) turns.keepAlive = null
  return server
}

const undated = (answers: string) => answers.replace(/Date: [^\r]+ GMT/g, 'Date: now')
const get = (path: string, ...lines: string[]): string =>
  [`GET ${path} HTTP/1.1`, 'Host: a', ...lines, '', ''].join('\r\n')
const post = (path: string): string => `POST ${path} HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\n{}`
const last = get('/200/last', 'Connection: close')

describe('an answer is written as Node writes it', () => {
  let ours: Listening
  let nodes: Listening

  beforeAll(async () => {
    ours = await serve(false)
    nodes = await serve(true)
  })
  afterAll(() => Promise.all([ours.close(), nodes.close()]))

  it.each([
    ['to one request', last],
    ['to two', get('/200/a') + last],
    ['to a body', post('/201/a') + last],
    ['with headers', get('/400/a?1,two,a%20b') + last],
    ['of ASCII alone', get('/200/plain?1') + get('/404/plain') + last],
    ['with characters that only Node can write', get('/200/a?caf%C3%A9') + last],
    ['with a body of bytes', get('/200/bytes') + last],
    ['without a body', get('/304/a') + last],
    ['when the client asks for keep-alive', get('/200/a', 'Connection: keep-alive') + last],
    ['when it does so in capitals', get('/200/a', 'Connection: Keep-Alive') + last],
    ['where it goes', post('/201/a') + last + get('/200/unheard')],
    ['to HTTP/1.0', 'GET /200/a HTTP/1.0\r\n\r\n'],
    ['to HEAD', `HEAD /200/a HTTP/1.1\r\nHost: a\r\n\r\n${last}`],
    ['behind an answer that Node writes', get('/200/bytes') + post('/201/b') + get('/200/c') + last],
    ['before what is not HTTP', `${get('/200/a')}BAD\r\n\r\n`],
  ])('%s', async (_name, text) => {
    const [own, nodesOwn] = await Promise.all([
      rawExchange(ours.port, [text]),
      rawExchange(nodes.port, [text]),
    ])
    expect(undated(own)).toBe(undated(nodesOwn))
    expect(own).toMatch(/^HTTP\/1\.1 \d{3} .*\r\n/)
  })

  it('with the date', async () => {
    const before = Math.floor(Date.now() / 1000) * 1000
    const answers = await rawExchange(ours.port, [get('/200/a') + last])
    const dates = [...answers.matchAll(/\r\nDate: ([^\r]+)\r\n/g)].map(([, date = '']) => Date.parse(date))
    expect(dates.length).toBe(2)
    for (const date of dates) {
      // Node renews its text of the date once a second.
      expect(date).toBeGreaterThanOrEqual(before - 1000)
      expect(date).toBeLessThanOrEqual(Date.now())
    }
  })
})
