import type { Problem } from '../../api/errors.ts'
import { pageDenialOf } from '../admin/guard.ts'
import { adminPrefix } from '../admin/prefix.ts'
import { refused } from '../admin/route.ts'
import type { Answer } from '../answer.ts'
import type { Received } from '../receive.ts'
import { isPageFile, pageFiles } from './page-files.ts'

const docsPath = `${adminPrefix}/docs`

/**
 * Answers with the fixed files of the pages; null for every other path. They hold nothing of any world, so they ask
 * for no token: the page does, and presents it to the control plane.
 */
export function pageResponder(token: string | null): (request: Received) => Answer | null {
  const fileOf = pageFiles()
  return (request) => {
    const { method, path } = request
    if (method !== 'GET' || (path !== docsPath && !path.startsWith(`${docsPath}/`))) return null
    const name = path === `${docsPath}/` ? 'index.html' : path.slice(docsPath.length + 1)
    if (path !== docsPath && !isPageFile(name)) return null
    const denial = pageDenialOf(request, token)
    if (denial !== null) return problemAnswer(denial)
    // Relative: whoever stands between the browser and us may have put something before the path.
    if (path === docsPath) return { status: 302, headers: ['Location', 'docs/'], body: '' }
    const file = fileOf(name)
    if (file === null) return problemAnswer({ code: 'unavailable', reason: 'The pages have not been built' })
    const headers = [...pageHeaders, 'ETag', file.etag]
    if (isHeld(request.headers['if-none-match'] ?? '', file.etag)) return { status: 304, headers, body: '' }
    return { status: 200, headers, type: file.type, body: file.bytes }
  }
}

/** Everything comes from here and goes here. Swagger UI sets style attributes and draws its icons from data. */
const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

const pageHeaders: readonly string[] = [
  'Content-Security-Policy',
  contentSecurityPolicy,
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
