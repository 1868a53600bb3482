import { spawn } from 'node:child_process'
import { createHmac } from 'node:crypto'
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { runInNewContext } from 'node:vm'
import { describe, expect, it } from 'vitest'
import { OpenWorld } from '../../src/pipeline/fetch.ts'
import { signedHeaders } from '../server/signed-request.ts'
import { launchBrowser } from '../support/browser.ts'
import { compiledScenario } from '../support/compiled-scenario.ts'
import { programPath } from '../support/program-path.ts'
import { quietScenario } from '../world/scenarios.ts'
import { createConsumer, type Ended, root } from './consumer.ts'
import { guideRecipe } from './guide-recipe.ts'

/* Runs the guides' recipes for CI as a reader would, with the built package. Needs `npm run build`. */

const consumer = createConsumer(['vitest', '@playwright/test', 'msw', 'nock', 'undici'])
const { run } = consumer
const emptyFolder = (): string => consumer.makeFolder()

/** Files of the package's folder of clients in other languages, as a reader copies them. */
function copied(...names: readonly string[]): string {
  const folder = emptyFolder()
  const clients = join(consumer.folder, 'node_modules', 'otcsim', 'scenarios', 'clients')
  for (const name of names) cpSync(join(clients, name), join(folder, name))
  return folder
}

/** Runs a command that serves the console, as a shell does, until it says where. */
async function consoleOf(command: string, cwd: string): Promise<{ url: string; close(): Promise<void> }> {
  const child = spawn(command, { cwd, shell: true, detached: true, stdio: ['ignore', 'ignore', 'pipe'] })
  const ended = new Promise((resolve) => child.once('close', resolve))
  const url = await new Promise<string>((resolve, reject) => {
    let said = ''
    child.stderr.setEncoding('utf8').on('data', (piece: string) => {
      said += piece
      const [found] = /http:\/\/\S+\/console\/#\S+/.exec(said) ?? []
      if (found !== undefined) resolve(found)
    })
    ended.then(() => reject(new Error(`it said no address: ${said}`)))
  })
  const close = async () => {
    // The whole group: npx does not pass a signal on to what it has started.
    if (child.pid !== undefined) process.kill(-child.pid, 'SIGTERM')
    await ended
  }
  return { url, close }
}

/**
 * Runs a recipe, then again with an amount that the venue refuses: the failure says so, and leaves a journal that replays
 * and can be shown as one file.
 */
async function passAndBreak(
  name: string,
  [right, wrong]: readonly [string, string],
  start: (cwd: string) => Promise<Ended>,
): Promise<{ readonly passed: Ended; readonly failed: Ended }> {
  const folder = emptyFolder()
  writeFileSync(join(folder, name), guideRecipe(name))
  const passed = await start(folder)
  expect(passed).toMatchObject({ code: 0 })
  writeFileSync(join(folder, name), guideRecipe(name).replace(right, wrong))
  const failed = await start(folder)
  expect(failed.code).toBe(1)
  const journal = journalIn(failed.said)
  expect(readdirSync(join(folder, '.otcsim'))).toHaveLength(2)
  const otcsim = (...words: readonly string[]) =>
    run(process.execPath, [join(root, 'dist', 'cli.cjs'), ...words], folder)
  const replayed = await otcsim('replay', journal, '--verify')
  expect(replayed).toMatchObject({ code: 0, said: expect.stringMatching(/^ok {2}\d+ lines?,/) })
  expect(await otcsim('show', journal, '--html', 'failed.html')).toMatchObject({ code: 0 })
  expect(readFileSync(join(folder, 'failed.html'), 'utf8')).toContain('id="recording"')
  return { passed, failed }
}

it("the guide's script for Postman signs what the venue verifies", () => {
  const sent = new Map<string, string>()
  const pm = {
    variables: { replaceIn: (text: string) => text.replace('{{baseUrl}}', 'http://127.0.0.1:4010') },
    request: {
      method: 'POST',
      url: '{{baseUrl}}/api/sdk/orders?a=b',
      body: { raw: '{"side":"buy"}' },
      headers: { upsert: ({ key, value }: { key: string; value: string }) => sent.set(key, value) },
    },
  }
  const HmacSHA256 = (message: string, secret: string) =>
    createHmac('sha256', secret).update(message).digest('hex')
  runInNewContext(guideRecipe('postman.js'), { pm, require: () => ({ HmacSHA256 }) })
  const timestamp = sent.get('X-API-Timestamp') ?? ''
  expect(Number(timestamp)).toBeGreaterThan(1.7e12)
  const message = `${timestamp}POST/api/sdk/orders?a=b{"side":"buy"}`
  expect(sent.get('X-API-Signature')).toBe(HmacSHA256(message, 'sims_default_desk'))
})

