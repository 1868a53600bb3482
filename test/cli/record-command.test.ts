import { readFileSync, writeFileSync } from 'node:fs'
import { createServer, type RequestListener, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { describe, expect, it, onTestFinished } from 'vitest'
import { sign } from '../../src/client/sign.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { otcsim, type Served, serve } from './harness.ts'

const [apiKey, secret] = ['simk_default_desk', 'sims_default_desk']

interface Recording extends Served {
  readonly cwd: string
  readonly text: () => string
  readonly entries: () => readonly Entry[]
}

interface Entry {
  readonly startedDateTime: string
  readonly time: number
  readonly comment?: string
  readonly request: Message & { readonly method: string; readonly url: string; readonly postData?: Content }
  readonly response: Message & { readonly status: number; readonly content: Content }
}

interface Message {
  readonly headers: readonly { readonly name: string; readonly value: string }[]
}

interface Content {
  readonly text: string
  readonly encoding?: string
}

/** Starts `otcsim record` in front of a target, until the end of the test. */
async function record(target: string): Promise<Recording> {
  const cwd = temporaryFolder()
  const served = await serve(['--target', target, '--out', 'real.har', '--port', '0'], { cwd }, [
    'record',
    '--json',
  ])
  const text = () => readFileSync(join(cwd, 'real.har'), 'utf8')
  const entries = () => JSON.parse(text()).log.entries
  return { ...served, cwd, text, entries }
}

/** Starts a server of any answers, until the end of the test. */
async function answerAlways(listener: RequestListener): Promise<string> {
  const server = createServer(listener)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const address: AddressInfo | string | null = server.address()
  return `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`
}

const signatures: string[] = []

async function send(url: string, method: string, path: string, body?: object): Promise<Response> {
  const text = body === undefined ? '' : JSON.stringify(body)
  const timestamp = String(Date.now())
  const signature = sign(secret, `${timestamp}${method}${path.split('?')[0]}${text}`)
  signatures.push(signature)
  return fetch(url + path, {
    method,
    headers: {
      'X-API-Key': apiKey,
      'X-API-Timestamp': timestamp,
      'X-API-Signature': signature,
      'Content-Type': 'application/json',
      Cookie: 'session=very-secret',
      Authorization: 'Bearer very-secret',
    },
    ...(text === '' ? {} : { body: text }),
  })
}

const api = '/api/sdk'

describe('otcsim record', () => {
  it('keeps what drift proves the readings in force by, and no secret', async () => {
    const readings =
      'envelope=wrapped,createdStatus=200,orders.cancelTerminal=422,lists.order=oldest,nulls=omitted'
    const venue = await serve(['--port', '0', '--clock', 'manual', '--readings', readings])
    await fetch(`${venue.url}/__admin/worlds/default/rate-limits`, {
      method: 'PUT',
      body: '{"enabled":false}',
      headers: { 'Content-Type': 'application/json' },
    })
    const recording = await record(venue.url)
    const order = { side: 'buy', asset: 'BTC', quantity: 0.1, price: 30_000 }
    const created = await (await send(recording.url, 'POST', `${api}/orders`, order)).text()
    const path = `${api}/orders/${JSON.parse(created).data.orderId}`
    for (const method of ['DELETE', 'DELETE', 'GET', 'HEAD']) await send(recording.url, method, path)
    await send(recording.url, 'POST', `${api}/orders`, { ...order, price: 0.001 })
    await send(recording.url, 'GET', `${api}/orders?limit=500`)
    const all = await send(recording.url, 'DELETE', `${api}/orders/batch`, { asset: 'BTC' })
    expect(all.status).toBe(200)

    // The file is whole before the end, so a killed process leaves it so.
    await expect.poll(() => recording.entries().length).toBe(8)
    expect((await recording.finished()).code).toBe(0)
    const text = recording.text()
    for (const word of [apiKey, secret, 'very-secret', ...signatures]) expect(text).not.toContain(word)
    const [first] = recording.entries()
    expect(first?.request.url).toBe(`${venue.url}${api}/orders`)
    expect(first?.request.postData?.text).toBe(JSON.stringify(order))
    expect(first?.request.headers).toContainEqual({ name: 'host', value: new URL(venue.url).host })
    expect(Date.parse(first?.startedDateTime ?? '')).toBeGreaterThan(Date.now() - 60_000)
    expect(recording.entries().at(-1)?.request.postData?.text).toBe('{"asset":"BTC"}')

    const { code, out } = await otcsim(['drift', '--har', 'real.har', '--json'], { cwd: recording.cwd })
    expect(code).toBe(0)
    const found = JSON.parse(out)
    expect(found.readings).toMatchObject({
      envelope: 'wrapped',
      createdStatus: '200',
      'orders.cancelTerminal': '422',
      nulls: 'omitted',
      'params.outOfRange': '400',
      'rate.resetUnit': 'seconds',
    })
    expect(found.sources).toEqual([
      { venue: venue.url, apiKey: expect.stringMatching(/^key-\w{12}$/), exchanges: 7 },
    ])
    expect(found.leftOut).toEqual([{ entry: 4, reason: 'HEAD: an answer without a body' }])
  })

  it('tells keys apart, and the forms of signatures', async () => {
    const venue = await serve(['--port', '0', '--readings', 'signature.hex=any,auth.signatureStatus=403'])
    const recording = await record(venue.url)
    const timestamp = String(Date.now())
    const path = `${api}/portfolio/balances/USD`
    const send = (key: string, signature: string) =>
      fetch(recording.url + path, {
        headers: { 'X-API-Key': key, 'X-API-Timestamp': timestamp, 'X-API-Signature': signature },
      })
    const right = sign('sims_default_desk', `${timestamp}GET${path}`)
    expect((await send('simk_default_desk', right.toUpperCase())).status).toBe(200)
    expect((await send('simk_default_maker', right)).status).toBe(403)
    await recording.finished()
    const { out } = await otcsim(['drift', '--har', 'real.har', '--json'], { cwd: recording.cwd })
    const { readings, sources } = JSON.parse(out)
    expect(readings).toMatchObject({ 'signature.hex': 'any', 'auth.signatureStatus': '403' })
    expect(new Set(sources.map((source: { apiKey: string }) => source.apiKey)).size).toBe(2)
    expect(recording.text()).not.toContain(right.toUpperCase())
  })

  it('keeps compressed and binary bodies so that they can be read, and passes them on as they are', async () => {
    const plain = JSON.stringify({ balances: 'é'.repeat(500) })
    const target = await answerAlways((request, response) => {
      if (request.url === '/gzip')
        response.writeHead(200, { 'Content-Encoding': 'gzip' }).end(gzipSync(plain))
      else if (request.url === '/br')
        response.writeHead(200, { 'Content-Encoding': 'br' }).end(brotliCompressSync(plain))
      else if (request.url === '/odd') response.writeHead(200, { 'Content-Encoding': 'gzip' }).end(plain)
      else response.writeHead(200).end(Buffer.from([0xff, 0xfe, 0]))
    })
    const recording = await record(target)
    for (const path of ['/gzip', '/br']) expect(await (await fetch(recording.url + path)).text()).toBe(plain)
    await fetch(`${recording.url}/odd`)
      .then((response) => response.text())
      .catch(() => '')
    expect(Buffer.from(await (await fetch(`${recording.url}/binary`)).arrayBuffer())).toEqual(
      Buffer.from([0xff, 0xfe, 0]),
    )
    await recording.finished()
    expect(recording.entries().map(({ response }) => response.content)).toMatchObject([
      { text: plain },
      { text: plain },
      { text: plain },
      { text: Buffer.from([0xff, 0xfe, 0]).toString('base64'), encoding: 'base64' },
    ])
  })

  it('passes the path, the query, the Host of the target and every body on as they were sent', async () => {
    const seen: object[] = []
    const target = await answerAlways(async (request, response) => {
      let body = ''
      for await (const chunk of request) body += chunk
      const { method, url, headers } = request
      seen.push({ method, url, host: headers.host, body })
      response.end(method === 'HEAD' ? undefined : 'ok')
    })
    const recording = await record(`${target}/gateway`)
    const { host } = new URL(target)
    await fetch(`${recording.url}//a/%2e%2f/b?x=%20&&y`, { method: 'DELETE', body: '{"a":1}' })
    await fetch(`${recording.url}/head`, { method: 'HEAD' })
    await recording.finished()
    expect(seen).toEqual([
      { method: 'DELETE', url: '/gateway//a/%2e%2f/b?x=%20&&y', host, body: '{"a":1}' },
      { method: 'HEAD', url: '/gateway/head', host, body: '' },
    ])
    expect(recording.entries().map(({ request }) => request.url)).toEqual([
      `${target}/gateway//a/%2e%2f/b?x=%20&&y`,
      `${target}/gateway/head`,
    ])
  })

  it('answers 502 for a target that cannot be reached, and keeps answers that are cut off', async () => {
    const away = await record('http://127.0.0.1:1')
    expect((await fetch(`${away.url}${api}/orders`)).status).toBe(502)
    await away.finished()
    expect(away.entries()).toMatchObject([
      { comment: expect.stringContaining('ECONNREFUSED'), response: { status: 502 } },
    ])

    const target = await answerAlways((_, response) => {
      response.writeHead(200, { 'Content-Length': '100' })
      response.write('{"balances":')
      setImmediate(() => response.destroy())
    })
    const cut = await record(target)
    await expect(fetch(`${cut.url}${api}/orders`).then((response) => response.text())).rejects.toThrow()
    await cut.finished()
    expect(cut.entries()).toMatchObject([{ comment: expect.any(String), response: { status: 200 } }])
    const { code, out } = await otcsim(['drift', '--har', 'real.har', '--json'], { cwd: cut.cwd })
    expect(code).toBe(5)
    expect(JSON.parse(out).readings).toEqual({})
  })

  it('refuses to write over a file, and an address with the path of the interface', async () => {
    const cwd = temporaryFolder()
    writeFileSync(join(cwd, 'real.har'), 'mine')
    const words = ['record', '--target', 'http://127.0.0.1:1', '--port', '0']
    const there = await otcsim([...words, '--out', 'real.har'], { cwd })
    expect(there).toMatchObject({ code: 2, err: expect.stringContaining('may be another recording') })
    expect(readFileSync(join(cwd, 'real.har'), 'utf8')).toBe('mine')
    const path = await otcsim(['record', '--target', 'http://127.0.0.1:1/api/sdk', '--out', 'a.har'], { cwd })
    expect(path).toMatchObject({ code: 2, err: expect.stringContaining('/api/sdk') })
  })

  it('goes on after requests to others, which it refuses and does not keep', async () => {
    const recording = await record(await answerAlways((_, answer) => answer.end('{}')))
    for (const path of ['http://other.example/api/sdk/orders', '*', 'https://other.example']) {
      const status = await new Promise((resolve, reject) => {
        const asked = request(recording.url, { method: 'OPTIONS', path }, (answer) => {
          answer.resume()
          resolve(answer.statusCode)
        })
        asked.on('error', reject).end()
      })
      expect([path, status]).toEqual([path, 400])
    }
    expect((await send(recording.url, 'GET', `${api}/orders`)).status).toBe(200)
    const { code } = await recording.finished()
    expect(code).toBe(0)
    expect(recording.entries().map(({ request: { url } }) => new URL(url).pathname)).toEqual([
      `${api}/orders`,
    ])
  })
})
