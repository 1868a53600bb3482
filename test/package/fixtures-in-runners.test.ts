import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { isLongestRun } from '../support/full-run.ts'
import { programPath } from '../support/program-path.ts'
import { createConsumer, programTestMillis, root } from './consumer.ts'

/* The fixtures of the built package in the runners that they are for. Needs `npm run build`. */

const { makeFolder, run } = createConsumer(['vitest'])

const runVitest = (cwd: string) =>
  run(
    process.execPath,
    [join(root, 'node_modules/vitest/vitest.mjs'), 'run', '--no-color', '--root', cwd],
    cwd,
  )
const runJest = (cwd: string) => run(process.execPath, [programPath('jest'), '--ci', '--rootDir', cwd], cwd)

/** Two hundred rounds take minutes. */
const rounds = isLongestRun ? 200 : 10
const passed = `${12 * rounds} passed`

/** One test, twelve times the same, in as many rounds: eleven calls and more within one second of the wall clock. */
const sameTests = (fake: string, real: string, expectation: string) => `
for (let round = 0; round < ${rounds}; round += 1) for (let n = 0; n < 12; n += 1) test('orders ' + round, async ({ world }) => {
  ${fake}
  try {
    const client = world.client('trader')
    for (let order = 0; order < 12; order += 1)
      await client.orders.create({ side: 'buy', asset: 'BTC', quantity: 0.1, price: 50000, clientOrderId: 'o' + order })
    ${expectation}
  } finally {
    ${real}
  }
})`

describe('one test, twelve times the same', { timeout: programTestMillis }, () => {
  const check =
    "expect(world.requests({ status: 429 })).toEqual([]); world.verify({ method: 'POST' }, { exactly: 12 })"

  it.each([
    ['real timers', '', ''],
    ['a frozen Date', "vi.useFakeTimers({ now: 1.9e12, toFake: ['Date'] })", 'vi.useRealTimers()'],
    ['all timers replaced', 'vi.useFakeTimers({ now: 1.9e12 })', 'vi.useRealTimers()'],
  ])('is never refused under vitest with %s', async (_name, fake, real) => {
    const imports = "import { expect, vi } from 'vitest'\nimport { test } from 'otcsim/vitest'\n"
    const folder = makeFolder({ 'same.test.js': imports + sameTests(fake, real, check) })
    expect(await runVitest(folder)).toMatchObject({ code: 0, said: expect.stringContaining(passed) })
  })

  it.each([
    ['real timers', '', ''],
    [
      'a frozen Date',
      "jest.useFakeTimers({ now: 1.9e12, doNotFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'setImmediate', 'clearImmediate', 'nextTick', 'queueMicrotask', 'performance', 'hrtime'] })",
      'jest.useRealTimers()',
    ],
    ['all timers replaced', 'jest.useFakeTimers({ now: 1.9e12 })', 'jest.useRealTimers()'],
  ])('is never refused under jest with %s', { tags: ['jest'] }, async (_name, fake, real) => {
    const imports = "const { test } = require('otcsim/jest')\n"
    const folder = makeFolder({ 'same.test.cjs': imports + sameTests(fake, real, check) })
    expect(await runJest(folder)).toMatchObject({ code: 0, said: expect.stringContaining(passed) })
  })
})

describe('failures of one title', { timeout: 330_000 }, () => {
  const body = `{ for (let i = 0; i < n; i += 1) await world.client().orders.create({ side: 'buy', asset: 'BTC', quantity: 0.1, price: 50000, clientOrderId: 'row' + n + '-' + i }); throw new Error('as planned') }`
  const journals = (folder: string) =>
    readdirSync(join(folder, '.otcsim'))
      .filter((name) => name.endsWith('.journal'))
      .map((name) => readFileSync(join(folder, '.otcsim', name), 'utf8'))
      .map((text) => ['row1-0', 'row2-0', 'row2-1'].filter((id) => text.includes(id)).join())
      .sort()

  it('are kept apart under vitest, rows and files', async () => {
    const text = `import { test } from 'otcsim/vitest'\ntest.for([[1], [2]])('row', async ([n], { world }) => ${body})`
    const folder = makeFolder({ 'a.test.js': text, 'b.test.js': text })
    expect(await runVitest(folder)).toMatchObject({ code: 1, said: expect.stringContaining('4 failed') })
    expect(journals(folder)).toEqual(['row1-0', 'row1-0', 'row2-0,row2-1', 'row2-0,row2-1'])
  })

  it('are kept apart under jest, rows, suites and files', { tags: ['jest'] }, async () => {
    const text = `const { test } = require('otcsim/jest')
for (const suite of ['one', 'two']) describe(suite, () => { test.each([1, 2])('row', async ({ world }, n) => ${body}) })`
    const folder = makeFolder({ 'a.test.cjs': text, 'b.test.cjs': text })
    expect(await runJest(folder)).toMatchObject({ code: 1, said: expect.stringContaining('8 failed') })
    const each = ['row1-0', 'row2-0,row2-1']
    expect(journals(folder)).toEqual([...each, ...each, ...each, ...each].sort())
  })
})
