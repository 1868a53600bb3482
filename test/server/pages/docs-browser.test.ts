import { execFile } from 'node:child_process'
import process from 'node:process'
import { promisify } from 'node:util'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { adminRoutes } from '../../../src/server/admin/routes.ts'
import { accessibilityFlaws } from '../../support/axe.ts'
import { complaintsOf, isRefusalOrNoError, launchBrowser } from '../../support/browser.ts'
import { findProgram } from '../../support/wanted-programs.ts'
import { startFixture, type VenueFixture } from '../venue-fixture.ts'

/*
 * The page in a real browser. `npm ci` and `npm test` build it before this runs.
 * @module-tag chromium
 */

const run = promisify(execFile)

// Opening the page takes seconds, so it is opened once.
let browser: Browser
let venue: VenueFixture
let page: Page
/** Requests to other origins, and all errors of the browser. */
let complaints: readonly string[]
beforeAll(async () => {
  browser = await launchBrowser()
  venue = await startFixture({ adminToken: 's3cret' })
  page = await browser.newPage({ colorScheme: 'light' })
  complaints = complaintsOf(page, {
    request: (url) => url.startsWith(venue.server.url) || url.startsWith('data:'),
    message: isRefusalOrNoError,
  })
  await page.goto(`${venue.server.url}/__admin/docs`)
  await page.fill('#token', 's3cret')
  await page.press('#token', 'Enter')
  await page.waitForSelector('.opblock')
})
afterAll(async () => {
  await browser.close()
  await venue.server.close()
})

/** Executes an operation with its example and answers the status that the page shows. */
async function execute(tag: string, operation: string): Promise<string> {
  const block = page.locator(`#operations-${tag}-${operation}`)
  if ((await block.locator('button.execute').count()) === 0) await block.locator('.opblock-summary').click()
  // The browser signs by the real time, which on a slow machine may be half a minute later than the page was opened.
  venue.wall.set(Date.now())
  const answered = page.waitForResponse((response) => response.url().includes('/api/sdk/'))
  await block.locator('button.execute').click()
  await answered
  const shown = block.locator('.live-responses-table tbody .response-col_status').first()
  return ((await shown.textContent()) ?? '').trim()
}

