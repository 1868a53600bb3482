import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeFailureFiles, noteFailure } from '../../src/world/logs/test-failure.ts'
import { createShippedLibrary } from '../../src/world/shipped/shipped-scenarios.ts'
import { explainWorld } from '../../src/world/views/failure-facts.ts'
import type { World } from '../../src/world/world.ts'
import { placeBid, startFixture, type VenueFixture } from '../server/venue-fixture.ts'
import { advanceUntilTold } from '../support/advance-until-told.ts'
import { accessibilityFlaws } from '../support/axe.ts'
import { complaintsOf, isRefusalOrNoError, launchBrowser, waitForPast } from '../support/browser.ts'
import { panelsOfAConsole, pictureOf } from '../support/picture.ts'

/*
 * The page in a real browser. `npm ci` and `npm test` build it before this runs.
 * @module-tag chromium
 */

let browser: Browser
let venue: VenueFixture
beforeAll(async () => {
  browser = await launchBrowser()
  venue = await startFixture({ adminToken: 's3cret' })
})
afterAll(async () => {
  await browser.close()
  await venue.server.close()
})

interface Opened {
  readonly page: Page
  /** Requests to other origins, and all errors of the browser. */
  readonly complaints: readonly string[]
}

async function open(colorScheme: 'light' | 'dark', width: number): Promise<Opened> {
  const page = await browser.newPage({ colorScheme, viewport: { width, height: 900 } })
  const complaints = complaintsOf(page, {
    request: (url) => url.startsWith(venue.server.url),
    message: isRefusalOrNoError,
  })
  await page.goto(`${venue.server.url}/__admin/console/`)
  await page.fill('#token', 's3cret')
  await page.press('#token', 'Enter')
  await page.waitForSelector('main')
  return { page, complaints }
}

