import { describe, expect, it } from 'vitest'
import { ask, useVenue } from '../venue-fixture.ts'

const venue = useVenue()

const open = (path: string, headers: Record<string, string> = {}) =>
  fetch(`${venue.server.url}/__admin/console${path}`, { headers, redirect: 'manual' })

const loadedBy = (html: string) =>
  [...html.matchAll(/<(?:link|script)[^>]*? (?:href|src)="\.\/([^"]+)"/g)].map(([, path]) => path)

// `npm ci` and `npm test` build the page's files before this runs.
describe('the console page', () => {
  it('is found without its trailing slash', async () => {
    const { status, headers } = await open('')
    expect([status, headers.get('location')]).toEqual([302, 'console/'])
  })

  it('allows only its own origin, and only its own styles', async () => {
    const { status, headers } = await open('/')
    expect([status, headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
    expect(headers.get('content-security-policy')?.split('; ')).toEqual(
      expect.arrayContaining([
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "connect-src 'self'",
      ]),
    )
  })

  it('is complete, with less than 70 kB of script compressed, and little more of it when it is used', async () => {
    const page = await open('/', { 'accept-encoding': 'gzip' })
    const html = await page.text()
    expect([...loadedBy(html)].sort()).toEqual(['console.css', 'console.js', 'icon.svg', 'theme.js'])
    let scriptBytes = 0
    let otherBytes = Number(page.headers.get('content-length'))
    const encoded = { 'accept-encoding': 'gzip' }
    for (const name of loadedBy(html)) {
      const answer = await open(`/${name}`, encoded)
      expect([name, answer.status, answer.headers.get('content-encoding')]).toEqual([name, 200, 'gzip'])
      expect(answer.headers.get('vary')).toContain('Accept-Encoding')
      const length = Number(answer.headers.get('content-length'))
      if (name?.endsWith('.js')) scriptBytes += length
      else otherBytes += length
      const plain = await open(`/${name}`, { 'accept-encoding': 'identity' })
      expect(plain.headers.get('content-encoding')).toBe(null)
      expect(await plain.text()).toBe(await answer.text())
      expect(plain.headers.get('etag')).not.toBe(answer.headers.get('etag'))
      expect(
        (await open(`/${name}`, { ...encoded, 'if-none-match': answer.headers.get('etag') ?? '' })).status,
      ).toBe(304)
    }
    expect([scriptBytes < 70_000, otherBytes < 8000]).toEqual([true, true])
    let laterBytes = 0
    for (const name of ['live-panels.js', 'venue-call.js'])
      laterBytes += Number((await open(`/${name}`, encoded)).headers.get('content-length'))
    expect([laterBytes > 0, laterBytes < 12_000]).toEqual([true, true])
  })

  it.each(['/nothing.js', '/..%2fcli.cjs', '/third-party-licences.txt', '/docs.css'])(
    'has no file %s',
    async (path) => {
      expect((await open(path)).status).toBe(404)
    },
  )

  it('is refused to other sites and for other host names', async () => {
    expect((await open('/console.js', { 'sec-fetch-site': 'cross-site' })).status).toBe(403)
    const { status } = await ask(venue.server.port, 'GET', '/__admin/console/', '', { host: 'evil.example' })
    expect(status).toBe(403)
  })
})
