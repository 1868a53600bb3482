import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Browser, Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { metricText } from '../../../src/backtest/report/figures.ts'
import { readPageAssets } from '../../../src/backtest/report/page-assets.ts'
import { createRunReport } from '../../../src/backtest/report/run-report.ts'
import { createSweepReport } from '../../../src/backtest/report/sweep-report.ts'
import { otcsim } from '../../cli/harness.ts'
import { accessibilityFlaws } from '../../support/axe.ts'
import { complaintsOf, launchBrowser } from '../../support/browser.ts'
import { context, sampleResult } from './sample-result.ts'
import { sampleContext, samplePlan, sampleRows } from './sample-sweep.ts'

/*
 * Reports opened from a file in a real browser. Their script is part of the build, which `npm test` makes first.
 * @module-tag chromium
 */

const folder = mkdtempSync(join(tmpdir(), 'otcsim-report-'))
const pages = {
  run: join(folder, 'run.html'),
  sweep: join(folder, 'sweep.html'),
  scenario: join(folder, 'scenario.html'),
} as const
let browser: Browser
beforeAll(async () => {
  writeFileSync(pages.run, createRunReport(sampleResult(), context, readPageAssets()))
  writeFileSync(pages.sweep, createSweepReport(samplePlan, sampleRows, sampleContext, readPageAssets()))
  await otcsim(['run', 'events/flash-2023-08-17', '--param', 'grid=1m', '--html', pages.scenario], {
    cwd: folder,
  })
  browser = await launchBrowser()
})
afterAll(async () => {
  await browser.close()
  rmSync(folder, { recursive: true, force: true })
})

interface Opened {
  readonly page: Page
  /** All requests, and all errors of the browser. */
  readonly complaints: readonly string[]
}

async function open(
  name: keyof typeof pages,
  options: {
    readonly colorScheme?: 'light' | 'dark'
    readonly width?: number
    readonly scripts?: boolean
  } = {},
): Promise<Opened> {
  const { colorScheme = 'light', width = 1_000, scripts = true } = options
  const page = await browser.newPage({
    colorScheme,
    viewport: { width, height: 800 },
    javaScriptEnabled: scripts,
    timezoneId: 'Asia/Tokyo',
  })
  const complaints = complaintsOf(page, {
    request: (url) => url === pathToFileURL(pages[name]).href,
    message: () => false,
  })
  await page.goto(pathToFileURL(pages[name]).href)
  return { page, complaints }
}

