import type { Browser, Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { loadScenarioValue } from '../../src/scenario/load-tree.ts'
import type { World } from '../../src/world/world.ts'
import { startFixture, type VenueFixture } from '../server/venue-fixture.ts'
import { accessibilityFlaws } from '../support/axe.ts'
import { complaintsOf, isRefusalOrNoError, launchBrowser } from '../support/browser.ts'
import { liquidScenario } from '../world/scenarios.ts'

/*
 * Trading from the console in a real browser: every step is a signed request in the log of the world.
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

function createWorld(id: string): World {
  const loaded = loadScenarioValue(liquidScenario)
  const made = loaded.ok ? venue.worlds.create(loaded.value, { id, clock: { mode: 'manual' } }) : null
  if (made?.ok !== true) throw new Error('the scenario compiles')
  return made.world
}

async function open(place: string): Promise<{ page: Page; complaints: readonly string[] }> {
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } })
  const complaints = complaintsOf(page, {
    request: (url) => url.startsWith(venue.server.url),
    message: (message) => isRefusalOrNoError(message) || message.text().includes('ERR_'),
  })
  await page.goto(`${venue.server.url}/__admin/console/#${place}`)
  await page.locator('.uplot canvas').first().waitFor()
  return { page, complaints }
}

/** The method, body, account and status of the last request in the log of a world. */
function lastOf(world: World, wanted = 'trader') {
  const [last] = world.requests.since(0).slice(-1)
  if (last === undefined) throw new Error('nothing was asked')
  const { method, path, requestBody, account, status, apiKey } = last
  expect([account, apiKey]).toEqual([wanted, `simk_${world.id}_${wanted}`])
  // The console's own id, by which the venue knows what the browser sends again.
  const body = requestBody.replace(/,"client(?:Order|Quote)Id":"console-[a-z0-9-]+"/, '')
  return { asked: `${method} ${path} ${body}`.trim(), status }
}

const boxOf = async (part: Locator) => (await part.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 }

it('has the market, its book, own orders and the requests on the first screen', async () => {
  const world = createWorld('seen')
  world.request('trader', 'POST', '/api/sdk/orders', {
    side: 'buy',
    asset: 'BTC',
    quantity: 0.1,
    price: 49_900,
  })
  const { page, complaints } = await open('world=seen&account=trader')
  await page.locator('.order-line .grip').waitFor()
  const screen = 1440 * 900
  const parts = await Promise.all(
    ['.at-market', '.at-book', '.at-orders', '.at-requests', '.at-ticket'].map((part) =>
      boxOf(page.locator(part)),
    ),
  )
  for (const { x, y, width, height } of parts) {
    expect([x >= 0, y >= 0, x + width <= 1440, y + height <= 900]).toEqual([true, true, true, true])
    expect(height).toBeGreaterThan(150)
  }
  const [market, book, orders] = parts
  if (market === undefined || book === undefined || orders === undefined) throw new Error('they are there')
  const area = [market, book, orders].reduce((sum, { width, height }) => sum + width * height, 0)
  expect(area).toBeGreaterThan(screen / 2)
  expect(market.height).toBeGreaterThan(450)
  expect(book.height).toBeGreaterThan(650)
  const chart = await boxOf(page.locator('.chart .u-over'))
  for (const mark of ['.order-line .grip', '.axis-label.last']) {
    const { y } = await boxOf(page.locator(mark))
    expect([y > chart.y, y < chart.y + chart.height]).toEqual([true, true])
  }
  expect(complaints).toEqual([])
  await page.close()
})

it('places an order, drags it, moves it by keys, changes and cancels it, all by signed requests', async () => {
  const world = createWorld('traded')
  const { page, complaints } = await open('world=traded&account=trader')
  const ticket = page.getByRole('region', { name: 'Ticket' })
  await ticket.getByLabel('Quantity, BTC').fill('0.2')
  await ticket.getByLabel('Price, USD').fill('49,950')
  await ticket.getByRole('button', { name: 'Buy as trader' }).click()
  await ticket.getByText('ord_1 open').waitFor()
  const sent = { side: 'buy', orderType: 'limit', quantity: 0.2, price: 49_950 }
  expect(lastOf(world).status).toBe(201)
  expect(JSON.parse(lastOf(world).asked.slice('POST /api/sdk/orders '.length))).toEqual({
    asset: 'BTC',
    ...sent,
  })
  await page.getByRole('button', { name: /buy 0.2 BTC @ 49,950 → ord_1 open/ }).waitFor()
  expect(await page.locator('.inspector').textContent()).toContain('simk_traded_trader')

  const grip = page.getByRole('slider', { name: 'Price of ord_1, buy' })
  const from = await boxOf(grip)
  const [x, y] = [from.x + from.width / 2, from.y + from.height / 2]
  await page.mouse.move(x, y)
  await page.mouse.down()
  await page.mouse.move(x, y + 12)
  await page.mouse.move(x, y + 24)
  const dragged = Number(await grip.getAttribute('aria-valuenow'))
  expect(dragged).toBeLessThan(49_950)
  expect(world.requests.since(0)).toHaveLength(1)
  await page.mouse.up()
  await expect.poll(() => lastOf(world).asked).toBe(`PATCH /api/sdk/orders/ord_1 {"price":${dragged}}`)
  const shown = page.locator('.ladder, .area-orders tbody')
  await expect
    .poll(() => shown.allTextContents())
    .toEqual(expect.arrayContaining([expect.stringContaining(dragged.toLocaleString('en-US'))]))

  await grip.focus()
  await page.keyboard.press('Shift+ArrowUp')
  await page.keyboard.press('Escape')
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('Enter')
  const moved = Math.round((dragged + 0.02) * 100) / 100
  await expect.poll(() => lastOf(world).asked).toBe(`PATCH /api/sdk/orders/ord_1 {"price":${moved}}`)

  await ticket.getByText('waits for an ask of').waitFor()
  await ticket.getByLabel('Quantity').fill('0.3')
  await ticket.getByRole('button', { name: 'Change', exact: true }).click()
  await expect
    .poll(() => lastOf(world))
    .toEqual({ asked: 'PATCH /api/sdk/orders/ord_1 {"quantity":0.3}', status: 200 })
  expect(await accessibilityFlaws(page)).toEqual([])
  await page.getByRole('button', { name: 'Cancel ord_1' }).click()
  await page.locator('.order-line').waitFor({ state: 'detached' })
  expect(lastOf(world)).toEqual({ asked: 'DELETE /api/sdk/orders/ord_1', status: 200 })

  await ticket.getByRole('tab', { name: 'Order' }).click()
  await ticket.getByRole('button', { name: '▼ Sell' }).click()
  await ticket.getByLabel('Quantity, BTC').fill('5000000')
  await ticket.getByRole('button', { name: 'Sell as trader' }).click()
  await ticket.getByText(/✗ 4\d\d /).waitFor()
  await ticket.getByRole('tab', { name: 'Quote' }).click()
  await ticket.getByText('trader has no key with the scope MARKET_MAKING').waitFor()
  expect(complaints).toEqual([])
  await page.close()
})

it('quotes, and shows the lives of orders and quotes with what happened on them, by their states', async () => {
  const world = createWorld('lives')
  await venue.admin('POST', '/worlds/lives/accounts/maker/keys', { scopes: ['READ', 'TRADE'] })
  const { page, complaints } = await open('world=lives&account=maker')
  const ticket = page.getByRole('region', { name: 'Ticket' })
  await ticket.getByRole('tab', { name: 'Quote' }).click()
  await ticket.getByLabel('Bid', { exact: true }).fill('49000')
  await ticket.getByLabel('Ask', { exact: true }).fill('51000')
  await ticket.getByRole('button', { name: 'Quote as maker' }).click()
  await expect.poll(() => page.locator('.order-line').count()).toBe(2)
  expect(lastOf(world, 'maker').asked).toContain('POST /api/sdk/quotes')

  const body = { side: 'buy', asset: 'BTC', quantity: 0.1 }
  world.request('maker', 'POST', '/api/sdk/orders', { ...body, orderType: 'market' })
  // Not a reset: a browser sends a request again whose connection was reset before any byte of an answer.
  const cut = { type: 'limit_data', count: 1, attributes: { bytes: 20 } }
  await venue.admin('POST', '/worlds/lives/faults', cut)
  await ticket.getByRole('tab', { name: 'Order' }).click()
  await ticket.getByLabel('Price, USD').fill('48000')
  await ticket.getByRole('button', { name: 'Buy as maker' }).click()
  await page.locator('.message.bad').waitFor()
  // The answer was lost, and counts as failed, with its phase.
  await page.locator('.filter-bar label', { hasText: /^Show/ }).locator('select').selectOption('failed')
  await page.getByRole('button', { name: /buy 0.1 BTC @ 48,000.*cut off on its way/ }).click()
  await page
    .locator('.inspector dd', { hasText: 'cut off on its way: only a part reached its caller' })
    .waitFor()

  await page.getByRole('tab', { name: 'Lifelines' }).click()
  const lives = page.getByRole('region', { name: 'Lifelines' })
  const rows = lives.getByRole('button')
  await expect.poll(() => rows.count()).toBe(3)
  expect(await rows.allTextContents()).toEqual([
    expect.stringMatching(/^ord_4.*buy.*0.1 @ 48,000.*open.*waits for an ask of 48,000 or less/),
    expect.stringMatching(/^ord_3.*buy.*0.1 @ market.*filled 0.1/),
    expect.stringMatching(/^qt_1.*quote.*0.1 @ 49,000 \/ 0.1 @ 51,000.*active.*waits for takers, ends in/),
  ])
  expect(await lives.locator('.life-mark.fault').count()).toBe(1)
  expect(await lives.locator('.life-mark.fill').count()).toBeGreaterThan(0)
  await page.getByRole('button', { name: /^filled/ }).click()
  await expect.poll(() => rows.count()).toBe(1)
  await page.getByRole('button', { name: /^pending/ }).click()
  await expect.poll(() => rows.count()).toBe(2)
  expect(await accessibilityFlaws(page, '.area-orders')).toEqual([])
  expect(complaints).toEqual([])
  await page.close()

  // A link to an order opens with it: its row, its line, and what it waits for.
  const { page: linked } = await open('world=lives&order=ord_4')
  await linked.locator('.life[aria-pressed=true]', { hasText: 'ord_4' }).waitFor()
  await linked.locator('.order-line.selected .grip', { hasText: '48,000' }).waitFor()
  await linked.locator('.ticket-form', { hasText: 'waits for an ask of 48,000' }).waitFor()
  expect(new URL(linked.url()).hash).toContain('account=maker&asset=BTC&order=ord_4')
  await linked.evaluate(`location.hash = '#world=lives&account=maker&request=1'`)
  await linked.locator('.request[aria-pressed=true]', { hasText: 'quote BTC' }).waitFor()
  await linked.locator('.life[aria-pressed=true]', { hasText: 'qt_1' }).waitFor()
  await linked.evaluate(`location.hash = '#world=lives&order=ord_77'`)
  await linked.getByText('There is no order ord_77 in this world').waitFor()
  await linked.close()
})

it('keeps the layout that was arranged, until it is put back', async () => {
  createWorld('arranged')
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } })
  const page = await context.newPage()
  const load = async () => {
    await page.goto(`${venue.server.url}/__admin/console/#world=arranged&account=trader`)
    await page.locator('.uplot canvas').first().waitFor()
  }
  const order = () =>
    page.evaluate(`[...document.querySelectorAll('.cell')].map((cell) => cell.dataset.panel).join(' ')`)
  await load()
  expect(await order()).toBe('market orders book requests ticket portfolio risk controls')
  await page.getByRole('button', { name: 'Move Order book' }).focus()
  await page.keyboard.press('ArrowRight')
  await page.getByRole('button', { name: 'Move Portfolio' }).dragTo(page.locator('.at-orders'))
  const arranged = 'market portfolio orders book requests ticket risk controls'
  await expect.poll(order).toBe(arranged)
  const width = async () => (await boxOf(page.locator('.at-requests'))).width
  const before = await width()
  await page.getByRole('separator', { name: 'Width of the third column' }).focus()
  await page.keyboard.press('ArrowLeft')
  await expect.poll(width).toBe(before + 16)
  await load()
  expect(await order()).toBe(arranged)
  expect(await width()).toBe(before + 16)
  expect(await accessibilityFlaws(page)).toEqual([])
  await page.getByRole('button', { name: 'Put the panels back as they were' }).click()
  expect(await order()).toBe('market orders book requests ticket portfolio risk controls')
  await context.close()
})

