import { createHmac, timingSafeEqual } from 'node:crypto'
import Router from '@koa/router'
import Koa from 'koa'
import { everyOperationId, routeOf } from '../../../src/api/operations/operations.ts'
import type { ApiKey } from '../../../src/world/keys.ts'
import { createWorld } from '../../../src/world/world.ts'
import { benchScenario } from './our-venue.ts'

/*
 * The plainest signed Koa application over our engine: what a team would write in an afternoon. It reads the body with a
 * limit, checks the signature, routes, hands the operation to the engine, and shows the limit of requests. It has no
 * faults, readings, request log, hints, admin API or promise of the order in which mistakes are found.
 */

export interface State {
  body: string
  key: ApiKey
}

const maximumBodyBytes = 1_048_576

/** Reads a body as the loop over its chunks that every tutorial has. */
export const ownReader: Koa.Middleware<State> = async (ctx, next) => {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of ctx.req) {
    length += chunk.length
    if (length > maximumBodyBytes) ctx.throw(413)
    chunks.push(chunk)
  }
  ctx.state.body = Buffer.concat(chunks).toString()
  await next()
}

/** The application, with what reads bodies. */
export function plainKoa(readers: readonly Koa.Middleware<State>[]): Koa<State> {
  const world = createWorld(benchScenario(), { clock: { mode: 'realtime' } })
  const app = new Koa<State>()
  for (const reader of readers) app.use(reader)
  app.use(async (ctx, next) => {
    const key = world.keys.get(ctx.get('X-API-Key'))
    const timestamp = ctx.get('X-API-Timestamp')
    if (key === undefined || Math.abs(Date.now() - Number(timestamp)) > 30_000) return ctx.throw(401)
    const expected = createHmac('sha256', key.apiSecret)
      .update(timestamp + ctx.method + ctx.url)
      .update(ctx.state.body)
      .digest()
    const given = Buffer.from(ctx.get('X-API-Signature'), 'hex')
    if (given.length !== expected.length || !timingSafeEqual(given, expected)) ctx.throw(401)
    ctx.state.key = key
    await next()
  })
  const router = new Router<State>()
  for (const operation of everyOperationId) {
    const { method, path, category } = routeOf(operation)
    router.register(path, [method], (ctx) => {
      const { key, body } = ctx.state
      const rate = world.limiter.countRequest(key.apiKey, category, 'fixed', Date.now())
      ctx.set({
        'X-RateLimit-Limit': String(rate.limit),
        'X-RateLimit-Remaining': String(rate.remaining),
        'X-RateLimit-Reset': String(Math.ceil(rate.resetMillis / 1000)),
      })
      if (!rate.isAllowed) ctx.throw(429)
      const parameter = Object.values<string>(ctx.params)[0] ?? ''
      const request = { operation, parameter, query: ctx.search, body }
      const answer = world.handle(key.account, request)
      ctx.status = answer.status
      ctx.body = answer.body
    })
  }
  app.use(router.routes())
  return app
}
