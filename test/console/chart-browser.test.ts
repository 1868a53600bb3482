import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { priceNumber } from '../../src/api/answer.ts'
import { buildChartData } from '../../src/console/model/chart-data.ts'
import type { HistoryPrices } from '../../src/console/model/documents.ts'
import { linesOfBytes } from '../../src/journal/lines.ts'
import { millis } from '../../src/numeric/units.ts'
import { loadScenarioValue } from '../../src/scenario/load-tree.ts'
import { describeEvent } from '../../src/world/events/describe-event.ts'
import { publicName } from '../../src/world/events/event-log.ts'
import { replayJournal } from '../../src/world/journals/replay.ts'
import type { World } from '../../src/world/world.ts'
import { startFixture, type VenueFixture } from '../server/venue-fixture.ts'
import { accessibilityFlaws } from '../support/axe.ts'
import { complaintsOf, isRefusalOrNoError, launchBrowser } from '../support/browser.ts'
import { panelsOfAConsole, pictureOf } from '../support/picture.ts'
import { livelyScenario } from '../world/scenarios.ts'

/*
 * The chart and the strip of a day in a real browser: what they tell is what the world was.
 * @module-tag chromium
 */

let browser: Browser
let venue: VenueFixture
let world: World
const startMillis = Date.parse('2026-01-05T00:00:00Z')
/** Best bid and ask at each second of the day. */
const seen: string[][] = []
/** Marks at each second of the day, before and after what was ordered then. */
const marks: number[][] = []
/** Quantity traded at each second of the day. */
const volumes: number[] = []
const minutes = 24 * 60

beforeAll(async () => {
  browser = await launchBrowser()
  venue = await startFixture()
  const loaded = loadScenarioValue({
    ...livelyScenario,
    clock: { ...livelyScenario.clock, mode: 'realtime' },
  })
  const made = loaded.ok ? venue.worlds.create(loaded.value, { id: 'day' }) : null
  if (made?.ok !== true) throw new Error('the scenario compiles')
  world = made.world
  let lastEvent = 0
  for (let second = 0; second < minutes * 60; second += 1) {
    const own = [markOf(world)]
    if (second % 600 === 0) {
      const side = second % 1200 === 0 ? 'buy' : 'sell'
      world.request('trader', 'POST', '/api/sdk/orders', {
        ...{ side, asset: 'BTC', quantity: 0.01, orderType: 'market' },
      })
    }
    const { body } = world.request('trader', 'GET', '/api/sdk/market-data/orderbook/BTC?depth=1')
    const { bids, asks } = Object(body)
    seen.push([money(bids[0]?.price), money(asks[0]?.price)])
    marks.push([...own, markOf(world)])
    const events = world.events.since(lastEvent)
    lastEvent = world.events.lastSequence
    const trades = events.filter(({ type }) => publicName(type) === 'trade')
    const traded = trades.map((raw) =>
      Number(describeEvent(raw, world.venue.state, world.idScheme)['quantity']),
    )
    volumes.push(traded.reduce((sum, quantity) => sum + quantity, 0))
    venue.wall.advance(1000)
    world.time.catchUp()
  }
  const far = { side: 'buy', asset: 'BTC', quantity: 5000, price: 40_000 }
  world.request('trader', 'POST', '/api/sdk/orders', far)
  world.request('trader', 'POST', '/api/sdk/orders', { ...far, quantity: 0.01 })
  // The past of a day is worked out a little with each request.
  for (let isWhole = false; !isWhole; )
    isWhole = Object((await venue.admin('GET', '/worlds/day/history?from=100000')).body).isWhole
})
afterAll(async () => {
  await browser.close()
  await venue.server.close()
})

/** The mark of BTC, in USD. */
function markOf({ venue: { state } }: World): number {
  const asset = state.assets.rowOf('BTC')
  return priceNumber(state.assets.tradedAsset(asset).pair, state.markTicks.get(asset))
}