describe('the report of a run', () => {
  it('makes no requests, zooms, and is accessible in light and dark', async () => {
    const { page, complaints } = await open('run')
    await page.locator('#figure-equity').scrollIntoViewIfNeeded()
    await page.locator('#figure-equity .uplot').first().waitFor()
    expect(await page.locator('#figure-equity .uplot canvas').count()).toBe(3)
    await page.emulateMedia({ media: 'print' })
    expect(await page.locator('#figure-equity .picture').isVisible()).toBe(true)
    await page.emulateMedia({ media: 'screen' })
    expect(await page.locator('#figure-equity .picture').isVisible()).toBe(false)
    const plot = page.locator('#figure-equity .u-over').first()
    const box = await plot.boundingBox()
    if (box === null) throw new Error('no plot')
    await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2)
    // 10 days from 5 January: the middle is the 10th in UTC, whatever the browser's zone.
    expect(await page.locator('#figure-equity .u-legend').first().textContent()).toContain(
      '2026-01-10 00:00:00',
    )
    expect(await accessibilityFlaws(page)).toEqual([])
    await page.emulateMedia({ colorScheme: 'dark' })
    expect(await accessibilityFlaws(page)).toEqual([])
    expect(await page.locator('#figure-equity button').count()).toBe(0)
    expect(complaints).toEqual([])
    await page.close()
  })

  it('tells under the pointer what was there: no fill where none was, no quote between two', async () => {
    const { page } = await open('run')
    const figure = page.locator('#figure-price-BTC')
    await figure.scrollIntoViewIfNeeded()
    const plot = figure.locator('.u-over').first()
    await plot.waitFor()
    const box = await plot.boundingBox()
    if (box === null) throw new Error('no plot')
    const { equity, fills } = sampleResult()
    const [first = 0, last = 0] = [equity.atMillis[0], equity.atMillis.at(-1)]
    const pixelOf = (at: number) => ((at - first) / (last - first)) * box.width
    const names = await figure.locator('.u-legend .u-label').allTextContents()
    const told = { there: 0, none: 0 }
    for (let pixel = 20; pixel < box.width - 20; pixel += 13) {
      await page.mouse.move(box.x + pixel, box.y + box.height / 2)
      await page.evaluate('new Promise(requestAnimationFrame)')
      const values = await figure.locator('.u-legend .u-value').allTextContents()
      for (const [name, side] of [
        ['bought', 'buy'],
        ['sold', 'sell'],
      ] as const) {
        const away = fills
          .filter((fill) => fill.side === side)
          .map(({ atMillis }) => Math.abs(pixelOf(atMillis) - pixel))
        const distance = Math.min(...away)
        // A pixel is left open for rounding.
        if (Math.abs(distance - 8) < 1) continue
        const isThere = values[names.indexOf(name)] !== '--'
        expect([name, pixel, isThere]).toEqual([name, pixel, distance < 8])
        told[isThere ? 'there' : 'none'] += 1
      }
      expect(values[names.indexOf('mark')]).not.toBe('--')
    }
    expect(Math.min(told.there, told.none)).toBeGreaterThan(20)
    await page.close()
  })

  it('sorts its fills by any column, and writes them as CSV', async () => {
    const { page, complaints } = await open('run')
    await page.locator('#fills summary').click()
    const quantities = async (): Promise<readonly number[]> => {
      const cells = await page.locator('#fills tbody td:nth-child(4)').allTextContents()
      return cells.map((text) => Number(text.replaceAll(',', '')))
    }
    const inTime = await quantities()
    await page.getByRole('button', { name: 'Quantity' }).click()
    expect(await quantities()).toEqual(inTime.toSorted((left, right) => right - left))
    await page.getByRole('button', { name: 'Quantity' }).click()
    expect(await quantities()).toEqual(inTime.toSorted((left, right) => left - right))
    const coming = page.waitForEvent('download')
    await page.locator('#fills').getByRole('button', { name: 'CSV' }).click()
    const text = readFileSync((await (await coming).path()) ?? '', 'utf8')
    expect(text.split('\r\n')[0]).toBe('Time,Asset,Side,Quantity,Price,Value,Fee,Realised,As,Of')
    expect(text.trim().split('\r\n')).toHaveLength(inTime.length + 1)
    expect(await accessibilityFlaws(page)).toEqual([])
    expect(complaints).toEqual([])
    await page.locator('#equity-and-drawdown summary').click()
    const equityComing = page.waitForEvent('download')
    await page.locator('#equity-and-drawdown').getByRole('button', { name: 'CSV' }).click()
    const saved = await equityComing
    expect(saved.suggestedFilename()).toBe('equity-and-drawdown.csv')
    const lines = readFileSync((await saved.path()) ?? '', 'utf8')
      .trim()
      .split('\r\n')
    const { atMillis, equity } = sampleResult().equity
    expect(lines).toHaveLength(atMillis.length + 1)
    const values = lines.slice(1).map((line) => Number(line.split(',')[1]))
    expect(values).toEqual(equity.map((value) => Number(value.toFixed(2))))
    await page.close()
  })

  it('is readable without scripts, and then has no buttons', async () => {
    const { page, complaints } = await open('run', { scripts: false })
    expect(await page.locator('h2').count()).toBe(15)
    expect(await page.locator('svg.chart').count()).toBeGreaterThan(8)
    expect(await page.locator('button').count()).toBe(0)
    expect(complaints).toEqual([])
    await page.close()
  })

  it('fits a narrow screen: only wide tables and charts scroll sideways', async () => {
    const { page } = await open('run', { width: 360 })
    const widths = await page.evaluate<readonly number[]>(
      '[document.documentElement.scrollWidth, document.documentElement.clientWidth]',
    )
    expect(widths[0]).toBe(widths[1])
    expect(await accessibilityFlaws(page)).toEqual([])
    await page.close()
  })
})

