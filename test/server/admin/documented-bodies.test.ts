import { Ajv2020 } from 'ajv/dist/2020.js'
import { beforeAll, describe, expect, it } from 'vitest'
import { isObject } from '../../../src/api/json.ts'
import { adminRoutes } from '../../../src/server/admin/routes.ts'
import { useVenue } from '../venue-fixture.ts'

/* Generators read the bodies of the admin API in its document, so it must not promise more than the server takes. */

const venue = useVenue()
const ajv = new Ajv2020({ strict: false, validateFormats: false })
let document: unknown = null
beforeAll(async () => {
  document = (await venue.admin('GET', '/admin-openapi.json')).body
})

const at = (value: unknown, ...names: readonly string[]): unknown =>
  names.reduce<unknown>((part, name) => (isObject(part) ? part[name] : undefined), value)

function bodyOf(path: string, method: string): unknown {
  const operation = at(document, 'paths', path.replace(/:(\w+)/g, '{$1}'), method.toLowerCase())
  const schema = at(operation, 'requestBody', 'content', 'application/json', 'schema')
  return schema === undefined ? undefined : { ...Object(schema), components: at(document, 'components') }
}

/** Every schema in a part of the document, with its place. */
function* schemasIn(value: unknown, place = ''): Generator<readonly [place: string, schema: object]> {
  if (typeof value !== 'object' || value === null) return
  if (!Array.isArray(value)) yield [place, value]
  for (const [name, part] of Object.entries(value))
    if (name !== 'example' && name !== 'examples') yield* schemasIn(part, `${place}/${name}`)
}

it('has no unions of types, and no lists of anything', () => {
  let seen = 0
  for (const [place, schema] of schemasIn(document)) {
    const type = at(schema, 'type')
    const types = (Array.isArray(type) ? type : [type]).filter((name) => name !== 'null')
    expect([place, types.length < 2]).toEqual([place, true])
    if (types.includes('array'))
      expect([place, Object.keys(schema)]).toEqual([place, expect.arrayContaining(['items'])])
    seen += 1
  }
  expect(seen).toBeGreaterThan(500)
})

const withBody = adminRoutes.filter(({ body, id }) => body !== null && id !== 'shutDown')

describe.each(withBody.map((route) => [route.id, route] as const))(
  '%s',
  (_id, { path, method, isDocument }) => {
    it('refuses an empty body where the document does', async () => {
      const schema = bodyOf(path, method)
      const target = path.replace(':world', 'default').replace(':account', 'trader').replace(':asset', 'BTC')
      const { status, body } = await venue.admin(method, target.replace(':symbol', 'BTC-USD'), {})
      const isRefused = status === 400
      expect([body, isRefused]).toEqual([body, schema !== undefined && !ajv.validate(Object(schema), {})])
      expect(isDocument === true && !isRefused).toBe(false)
    })
  },
)

describe('what the document forbids is refused, and what it allows is taken', () => {
  it.each<[string, string, unknown, boolean]>([
    [
      'POST',
      '/worlds/:world/accounts',
      { id: 'one', balances: { USD: 5 }, keys: [{ scopes: ['READ'] }] },
      true,
    ],
    ['POST', '/worlds/:world/accounts', { id: 'two', balance: {} }, false],
    ['POST', '/worlds/:world/accounts', { id: 'two', limits: { maxOpenOrder: 5 } }, false],
    [
      'PATCH',
      '/worlds/:world/accounts/:account',
      { limits: { maxOpenOrders: 50 }, fees: { makerBps: 1 } },
      true,
    ],
    ['PATCH', '/worlds/:world/accounts/:account', { fees: { maker: 1 } }, false],
    ['POST', '/worlds/:world/clock/advance', { byMs: 1, toNext: true }, false],
    ['POST', '/worlds/:world/clock/advance', { byMs: 1 }, true],
    ['POST', '/worlds/:world/timeline', { actions: [{}] }, false],
    ['POST', '/worlds/:world/timeline', { actions: [{ halts: { asset: 'BTC' } }] }, false],
    ['POST', '/worlds/:world/timeline', { actions: [{ resume: { asset: 'BTC' } }] }, true],
    ['POST', '/worlds/:world/snapshots/import', { format: 'another' }, false],
    ['PUT', '/worlds/:world/readings', { createdStatus: '201' }, true],
    ['PUT', '/worlds/:world/readings', { createdStatus: {} }, false],
    ['POST', '/worlds', { id: 'made', seed: '7', readings: { preset: 'published-client' } }, true],
  ])('%s %s %j', async (method, path, body, isTaken) => {
    expect(ajv.validate(Object(bodyOf(path, method)), body)).toBe(isTaken)
    const target = path.replace(':world', 'default').replace(':account', 'trader')
    expect((await venue.admin(method, target, body)).status < 300).toBe(isTaken)
  })
})
