import { expect, it } from 'vitest'
import { startFixture } from './venue-fixture.ts'

it('many worlds are listed in pieces, in the order in which they were made, each once', async () => {
  const { worlds, server, admin } = await startFixture()
  const { scenario } = worlds.default
  for (let count = 1; count <= 45; count += 1) worlds.create(scenario, { renamesKeys: true })
  const { body } = await admin('GET', '/worlds')
  const views = [Reflect.get(Object(body), 'worlds')].flat()
  expect(views.map((view) => Reflect.get(Object(view), 'id'))).toEqual(worlds.list().map(({ id }) => id))
  await server.close()
})