it('keeps what is being typed while the order and the moment change beside it', async () => {
  const world = createWorld('typed')
  const order = { side: 'buy', asset: 'BTC', quantity: 0.1, price: 49_900 }
  world.request('trader', 'POST', '/api/sdk/orders', order)
  const { page, complaints } = await open('world=typed&account=trader&order=ord_1')
  const ticket = page.getByRole('region', { name: 'Ticket' })
  await ticket.getByLabel('Quantity').fill('0.3')
  const note = page.getByRole('textbox', { name: 'Note on this moment' })
  await note.fill('moved by another')
  world.request('trader', 'PATCH', '/api/sdk/orders/ord_1', { price: 49_800 })
  await expect.poll(() => ticket.getByLabel('Price, USD').inputValue()).toBe('49,800.00')
  expect(await ticket.getByLabel('Quantity').inputValue()).toBe('0.3')
  expect(await note.inputValue()).toBe('moved by another')
  await page.getByRole('button', { name: 'Note', exact: true }).click()
  await page.getByRole('combobox', { name: 'Go to a note' }).waitFor()

  await ticket.getByRole('button', { name: 'Change', exact: true }).click()
  const changed = { asked: 'PATCH /api/sdk/orders/ord_1 {"quantity":0.3}', status: 200 }
  await expect.poll(() => lastOf(world)).toEqual(changed)
  await ticket.getByText('buy 0.3,').waitFor()
  world.request('trader', 'PATCH', '/api/sdk/orders/ord_1', { quantity: 0.2 })
  await expect.poll(() => ticket.getByLabel('Quantity').inputValue()).toBe('0.2')
  expect(complaints).toEqual([])
  await page.close()
})

it('places an order once where the browser sends it again, and says so', async () => {
  const world = createWorld('resent')
  const { page } = await open('world=resent&account=trader&asset=BTC')
  const fault = {
    type: 'reset_peer',
    phase: 'after',
    count: 1,
    match: { method: 'POST', path: '/api/sdk/orders' },
  }
  expect((await venue.admin('POST', '/worlds/resent/faults', fault)).status).toBe(201)
  const ticket = page.locator('.area-ticket')
  await ticket.getByLabel('Quantity, BTC').fill('0.2')
  await ticket.getByLabel('Price, USD').fill('49,950')
  await ticket.getByRole('button', { name: 'Buy as trader' }).click()
  // Chromium sends again over a connection that it has used before, and else reports that no answer came.
  const resent = ticket.getByText('It was placed once: the venue knew its client id.')
  const unanswered = page.locator('.message:not([hidden])')
  await expect.poll(async () => (await resent.count()) + (await unanswered.count())).toBe(1)
  const { orders } = Object(world.request('trader', 'GET', '/api/sdk/orders').body)
  expect(orders).toHaveLength(1)
  const posted = world.requests.since(0).filter(({ method }) => method === 'POST')
  expect(await resent.count()).toBe(posted.length - 1)
  await page.close()
})