const money = (price: number): string => price.toFixed(2).replace(/\B(?=(\d{3})+\.)/g, ',')

async function open(): Promise<{ page: Page; complaints: readonly string[] }> {
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } })
  const complaints = complaintsOf(page, {
    request: (url) => url.startsWith(venue.server.url),
    message: isRefusalOrNoError,
  })
  await page.goto(`${venue.server.url}/__admin/console/#world=day&account=trader`)
  await page.locator('figure.chart[aria-label*="own fills: 144"]').waitFor()
  return { page, complaints }
}

/** What the legend says at a part of the chart's width: the instant, bid and ask. */
async function readingAt(page: Page, part: number): Promise<readonly string[]> {
  const box = await page.locator('.chart .u-over').boundingBox()
  if (box === null) throw new Error('no chart')
  await page.mouse.move(box.x + box.width * part, box.y + box.height / 3)
  await page.evaluate('new Promise(requestAnimationFrame)')
  const values = await page.locator('.chart .u-legend .u-value').allTextContents()
  return [values[0] ?? '', values[3] ?? '', values[4] ?? '']
}

const secondOf = (text: string): number => (Date.parse(`${text.replace(' ', 'T')}Z`) - startMillis) / 1000

it('has all of the day, and under the pointer the best prices of that second; its zoom stays', async () => {
  const { page, complaints } = await open()
  const [first] = await readingAt(page, 0.001)
  expect(first).toBe('2026-01-05 00:00:00')
  const [last] = await readingAt(page, 0.99)
  expect(secondOf(last ?? '')).toBeGreaterThan(minutes * 60 * 0.98)

  await page.getByRole('button', { name: '10 m', exact: true }).click()
  await page.getByRole('button', { name: 'Earlier' }).click()
  await page.getByRole('button', { name: 'Earlier' }).click()
  const from = minutes * 60 - 1800
  await expect.poll(async () => secondOf((await readingAt(page, 0.01))[0] ?? '')).toBeLessThan(from + 700)
  for (let place = 1; place < 20; place += 1) {
    const [at = '', bid, ask] = await readingAt(page, place / 20)
    expect([at, bid, ask]).toEqual([at, ...(seen[secondOf(at)] ?? [])])
  }
  const before = await readingAt(page, 0.5)
  await page.getByText('moments').waitFor()
  venue.wall.advance(2000)
  await expect.poll(() => page.locator('.clock .time').textContent()).toContain('00:00:02')
  expect(await readingAt(page, 0.5)).toEqual(before)
  await page.getByRole('tab', { name: /History/ }).click()
  const [pointed = ''] = await readingAt(page, 0.99)
  const line = (await page.locator('.log .pointed').textContent())?.slice(0, 8)
  const earlier = secondOf(pointed) - secondOf(`2026-01-05 ${line}`)
  expect([earlier >= 0, earlier <= 600]).toEqual([true, true])
  expect(await accessibilityFlaws(page, 'figure.chart')).toEqual([])
  expect(complaints).toEqual([])
  await page.close()
})

