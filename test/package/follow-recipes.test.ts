import { cpSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { describe, expect, it } from 'vitest'
import { startVenue } from '../../src/testing/start-venue.ts'
import { launchBrowser } from '../support/browser.ts'
import { isLongestRun } from '../support/full-run.ts'
import { programPath } from '../support/program-path.ts'
import { createConsumer, programTestMillis, root } from './consumer.ts'
import { guideRecipe } from './guide-recipe.ts'

/* The guide's recipes for a venue that is driven by the clock of its client. Needs `npm run build`. */

const { makeFolder, run } = createConsumer(['vitest'])
const node = process.execPath

describe('an hour of a client', { timeout: 330_000 }, () => {
  it('under vitest', async () => {
    const folder = makeFolder({ 'follow.test.js': guideRecipe('follow.test.js') })
    const vitest = join(root, 'node_modules', 'vitest', 'vitest.mjs')
    const words = [vitest, 'run', '--no-color', '--testTimeout=120000', '--root', folder]
    expect(await run(node, words, folder)).toMatchObject({
      code: 0,
      said: expect.stringContaining('1 passed'),
    })
  })

  it('under jest', { tags: ['jest'] }, async () => {
    const folder = makeFolder({ 'follow.test.cjs': guideRecipe('follow.test.cjs') })
    const words = [programPath('jest'), '--ci', '--testTimeout=120000', '--rootDir', folder]
    expect(await run(node, words, folder)).toMatchObject({
      code: 0,
      said: expect.stringContaining('1 passed'),
    })
  })

  it('under node:test with sinon', { tags: ['sinon'] }, async () => {
    const folder = makeFolder({ 'follow.test.mjs': guideRecipe('follow.test.mjs') })
    mkdirSync(join(folder, 'node_modules'))
    symlinkSync(dirname(programPath('sinon')), join(folder, 'node_modules', 'sinon'), 'junction')
    const words = ['--test', '--test-force-exit', join(folder, 'follow.test.mjs')]
    expect(await run(node, words, folder)).toMatchObject({ code: 0, said: expect.stringMatching(/pass 1\n/) })
  })
})

/** A page that asks for its orders each second, and for a price each two. */
const page = `<script>
  const ask = (path) => fetch(path, { headers: { 'X-At': String(Date.now()) } }).then((answer) => answer.json())
  setInterval(() => ask('/orders'), 1000)
  setInterval(() => ask('/prices').then(({ n }) => ask('/after-' + n)), 2000)
</script>`

it('a page under the clock of Playwright asks in the same order each time', {
  tags: ['chromium'],
}, async () => {
  const folder = makeFolder({ 'live-on-page.mjs': guideRecipe('live-on-page.mjs') })
  const { liveOnPage, watchFetch } = await import(pathToFileURL(join(folder, 'live-on-page.mjs')).href)
  const browser = await launchBrowser()
  try {
    const live = async () => {
      const opened = await browser.newPage()
      const asked: string[] = []
      await opened.clock.install({ time: '2026-01-05T00:00:00Z' })
      await opened.clock.pauseAt('2026-01-05T00:00:01Z')
      await opened.route('http://page.example/**', async (route) => {
        const { pathname } = new URL(route.request().url())
        if (pathname === '/') return route.fulfill({ contentType: 'text/html', body: page })
        asked.push(`${route.request().headers()['x-at']} ${pathname}`)
        return route.fulfill({ json: { n: asked.length } })
      })
      await watchFetch(opened)
      await opened.goto('http://page.example/')
      await liveOnPage(opened, 60_000)
      await opened.close()
      return asked
    }
    const first = await live()
    expect(first).toHaveLength(60 + 30 + 30)
    expect(await live()).toEqual(first)
    expect(first.at(-1)).toBe(`${Date.parse('2026-01-05T00:01:01Z')} /after-119`)
  } finally {
    await browser.close()
  }
})

describe('asyncio with time-machine', {
  tags: ['pytest', 'time-machine'],
  timeout: programTestMillis,
}, () => {
  it('lets a client live, with the same digest each time', async () => {
    await using venue = await startVenue()
    const folder = makeFolder()
    for (const name of ['conftest.py', 'test_fills.py', 'test_follow.py', 'virtual_time.py'])
      cpSync(join(root, 'scenarios', 'clients', name), join(folder, name))
    const seconds = isLongestRun ? 86_400 : 600
    writeFileSync(join(folder, 'test_digest.py'), digestTest(seconds))
    const python = dirname(dirname(programPath('time-machine')))
    const start = `PYTHONPATH='${python}' OTC_ADMIN_URL='${venue.adminUrl}' OTC_BASE_URL='${venue.url}' exec "$0" -q -s -p no:cacheprovider`
    const { code, said } = await run('sh', ['-c', start, programPath('pytest')], folder)
    expect(code, said).toBe(0)
    const digests = [...said.matchAll(/digest=(\w{32}) (\S+)/g)]
    expect(digests).toHaveLength(3)
    expect(new Set(digests.map(([, digest]) => digest)).size).toBe(1)
    expect(readdirSync(folder)).not.toContain('.otcsim')
  })
})

const digestTest = (seconds: number) => `
import pytest
from conftest import admin
from test_follow import quote, read_fills
from virtual_time import live_for

same = {"account": "maker", "clock": {"mode": "follow"}, "seed": "7"}

@pytest.mark.parametrize("world", [same] * 3, indirect=True)
def test_lives_the_same(world, venue):
    live_for(${seconds}, world["now"], quote(world), read_fills(world))
    made = admin(venue, "GET", "/worlds/" + world["id"])
    print("digest=" + made["digest"], made["now"])
`
