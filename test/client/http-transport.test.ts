import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import fc from 'fast-check'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createVenueClient } from '../../src/client/create-venue-client.ts'
import { httpTransport, systemClock } from '../../src/client/http-transport.ts'
import { isSignedBy, type SignatureRules } from '../../src/pipeline/authenticate.ts'
import { caseBudget } from '../support/full-run.ts'
import { serveVenue } from './venue.ts'

type QueryRule = SignatureRules['signature.query']

const credentials = { apiKey: 'key', apiSecret: 'secret' }
const noRetries = { retries: { afterFailure: 0 } }

/** Starts a bare server, which stops when the test ends, and answers its address. */
async function listen(
  respond: (request: IncomingMessage, response: ServerResponse) => void,
): Promise<string> {
  const server = createServer(respond)
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (typeof address !== 'object' || address === null) throw new Error('no address')
  return `http://127.0.0.1:${address.port}`
}

/** Answers `{}` to requests that the server's own verifier finds to be signed, and 401 to others. */
async function listenVerifying(
  rule: QueryRule,
  targets: string[],
  keyRule: SignatureRules['signature.key'] = 'secret',
): Promise<string> {
  const rules = { 'signature.key': keyRule, 'signature.query': rule }
  return listen((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const target = request.url ?? ''
      targets.push(target)
      const [path = '', query] = target.split('?', 2)
      const parts = {
        timestamp: String(request.headers['x-api-timestamp']),
        method: request.method ?? '',
        path,
        query: query === undefined ? '' : `?${query}`,
        body: Buffer.concat(chunks),
      }
      const isSigned = isSignedBy(
        credentials.apiSecret,
        parts,
        rules,
        String(request.headers['x-api-signature']),
      )
      response.writeHead(isSigned ? 200 : 401).end('{}')
    })
  })
}

const text = fc.string({ unit: 'grapheme', maxLength: 30 })
const id = text.filter((value) => !['', '.', '..', 'batch', 'by-client-id'].includes(value))

describe.each<QueryRule>(['include', 'exclude'])('a signature, where the rule is to %s the query', (rule) => {
  it('verifies for any id, query and body', async () => {
    const baseUrl = await listenVerifying(rule, [])
    const { orders } = createVenueClient({ ...credentials, baseUrl, signsQuery: rule === 'include' })
    const property = fc.asyncProperty(id, text, fc.jsonValue(), async (orderId, asset, value) => {
      await orders.get(orderId)
      await orders.list({ asset, page: 2 })
      await orders.create({ side: 'buy', asset, quantity: 1, metadata: { [orderId]: value } })
      await orders.cancelAll({ asset })
      await orders.cancelAll()
    })
    await fc.assert(property, { seed: 7, numRuns: caseBudget(60) })
  })

  it('is accepted by the venue for any client id and metadata', async () => {
    const venue = await serveVenue({ 'signature.query': rule })
    const client = createVenueClient({ ...venue.options(), signsQuery: rule === 'include' })
    const words = fc.uniqueArray(id, { minLength: 30, maxLength: 30 })
    for (const word of fc.sample(words, { seed: 7, numRuns: 1 }).flat()) {
      const order = { side: 'buy', asset: 'BTC', quantity: 0.1, price: 40_000, timeInForce: 'IOC' } as const
      const made = await client.orders.create({ ...order, clientOrderId: word, metadata: { [word]: word } })
      expect(await client.orders.getByClientId(word)).toMatchObject({
        orderId: made.orderId,
        metadata: made.metadata,
      })
    }
  })
})

describe('the address', () => {
  it.each(['', '/', '/gateway/v1', '/gateway/v1//'])(
    'may end in %o, and its whole path is signed',
    async (prefix) => {
      const targets: string[] = []
      const baseUrl = await listenVerifying('include', targets)
      await createVenueClient({ ...credentials, baseUrl: baseUrl + prefix }).marketData.prices({
        assets: ["B'C"],
      })
      expect(targets).toEqual([`${prefix.replace(/\/+$/, '')}/api/sdk/market-data/prices?assets=B%27C`])
    },
  )

  it.each([
    'venue.example',
    '/api',
    'ftp://venue.example',
    'http://key:secret@venue.example',
    'http://venue.example/?a=1',
    'http://venue.example/#part',
  ])('may not be %s', (baseUrl) => {
    expect(() => createVenueClient({ ...credentials, baseUrl })).toThrow(/^baseUrl must be/)
  })

  it.each(['', 'with space', 'ключ', 'line\nbreak'])('is refused with the key %o', (apiKey) => {
    expect(() => httpTransport({ ...credentials, baseUrl: 'http://venue.example', apiKey })).toThrow(
      /^apiKey must be/,
    )
  })
})

