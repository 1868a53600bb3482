import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { inWorld } from '../../src/testing/in-world.ts'
import { worldTests } from '../../src/testing/jest.ts'
import { worldFixtures } from '../../src/testing/playwright.ts'
import type { TestWorld } from '../../src/testing/test-world.ts'
import { seedOf } from '../../src/world/logs/test-failure.ts'
import { quietScenario } from '../world/scenarios.ts'

const order = { side: 'buy', asset: 'BTC', quantity: 0.01, price: 40_000 } as const

/** The name of a test of this file. */
const named = (title: string) => `test/testing/fixtures.test.ts > ${title}`

let journals = ''
beforeEach(() => {
  journals = mkdtempSync(join(tmpdir(), 'otcsim-journals-'))
})
afterEach(() => rmSync(journals, { recursive: true, force: true }))

describe('a body in a world', () => {
  it('has a world of its own, seeded by its name, which is deleted afterwards', async () => {
    const kept: TestWorld[] = []
    const answer = await inWorld(
      'fills',
      async ({ world }) => {
        kept.push(world)
        expect(world.seed).toBe(seedOf(named('fills')))
        return (await world.client('trader').orders.create(order)).orderId
      },
      { scenario: quietScenario, journals },
    )
    expect(answer).toBe('ord_1')
    const [world] = kept
    expect(() => world?.client('trader')).toThrow(/^world w\d+ was deleted$/)
  })

  it('keeps its journal when it fails', async () => {
    const failing = inWorld(
      'breaks / it',
      async ({ world }) => {
        await world.client('trader').orders.create(order)
        throw new Error('as planned')
      },
      { scenario: quietScenario, journals },
    )
    await expect(failing).rejects.toThrow('as planned')
    const [name = ''] = readdirSync(journals).filter((file) => file.endsWith('.journal'))
    expect(name).toMatch(/^test-testing-fixtures-test-ts-breaks-it-[0-9a-f]{8}\.journal$/)
    await expect(failing).rejects.toThrow(`npx --no otcsim show ${join(journals, name)}`)
    const lines = readFileSync(join(journals, name), 'utf8').trim().split('\n')
    expect(lines.length).toBe(2)
    expect(lines[1]).toContain('place-order')
  })

  it('shows the seed and the last refusal in the failure, and keeps requests without any secret', async () => {
    let secret = ''
    const failing = inWorld(
      'refused',
      async ({ world }) => {
        secret = world.keys['trader']?.apiSecret ?? ''
        await world.client('trader').orders.create({ ...order, quantity: 900 })
      },
      { scenario: quietScenario, journals },
    )
    const failure = await failing.catch((thrown: unknown) => thrown)
    const told = failure instanceof Error ? `${failure.message}\n${failure.stack}` : ''
    expect(told.match(new RegExp(`seed "${seedOf(named('refused'))}"`, 'g'))).toHaveLength(2)
    expect(told).toMatch(/last refused: buy 900 BTC @ 40,000 \(POST \/orders\) by trader: 422 \S+/)
    const [notes = ''] = readdirSync(journals).filter((file) => file.endsWith('.failure.json'))
    const kept = readFileSync(join(journals, notes), 'utf8')
    expect(JSON.parse(kept)).toMatchObject({ test: named('refused'), account: 'trader', sequence: 1 })
    expect(JSON.parse(kept).requests).toHaveLength(1)
    expect(secret).not.toBe('')
    expect(kept).not.toContain(secret)
  })

  it('keeps what each of two failures of one name has left, and the same failure once', async () => {
    const fail = (prices: readonly number[]) =>
      inWorld(
        'row',
        async ({ world }) => {
          for (const price of prices) await world.client('trader').orders.create({ ...order, price })
          throw new Error('as planned')
        },
        { scenario: quietScenario, journals },
      ).catch(() => undefined)
    for (const prices of [[], [40_000], [40_001], [40_000]]) await fail(prices)
    const kept = readdirSync(journals).filter((name) => name.endsWith('.journal'))
    expect(kept).toHaveLength(3)
    const texts = kept.map((name) => readFileSync(join(journals, name), 'utf8'))
    expect(texts.map((text) => text.trim().split('\n').length).sort()).toEqual([1, 2, 2])
  })

  it('takes the title and the file from the context of a test of node:test', async () => {
    const test = { name: 'inner', fullName: 'outer > inner', filePath: join(process.cwd(), 'test/x.test.ts') }
    const seed = await inWorld(test, ({ world }) => world.seed, { scenario: quietScenario, journals })
    expect(seed).toBe(seedOf('test/x.test.ts > outer > inner'))
  })

  it('shows its own failure when the test has deleted its world', async () => {
    const failing = inWorld(
      'gone',
      ({ world }) => {
        world.delete()
        throw new Error('what I want to see')
      },
      { scenario: quietScenario, journals },
    )
    await expect(failing).rejects.toThrow(/^what I want to see\n\notcsim: .*: seed "/)
  })

  it.each(['a text', Object.freeze(new Error('frozen')), undefined])(
    'leaves what it cannot change as it was thrown: %s',
    async (thrown) => {
      const body = (): never => {
        throw thrown
      }
      const failing = inWorld('odd', body, { scenario: quietScenario, journals })
      expect(await failing.catch((caught: unknown) => caught)).toBe(thrown)
    },
  )
})

describe('tests for jest', () => {
  it('are registered with the runner, each with a world', async () => {
    const registered: { readonly how: string; readonly name: string; readonly body: () => Promise<void> }[] =
      []
    const register = (how: string) => (name: string, body: () => Promise<void>) => {
      registered.push({ how, name, body })
    }
    const runner = Object.assign(register('test'), {
      only: register('only'),
      skip: register('skip'),
      concurrent: register('concurrent'),
    })
    const before = Reflect.get(globalThis, 'test')
    Reflect.set(globalThis, 'test', runner)
    try {
      const tests = worldTests({ scenario: quietScenario, journals })
      const seen: string[] = []
      const body = ({ world }: { readonly world: TestWorld }) => {
        seen.push(world.seed)
      }
      tests('one', body)
      tests.only('two', body)
      tests.skip('three', body)
      tests.concurrent('four', body)
      expect(registered.map(({ how, name }) => `${how} ${name}`)).toEqual([
        'test one',
        'only two',
        'skip three',
        'concurrent four',
      ])
      await Promise.all(registered.map((entry) => entry.body()))
      const names = ['one', 'two', 'three', 'four'].map(named)
      expect(seen.sort()).toEqual(names.map(seedOf).sort())
    } finally {
      Reflect.set(globalThis, 'test', before)
    }
  })

  it('are registered for each row of a table, which has a world of its own', async () => {
    const pending: Promise<void>[] = []
    const each =
      (rows: readonly unknown[]) => (_name: string, body: (...row: readonly unknown[]) => Promise<void>) => {
        for (const row of rows) pending.push(Array.isArray(row) ? body(...row) : body(row))
      }
    const todos: string[] = []
    const runner = Object.assign(() => undefined, {
      each,
      only: {},
      skip: {},
      concurrent: Object.assign(() => undefined, { each }),
      todo: (name: string) => todos.push(name),
    })
    const before = Reflect.get(globalThis, 'test')
    Reflect.set(globalThis, 'test', runner)
    try {
      const tests = worldTests({ scenario: quietScenario, journals })
      const seen: unknown[] = []
      tests.each([
        ['buy', 1],
        ['sell', 2],
      ])('a %s', ({ world }, side, quantity) => {
        seen.push([world.seed, side, quantity])
      })
      tests.concurrent.each(['BTC'])('in %s', ({ world }, asset) => {
        seen.push([world.seed, asset])
      })
      tests.todo('later')
      await Promise.all(pending)
      expect(seen).toEqual([
        [seedOf(named('a %s ["buy",1]')), 'buy', 1],
        [seedOf(named('a %s ["sell",2]')), 'sell', 2],
        [seedOf(named('in %s ["BTC"]')), 'BTC'],
      ])
      expect(todos).toEqual(['later'])
    } finally {
      Reflect.set(globalThis, 'test', before)
    }
  })

  it('report a missing runner', () => {
    const before = Reflect.get(globalThis, 'test')
    Reflect.deleteProperty(globalThis, 'test')
    expect(() => worldTests()('x', () => undefined)).toThrow('global test function')
    if (before !== undefined) Reflect.set(globalThis, 'test', before)
  })
})

describe('fixtures for Playwright', () => {
  it.each([
    ['passed', 0],
    ['failed', 1],
  ])('a test that has %s attaches its journal %i times', async (status, times) => {
    const attached: string[] = []
    const info = {
      titlePath: ['file.spec.ts', `planned ${status}`],
      status,
      expectedStatus: 'passed',
      attach: async (name: string, { body }: { readonly body: string }) => {
        attached.push(`${name}: ${name === 'otcsim' ? body : body.split('\n').length}`)
      },
    }
    const { world } = worldFixtures()
    const folder = process.cwd()
    process.chdir(journals)
    try {
      await world(
        { scenario: quietScenario, worldOptions: {} },
        async (given) => {
          await given.client('trader').orders.create(order)
        },
        info,
      )
    } finally {
      process.chdir(folder)
    }
    const told = [
      expect.stringMatching(/^otcsim: ord_1 \(buy 0\.01 BTC @ 40,000\) is open: it waits for an ask/),
      expect.stringMatching(/^otcsim: seed "\w+"; to see it: npx --no otcsim show \S+\.journal$/),
      'otcsim journal: 3',
    ]
    expect(attached).toEqual(times === 0 ? [] : told)
    expect(existsSync(join(journals, '.otcsim'))).toBe(times === 1)
  })
})
