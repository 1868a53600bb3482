import { describe, expect, it } from 'vitest'
import { signedHeaders } from '../signed-request.ts'
import { useVenue } from '../venue-fixture.ts'
import { answersIn, rawExchange } from './raw-exchange.ts'

const venue = useVenue()

it('limits the bodies that wait on one connection', async () => {
  const target = '/api/sdk/portfolio/summary'
  const headers = {
    host: '127.0.0.1',
    // Until all else has come, on a busy machine too.
    prefer: 'delay=1500',
    ...signedHeaders({ target }, venue.wall.nowMillis()),
  }
  const slow = [
    `GET ${target} HTTP/1.1`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
  ].join('\r\n')
  const body = Buffer.alloc(1_048_576, 'x')
  const large = `POST /api/sdk/orders HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: ${body.length}\r\n\r\n`
  const parts = [`${slow}\r\n\r\n`, ...Array.from({ length: 6 }, () => [large, body]).flat()]
  const answers = answersIn(await rawExchange(venue.server.port, parts))
  expect(answers.map(({ status }) => status)).toEqual([200, 401, 401, 401, 401, 401, 503])
  expect(answers.at(-1)?.body).toContain('Too many bytes of requests are already waiting')
})

describe('a document', () => {
  const guarded = useVenue({ adminToken: 'secret' })
  const head = 'POST /__admin/worlds/default/snapshots/import HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: '

  it('is not even read from those who may not send one', async () => {
    const [answer] = answersIn(await rawExchange(guarded.server.port, [`${head}60000000\r\n\r\n`]))
    expect(answer).toMatchObject({ status: 401, body: expect.stringContaining('asks for a token') })
  })

  it('may be larger than a body', async () => {
    const document = { format: 'x'.repeat(2_000_000) }
    const headers = { authorization: 'Bearer secret' }
    const answer = await guarded.admin('POST', '/worlds/default/snapshots/import', document, headers)
    expect(answer.text).toContain('this is not a snapshot')
  })
})
