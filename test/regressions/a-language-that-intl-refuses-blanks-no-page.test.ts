// Room: pages

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { readPageAssets } from '../../src/backtest/report/page-assets.ts'
import { createRunReport } from '../../src/backtest/report/run-report.ts'
import { context, sampleResult } from '../backtest/report/sample-result.ts'
import { startFixture, type VenueFixture } from '../server/venue-fixture.ts'
import { complaintsOf, isNoError, launchBrowser } from '../support/browser.ts'

/*
 * uPlot makes a formatter of the browser's language while it loads, and Intl refuses `en-US@posix`, the language of a
 * browser under LANG=C: the console stayed blank, and no chart of a report could be zoomed.
 * @module-tag chromium
 */

const folder = mkdtempSync(join(tmpdir(), 'otcsim-language-'))
const report = join(folder, 'run.html')
let browser: Browser
let venue: VenueFixture
beforeAll(async () => {
  writeFileSync(report, createRunReport(sampleResult(), context, readPageAssets()))
  browser = await launchBrowser()
  venue = await startFixture()
})
afterAll(async () => {
  await browser.close()
  await venue.server.close()
  rmSync(folder, { recursive: true, force: true })
})

const pages = [
  ['console', () => `${venue.server.url}/__admin/console/`, '#console'],
  ['report', () => pathToFileURL(report).href, '#figure-equity'],
] as const

it.each(
  pages.flatMap(([name, address, place]) =>
    ['en-US@posix', 'C', 'fr'].map((language) => ({ name, address, place, language })),
  ),
)('the $name draws its charts in a browser of $language', async ({ address, language, place }) => {
  const page = await browser.newPage()
  await page.addInitScript(
    `Object.defineProperty(Navigator.prototype, 'language', { get: () => ${JSON.stringify(language)} })`,
  )
  const complaints = complaintsOf(page, { request: () => true, message: isNoError })
  await page.goto(address())
  // A report draws what is in sight.
  await page.locator(place).first().scrollIntoViewIfNeeded({ timeout: 20_000 })
  await page.locator('.u-legend').first().waitFor({ timeout: 20_000 })
  expect(complaints).toEqual([])
  await page.close()
})
