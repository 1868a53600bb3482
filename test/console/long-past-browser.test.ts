import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { millis } from '../../src/numeric/units.ts'
import { loadScenarioValue } from '../../src/scenario/load-tree.ts'
import { startFixture } from '../server/venue-fixture.ts'
import { complaintsOf, isRefusalOrNoError, launchBrowser, waitForPast } from '../support/browser.ts'
import { panelsOfAConsole, pictureOf } from '../support/picture.ts'
import { livelyScenario } from '../world/scenarios.ts'

/*
 * A world of 20,000 lines in a real browser: its strip can be read and scrubbed.
 * @module-tag chromium
 */

const lines = 20_000
const steps = 60

it('shows each lane of 20,000 lines as more and less, and follows each step of a scrub', async () => {
  const venue = await startFixture()
  const browser = await launchBrowser()
  const loaded = loadScenarioValue({ ...livelyScenario, clock: { ...livelyScenario.clock, mode: 'manual' } })
  const made = loaded.ok ? venue.worlds.create(loaded.value, { id: 'long' }) : null
  if (made?.ok !== true) throw new Error('the scenario compiles')
  const { world } = made
  const order = { side: 'buy', asset: 'BTC', quantity: 0.01 }
  for (let turn = 0; world.sequence < lines; turn += 1) {
    const far = { ...order, price: 40_000 + (turn % 100) }
    const { body } = world.request('trader', 'POST', '/api/sdk/orders', far)
    world.request('trader', 'DELETE', `/api/sdk/orders/${Object(body).orderId}`)
    if (turn % 20 < 3)
      world.request('trader', 'POST', '/api/sdk/orders', {
        ...order,
        orderType: 'market',
        side: turn % 2 ? 'buy' : 'sell',
      })
    if (turn % 100 === 0) world.request('trader', 'POST', '/api/sdk/orders', { ...far, quantity: 5000 })
    if (turn % 7 === 0) world.time.passTimeTo(millis(world.now + 100 + (turn % 900)))
  }
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } })
  const complaints = complaintsOf(page, {
    request: (url) => url.startsWith(venue.server.url),
    message: isRefusalOrNoError,
  })
  await page.goto(`${venue.server.url}/__admin/console/#world=long&account=trader`)
  // While the past is worked out, the page says how far it has come, and draws no price beyond.
  const note = page.locator('.read-end')
  await note.getByText(/^The past is still being read, up to \d\d:\d\d:\d\d\.\d{3} so far\.$/).waitFor()
  await page.locator('.timeline-bar', { hasText: 'still reading' }).waitFor()
  expect(await page.locator('.axis-label.last').isVisible()).toBe(false)
  for (let isWhole = false; !isWhole; )
    isWhole = Object((await venue.admin('GET', '/worlds/long/history?from=1000000')).body).isWhole
  await waitForPast(page)
  await expect.poll(() => note.textContent()).toBe('')
  await page.locator('.axis-label.last').waitFor()
  const names = await page.locator('.lane-names span').allTextContents()
  const counts = new Map(
    names.map((name) => [name.split(' ')[0], Number(name.split(' ')[1]?.replace(/,/g, ''))]),
  )
  expect(counts.get('orders')).toBeGreaterThan(lines)
  expect(counts.get('trades')).toBeGreaterThan(500)

  // How high each lane is filled, pixel by pixel: a lane that is one bar would have one height.
  const heights: readonly (readonly number[])[] = JSON.parse(
    String(
      await page.evaluate(`(() => {
        const canvas = document.querySelector('.lanes canvas')
        const { width, height } = canvas
        const { data } = canvas.getContext('2d').getImageData(0, 0, width, height)
        const lane = 14 * devicePixelRatio
        const seen = (x, y) => data[(y * width + x) * 4 + 3] > 0
        return JSON.stringify(Array.from({ length: 3 }, (_, row) =>
          Array.from({ length: width }, (_, x) =>
            Array.from({ length: lane - 1 }, (_, y) => seen(x, row * lane + y)).filter(Boolean).length)))
      })()`),
    ),
  )
  const [orders = [], , trades = []] = heights
  for (const filled of [orders, trades]) {
    expect(new Set(filled).size).toBeGreaterThan(4)
    expect(Math.min(...filled)).toBeLessThan(8)
  }

  expect(await pictureOf(page)).toEqual([
    ...panelsOfAConsole,
    expect.stringMatching(/^\.chart: (accent )?up down( past)?$/),
    '.lanes: accent up bad past',
  ])

  const strip = await page.locator('.lanes > div').boundingBox()
  if (strip === null) throw new Error('no strip')
  await page.mouse.move(strip.x + strip.width * 0.6, strip.y + 20)
  await page.mouse.down()
  const address = () => new URL(page.url()).hash
  for (let step = 1; step <= steps; step += 1) {
    const last = address()
    await page.mouse.move(strip.x + strip.width * 0.6 * (1 - step / (steps + 2)), strip.y + 20)
    await expect.poll(address, { interval: 5 }).not.toBe(last)
  }
  await page.mouse.up()
  // At 50 frames a second each has 20 ms.
  expect(await millisPerFrame(page)).toBeLessThan(10)
  const shown = page.locator('.timeline-bar strong')
  const lineInAddress = () => `#${/seq=(\d+)/.exec(address())?.[1]}`
  await expect.poll(async () => (await shown.textContent())?.split(' ')[0] === lineInAddress()).toBe(true)
  await page.locator('.clock .badge', { hasText: 'the past' }).waitFor()
  expect(complaints).toEqual([])
  await browser.close()
  await venue.server.close()
})

const frames = 120

/** What a frame of a scrub across the strip takes of the page's own thread: it does not matter what else the machine does. */
async function millisPerFrame(page: Page): Promise<number> {
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('Performance.enable', { timeDomain: 'threadTicks' })
  const spentSeconds = async () => {
    const { metrics } = await devtools.send('Performance.getMetrics')
    return metrics.find(({ name }) => name === 'TaskDuration')?.value ?? Number.NaN
  }
  const before = await spentSeconds()
  await page.evaluate(`(async () => {
    const strip = document.querySelector('.lanes > div')
    const { left, width, top } = strip.getBoundingClientRect()
    for (let frame = 0; frame < ${frames}; frame += 1) {
      await new Promise(requestAnimationFrame)
      const clientX = left + width * (0.9 - (frame / ${frames}) * 0.8)
      strip.dispatchEvent(new PointerEvent('pointermove', { clientX, clientY: top + 20, buttons: 1, bubbles: true }))
    }
  })()`)
  return (((await spentSeconds()) - before) / frames) * 1000
}