/** What the legends of a chart tell, by their names. */
async function readLegend(page: Page, id: string): Promise<ReadonlyMap<string, string>> {
  const rows = page.locator(`#figure-${id} .u-legend .u-series`)
  const names = await rows.locator('.u-label').allTextContents()
  const values = await rows.locator('.u-value').allTextContents()
  return new Map(names.map((name, place) => [name, values[place] ?? '']))
}

async function showPlots(page: Page, id: string): Promise<Locator> {
  const plots = page.locator(`#figure-${id} .uplot`)
  await page.locator(`#figure-${id}`).scrollIntoViewIfNeeded()
  await plots.first().waitFor()
  return plots
}

describe('the report of a sweep', () => {
  const profits = sampleRows.flatMap(({ metrics, parameters, seed }) => {
    const profit = metrics['returns.profit']
    const isBest = parameters['spreadBps'] === '9' && parameters['informed'] === '0.2'
    return isBest && typeof profit === 'number' ? [{ seed, profit }] : []
  })

  it('tells under the pointer which bar is there, with its ends and how many seeds lie in it', async () => {
    const { page, complaints } = await open('sweep')
    const plots = await showPlots(page, 'distribution-0')
    const box = await plots.first().locator('.u-over').boundingBox()
    if (box === null) throw new Error('no plot')
    const seen: string[] = []
    for (const share of [0.01, 0.2, 0.4, 0.6, 0.8, 0.99]) {
      await page.mouse.move(box.x + box.width * share, box.y + 5)
      await page.evaluate('new Promise(requestAnimationFrame)')
      const told = (await readLegend(page, 'distribution-0')).get('seeds') ?? ''
      const parts = /^(\d+) \((\S+) to (\S+)\)$/.exec(told)?.slice(1) ?? []
      const [seeds, from, to] = parts.map((text) => Number(text.replaceAll(',', '').replace('−', '-')))
      // The ends are told to a pixel, which may move a seed over one of them.
      const within = (room: number) =>
        profits.filter(({ profit }) => profit >= (from ?? 0) - room && profit <= (to ?? 0) + room).length
      const isTrue = (seeds ?? -1) >= within(-20) && (seeds ?? -1) <= within(20)
      expect([share, told, isTrue]).toEqual([share, told, true])
      seen.push(told)
    }
    expect(new Set(seen).size).toBeGreaterThan(4)
    expect(complaints).toEqual([])
    await page.close()
  })

  it('names the cell under the pointer, with its whole spread', async () => {
    const { page } = await open('sweep')
    const plots = await showPlots(page, 'cell-spreads')
    const box = await plots.first().locator('.u-over').boundingBox()
    if (box === null) throw new Error('no plot')
    await page.mouse.move(box.x + box.width * 0.7, box.y + 5)
    await page.evaluate('new Promise(requestAnimationFrame)')
    const told = await readLegend(page, 'cell-spreads')
    expect(told.get('Name')).toBe('spreadBps=9 informed=0.2')
    const figure = (name: string) => Number(told.get(name)?.replaceAll(',', '').replace('−', '-'))
    const sorted = profits.map(({ profit }) => profit).toSorted((left, right) => left - right)
    expect(figure('median')).toBeCloseTo(sorted[Math.floor(sorted.length / 2)] ?? Number.NaN, 0)
    const ends = ['5 to 95 % (low)', '25 to 75 % (low)', 'median', '25 to 75 % (high)', '5 to 95 % (high)']
    const figures = ends.map(figure)
    expect(figures).toEqual(figures.toSorted((left, right) => left - right))
    await page.close()
  })

  it('shows the command of a seed at a click and by keyboard, and is accessible with it', async () => {
    const { page } = await open('sweep')
    const plots = await showPlots(page, 'distribution-0')
    const dots = plots.nth(1)
    await dots.focus()
    for (const key of ['ArrowRight', 'ArrowRight', 'Enter']) await page.keyboard.press(key)
    const byProfit = profits.toSorted((left, right) => left.profit - right.profit)
    const picked = page.locator('#figure-distribution-0 .picked')
    const expectPicked = async (place: number): Promise<void> => {
      const seed = byProfit[place]?.seed
      expect(await picked.locator('p').textContent()).toMatch(new RegExp(`^seed ${seed}: `))
      expect(await picked.locator('pre').textContent()).toMatch(
        new RegExp(` --seed ${seed} --html seed-${seed}\\.html$`),
      )
    }
    await expectPicked(1)
    const told = await readLegend(page, 'distribution-0')
    expect(told.get('seeds')).toMatch(/^\d+ \(/)
    expect(told.get('returns.profit')).toBe(
      metricText('returns.profit', byProfit[1]?.profit ?? 0).split('.')[0],
    )
    for (let step = 0; step < 4; step += 1) await page.keyboard.press('ArrowRight')
    const across = await dots.locator('.u-cursor-x').boundingBox()
    const down = await dots.locator('.u-cursor-y').boundingBox()
    await page.mouse.click((across?.x ?? 0) + 1, (down?.y ?? 0) + 1)
    await expectPicked(5)
    expect(await accessibilityFlaws(page)).toEqual([])
    await page.emulateMedia({ colorScheme: 'dark' })
    expect(await accessibilityFlaws(page)).toEqual([])
    await page.close()
  })

  it('zooms by keyboard and shows the whole again', async () => {
    const { page } = await open('sweep')
    const plots = await showPlots(page, 'fan')
    const place = async (): Promise<string> => {
      await page.keyboard.press('Shift+ArrowRight')
      return (await readLegend(page, 'fan')).get('share of the run') ?? ''
    }
    await plots.first().focus()
    const begin = await place()
    expect(begin).toBe('0.0%')
    await page.keyboard.press('+')
    const near = Number.parseFloat(await place())
    expect(near).toBeLessThan(10)
    await page.keyboard.press('Escape')
    expect(Number.parseFloat(await place())).toBeGreaterThan(near + 5)
    await page.close()
  })

  it('is a picture on paper and without scripts', async () => {
    const { page } = await open('sweep')
    await showPlots(page, 'distribution-0')
    await page.emulateMedia({ media: 'print' })
    expect(await page.locator('#figure-distribution-0 .picture').isVisible()).toBe(true)
    expect(await page.locator('#figure-distribution-0 .live').isVisible()).toBe(false)
    await page.close()
    const still = await open('sweep', { scripts: false })
    expect(await still.page.locator('#figure-distribution-0 svg.chart').isVisible()).toBe(true)
    await still.page.close()
  })
})

const looks = (['light', 'dark'] as const).flatMap((colorScheme) =>
  [1440, 1024, 390].map((width) => [colorScheme, width] as const),
)

it.each(
  (['run', 'sweep', 'scenario'] as const).flatMap((name) => looks.map((look) => [name, ...look] as const)),
)(
  'the page of a %s in %s, %i pixels wide, is accessible and makes no requests',
  async (name, colorScheme, width) => {
    const { page, complaints } = await open(name, { colorScheme, width })
    expect(await accessibilityFlaws(page)).toEqual([])
    const widths = await page.evaluate<readonly number[]>(
      '[document.documentElement.scrollWidth, document.documentElement.clientWidth]',
    )
    expect(widths[0]).toBe(widths[1])
    expect(complaints).toEqual([])
    await page.close()
  },
)