it.each([0, -1, Number.NaN, Number.POSITIVE_INFINITY])('a timeout may not be %d', (timeoutMillis) => {
  const options = { ...credentials, baseUrl: 'http://venue.example', timeoutMillis }
  expect(() => httpTransport(options)).toThrow(/^the client: timeoutMillis must be/)
})

describe('a request', () => {
  it('uses keep-alive connections', async () => {
    const ports = new Set<number | undefined>()
    const baseUrl = await listen((request, response) => {
      ports.add(request.socket.remotePort)
      response.end('{}')
    })
    const { risk } = createVenueClient({ ...credentials, baseUrl })
    for (let count = 0; count < 20; count += 1) await risk.limits()
    expect(ports.size).toBeLessThan(4)
  })

  it('has the requested headers, and a content type only with a body', async () => {
    const seen: IncomingMessage['headers'][] = []
    const baseUrl = await listen((request, response) => {
      seen.push(request.headers)
      response.end('{}')
    })
    const headers = { Prefer: 'reading.envelope=wrapped', 'X-API-Key': 'another' }
    const client = createVenueClient({ ...credentials, baseUrl, headers })
    await client.orders.cancelAll()
    await client.orders.cancelAll({ asset: 'BTC' })
    expect(seen).toMatchObject([
      { prefer: headers.Prefer, 'x-api-key': 'key' },
      { 'content-type': 'application/json' },
    ])
    expect(seen[0]).not.toHaveProperty('content-type')
  })

  it('does not follow a redirect, which would get the key', async () => {
    const paths: string[] = []
    const baseUrl = await listen((request, response) => {
      paths.push(request.url ?? '')
      response.writeHead(307, { location: '/elsewhere' }).end()
    })
    const reading = createVenueClient({ ...credentials, ...noRetries, baseUrl }).risk.limits()
    await expect(reading).rejects.toMatchObject({ reason: 'network' })
    expect(paths).toEqual(['/api/sdk/risk/limits'])
  })

  it('fails when the connection does', async () => {
    const baseUrl = await listen((request) => request.socket.destroy())
    const reading = createVenueClient({ ...credentials, ...noRetries, baseUrl }).risk.limits()
    await expect(reading).rejects.toMatchObject({ name: 'ConnectionError', reason: 'network' })
  })

  it.each<[string, (response: ServerResponse) => void]>([
    ['no answer comes', () => {}],
    ['the answer does not end', (response) => response.writeHead(200).write('{"limits":')],
  ])('is given up in time when %s', async (_title, respond) => {
    const baseUrl = await listen((_request, response) => respond(response))
    const reading = createVenueClient({
      ...credentials,
      ...noRetries,
      baseUrl,
      timeoutMillis: 50,
    }).risk.limits()
    await expect(reading).rejects.toMatchObject({
      reason: 'timeout',
      message: 'GET /api/sdk/risk/limits: no answer within 50 ms',
    })
  })

  it.each([null, 10_000])(
    'is aborted by the caller’s signal, with a timeout of %o ms',
    async (timeoutMillis) => {
      let arrived = 0
      const controller = new AbortController()
      const baseUrl = await listen(() => {
        arrived += 1
        controller.abort(new Error('enough'))
      })
      const client = createVenueClient({ ...credentials, baseUrl, timeoutMillis })
      await expect(client.risk.limits({ signal: controller.signal })).rejects.toThrow('enough')
      await expect(client.orders.cancelAll({}, { signal: controller.signal })).rejects.toThrow('enough')
      expect(arrived).toBe(1)
    },
  )

  it('is not repeated when the caller aborts during the wait', async () => {
    const controller = new AbortController()
    const clock = {
      nowMillis: systemClock.nowMillis,
      sleep: (_millis: number, signal?: AbortSignal) => {
        const sleeping = systemClock.sleep(60_000, signal)
        controller.abort(new Error('enough'))
        return sleeping
      },
    }
    const baseUrl = await listen((_request, response) => response.writeHead(503).end())
    const client = createVenueClient({ ...credentials, baseUrl, clock })
    await expect(client.risk.limits({ signal: controller.signal })).rejects.toThrow('enough')
  })
})

it('sleeps on the system clock until the time is over or the caller aborts', async () => {
  const before = performance.now()
  await systemClock.sleep(20, new AbortController().signal)
  expect(performance.now() - before).toBeGreaterThan(15)
  await expect(systemClock.sleep(60_000, AbortSignal.abort('early'))).rejects.toBe('early')
})
