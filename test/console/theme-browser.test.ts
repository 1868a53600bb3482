import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startFixture, type VenueFixture } from '../server/venue-fixture.ts'
import { accessibilityFlaws } from '../support/axe.ts'
import { complaintsOf, isNoError, launchBrowser } from '../support/browser.ts'

/*
 * Light or dark on the pages of the server, in a real browser.
 * @module-tag chromium
 */

let browser: Browser
let venue: VenueFixture
beforeAll(async () => {
  browser = await launchBrowser()
  venue = await startFixture()
})
afterAll(async () => {
  await browser.close()
  await venue.server.close()
})

type Scheme = 'light' | 'dark'
type PageName = 'console' | 'docs'

interface Opened {
  readonly page: Page
  /** All errors of the browser. */
  readonly complaints: readonly string[]
}

async function open(context: BrowserContext, name: PageName): Promise<Opened> {
  const page = await context.newPage()
  const complaints = complaintsOf(page, { request: () => true, message: isNoError })
  // A megabyte that is irrelevant here, and has its own test.
  await page.route('**/swagger-ui-bundle.js', (route) =>
    route.fulfill({ contentType: 'text/javascript', body: 'globalThis.SwaggerUIBundle = () => {}' }),
  )
  await page.goto(`${venue.server.url}/__admin/${name}/`)
  await choice(page).waitFor()
  return { page, complaints }
}

const choice = (page: Page) => page.locator('theme-switch select')

/** The theme of the root element, the colours that result, and the colour scheme that applies before styles load. */
const seen = (page: Page) =>
  page.evaluate(`({
    scheme: getComputedStyle(document.documentElement).colorScheme,
    isDark: Number(getComputedStyle(document.querySelector('header.top')).backgroundColor.match(/[0-9]+/)[0]) < 128,
    meta: document.querySelector('meta[name="color-scheme"]').content,
  })`)

/** Records the theme of the root element when the body begins, which is before the first paint. */
const noteBeginning = `new MutationObserver((_, observer) => {
  if (document.body === null) return
  observer.disconnect()
  globalThis.wasDark = document.documentElement.classList.contains('dark-mode')
}).observe(document, { childList: true, subtree: true })`

const refuseStorage = `Object.defineProperty(globalThis, 'localStorage', {
  get: () => { throw new DOMException('The operation is insecure.', 'SecurityError') },
})`

const looksOf = (scheme: Scheme) => ({ scheme, isDark: scheme === 'dark', meta: scheme })
const otherThan = (scheme: Scheme): Scheme => (scheme === 'dark' ? 'light' : 'dark')

it.each([
  ['console', 'light'],
  ['docs', 'dark'],
] as const)(
  'the %s follows a %s system until the user chooses, and then keeps the choice',
  async (name, system) => {
    const context = await browser.newContext({ colorScheme: system })
    await context.addInitScript(noteBeginning)
    const { page, complaints } = await open(context, name)
    const other = otherThan(system)
    expect(await choice(page).inputValue()).toBe('system')
    expect(await seen(page)).toEqual(looksOf(system))
    await page.emulateMedia({ colorScheme: other })
    await expect.poll(() => seen(page)).toEqual(looksOf(other))
    await page.emulateMedia({ colorScheme: system })
    await expect.poll(() => seen(page)).toEqual(looksOf(system))

    await choice(page).selectOption(other)
    expect(await seen(page)).toEqual(looksOf(other))
    expect(await accessibilityFlaws(page, name === 'docs' ? 'header.top' : 'html')).toEqual([])
    await page.reload()
    await choice(page).waitFor()
    expect(await page.evaluate('wasDark')).toBe(other === 'dark')
    expect(await choice(page).inputValue()).toBe(other)
    expect(await seen(page)).toEqual(looksOf(other))
    expect(complaints).toEqual([])
    await context.close()
  },
)

it('can be switched when nothing can be stored', async () => {
  const context = await browser.newContext({ colorScheme: 'light' })
  await context.addInitScript(refuseStorage)
  const { page, complaints } = await open(context, 'console')
  await choice(page).selectOption('dark')
  expect(await seen(page)).toEqual(looksOf('dark'))
  await page.reload()
  await choice(page).waitFor()
  expect(await seen(page)).toEqual(looksOf('light'))
  expect(complaints).toEqual([])
  await context.close()
})

/** Whether the strip has its axis, and the chart its prices, in colours of the theme that is chosen. */
const drawnAnew = `['.strip canvas:line-faint', '.chart .u-wrap > canvas:mid'].map((which) => {
  const [selector, name] = which.split(':')
  const canvas = document.querySelector(selector)
  if (canvas === null) return null
  const wanted = getComputedStyle(canvas).getPropertyValue('--' + name).trim()
  const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height)
  const hex = (at) => '#' + [...data.slice(at, at + 3)].map((part) => part.toString(16).padStart(2, '0')).join('')
  for (let at = 0; at < data.length; at += 4) if (data[at + 3] === 255 && hex(at) === wanted) return wanted
  return null
})`

it('canvases are drawn again', async () => {
  const context = await browser.newContext({ colorScheme: 'light' })
  const { page } = await open(context, 'console')
  // A price that has been only once is no line.
  await page.getByRole('button', { name: '+1 m' }).click()
  const drawn = () => page.evaluate(drawnAnew)
  await expect.poll(drawn).toEqual(['#e4e8ed', '#1f5fd0'])
  await choice(page).selectOption('dark')
  await expect.poll(drawn).toEqual(['#222b36', '#6ea8ff'])
  await choice(page).selectOption('system')
  await expect.poll(drawn).toEqual(['#e4e8ed', '#1f5fd0'])
  await context.close()
})

it('a choice on one page applies to the others, including open ones', async () => {
  const context = await browser.newContext({ colorScheme: 'light' })
  const { page: docs } = await open(context, 'docs')
  const { page: shown } = await open(context, 'console')
  await choice(shown).focus()
  await shown.keyboard.press('d')
  expect(await seen(shown)).toEqual(looksOf('dark'))
  await docs.waitForSelector('html.dark-mode')
  expect(await choice(docs).inputValue()).toBe('dark')
  await context.close()
})
