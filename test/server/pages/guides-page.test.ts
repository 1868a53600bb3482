import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { guides } from '../../../src/cli/guides.ts'
import { accessibilityFlaws } from '../../support/axe.ts'
import { complaintsOf, launchBrowser } from '../../support/browser.ts'
import { startFixture, type VenueFixture } from '../venue-fixture.ts'

/*
 * The page in a real browser. `npm ci` and `npm test` build it before this runs.
 * @module-tag chromium
 */

let browser: Browser
let venue: VenueFixture
let page: Page
let complaints: readonly string[]
beforeAll(async () => {
  browser = await launchBrowser()
  venue = await startFixture()
  page = await browser.newPage({ colorScheme: 'light' })
  complaints = complaintsOf(page, {
    request: (url) => url.startsWith(venue.server.url),
    message: () => false,
  })
  await page.goto(`${venue.server.url}/__admin/guides`)
})
afterAll(async () => {
  await browser.close()
  await venue.server.close()
})

describe('the page of guides', () => {
  it('has every guide, and every link of it leads somewhere', async () => {
    for (const { topic } of guides) expect(await page.locator(`section#${topic}`).count(), topic).toBe(1)
    const targets = await page
      .locator('a[href^="#"]')
      .evaluateAll((links) => links.map((link) => link.getAttribute('href')))
    expect(targets.length).toBeGreaterThan(40)
    const dead = []
    for (const target of new Set(targets))
      if ((await page.locator(`[id="${target?.slice(1)}"]`).count()) !== 1) dead.push(target)
    expect(dead).toEqual([])
  })

  it('shows the sections with all words, and all again where a link leads to a hidden one', async () => {
    await page.fill('#words', 'tenfold-nonsense')
    expect(await page.locator('main section:visible').count()).toBe(0)
    expect(await page.locator('#nothing').textContent()).toContain(
      'Nothing found: no section has tenfold-nonsense.',
    )
    expect(await accessibilityFlaws(page)).toEqual([])
    await page.getByRole('button', { name: 'Show all sections' }).click()
    expect(await page.locator('main section:visible').count()).toBeGreaterThan(40)
    expect(await page.locator('#nothing').isVisible()).toBe(false)
    await page.fill('#words', 'torn-SEQUENCE power cut')
    expect(await page.locator('#found').textContent()).toMatch(/^1 of \d+ sections$/)
    const marked = await page.evaluate(
      "[...CSS.highlights.get('hit')].map((range) => String(range).toLowerCase())",
    )
    expect(new Set(Array.isArray(marked) ? marked : [])).toEqual(new Set(['torn-sequence', 'power', 'cut']))
    expect(await page.locator('main section:visible').first().getAttribute('id')).toBe('journals')
    await page.evaluate("location.hash = '#markets'")
    await page.locator('section#markets').waitFor({ state: 'visible' })
    expect(await page.inputValue('#words')).toBe('')
  })

  it('is accessible, in both themes and on a small screen', async () => {
    for (const width of [1440, 1024, 390])
      for (const theme of ['light', 'dark']) {
        await page.setViewportSize({ width, height: 900 })
        await page.selectOption('theme-switch select', theme)
        expect(await accessibilityFlaws(page), `${theme} ${width}`).toEqual([])
      }
  })

  it('is found from the page at the venue’s address, to which the admin API’s own address leads', async () => {
    for (const path of ['', '/__admin', '/__admin/']) {
      await page.goto(`${venue.server.url}${path}`)
      expect(new URL(page.url()).pathname, path).toBe('/')
    }
    expect(await accessibilityFlaws(page)).toEqual([])
    const links = await page
      .locator('main a')
      .evaluateAll((found) => found.map((link) => String(Reflect.get(link, 'href'))))
    expect(links.length).toBeGreaterThan(4)
    for (const link of links) expect((await fetch(link)).status, link).toBe(200)
    await page.getByRole('link', { name: 'Guides' }).click()
    await page.locator('section#interface').waitFor()
  })

  it('makes no request to other servers, and nothing fails', () => {
    expect(complaints).toEqual([])
  })
})