describe('the recipes without a socket', () => {
  it.each(['own-fetch.test.mjs', 'msw.test.mjs', 'nock.test.mjs', 'mock-agent.test.mjs'])(
    '%s',
    async (name) => {
      const folder = emptyFolder()
      writeFileSync(join(folder, name), guideRecipe(name))
      const words = ['--test', '--test-force-exit', join(folder, name)]
      expect(await run(process.execPath, words, folder)).toMatchObject({
        code: 0,
        said: expect.stringMatching(/pass 1\n/),
      })
    },
  )

  it('for pages in a browser', { tags: ['chromium'] }, async () => {
    const folder = emptyFolder()
    writeFileSync(join(folder, 'venue-route.mjs'), guideRecipe('venue-route.mjs'))
    const { venueRoute } = await import(pathToFileURL(join(folder, 'venue-route.mjs')).href)
    const world = new OpenWorld(compiledScenario(quietScenario), {})
    const browser = await launchBrowser()
    try {
      const page = await browser.newPage()
      await page.route('https://venue.example/**', venueRoute(world))
      const target = '/api/sdk/orders'
      const headers = signedHeaders({ target }, Date.now())
      const ask = () =>
        page.evaluate(
          (init) => fetch(`https://venue.example/api/sdk/orders`, init).then((answer) => answer.json()),
          { headers },
        )
      expect(await ask()).toMatchObject({ orders: [] })
      const lost = { ...headers, prefer: 'fault=reset_peer' }
      await expect(
        page.evaluate((init) => fetch(`https://venue.example/api/sdk/orders`, init).then(String), {
          headers: lost,
        }),
      ).rejects.toThrow('Failed to fetch')
    } finally {
      await browser.close()
    }
  })
})