it('tells of each candle how it opened, its extremes, how it closed and its volume, and what the script did', async () => {
  const { page, complaints } = await open()
  await page.getByRole('button', { name: 'Candles' }).click()
  await page.getByLabel('Interval of the candles').selectOption({ label: '15 m' })
  const box = await page.locator('.chart .u-over').boundingBox()
  if (box === null) throw new Error('no chart')
  const readout = page.locator('.readout')
  const told: string[] = []
  const wanted: string[] = []
  for (let candle = 1; candle < 96; candle += 7) {
    const [first, end] = [candle * 900, (candle + 1) * 900]
    const middle = ((first + end) / 2 / (minutes * 60)) * box.width
    await page.mouse.move(box.x + middle, box.y + box.height / 2)
    await page.evaluate('new Promise(requestAnimationFrame)')
    told.push((await readout.textContent())?.split('  ·')[0] ?? '')
    const own = marks.slice(first, end).flat()
    const [open = 0, close = 0] = [marks[first]?.[0], own.at(-1)]
    const volume = volumes.slice(first, end).reduce((sum, quantity) => sum + quantity, 0)
    const amount = volume.toFixed(4).replace(/\.?0+$/, '')
    wanted.push(
      [
        '15 m',
        `O ${money(open)}`,
        `H ${money(Math.max(...own))}`,
        `L ${money(Math.min(...own))}`,
        `C ${money(close)}`,
        `V ${amount}`,
      ].join('  '),
    )
  }
  expect(told).toEqual(wanted)

  await page.locator('.chart summary').click()
  const noted = await page.getByRole('region', { name: 'Annotations' }).locator('tbody tr').allTextContents()
  const scripted = Array.from({ length: Math.floor(minutes / 7) }, (_, turn) => (turn + 1) * 7)
  expect(noted.map((text) => text.slice(0, 12))).toEqual(
    scripted.slice(-20).map((minute) => new Date(minute * 60_000).toISOString().slice(11, 23)),
  )
  expect(await page.locator('.chart summary').textContent()).toContain(
    `20 of ${scripted.length + 1} annotations`,
  )
  await expect.poll(() => page.locator('.axis-label.last').textContent()).toBe(money(markOf(world)))
  expect(await accessibilityFlaws(page, 'figure.chart')).toEqual([])
  expect(complaints).toEqual([])
  await page.close()
})

it('covers no part of the label of a tick with that of the last price, whatever the height', async () => {
  const { page } = await open()
  await page.getByRole('button', { name: 'Candles' }).click()
  await expect.poll(() => page.locator('.axis-label.last').textContent()).toBe(money(markOf(world)))
  const painted: string[] = []
  for (let height = 700; height < 1_000; height += 11) {
    await page.setViewportSize({ width: 1440, height })
    await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))')
    painted.push(await page.evaluate<string>(paintedBeside))
  }
  expect(painted.filter((rows) => rows !== '')).toEqual([])
  await page.close()
})

/** Lists the rows of pixels right above and below the last price's label that have something painted beside the plot. */
const paintedBeside = `(() => {
  const label = document.querySelector('.axis-label.last')
  const canvas = label.parentElement.querySelector(':scope > canvas')
  const [own, whole] = [label.getBoundingClientRect(), canvas.getBoundingClientRect()]
  const left = Math.round(own.left - whole.left) + 8
  return [own.top - 4, own.top - 3, own.top - 2, own.bottom + 2, own.bottom + 3, own.bottom + 4]
    .map((y) => Math.round(y - whole.top))
    .filter((row) => canvas.getContext('2d').getImageData(left, row, canvas.width - left, 1).data
      .some((value, place) => place % 4 === 3 && value > 0))
    .join(' ')
})()`