describe('the docs page', () => {
  it('asks for the token, and shows every operation', async () => {
    expect(await page.locator('.opblock').count()).toBe(41)
    expect(await page.locator('#token-form').isVisible()).toBe(false)
    expect(complaints).toEqual([])
  })

  it('has the first operation on its first screen, and lists all to be searched', async () => {
    expect(await page.title()).toContain('otcsim')
    const box = await page.locator('.opblock').first().boundingBox()
    expect((box?.y ?? 900) + (box?.height ?? 900)).toBeLessThan(400)
    const links = page.locator('#operation-list a')
    expect(await links.count()).toBe(41)
    await page.fill('#operation-words', 'cancel quote')
    expect(await page.locator('#operation-list a:visible').allTextContents()).toEqual([
      'DELETE Cancel all quotes',
      'DELETE Cancel quote',
    ])
    await page.fill('#operation-words', 'zebra')
    expect(await page.locator('#operations-found').textContent()).toContain('Nothing found')
    await page.fill('#operation-words', '')
    expect(await page.locator('#operation-list a:visible').count()).toBe(41)
  })

  it('copies an example with a signature of that moment', async () => {
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await page.selectOption('#key', { label: 'viewer: READ' })
    await page.locator('#operation-list a', { hasText: 'List balances' }).click()
    const examples = page.getByRole('group', { name: 'Examples of listBalances' })
    expect(await examples.locator('pre').first().textContent()).toContain('made when copied')
    venue.wall.set(Date.now())
    await examples.getByRole('button', { name: 'Copy' }).click()
    await examples.getByText('copied, signed').waitFor()
    const copied = String(await page.evaluate('navigator.clipboard.readText()'))
    const headers = [...copied.matchAll(/-H '([^:']+): ([^']*)'/g)].map(([, name = '', value = '']) => [
      name,
      value,
    ])
    const [, url = ''] = /'(http:[^']+)'/.exec(copied) ?? []
    const answer = await fetch(url, { headers: Object.fromEntries(headers) })
    expect(answer.status).toBe(200)
    await page.selectOption('#key', { index: 0 })
    expect(complaints).toEqual([])
  })

  it('tells the fields of bodies and answers with their limits and readings', async () => {
    await page.locator('#operation-list a', { hasText: 'Create order' }).click()
    const body = page.getByRole('region', { name: 'Fields of the body of createOrder' })
    const rows = await body.locator('tbody tr').allTextContents()
    expect(rows.find((row) => row.startsWith('orderType'))).toContain('one of limit, market')
    expect(rows.find((row) => row.startsWith('side'))).toContain('required')
    const reading = body.getByRole('link', { name: 'clientId.duplicate' })
    expect(await reading.getAttribute('title')).toMatch(/^409: /)
    const answer = page.getByRole('region', { name: 'Fields of the answer, 201 of createOrder' })
    expect(await answer.locator('tbody tr').count()).toBe(15)
  })

  it('signs with the chosen account, and calls no other origin', async () => {
    expect(await execute('Orders', 'createOrder')).toBe('201')
    expect(await page.locator('#signed-text').textContent()).toMatch(/^\d+POST\/api\/sdk\/orders\{/)
    await page.selectOption('#key', { label: 'nobody: not signed' })
    expect(await execute('Market_data', 'listPrices')).toBe('401')
    await page.selectOption('#key', { label: 'viewer: READ' })
    expect(await execute('Risk', 'simulateOrder')).toBe('200')
    expect(await execute('Orders', 'cancelOrders')).toBe('403')
    expect(complaints).toEqual([])
  })

  /** What the program prints that the page shows for an order it has sent. */
  async function printedBy(
    language: string,
    start: (program: string) => readonly [string, readonly string[]],
  ) {
    await page.selectOption('#key', { label: 'trader: READ TRADE' })
    await execute('Orders', 'createOrder')
    const shown = page.locator('#operations-Orders-createOrder .request-snippets')
    await shown.getByText(language, { exact: true }).click()
    const program = (await shown.locator('pre').first().textContent()) ?? ''
    venue.wall.set(Date.now())
    const { stdout } = await run(...start(program))
    return stdout
  }

  it('shows a request as a program that runs and signs it again', async () => {
    const printed = await printedBy('JavaScript', (text) => [
      process.execPath,
      ['--input-type=module', '-e', text],
    ])
    expect(printed).toMatch(/^409 \{.*clientOrderId/)
    expect(complaints).toEqual([])
  })

  it('and in Python', { tags: ['python3'] }, async () => {
    expect(await printedBy('Python', (text) => [findProgram('python3') ?? '', ['-c', text]])).toMatch(
      /^409 \{.*clientOrderId/,
    )
    expect(complaints).toEqual([])
  })

  it.each(['light', 'dark'] as const)('is accessible in a narrow window: %s', async (colorScheme) => {
    await page.emulateMedia({ colorScheme })
    await page.setViewportSize({ width: 320, height: 800 })
    await page.waitForSelector(colorScheme === 'dark' ? 'html.dark-mode' : 'html:not(.dark-mode)')
    const bodies = page.locator('#operations-Risk-simulateOrder').getByLabel('Request body')
    expect(await bodies.count()).toBe(1)
    expect(await accessibilityFlaws(page)).toEqual([])
    const overflow = await page.evaluate(
      'document.documentElement.scrollWidth - document.documentElement.clientWidth',
    )
    expect([overflow, complaints]).toEqual([0, []])
  })

  it.each([1440, 1024, 390])('is accessible as a whole in both themes at %i pixels', async (width) => {
    await page.setViewportSize({ width, height: 900 })
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      await page.waitForSelector(colorScheme === 'dark' ? 'html.dark-mode' : 'html:not(.dark-mode)')
      expect(await accessibilityFlaws(page), `${colorScheme} ${width}`).toEqual([])
    }
  })

  it('shows the admin API beside it, and calls it with the token', async () => {
    await page.setViewportSize({ width: 1280, height: 800 })
    await page.selectOption('#interface', { label: 'the admin API' })
    const block = page.locator('#operations-Server-getHealth')
    await block.locator('.opblock-summary').click()
    const answered = page.waitForResponse((response) => response.url().endsWith('/__admin/health'))
    await block.locator('button.execute').click()
    expect((await answered).status()).toBe(200)
    expect(await page.locator('.opblock').count()).toBe(adminRoutes.length)
    await page.selectOption('#interface', { label: 'the venue’s' })
    await page.waitForSelector('#operations-Orders-createOrder')
    expect(complaints).toEqual([])
  })
})
