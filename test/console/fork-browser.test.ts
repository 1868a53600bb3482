import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { millis } from '../../src/numeric/units.ts'
import { loadScenarioValue } from '../../src/scenario/load-tree.ts'
import type { World } from '../../src/world/world.ts'
import { startFixture, type VenueFixture } from '../server/venue-fixture.ts'
import { accessibilityFlaws } from '../support/axe.ts'
import { complaintsOf, isRefusalOrNoError, launchBrowser, waitForPast } from '../support/browser.ts'
import { livelyScenario } from '../world/scenarios.ts'

/*
 * A fork in a real browser: it keeps its parent's past, and both lie over one another from the fork on.
 * @module-tag chromium
 */

let browser: Browser
let venue: VenueFixture
let parent: World
beforeAll(async () => {
  browser = await launchBrowser()
  venue = await startFixture()
  const loaded = loadScenarioValue({ ...livelyScenario, clock: { ...livelyScenario.clock, mode: 'manual' } })
  const made = loaded.ok ? venue.worlds.create(loaded.value, { id: 'parent' }) : null
  if (made?.ok !== true) throw new Error('the scenario compiles')
  parent = made.world
  const order = { side: 'buy', asset: 'BTC', quantity: 0.01, price: 40_000 }
  for (let minute = 0; minute < 30; minute += 1) {
    parent.time.passTimeTo(millis(parent.now + 60_000))
    parent.request('trader', 'POST', '/api/sdk/orders', { ...order, price: 40_000 + minute })
  }
  parent.request('trader', 'POST', '/api/sdk/orders', {
    ...order,
    orderType: 'market',
    price: undefined,
    quantity: 1,
  })
})
afterAll(async () => {
  await browser.close()
  await venue.server.close()
})

const equityOf = (world: World): number =>
  Object(world.request('trader', 'GET', '/api/sdk/portfolio/summary').body).totalValue
const bestOf = (world: World): readonly string[] => {
  const { bids, asks } = Object(
    world.request('trader', 'GET', '/api/sdk/market-data/orderbook/BTC?depth=1').body,
  )
  return [bids[0], asks[0]].map(({ price }) => price.toLocaleString('en-US', { minimumFractionDigits: 2 }))
}

it('keeps past, account and zoom, lies over its parent in chart, book and equity, and says where they part', async () => {
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } })
  const complaints = complaintsOf(page, {
    request: (url) => url.startsWith(venue.server.url),
    message: isRefusalOrNoError,
  })
  await page.goto(`${venue.server.url}/__admin/console/#world=parent&account=trader`)
  await waitForPast(page)
  await page.getByRole('button', { name: '10 m', exact: true }).click()
  await page.keyboard.press('[')
  await page.getByRole('button', { name: 'Fork a world here' }).click()
  await expect.poll(() => new URL(page.url()).hash).toMatch(/^#world=w\d+&account=trader&asset=BTC/)
  const forked = venue.worlds.list().at(-1)
  if (forked === undefined) throw new Error('it was forked')
  expect(await page.getByRole('button', { name: 'All', exact: true }).getAttribute('aria-pressed')).toBe(
    'false',
  )

  // The past of the parent is that of the fork: its orders, its history, and a moment long before the fork.
  await page.getByRole('tab', { name: 'Lifelines' }).click()
  const pending = page.getByRole('button', { name: /^pending/ })
  await expect.poll(() => pending.textContent()).toMatch(/20$/)
  await page.getByRole('tab', { name: /History/ }).click()
  await expect.poll(() => page.getByRole('tab', { name: /History/ }).textContent()).toMatch(/History\d\d/)
  await page.getByRole('button', { name: 'All', exact: true }).click()
  await waitForPast(page)
  const strip = page.locator('.lanes > div')
  const box = (await strip.boundingBox()) ?? { x: 0, y: 0, width: 0 }
  await page.mouse.click(box.x + box.width / 3, box.y + 20)
  await page.getByText('the past', { exact: true }).waitFor()
  // An order each minute: the open ones say that this is the parent as it was then.
  const time = page.locator('.clock .time', { hasText: /00:(0[2-9]|1\d)/ })
  await time.waitFor()
  const minute = Number(/00:(\d\d)/.exec((await time.textContent()) ?? '')?.[1])
  const opened = page.getByRole('tab', { name: /Open orders/ })
  await expect.poll(() => opened.textContent()).toBe(`Open orders${minute}`)
  await page.keyboard.press('Escape')
  await page.getByText('now', { exact: true }).waitFor()

  const order = { side: 'sell', asset: 'BTC', quantity: 0.02, price: 90_000 }
  forked.request('trader', 'POST', '/api/sdk/orders', order)
  await venue.admin('POST', `/worlds/${forked.id}/market/BTC/price`, { percent: 5 })
  for (const world of [parent, forked]) world.time.passTimeTo(millis(world.now + 120_000))

  await page.locator('.u-legend', { hasText: 'Mark in parent' }).waitFor()
  const [bid, ask] = bestOf(parent)
  await page.locator('.ladder .spread', { hasText: `parent: ${bid} / ${ask}` }).waitFor()
  expect(await page.locator('.ladder th').last().textContent()).toBe('In parent')
  const money = (usd: number) =>
    usd.toLocaleString('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 2 })
  const told = `${money(equityOf(forked))} in ${forked.id}, ${money(equityOf(parent))} in parent`
  expect(equityOf(forked)).not.toBe(equityOf(parent))
  await page.locator(`figure.equity[aria-label$="${told}"]`).waitFor()
  const over = (await page.locator('.chart .u-over').boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 }
  const valueAt = async (part: number) => {
    await page.mouse.move(over.x + over.width * part, over.y + over.height / 2)
    await page.evaluate('new Promise(requestAnimationFrame)')
    return await page
      .locator('.u-legend .u-series', { hasText: 'Mark in parent' })
      .locator('.u-value')
      .textContent()
  }
  expect(await valueAt(0.3)).toBe('--')
  expect(await valueAt(0.995)).toMatch(/^[\d,.]+$/)

  await page.getByRole('tab', { name: /Worlds/ }).click()
  await page.getByRole('button', { name: 'Compare with parent' }).click()
  await page.getByText(new RegExp(`^31 commands in common, then ${forked.id}: .*; parent: `)).waitFor()
  expect(await accessibilityFlaws(page)).toEqual([])
  expect(complaints).toEqual([])
  await page.close()
})