describe('the console', () => {
  it('shows a client’s order, steps the clock, and goes back to before the order and forward again', async () => {
    const { page, complaints } = await open('light', 1440)
    await page.selectOption('label:has-text("Account") select', 'trader')
    await page.getByText('trader has no open orders.').waitFor()
    await placeBid(venue, 0.5)
    await page.getByRole('cell', { name: 'ord_1', exact: true }).waitFor()
    await page.getByRole('button', { name: '+1 s' }).click()
    await page.getByText('00:00:01.000').first().waitFor()

    await waitForPast(page)
    await page.keyboard.press('[')
    await page.getByText('the past', { exact: true }).waitFor()
    await page.keyboard.press('[')
    await page.keyboard.press('[')
    await page.getByText('trader has no open orders.').waitFor()
    expect(await accessibilityFlaws(page)).toEqual([])
    expect(new URL(page.url()).hash).toMatch(
      /^#world=default&seq=0&at=2026-01-05T00:00:00\.000Z&account=trader/,
    )
    await page.keyboard.press(']')
    await page.getByRole('cell', { name: 'ord_1', exact: true }).waitFor()
    await page.keyboard.press('Escape')
    await page.getByText('now', { exact: true }).waitFor()

    await page.getByRole('button', { name: /buy 0.5 BTC @/ }).click()
    await page.getByRole('button', { name: 'Copy as curl' }).waitFor()
    expect(await page.locator('.inspector pre').first().textContent()).toContain('"quantity": 0.5')
    await page.locator('.inspector dd', { hasText: /^open, 0.5 of 0.5 left: waits for an ask of/ }).waitFor()

    await page.getByRole('tab', { name: 'Faults' }).click()
    await page.selectOption('.faults form select', 'truncated_json')
    await page.getByRole('button', { name: 'Add fault' }).click()
    await page.getByText('truncated_json: from now on').waitFor()
    await page.getByRole('button', { name: 'Delete flt_1' }).click()
    await page.getByText('No faults yet.').waitFor()
    await page.locator('.message').waitFor({ state: 'hidden' })
    expect(complaints).toEqual([])
    await page.close()
  })

  it('shows that the world is being advanced, and how far it has come', async () => {
    await venue.admin('POST', '/worlds', { id: 'busy' }, { authorization: 'Bearer s3cret' })
    const world = venue.worlds.get('busy')
    if (world === undefined) throw new Error('it was created')
    const { page, complaints } = await open('light', 1440)
    await page.selectOption('label:has-text("World") select', 'busy')
    await page.getByText('00:00:00.000').first().waitFor()
    const advancing = advanceUntilTold(world, 3_600_000)
    await page.getByText('This world is being advanced').waitFor()
    await page.getByText('2026-01-05 01:00:00.000').waitFor()
    expect(await page.locator('.clock .time').textContent()).toContain('00:00:00.000')
    expect(await accessibilityFlaws(page, '.clock')).toEqual([])
    advancing.end()
    await page.getByText('This world is being advanced').waitFor({ state: 'detached' })
    await page.locator('.clock .time', { hasText: '01:00:00.000' }).waitFor()
    expect(complaints).toEqual([])
    await page.close()
  })

  it('lists worlds with their failures, and shows a fork beside its parent where the two part', async () => {
    const { page, complaints } = await open('light', 1440)
    await page.getByRole('tab', { name: /Worlds/ }).click()
    await page.fill('.worlds input[name=id]', 'parent')
    await page.getByRole('button', { name: 'New world' }).click()
    await expect.poll(() => new URL(page.url()).hash).toContain('world=parent')
    const parent = venue.worlds.get('parent')
    if (parent === undefined) throw new Error('it was made')
    const order = { side: 'buy', asset: 'BTC', quantity: 0.1, price: 40_000 }
    const send = (world: World, quantity: number) =>
      world.request('trader', 'POST', '/api/sdk/orders', { ...order, quantity })
    send(parent, 0.1)
    await page.getByRole('tab', { name: /History/ }).click()
    await page.locator('.log .request', { hasText: 'place-order' }).first().click()
    await page.getByRole('button', { name: 'Fork a world here' }).click()
    await expect.poll(() => new URL(page.url()).hash).not.toContain('world=parent')
    const forked = venue.worlds.list().at(-1)
    if (forked === undefined) throw new Error('it was forked')
    for (const world of [parent, forked, venue.worlds.default]) send(world, 0.2)
    send(parent, 0.3)
    send(forked, 100)

    await page.getByRole('tab', { name: /Worlds/ }).click()
    const logged = await venue.admin('GET', '/worlds', undefined, { authorization: 'Bearer s3cret' })
    const [known] = Object(logged.body).worlds
    const row = page.locator('.worlds tr', { hasText: 'default' }).first()
    await expect
      .poll(() => row.locator('td.number').allTextContents())
      .toEqual([
        known.now.slice(11, 23),
        String(known.requests),
        String(known.failures),
        expect.stringMatching(/^[\d.]+ (s|m)/),
      ])
    expect(known.requests).toBeGreaterThan(0)
    await page.getByRole('button', { name: 'Compare with parent' }).click()
    const first = page.locator('.worlds tr', { hasText: 'first difference' })
    await first.waitFor()
    const [own, others] = [first.locator('td').nth(1), first.locator('td').nth(2)]
    expect(await own.textContent()).toContain('risk')
    expect(await others.textContent()).not.toContain('risk')
    expect(await accessibilityFlaws(page)).toEqual([])
    expect(await pictureOf(page)).toEqual([
      ...panelsOfAConsole,
      expect.stringMatching(/^\.chart:/),
      '.lanes: accent bad',
    ])
    await others.getByRole('button').click()
    await page.getByText('the past', { exact: true }).waitFor()
    expect(new URL(page.url()).hash).toContain('world=parent')
    await page.getByRole('tab', { name: /Worlds/ }).click()
    await page.getByRole('button', { name: `Delete ${forked.id}` }).click()
    await expect.poll(() => venue.worlds.get(forked.id)).toBeUndefined()
    await page.getByRole('button', { name: `Delete ${forked.id}` }).waitFor({ state: 'detached' })
    expect(complaints).toEqual([])
    await page.close()
  })

  it('names the test of a world, forks one from its row, and finds the requests of all worlds by what came of them', async () => {
    const authorization = { authorization: 'Bearer s3cret' }
    for (const [id, quantity] of [
      ['first', 0.5],
      ['second', 500],
    ] as const) {
      const body = { id, test: `suite > the ${id} one` }
      expect(await venue.admin('POST', '/worlds', body, authorization)).toMatchObject({ status: 201 })
      const order = JSON.stringify({ side: 'buy', asset: 'BTC', quantity, price: 40_000 })
      const key = { apiKey: `simk_${id}_trader`, apiSecret: `sims_${id}_trader` }
      await venue.send({ method: 'POST', target: '/api/sdk/orders', body: order, ...key })
    }
    const { page, complaints } = await open('light', 1440)
    await page.selectOption('label:has-text("World") select', 'first')
    await page.getByRole('button', { name: /buy 0.5 BTC @ 40,000 → ord_1 open/ }).waitFor()
    for (const [label, value] of [
      [/^in/, `all ${venue.worlds.list().length} worlds`],
      [/^Show/, '422'],
      [/^for/, 'POST /orders'],
    ] as const)
      await page.locator('.filter-bar label', { hasText: label }).locator('select').selectOption(value)
    const found = page.getByRole('button', { name: /buy 500 BTC.*422.*second: trader/ })
    await found.click()
    await expect.poll(() => new URL(page.url()).hash).toContain('world=second')
    await page.locator('.inspector dd', { hasText: 'order size 500 exceeds' }).waitFor()

    await page.getByRole('tab', { name: /Worlds/ }).click()
    const row = page.locator('.worlds tr', { hasText: 'suite > the first one' })
    expect(await row.locator('td').first().textContent()).toBe('first')
    const worlds = venue.worlds.list().length
    await row.getByRole('button', { name: 'Fork first' }).click()
    await expect.poll(() => venue.worlds.list().length).toBe(worlds + 1)
    const forked = venue.worlds.list().at(-1)
    await expect.poll(() => new URL(page.url()).hash).toContain(`world=${forked?.id}`)
    expect(forked?.digest()).toBe(venue.worlds.get('first')?.digest())
    expect(complaints).toEqual([])
    await page.close()
  })

  it('opens a journal that is dropped on it as a world, with the failed test that was kept beside it', async () => {
    const made = venue.worlds.create(venue.worlds.default.scenario, { id: 'dropped' })
    if (!made.ok) throw new Error('it was made')
    const keys = { apiKey: 'simk_dropped_trader', apiSecret: 'sims_dropped_trader' }
    for (const quantity of [100, 0.1]) {
      const body = JSON.stringify({ side: 'buy', asset: 'BTC', quantity, price: 40_000 })
      await venue.send({ method: 'POST', target: '/api/sdk/orders', body, ...keys })
    }
    const failure = noteFailure(
      made.world,
      'buys a hundred',
      'expected 422 to be 201',
      explainWorld(made.world, ''),
    )
    const journal = [...(venue.worlds.journalOf(made.world)?.text() ?? [])].join('')
    const [, notes] = makeFailureFiles(made.world, failure, journal)
    const { page, complaints } = await open('light', 1440)
    const drop = (files: readonly { readonly name: string; readonly text: string }[]) =>
      page.evaluate(`{
        const dataTransfer = new DataTransfer()
        for (const { name, text } of ${JSON.stringify(files)}) dataTransfer.items.add(new File([text], name))
        for (const type of ['dragover', 'drop'])
          document.body.dispatchEvent(new DragEvent(type, { dataTransfer, bubbles: true, cancelable: true }))
      }`)
    await drop([
      { name: 'it.journal', text: journal },
      { name: 'it.failure.json', text: notes?.text ?? '' },
    ])
    // First, as this message goes after five seconds, and the world may be drawn later than that under load.
    await page.getByText(/it.journal, it.failure.json is the world w\d+; its clock stands still/).waitFor()
    await page.getByText('✗ buys a hundred').waitFor()
    await page.getByRole('button', { name: /buy 100 BTC @ 40,000.*422/ }).click()
    await page.locator('.inspector dd', { hasText: /\(RISK_LIMIT_EXCEEDED\)$/ }).waitFor()
    await page.getByRole('tab', { name: /Worlds/ }).click()
    await page.getByRole('button', { name: 'Compare with dropped' }).click()
    await page.getByText(/\d+ commands? in common, then w\d+: /).waitFor()
    expect(await accessibilityFlaws(page)).toEqual([])
    for (const [text, reason] of [
      ['{}\n', 'this is not an otcsim journal'],
      [`${journal}{"a":1}\n`, 'line 4'],
    ] as const) {
      await drop([{ name: 'it.journal', text }])
      await page.locator('.message.bad', { hasText: reason }).waitFor()
    }
    expect(complaints).toEqual([])
    await page.close()
  })

  it('shows what the script does next, in a panel and on the strip, until it has done it', async () => {
    const loaded = createShippedLibrary().load('flash-crash')
    if (loaded?.ok !== true) throw new Error('the scenario is shipped')
    venue.worlds.create(loaded.value, { id: 'crash', clock: { mode: 'manual' } })
    const { page, complaints } = await open('light', 1440)
    await page.selectOption('label:has-text("World") select', 'crash')
    await page.getByRole('tab', { name: /Script/ }).click()
    const row = page.getByRole('row', {
      name: '12:01:00.000 1 m 0 s order trader BTC bid flash-crash.yaml:22',
    })
    await row.waitFor()
    const script = page.locator('.lane-names span', { hasText: 'script' })
    expect(await script.textContent()).toMatch(/^script 0 \+7$/)
    expect(await accessibilityFlaws(page)).toEqual([])
    const drawn = () => page.evaluate(`document.querySelector('.strip canvas').toDataURL()`)
    const before = await drawn()
    await page.getByRole('button', { name: '+1 m' }).click()
    await row.waitFor({ state: 'detached' })
    await expect.poll(() => script.textContent()).toBe('script 2 +5')
    expect(await drawn()).not.toBe(before)
    expect(complaints).toEqual([])
    await page.close()
  })

  it('shows what is in force, and changes it by words', async () => {
    const { page, complaints } = await open('light', 1440)
    const made = venue.worlds.create(venue.worlds.default.scenario, { id: 'words' })
    if (!made.ok) throw new Error('it was made')
    await page.selectOption('label:has-text("World") select', 'words')
    const pressed = () => page.locator('.controls button[aria-pressed=true]').allTextContents()
    await expect.poll(pressed).toEqual(['Normal'])
    for (const name of ['Thin and wide', 'Stale', 'Asks only']) {
      await page.getByRole('button', { name, exact: true }).click()
      await expect.poll(pressed).toEqual([name])
    }
    await page.getByRole('button', { name: 'Halt BTC-USD' }).click()
    await expect.poll(pressed).toEqual(['Asks only', 'Resume BTC-USD'])

    await page.getByRole('tab', { name: 'Faults' }).click()
    await page.getByRole('button', { name: 'Next order 503' }).click()
    await page.getByText('method POST, path /api/sdk/orders, status 503, once').waitFor()
    await page.selectOption('.faults form select', 'latency')
    await page.getByLabel('latency, ms', { exact: true }).fill('250')
    await page.getByRole('button', { name: 'Add fault' }).click()
    await page.getByText('latency, ms 250').waitFor()
    expect(made.world.faults.list(made.world.now).map(({ rule }) => rule.type)).toEqual([
      'http_error',
      'latency',
    ])

    await page.getByRole('tab', { name: /Accounts/ }).click()
    await page.getByRole('button', { name: 'maker', exact: true }).click()
    await expect.poll(() => new URL(page.url()).hash).toContain('account=maker')
    await page.getByRole('tab', { name: 'Readings' }).click()
    const reading = page.getByLabel('lists.order')
    expect(await reading.inputValue()).toBe('newest')
    await reading.selectOption('oldest')
    await expect.poll(() => made.world.readings['lists.order']).toBe('oldest')
    const first = page.getByRole('region', { name: 'Readings' }).locator('tbody tr').first()
    await expect.poll(() => first.textContent()).toMatch(/^lists.order.*newest$/)
    expect(complaints).toEqual([])
    await page.close()
  })

  it('has one stop for Tab in each row of orders', async () => {
    const { page, complaints } = await open('light', 1440)
    await page.selectOption('label:has-text("Account") select', 'trader')
    const stops = page.locator('.area-orders tbody .row-actions button')
    await stops.first().focus()
    const focused = () => page.evaluate('document.activeElement.ariaLabel')
    expect(await focused()).toBe('fill ord_2')
    await page.keyboard.press('ArrowRight')
    expect(await focused()).toBe('reject ord_2')
    await page.keyboard.press('Tab')
    expect(await focused()).toBe('fill ord_1')
    expect(await page.locator('.area-orders tbody button:not([tabindex="-1"])').count()).toBe(
      await page.locator('.area-orders tbody tr').count(),
    )
    expect(complaints).toEqual([])
    await page.close()
  })

  it('is accessible in the dark on a smaller screen', async () => {
    const { page, complaints } = await open('dark', 800)
    await page.getByRole('tab', { name: /History/ }).click()
    await waitForPast(page)
    await page.keyboard.press('[')
    await page.getByText('the past', { exact: true }).waitFor()
    expect(await accessibilityFlaws(page)).toEqual([])
    const overflow = await page.evaluate(
      'document.documentElement.scrollWidth - document.documentElement.clientWidth',
    )
    expect([overflow, complaints]).toEqual([0, []])
    await page.close()
  })

  it.each([
    ['light', 1440],
    ['dark', 1440],
    ['light', 1024],
    ['dark', 1024],
    ['light', 390],
    ['dark', 390],
  ] as const)('is accessible in %s at %i pixels', async (theme, width) => {
    const { page, complaints } = await open(theme, width)
    await page.selectOption('label:has-text("Account") select', 'trader')
    await page.locator('.uplot canvas').first().waitFor()
    const gains = await page.evaluate(`['up', 'down'].map((name) => {
      const shown = document.body.appendChild(Object.assign(document.createElement('i'), { className: name }))
      const { color } = getComputedStyle(shown)
      shown.remove()
      return color
    })`)
    expect(new Set(Object.values(Object(gains))).size).toBe(2)
    expect([await accessibilityFlaws(page), complaints]).toEqual([[], []])
    for (const tab of await page.getByRole('tab').all()) {
      await tab.click()
      const panel = `#${await tab.getAttribute('aria-controls')}`
      expect(await accessibilityFlaws(page, panel), panel).toEqual([])
    }
    await page.close()
  })

  it('holds long names on a narrow screen', async () => {
    const seed = 'a test whose name tells all that it is about and more than fits beside anything else'
    const authorization = { authorization: 'Bearer s3cret' }
    await venue.admin('POST', '/worlds', { id: 'narrow', seed }, authorization)
    const { page, complaints } = await open('light', 360)
    await page.selectOption('label:has-text("World") select', 'narrow')
    await page.getByRole('button', { name: 'More' }).click()
    await page.getByText(seed).waitFor()
    await page.locator('.chart summary').click()
    const overflow = await page.evaluate(
      'document.documentElement.scrollWidth - document.documentElement.clientWidth',
    )
    expect([overflow, await accessibilityFlaws(page), complaints]).toEqual([0, [], []])
    await page.close()
  })
})
