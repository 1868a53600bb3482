import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { showReplayed } from '../../src/cli/journal/replay.ts'
import { buildPage } from '../../src/cli/journal/show.ts'
import { withJournal } from '../../src/cli/read-journal.ts'
import { createVenueServer } from '../../src/server/create-venue-server.ts'
import { inWorld } from '../../src/testing/in-world.ts'
import { noReplayLimit, replayJournal } from '../../src/world/journals/replay.ts'
import { accessibilityFlaws } from '../support/axe.ts'
import { complaintsOf, isRefusalOrNoError, launchBrowser, waitForPast } from '../support/browser.ts'
import { libraryOf } from '../support/library-of.ts'
import { panelsOfAConsole, pictureOf } from '../support/picture.ts'
import { quietScenario } from '../world/scenarios.ts'

/*
 * From a failed test to its cause, in a real browser.
 * @module-tag chromium
 */

let browser: Browser
const folder = mkdtempSync(join(tmpdir(), 'otcsim-failed-'))
beforeAll(async () => {
  browser = await launchBrowser()
})
afterAll(async () => {
  await browser.close()
  rmSync(folder, { recursive: true, force: true })
})

/** A test that expects a fill of an order that the venue has refused. */
async function failedTest(): Promise<string> {
  const failing = inWorld(
    'market maker > is filled',
    async ({ world }) => {
      const client = world.client('maker')
      await client.orders.list().catch(() => null)
      await world.client('trader').orders.create({ side: 'buy', asset: 'BTC', quantity: 0.1, price: 40_000 })
      world.advance('1s')
      await world.client('trader').orders.create({ side: 'buy', asset: 'BTC', quantity: 1000, price: 40_000 })
    },
    { scenario: quietScenario, journals: folder },
  )
  await expect(failing).rejects.toThrow('npx --no otcsim show')
  return join(folder, readdirSync(folder).find((name) => name.endsWith('.journal')) ?? '')
}

it('shows the failed test, its account, and the refused request with its reason, in no action at all', async () => {
  const file = await failedTest()
  const terminal = { cwd: folder, err: () => {} }
  const replayed = withJournal(file, terminal, (lines) => replayJournal(lines, noReplayLimit))
  if (replayed.kind !== 'done') throw new Error('the journal replays')
  const { worlds, place, world } = showReplayed(file, replayed, terminal)
  const server = await createVenueServer({ worlds, scenarios: libraryOf({}) })
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } })
  const complaints = complaintsOf(page, {
    request: (url) => url.startsWith(server.url),
    message: isRefusalOrNoError,
  })
  await page.goto(`${server.url}/__admin/console/${place}`)
  await page.getByText('market maker > is filled').waitFor()
  expect(await page.locator('label:has-text("World") select').inputValue()).toBe(world.id)
  expect(await page.locator('label:has-text("Account") select').inputValue()).toBe('trader')
  expect(await page.locator('.failure pre').textContent()).toContain('order size 1000 exceeds')
  expect(await page.locator('.inspector').textContent()).toContain('Answered 422')
  await page.getByText('ord_1').first().waitFor()
  expect(await accessibilityFlaws(page)).toEqual([])
  expect(await pictureOf(page)).toEqual([
    'The test that failed: 0 to 12',
    ...panelsOfAConsole,
    expect.stringMatching(/^\.chart:/),
    '.lanes: accent bad',
  ])
  await waitForPast(page)
  await page.keyboard.press('[')
  await page.getByText('the past', { exact: true }).waitFor()
  await page.getByRole('button', { name: 'Show when it failed' }).click()
  await page.locator('.clock .time', { hasText: '00:00:01.000' }).waitFor()
  expect(complaints).toEqual([])
  await page.close()
  await server.close()
})

it('is one file with the same console over a recording, without a server, a request or a secret', async () => {
  const terminal = { cwd: folder, err: () => {} }
  const file = await failedTest()
  const replayed = withJournal(file, terminal, (lines) => replayJournal(lines, noReplayLimit))
  if (replayed.kind !== 'done') throw new Error('the journal replays')
  const shown = showReplayed(file, replayed, terminal)
  const html = join(folder, 'failed.html')
  writeFileSync(html, await buildPage(shown))
  const address = pathToFileURL(html).href
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } })
  const complaints = complaintsOf(page, { request: (url) => url === address, message: () => false })
  await page.goto(address)
  await page.getByText('market maker > is filled').waitFor()
  expect(await page.locator('label:has-text("Account") select').inputValue()).toBe('trader')
  expect(await page.locator('.inspector').textContent()).toContain('Answered 422')
  await page.getByText('ord_1').first().waitFor()
  await waitForPast(page)
  for (let back = 0; back < 6; back += 1) await page.keyboard.press('[')
  await page.getByText('trader has no open orders.').waitFor()
  await page.selectOption('label:has-text("Account") select', 'maker')
  await page.getByText('maker has no open orders.').waitFor()
  await page.keyboard.press('Escape')
  // Nothing looks as if it could be done, and what can be said is.
  for (const name of ['+1 s', 'Next event'])
    expect(await page.getByRole('button', { name }).isDisabled()).toBe(true)
  await page
    .locator('.area-ticket', { hasText: 'This page is a recording: nothing can be changed in it.' })
    .waitFor()
  for (const name of [
    '▶ Play',
    'Snapshot',
    'Fork a world here',
    'Fork',
    'Buy as maker',
    'fill ord_1',
    'Halt BTC-USD',
  ])
    expect(await page.getByRole('button', { name, exact: true }).count(), name).toBe(0)
  for (const tab of await page.getByRole('tab').all()) {
    await tab.click()
    const panel = page.locator(`#${await tab.getAttribute('aria-controls')}`)
    expect((await panel.textContent())?.trim(), (await tab.textContent()) ?? '').not.toBe('')
  }
  expect(await accessibilityFlaws(page)).toEqual([])
  expect(complaints).toEqual([])
  await page.close()
})