it('draws what the journal says: every bid, ask and own fill, and the extremes of what it leaves out', async () => {
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } })
  const coming = page.waitForResponse((response) => response.url().includes('/history/prices'))
  await page.goto(`${venue.server.url}/__admin/console/#world=day&account=trader&asset=BTC`)
  const prices: HistoryPrices = JSON.parse(await (await coming).text())
  const [seconds, , , , , bought = [], sold = []] = buildChartData(prices, prices.rows.length)
  expect([prices.stepMs > 0, prices.rows.length > 500]).toEqual([true, true])

  const marks = prices.rows.map(([at, line, , bid, ask]) => ({
    ...{ at: Number(at), line: Number(line), told: `${bid} ${ask}` },
  }))
  const wrong: object[] = []
  let next = 0
  const compare = (there: World, untilMillis: number) => {
    for (let mark = marks[next]; mark !== undefined; next += 1, mark = marks[next]) {
      if (mark.line !== there.sequence || mark.at > untilMillis) return
      there.time.passTimeTo(millis(mark.at))
      const after = marks[next + 1]
      if (after?.at === mark.at && after.line === mark.line) continue
      const { body } = there.request('trader', 'GET', '/api/sdk/market-data/orderbook/BTC?depth=1')
      const {
        bids: [bid],
        asks: [ask],
      } = Object(body)
      const own = `${bid?.price ?? null} ${ask?.price ?? null}`
      if (own !== mark.told) wrong.push({ ...mark, own })
    }
  }
  const text = [...(venue.worlds.journalOf(world)?.text() ?? [])].join('')
  const replayed = replayJournal(linesOfBytes(Buffer.from(text)), undefined, null, {
    scenario: world.running.startScenario,
    onAction: () => undefined,
    onStart: (there) => compare(there, there.now),
    beforeLine: compare,
    afterLine: () => undefined,
  })
  if (replayed.kind !== 'done') throw new Error(replayed.kind)
  compare(replayed.world, world.now)
  expect([wrong, next]).toEqual([[], marks.length])

  const trades: object[] = []
  for (let at = 1, isMore = true; isMore; at += 1) {
    const answer = replayed.world.request('trader', 'GET', `/api/sdk/portfolio/trades?limit=100&page=${at}`)
    const { trades: rows, pagination } = Object(answer.body)
    for (const { timestamp, side, price } of rows) trades.unshift([Date.parse(timestamp), side, price])
    isMore = at < pagination.totalPages
  }
  const drawn = seconds.flatMap((second, place) =>
    (
      [
        ['buy', bought[place]],
        ['sell', sold[place]],
      ] as const
    ).flatMap(([side, price]) =>
      typeof price === 'number' ? [[Math.round(second * 1000), side, price]] : [],
    ),
  )
  expect(drawn).toEqual(trades)
  expect(trades).toHaveLength(144)

  const spans = new Map<number, HistoryPrices['rows'][number][]>()
  for (const row of prices.rows) {
    const span = Math.floor(Number(row[0]) / prices.stepMs)
    spans.set(span, [...(spans.get(span) ?? []), row])
  }
  for (const [second, [bid = '', ask = '']] of seen.entries()) {
    const at = startMillis + second * 1000
    const rows = spans.get(Math.floor(at / prices.stepMs))
    // Where nothing has changed in a span, what held before it holds.
    if (rows === undefined || Number(rows[0]?.[0]) > at) continue
    for (const [column, told] of [
      [3, bid],
      [4, ask],
    ] as const) {
      const own = rows.map((row) => Number(row[column]))
      const price = Number(told.replaceAll(',', ''))
      if (price < Math.min(...own) || price > Math.max(...own)) wrong.push({ at, column, told })
    }
  }
  expect(wrong).toEqual([])
  expect(await pictureOf(page)).toEqual([
    ...panelsOfAConsole,
    expect.stringMatching(/^\.chart: (accent )?up down past$/),
    '.lanes: accent up past',
  ])
  await page.close()
})

it('shows how much of each kind there was on the strip, and goes where it is pressed', async () => {
  const { page, complaints } = await open()
  const names = page.locator('.lane-names')
  await expect.poll(() => names.textContent()).toMatch(/orders \d{3}.*trades 144/)
  const strip = await page.locator('.lanes > div').boundingBox()
  if (strip === null) throw new Error('no strip')
  await page.mouse.click(strip.x + strip.width / 2, strip.y + 20)
  await page.getByText('the past', { exact: true }).waitFor()
  await page.locator('.clock .time', { hasText: /2026-01-05\s*(11:5|12:0)/ }).waitFor()
  await page.mouse.move(strip.x + strip.width / 4, strip.y + 20)
  await page.mouse.wheel(0, -400)
  await expect.poll(() => names.textContent()).not.toContain('trades 144')
  expect(complaints).toEqual([])
  await page.close()
})
