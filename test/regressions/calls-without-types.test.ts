import { expect, it } from 'vitest'
import { createWorld, loadScenario } from '../../src/index.ts'

/*
 * What a program in plain JavaScript calls the library with. A command without an instant once moved time for ever; a
 * name in place of a scenario was "not iterable".
 */

const call = (callee: object, name: string, ...given: readonly unknown[]): unknown =>
  Reflect.apply(Reflect.get(callee, name), callee, given)

it.each([[undefined], [Number.NaN], [Number.POSITIVE_INFINITY], [1_767_571_300_000.5]])(
  'a command at %s is refused, and changes nothing',
  async (at) => {
    const world = createWorld(await loadScenario('calm'))
    const before = world.digest()
    expect(() => call(world, 'execute', { kind: 'advance', at })).toThrow(RangeError)
    expect(world.digest()).toBe(before)
    world.advance('1s')
    expect(world.request('trader', 'GET', '/api/sdk/portfolio/balances').status).toBe(200)
  },
)

it('says what createWorld and loadScenario take', async () => {
  const library = { createWorld, loadScenario }
  expect(() => call(library, 'createWorld', 'calm')).toThrow(
    'createWorld takes what loadScenario gives, found "calm"',
  )
  expect(() => call(library, 'createWorld')).toThrow(
    'createWorld takes what loadScenario gives, found undefined',
  )
  await expect(call(library, 'loadScenario', 5)).rejects.toThrow(
    'loadScenario takes the name of a scenario or a file, found 5',
  )
})
