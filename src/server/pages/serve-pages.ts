import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import type Koa from 'koa'
import type { Problem } from '../../api/errors.ts'
import { adminPrefix, callerOf, findPageDenial } from '../admin/guard.ts'
import { refuseWith } from '../admin/route.ts'
import { jsonHeaders, respondWith } from '../receive.ts'

/**
 * Creates the middleware that serves the static files of the pages. They contain nothing of any world, so they need no
 * token: the page asks its user for it, and sends it to the admin API.
 */
export function servePages(token: string | null): Koa.Middleware {
  const readPage = createPageReader()
  return async (ctx, next) => {
    const isRead = ctx.method === 'GET' || ctx.method === 'HEAD'
    const asked = parsePagePath(ctx.path)
    // What is sent to the root by mistake belongs into the request log of the venue, with every other wrong path.
    if (asked === null || (!isRead && ctx.path === '/')) return next()
    const file = 'movedTo' in asked ? null : readPage(asked.page, asked.name)
    const denial = findPageDenial(callerOf(ctx.req), token)
    if (denial !== null) refusePage(ctx, denial)
    else if (!isRead) {
      ctx.set('Allow', pageMethods)
      refusePage(ctx, describeWrongMethod(ctx.method, ctx.path))
    } else if (file === null && !('movedTo' in asked)) refusePage(ctx, notBuilt)
    else if ('movedTo' in asked)
      respondWith(ctx, { status: 302, headers: { Location: asked.movedTo }, body: '' })
    else if (file !== null) {
      const encoding = ctx.acceptsEncodings('gzip', 'identity') === 'gzip' ? 'gzip' : 'identity'
      const { bytes, etag } = file.forms[encoding]()
      ctx.set({ 'Content-Security-Policy': contentSecurityPolicy[asked.page], ...pageHeaders })
      ctx.etag = etag
      if (encoding === 'gzip') ctx.set('Content-Encoding', 'gzip')
      if (matchesEtag(ctx.get('If-None-Match'), etag)) ctx.status = 304
      else respondWith(ctx, { status: 200, headers: { 'Content-Type': file.type }, body: bytes })
    }
  }
}

const pageMethods = 'HEAD, GET'

const describeWrongMethod = (method: string, path: string): Problem => ({
  code: 'wrong-method',
  reason: `Cannot ${method} ${path}`,
  hint: `this path takes ${pageMethods}`,
})

function refusePage(ctx: Koa.Context, problem: Problem): void {
  const { status, body } = refuseWith(problem)
  respondWith(ctx, {
    status,
    headers: { ...jsonHeaders, 'Cache-Control': 'no-store' },
    body: JSON.stringify(body),
  })
}

type PageRequest = { readonly page: PageName; readonly name: string } | { readonly movedTo: string }

/**
 * Parses the path of a page's file. Redirects are relative, because a proxy in between may have added a prefix to the
 * path.
 */
function parsePagePath(path: string): PageRequest | null {
  if (path === '/') return { page: 'guides', name: frontPage }
  if (path === adminPrefix) return { movedTo: './' }
  if (path === `${adminPrefix}/`) return { movedTo: '../' }
  const page = pageNames.find(
    (each) => path === `${adminPrefix}/${each}` || path.startsWith(`${adminPrefix}/${each}/`),
  )
  if (page === undefined) return null
  const root = `${adminPrefix}/${page}`
  if (path === root) return { movedTo: `${page}/` }
  const name = path === `${root}/` ? 'index.html' : path.slice(root.length + 1)
  return files[page].includes(name) && name !== frontPage ? { page, name } : null
}

const notBuilt = { code: 'unavailable', reason: 'The pages have not been built' } as const

/** Builds a content security policy under which a page talks to this server alone. */
const buildPolicy = (style: string) =>
  [
    "default-src 'none'",
    "script-src 'self'",
    `style-src ${style}`,
    "img-src 'self' data:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ')

const contentSecurityPolicy: { readonly [page in PageName]: string } = {
  // Swagger UI sets style attributes and draws its icons from data.
  docs: buildPolicy("'self' 'unsafe-inline'"),
  console: buildPolicy("'self'"),
  guides: buildPolicy("'self'"),
}

const pageHeaders = {
  'Cache-Control': 'no-cache',
  Vary: 'Accept-Encoding',
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Cross-Origin-Opener-Policy': 'same-origin',
}

/** Returns whether an If-None-Match header names this tag. Source: RFC 9110, section 13.1.2, weak comparison. */
function matchesEtag(ifNoneMatch: string, etag: string): boolean {
  const held = ifNoneMatch.split(',').map((tag) => tag.trim().replace(/^W\//, ''))
  return held.includes(etag) || held.includes('*')
}

interface PageFile {
  readonly type: string
  /** The forms in which the file is sent, each made when it is first asked for. */
  readonly forms: { readonly [encoding in 'gzip' | 'identity']: () => FileForm }
}

interface FileForm {
  readonly bytes: Buffer
  /** The tag of these bytes: another form of the file has another one. */
  readonly etag: string
}

/** The pages, by the folder that they are built into. */
const pageNames = ['docs', 'console', 'guides'] as const
type PageName = (typeof pageNames)[number]

const frontPage = 'front.html'

/** The files of each page, by the last part of their path. No other file is ever read. */
const files: { readonly [page in PageName]: readonly string[] } = {
  docs: [
    'index.html',
    'docs.css',
    'docs.js',
    'icon.svg',
    'swagger-ui.css',
    'swagger-ui-bundle.js',
    'theme.js',
  ],
  console: [
    ...['index.html', 'console.css', 'console.js', 'icon.svg', 'theme.js'],
    // What is loaded when it is first used.
    ...['live-panels.js', 'venue-call.js'],
  ],
  guides: ['index.html', frontPage, 'guides.css', 'guides.js', 'icon.svg', 'theme.js'],
}

const types: ReadonlyMap<string, string> = new Map([
  ['.html', 'text/html; charset=utf-8'],
  ['.css', 'text/css; charset=utf-8'],
  ['.js', 'text/javascript; charset=utf-8'],
  ['.svg', 'image/svg+xml'],
])

/**
 * Creates a function that reads each file once, when it is first asked for, and returns null where nothing has been
 * built.
 */
export function createPageReader(): (page: PageName, name: string) => PageFile | null {
  const held = new Map<string, PageFile>()
  return (page, name) => {
    const known = held.get(`${page}/${name}`)
    if (known !== undefined) return known
    const type = types.get(extname(name))
    const folder = findFolder(page)
    if (type === undefined || folder === null || !files[page].includes(name)) return null
    const bytes = readFileSync(join(folder, name))
    const forms = { identity: keepForm(() => bytes), gzip: keepForm(() => gzipSync(bytes, { level: 9 })) }
    const file: PageFile = { type, forms }
    held.set(`${page}/${name}`, file)
    return file
  }
}

function keepForm(make: () => Buffer): () => FileForm {
  let form: FileForm | null = null
  return () => {
    if (form !== null) return form
    const bytes = make()
    form = { bytes, etag: `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 27)}"` }
    return form
  }
}

/**
 * Finds a page's folder: beside the bundle, or where the build puts it, relative to this source file; null before it is
 * built.
 */
function findFolder(page: PageName): string | null {
  const here = dirname(fileURLToPath(import.meta.url))
  const candidates = [join(here, page), join(here, '..', '..', '..', 'dist', page)]
  return candidates.find((folder) => files[page].every((name) => existsSync(join(folder, name)))) ?? null
}
