import { createHmac, timingSafeEqual } from 'node:crypto'
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type RequestListener,
  type Server,
} from 'node:http'
import Router from '@koa/router'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { fastify } from 'fastify'
import Koa from 'koa'
import type { Operation } from '../../../src/api/operations/operation.ts'
import { everyOperationId, routeOf } from '../../../src/api/operations/operations.ts'
import { createOrderBody } from '../../../src/api/operations/orders.ts'
import { ajvOptions } from '../../../src/shape/compiled-schemas.ts'
import { credentialsOf, traders } from './keys.ts'

/*
 * What our server is compared with: the same signatures, routes and schemas in the usual style of each framework, but
 * no venue behind them, only a fresh object of an order's size. `bare` does not even check: it only reads the body.
 */

const isOrder = new Ajv2020(ajvOptions).compile(createOrderBody)
const secrets = new Map(traders.map(credentialsOf).map(({ apiKey, apiSecret }) => [apiKey, apiSecret]))
const routeList: readonly Operation[] = everyOperationId.map(routeOf)

/** Each listens on a free port and returns it. */
export const peers = { koa: koaPeer, fastify: fastifyPeer, bare: barePeer }

async function koaPeer(): Promise<number> {
  const app = new Koa()
  const router = new Router()
  for (const { method, path } of routeList) {
    router.register(path, [method], async (context) => {
      const body = method === 'GET' ? noBytes : await bodyOf(context.req)
      const [status, answer] = answerOf(method, context.path, context.req.headers, body)
      context.status = status
      context.set(rateHeaders())
      context.body = answer
    })
  }
  app.use(router.routes())
  return listen(app.callback())
}

async function fastifyPeer(): Promise<number> {
  const app = fastify()
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request, body, done) =>
    done(null, body),
  )
  for (const { method, path } of routeList) {
    app.route({
      method,
      url: path,
      handler: async (request, reply) => {
        const body = Buffer.isBuffer(request.body) ? request.body : noBytes
        const [status, answer] = answerOf(method, request.url, request.headers, body)
        reply.code(status).headers(rateHeaders())
        return answer
      },
    })
  }
  await app.listen({ port: 0, host: '127.0.0.1' })
  return portOf(app.server)
}

function barePeer(): Promise<number> {
  return listen(async (request, response) => {
    if (request.method === 'POST') await bodyOf(request)
    const text = JSON.stringify(freshOrder())
    response.writeHead(request.method === 'POST' ? 201 : 200, {
      'Content-Type': 'application/json',
      'Content-Length': Buffer.byteLength(text),
    })
    response.end(text)
  })
}

/** Checks the signature, and of an order its schema. */
function answerOf(
  method: string,
  path: string,
  headers: IncomingHttpHeaders,
  body: Buffer,
): readonly [number, object] {
  const { 'x-api-key': key, 'x-api-timestamp': timestamp, 'x-api-signature': signature } = headers
  const secret = secrets.get(String(key))
  if (secret === undefined || Math.abs(Date.now() - Number(timestamp)) > 30_000) return [401, {}]
  const digest = createHmac('sha256', secret)
    .update(timestamp + method + path)
    .update(body)
    .digest()
  const given = Buffer.from(String(signature), 'hex')
  if (given.length !== digest.length || !timingSafeEqual(given, digest)) return [401, {}]
  if (method !== 'POST') return [200, freshOrder()]
  return isOrder(JSON.parse(body.toString('utf8'))) ? [201, freshOrder()] : [400, {}]
}

const noBytes = Buffer.alloc(0)
let orders = 0

function freshOrder(): object {
  orders += 1
  const now = new Date().toISOString()
  return {
    orderId: `ord_${orders}`,
    clientOrderId: null,
    side: 'buy',
    asset: 'BTC',
    quantity: 0.001,
    price: 50_000,
    orderType: 'limit',
    timeInForce: 'GTC',
    status: 'open',
    filledQuantity: 0,
    remainingQuantity: 0.001,
    averagePrice: null,
    metadata: {},
    createdAt: now,
    updatedAt: now,
  }
}

function rateHeaders(): Record<string, string> {
  const reset = String(Math.ceil(Date.now() / 1000))
  return { 'X-RateLimit-Limit': '10', 'X-RateLimit-Remaining': '9', 'X-RateLimit-Reset': reset }
}

function bodyOf(request: IncomingMessage): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => resolve(Buffer.concat(chunks)))
    request.on('error', reject)
  })
}

function listen(listener: RequestListener): Promise<number> {
  const server = createServer(listener)
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve(portOf(server)))
  })
}

function portOf(server: Server): number {
  const address = server.address()
  return address !== null && typeof address === 'object' ? address.port : 0
}