describe('the recipes of the guides', { timeout: 330_000 }, () => {
  it('for vitest', async () => {
    const vitest = join(root, 'node_modules', 'vitest', 'vitest.mjs')
    const { passed, failed } = await passAndBreak(
      'fills.test.js',
      ['quantity: 0.1, price: 110000', 'quantity: 1000, price: 110000'],
      (cwd) => run(process.execPath, [vitest, 'run', '--testTimeout=60000', '--root', cwd], cwd),
    )
    expect(passed.said).toMatch(/2 passed/)
    expect(failed.said).toMatch(/1 failed/)
    expectTold(failed.said, 'buy 1,000 BTC')
  })

  it('for vitest, from what it prints to the cause, by the one command', { tags: ['chromium'] }, async () => {
    const folder = emptyFolder()
    const wrong = guideRecipe('fills.test.js').replace(
      'quantity: 0.1, price: 110000',
      'quantity: 1000, price: 110000',
    )
    writeFileSync(join(folder, 'fills.test.js'), wrong)
    const vitest = join(root, 'node_modules', 'vitest', 'vitest.mjs')
    const { said } = await run(process.execPath, [vitest, 'run', '--no-color', '--root', folder], folder)
    const [, title = ''] = /FAIL +fills\.test\.js > (.+)/.exec(said) ?? []
    const [command = ''] = /npx --no otcsim show \S+\.journal/.exec(said) ?? []
    const shown = await consoleOf(`${command} --no-open`, folder)
    const browser = await launchBrowser()
    try {
      const page = await browser.newPage()
      await page.goto(shown.url)
      await page.locator('.failure strong', { hasText: title }).waitFor()
      expect(await page.locator('.failure pre').textContent()).toMatch(/order size 1000 exceeds the limit/)
      await page.locator('.inspector', { hasText: 'Answered 422' }).waitFor()
      const refused = page.getByRole('button', { name: /buy 1,000 BTC @ 110,000.*422/ })
      expect(await refused.count()).toBe(1)
      expect(title).not.toBe('')
    } finally {
      await browser.close()
      await shown.close()
    }
  })

  it('for node:test', async () => {
    const { passed, failed } = await passAndBreak(
      'fills.test.mjs',
      ['quantity: 0.1', 'quantity: 1000'],
      (cwd) => run(process.execPath, ['--test', join(cwd, 'fills.test.mjs')], cwd),
    )
    expect(passed.said).toMatch(/pass 1\n/)
    expect(failed.said).toMatch(/fail 1\n/)
    expectTold(failed.said, 'buy 1,000 BTC')
  })

  it("the front page's, with the failure that it shows", async () => {
    const front = readFileSync(join(root, 'README.md'), 'utf8')
    const [, code = ''] = /^```js\n([\s\S]*?)^```$/m.exec(front) ?? []
    const [, failure = ''] = /^```text\n(ConnectionError[\s\S]*?)^```$/m.exec(front) ?? []
    const folder = emptyFolder()
    const vitest = join(root, 'node_modules', 'vitest', 'vitest.mjs')
    const start = () =>
      run(process.execPath, [vitest, 'run', '--no-color', '--testTimeout=60000', '--root', folder], folder)
    writeFileSync(join(folder, 'package.json'), '{}')
    writeFileSync(join(folder, 'fills.test.js'), code)
    expect(await start()).toMatchObject({ code: 0, said: expect.stringContaining('1 passed') })
    writeFileSync(join(folder, 'fills.test.js'), code.replace(", clientOrderId: 'mine'", ''))
    expect(await start()).toMatchObject({ code: 1, said: expect.stringContaining(failure) })
  })

  it('for jest', { tags: ['jest'] }, async () => {
    const jest = programPath('jest')
    const { passed, failed } = await passAndBreak(
      'fills.test.cjs',
      ['bidSize: 0.1', 'bidSize: 1000'],
      (cwd) => run(process.execPath, [jest, '--ci', '--testTimeout=60000', '--rootDir', cwd], cwd),
    )
    expect(passed.said).toMatch(/Tests: +1 passed, 1 total/)
    // The shared server must not keep jest from exiting.
    expect(passed.said).not.toContain('did not exit')
    expect(failed.said).toMatch(/Tests: +1 failed, 1 total/)
    expectTold(failed.said, 'quote BTC 1,000 @')
  })

  it('for Playwright', async () => {
    const playwright = join(root, 'node_modules', '@playwright', 'test', 'cli.js')
    const { passed, failed } = await passAndBreak(
      'fills.spec.js',
      ['quantity: 0.1', 'quantity: 1000'],
      (cwd) => run(process.execPath, [playwright, 'test', '--config', cwd, '--reporter=line,json'], cwd),
    )
    expect(passed.said).toMatch(/1 passed/)
    expect(failed.said).toMatch(/1 failed[\s\S]*otcsim journal/)
    expectTold(failed.said, 'buy 1,000 BTC')
  })

  it('for pytest', { tags: ['pytest'] }, async () => {
    const folder = copied('conftest.py', 'test_fills.py')
    const ended = await run(programPath('pytest'), ['-q', '-p', 'no:cacheprovider'], folder)
    expect(ended.said).toContain('1 passed')
    expect(ended.code).toBe(0)
    breakIn(folder, 'test_fills.py')
    const broken = await run(programPath('pytest'), ['-q', '-p', 'no:cacheprovider'], folder)
    expect(broken.said).toContain('1 failed')
    expectTold(broken.said, 'buy 1,000 BTC @ 110,000')
    expect(existsSync(join(folder, journalIn(broken.said)))).toBe(true)
  })

  it('for Go', { tags: ['go'] }, async () => {
    const folder = copied('venue_test.go')
    writeFileSync(join(folder, 'go.mod'), 'module venue\n\ngo 1.21\n')
    // The copy that comes with the package is no part of the project.
    const own = join(folder, 'node_modules/otcsim/scenarios/clients')
    cpSync(join(root, 'scenarios/clients'), own, { recursive: true })
    const ended = await run(programPath('go'), ['test', './...'], folder)
    expect(ended.said).toMatch(/^ok/m)
    expect(ended.said).not.toContain('node_modules')
    expect(ended.code).toBe(0)
    breakIn(folder, 'venue_test.go')
    const broken = await run(programPath('go'), ['test', './...'], folder)
    expect(broken.said).toMatch(/^--- FAIL/m)
    expectTold(broken.said, 'buy 1,000 BTC @ 110,000')
    expect(existsSync(join(folder, journalIn(broken.said)))).toBe(true)
  })

  it.each([
    ['pytest', ['-q', '-p', 'no:cacheprovider'], ['conftest.py', 'test_fills.py']],
    ['go', ['test', './...'], ['venue_test.go', 'go.mod']],
  ] as const)(
    '%s ends at once where otcsim is not installed',
    { tags: ['pytest', 'go'] },
    async (program, words, names) => {
      const folder = mkdtempSync(join(tmpdir(), 'otcsim-without-'))
      for (const name of names) cpSync(join(root, 'scenarios/clients', name), join(folder, name))
      const ended = await run(programPath(program), words, folder, process.env['PATH'])
      expect(ended.said).toContain('otcsim has ended: is it installed beside these tests?')
      expect(ended.code).toBe(1)
      rmSync(folder, { recursive: true, force: true })
    },
  )

  it('name existing files', () => {
    expect(existsSync(join(root, 'test/container/Dockerfile'))).toBe(true)
  })
})

/** An order that is too large, so that the venue refuses it. */
function breakIn(folder: string, file: string): void {
  const path = join(folder, file)
  writeFileSync(path, readFileSync(path, 'utf8').replace('"quantity": 0.1', '"quantity": 1000'))
}

/** A failure shows the venue's reason, its seed, and what was refused last. */
function expectTold(said: string, refused: string): void {
  expect(said).toMatch(/(?:order|quote) size 1000 exceeds the limit of \d+/)
  expect(said).toMatch(/otcsim: .*: seed "|seed ".*to see it/)
  expect(said).toContain(`last refused: ${refused}`)
}

const journalIn = (said: string): string =>
  /npx --no otcsim show ([^\s"\\]+\.journal)/.exec(said)?.[1] ?? 'none'
