import { expect, it } from 'vitest'
import { isObject } from '../../../src/api/json.ts'
import { signedHeaders } from '../signed-request.ts'
import { useVenue } from '../venue-fixture.ts'

const venue = useVenue()

const fieldOf = (value: unknown, ...names: readonly string[]): unknown =>
  names.reduce<unknown>((part, name) => (isObject(part) ? part[name] : undefined), value)

it.each([
  ['the venue', '/openapi.json'],
  ['the admin API', '/admin-openapi.json'],
])('answers of %s have the media type that its document names', async (_name, address) => {
  const { body: document } = await venue.admin('GET', address)
  const isAdmin = address.includes('admin')
  const prefix = isAdmin ? '/__admin' : ''
  const compared = new Set<string>()
  for (const [path, methods] of Object.entries(Object(fieldOf(document, 'paths')))) {
    for (const [method, operation] of Object.entries(Object(methods))) {
      const target =
        prefix +
        path
          .replace('{world}', 'default')
          .replace('{asset}', 'BTC')
          .replace(/\{\w+\}/, 'none')
      venue.worlds.default.limiter.reset()
      const sending = { method: method.toUpperCase(), target }
      const headers = signedHeaders(sending, venue.wall.nowMillis())
      const reply = await fetch(venue.server.url + target, { method: sending.method, headers })
      // A stream of events has no end.
      await reply.body?.cancel()
      const { status } = reply
      const documented = fieldOf(operation, 'responses', String(status), 'content')
      expect([method, target, status, reply.headers.get('content-type')]).toEqual([
        method,
        target,
        status,
        Object.keys(Object(documented))[0],
      ])
      compared.add(`${method} ${path}`)
    }
  }
  expect(compared.size).toBeGreaterThan(40)
})
