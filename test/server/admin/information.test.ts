import { describe, expect, it } from 'vitest'
import { ask, startFixture, useVenue } from '../venue-fixture.ts'

const venue = useVenue()

describe('information', () => {
  it('is served without keys and without limits', async () => {
    for (let asked = 0; asked < 40; asked += 1) {
      expect((await venue.admin('GET', '/health')).body).toEqual({ status: 'ok' })
    }
    const { body, headers } = await venue.admin('GET', '/info')
    expect(body).toMatchObject({ name: 'otcsim', seed: '7', scenario: 'quiet', scenarios: ['quiet'] })
    expect(body).toHaveProperty('url', venue.server.url)
    expect(headers['x-ratelimit-limit']).toBeUndefined()
  })

  it('names every reading with its values and its reason', async () => {
    const { body } = await venue.admin('GET', '/readings')
    expect(body).toMatchObject({
      readings: expect.arrayContaining([
        expect.objectContaining({ key: 'envelope', default: 'bare', alternatives: ['wrapped'] }),
      ]),
    })
  })

  it.each([
    ['GET', '/nothing', 404],
    ['GET', '/health/', 404],
    ['GET', '/Health', 404],
    ['POST', '', 405],
    ['DELETE', '/health', 405],
  ])('%s %s is %d', async (method, path, status) => {
    expect((await venue.admin(method, path)).status).toBe(status)
  })

  it('lists the methods of a path when it refuses one, as the document has them', async () => {
    const { body } = await venue.admin('GET', '/admin-openapi.json')
    const paths = Object.entries<object>(Object(body).paths)
    expect(paths.length).toBeGreaterThan(40)
    for (const [path, operations] of paths) {
      const documented = Object.keys(operations).map((method) => method.toUpperCase())
      const listed = documented.includes('GET') ? [...documented, 'HEAD'] : documented
      const target = path.replace('{world}', 'default').replace(/\{\w+\}/g, 'none')
      const { status, headers } = await venue.admin('OPTIONS', target)
      expect([target, status, String(headers['allow']).split(', ').sort()]).toEqual([
        target,
        405,
        listed.sort(),
      ])
    }
  })
})

describe('callers', () => {
  it.each([
    ['another site', { 'sec-fetch-site': 'cross-site' }, 403],
    ['another origin', { origin: 'https://evil.example' }, 403],
    ['a re-bound name', { host: 'evil.example' }, 403],
    ['our own page', { origin: 'http://localhost:1234', host: 'localhost:1234' }, 200],
  ])('from %s', async (_name, headers, status) => {
    expect((await venue.admin('GET', '/health', undefined, headers)).status).toBe(status)
  })

  it('must send JSON as JSON', async () => {
    const simple = { 'content-type': 'text/plain' }
    expect((await venue.admin('POST', '/worlds/default/reset', {}, simple)).status).toBe(415)
  })

  it('must send the token when there is one, on the port of the admin API', async () => {
    const closed = await startFixture({ adminToken: 's3cret', adminPort: 0 })
    const bearer = { authorization: 'Bearer s3cret' }
    const refusal = await closed.admin('GET', '/health')
    expect(refusal.status).toBe(401)
    expect(refusal.headers['www-authenticate']).toBe('Bearer')
    expect((await closed.admin('GET', '/health', undefined, bearer)).status).toBe(200)
    expect((await ask(closed.server.port, 'GET', '/__admin/health', '', bearer)).status).toBe(404)
    await closed.server.close()
  })
})
