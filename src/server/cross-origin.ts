import type Koa from 'koa'

/*
 * Lets pages of other origins call the venue. A browser asks first whether it may (a preflight), and then shows a page
 * only what the answer allows it to see. What the venue answers does not change, and the admin API stays closed.
 */

/**
 * Parses origins separated by commas, such as `http://localhost:3000`, or `*` for all. Null where one is not an origin.
 */
export function parseOrigins(text: string): readonly string[] | null {
  const origins = text.split(',').map((origin) => origin.trim())
  return origins.every((origin) => origin === '*' || isOrigin(origin)) ? origins : null
}

/**
 * Creates the middleware that allows these origins. Choice: the specification is silent; a preflight is answered
 * without a world, so it is not logged, counted or signed.
 */
export function crossOrigin(origins: readonly string[]): Koa.Middleware {
  return async (ctx, next) => {
    const origin = ctx.get('Origin')
    if (origin === '' || !(origins.includes('*') || origins.includes(origin))) return next()
    ctx.set({ 'Access-Control-Allow-Origin': origin, Vary: 'Origin' })
    if (ctx.method === 'OPTIONS' && ctx.get('Access-Control-Request-Method') !== '') {
      ctx.set(preflight)
      ctx.status = 204
      return
    }
    ctx.set('Access-Control-Expose-Headers', exposedHeaders)
    return next()
  }
}

function isOrigin(text: string): boolean {
  return /^https?:\/\//.test(text) && URL.canParse(text) && new URL(text).origin === text
}

const preflight = {
  'Access-Control-Allow-Methods': 'GET, POST, PATCH, DELETE',
  'Access-Control-Allow-Headers': 'Content-Type, X-API-Key, X-API-Timestamp, X-API-Signature, Prefer',
  'Access-Control-Max-Age': '600',
}

const exposedHeaders = [
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
  'Retry-After',
  'Preference-Applied',
  'X-Sim-Time',
  'X-Sim-World',
  'X-Sim-Request-Id',
  'X-Sim-Hint',
  'X-Sim-Fault',
].join(', ')
