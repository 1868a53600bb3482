import type { Problem } from '../../api/errors.ts'
import { pageDenialOf } from '../admin/guard.ts'
import { refused } from '../admin/route.ts'
import { adminPrefix } from '../transport/admin-prefix.ts'
import type { Answer } from '../transport/answer.ts'
import type { Received } from '../transport/receive.ts'
import { isPageFile, type PageName, pageFiles, pageNames } from './page-files.ts'

/**
 * Answers with the static files of the pages; null for every other path. They contain nothing of any world, so they
 * need no token: the page asks for it, and sends it to the admin API.
 */
export function pageResponder(token: string | null): (request: Received) => Answer | null {
  const fileOf = pageFiles()
  return (request) => {
    const { method, path } = request
    const page = method === 'GET' ? pageOf(path) : null
    if (page === null) return null
    const root = `${adminPrefix}/${page}`
    const name = path === `${root}/` ? 'index.html' : path.slice(root.length + 1)
    if (path !== root && !isPageFile(page, name)) return null
    const denial = pageDenialOf(request, token)
    if (denial !== null) return problemAnswer(denial)
    // A relative address: a proxy between the browser and us may have added a prefix to the path.
    if (path === root) return { status: 302, headers: ['Location', `${page}/`], body: '' }
    const file = fileOf(page, name)
    if (file === null) return problemAnswer({ code: 'unavailable', reason: 'The pages have not been built' })
    const policy = contentSecurityPolicy[page]
    const headers = ['Content-Security-Policy', policy, ...pageHeaders, 'ETag', file.etag]
    if (isHeld(request.headers['if-none-match'] ?? '', file.etag)) return { status: 304, headers, body: '' }
    return { status: 200, headers, type: file.type, body: file.bytes }
  }
}

/** The page that a path belongs to, with or without its final slash. */
function pageOf(path: string): PageName | null {
  const isIn = (page: PageName) =>
    path === `${adminPrefix}/${page}` || path.startsWith(`${adminPrefix}/${page}/`)
  return pageNames.find(isIn) ?? null
}

/** Everything comes from this server and goes to it. */
const policyWith = (style: string) =>
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
  docs: policyWith("'self' 'unsafe-inline'"),
  console: policyWith("'self'"),
  guides: policyWith("'self'"),
}

const pageHeaders: readonly string[] = [
  'Cache-Control',
  'no-cache',
  'X-Content-Type-Options',
  'nosniff',
  'Referrer-Policy',
  'no-referrer',
  'Cross-Origin-Resource-Policy',
  'same-origin',
  'Cross-Origin-Opener-Policy',
  'same-origin',
]

/** RFC 9110, section 13.1.2: weak comparison. */
function isHeld(ifNoneMatch: string, etag: string): boolean {
  const held = ifNoneMatch.split(',').map((tag) => tag.trim().replace(/^W\//, ''))
  return held.includes(etag) || held.includes('*')
}

function problemAnswer(problem: Problem): Answer {
  const { status, body } = refused(problem)
  return { status, headers: ['Cache-Control', 'no-store'], body: JSON.stringify(body) }
}
