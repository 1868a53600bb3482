import { describe, expect, it } from 'vitest'
import { everyOperationId, routeOf } from '../../../src/api/operations/operations.ts'
import { createFetch, toWorldLookup } from '../../../src/pipeline/fetch.ts'
import { signedHeaders } from '../signed-request.ts'
import { useVenue } from '../venue-fixture.ts'

/* Over a socket Koa's router finds the operation, in process the pipeline's own matcher does: they must agree. */

const venue = useVenue()

const paths = [...new Set(everyOperationId.map((operation) => routeOf(operation).path))]
const oddPaths = paths.flatMap((path) => {
  const named = path.replace(/:\w+/, 'BTC')
  return [
    ...[named, `${named}/`, named.toUpperCase(), named.replace('/api/sdk', '/api/sdk/'), `${named}/more`],
    ...['batch', 'by-client-id', '%42TC', '%', 'a%2Fb', 'B.C', 'BTC;a=1', ':asset', '', '+'].map(
      (parameter) => path.replace(/:\w+/, parameter),
    ),
  ]
})
const targets = [...new Set(oddPaths), '/', '/api', '/api/sdk', '//api/sdk/orders', '/API/sdk/orders']

describe('a socket and world.fetch answer alike', () => {
  it.each(['GET', 'HEAD', 'POST', 'PATCH', 'PUT', 'DELETE', 'OPTIONS'])('%s', async (method) => {
    const world = venue.worlds.default
    const inProcess = createFetch(toWorldLookup(world))
    for (const target of targets.filter((path) => path !== '/')) {
      const headers = { prefer: 'reading.http.wrongMethod=405' }
      world.limiter.reset()
      const overSocket = await venue.send({ method, target, headers })
      world.limiter.reset()
      const signed = signedHeaders({ method, target, headers }, venue.wall.nowMillis())
      const answer = await inProcess(`http://localhost${target}`, { method, headers: signed })
      const text = await answer.text()
      expect([target, overSocket.status, overSocket.text, overSocket.headers['allow']]).toEqual([
        target,
        answer.status,
        text,
        answer.headers.get('allow') ?? undefined,
      ])
    }
  })
})
