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

/** Returns the headers that let pages of an origin read an answer; '' stands for a request that names no origin. */
export function buildOriginHeaders(origins: readonly string[], origin: string): Record<string, string> {
  if (origins.length === 0) return {}
  // Caches must know that the answer to another origin differs, even where this one may not read it.
  if (!isAllowed(origins, origin)) return { Vary: 'Origin' }
  return {
    Vary: 'Origin',
    'Access-Control-Allow-Origin': origin,
    'Access-Control-Expose-Headers': exposedHeaders,
  }
}

/**
 * Creates the middleware that lets pages of these origins read every answer of the venue, those of the transport too.
 * `isClosed` says of a path whether it stays closed to them.
 */
export function allowOrigins(
  origins: readonly string[],
  isClosed: (path: string) => boolean,
): Koa.Middleware {
  return (ctx, next) => {
    if (!isClosed(ctx.path)) ctx.set(buildOriginHeaders(origins, ctx.get('Origin')))
    return next()
  }
}

/**
 * Creates the middleware that answers the preflights of pages of these origins, with the headers that they ask for.
 * Choice: the specification is silent; a preflight is answered without a world, so it is not logged, counted or signed.
 */
export function answerPreflights(origins: readonly string[]): Koa.Middleware {
  return (ctx, next) => {
    const isPreflight = ctx.method === 'OPTIONS' && ctx.get('Access-Control-Request-Method') !== ''
    if (!isPreflight || !isAllowed(origins, ctx.get('Origin'))) return next()
    const asked = ctx.get('Access-Control-Request-Headers')
    ctx.set({
      'Access-Control-Allow-Methods': 'GET, POST, PATCH, DELETE',
      'Access-Control-Max-Age': '600',
      ...(asked === '' ? {} : { 'Access-Control-Allow-Headers': asked }),
    })
    ctx.remove('Access-Control-Expose-Headers')
    ctx.status = 204
    return
  }
}

/**
 * Finds the origin of a request that Node's parser has refused, in the bytes that it was reading. Where they don't show
 * it, it is taken to be the only origin that is allowed; '' where there are several.
 */
export function findOriginInBytes(origins: readonly string[], bytes: Buffer | undefined): string {
  const [, sent] = /\r\nOrigin:[ \t]*(\S+)[ \t]*\r\n/i.exec(bytes?.toString('latin1') ?? '') ?? []
  const [only = '', ...others] = origins
  return sent ?? (others.length === 0 ? only : '')
}

function isAllowed(origins: readonly string[], origin: string): boolean {
  return origin !== '' && (origins.includes('*') || origins.includes(origin))
}

function isOrigin(text: string): boolean {
  return /^https?:\/\//.test(text) && URL.canParse(text) && new URL(text).origin === text
}

const exposedHeaders = [
  'Date',
  'Allow',
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
