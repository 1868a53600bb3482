import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { jsonField } from '../../src/api/json.ts'
import { linesOfBytes } from '../../src/journal/lines.ts'
import { createStream } from '../../src/numeric/random.ts'
import { isoToMillis } from '../../src/numeric/time-text.ts'
import { millis } from '../../src/numeric/units.ts'
import { loadScenarioValue } from '../../src/scenario/load-tree.ts'
import { noReplayLimit, replayJournal } from '../../src/world/journals/replay.ts'
import type { World } from '../../src/world/world.ts'
import { otcsim } from '../cli/harness.ts'
import { startFixture, type VenueFixture } from '../server/venue-fixture.ts'
import { launchBrowser } from '../support/browser.ts'
import { folderWith } from '../support/temporary-folder.ts'

/*
 * Numbers drawn by a seed from the console and from a report, read off the page as a person reads them and computed anew
 * from the journal.
 * @module-tag chromium
 */

const seed = process.env['NUMBERS_SEED'] ?? '39'
const stream = createStream(seed, 'sixty numbers', '', 0)

/** A number as a page shows it, and what the journal gives for it. */
interface Reading {
  readonly what: string
  readonly shown: string
  readonly known: number
}

const scenario = {
  version: 1,
  name: 'sixty',
  seed: '11',
  clock: { start: '2026-01-05T00:00:00Z', end: '2h', mode: 'manual' },
  market: {
    flow: { kind: 'poisson', ratePerMinute: { BTC: 2, ETH: 2 } },
    assets: {
      BTC: { price: 50_000, model: { kind: 'gbm', vol: 0.6 }, liquidity: { kind: 'power' } },
      ETH: { price: 3000, model: { kind: 'gbm', vol: 0.8 }, liquidity: { kind: 'power' } },
    },
  },
  accounts: [
    { id: 'first', balances: { USD: 1_000_000, BTC: 10, ETH: 100 } },
    { id: 'second', balances: { USD: 500_000, BTC: 5, ETH: 50 } },
  ],
  timeline: [
    ...[3, 17, 31, 46, 72, 95].map((minute, place) => ({
      at: `+${minute}m`,
      order: {
        account: place % 2 === 0 ? 'first' : 'second',
        side: place % 3 === 0 ? 'sell' : 'buy',
        asset: place < 3 ? 'BTC' : 'ETH',
        quantity: (37 * (place + 1)) / 100,
        orderType: 'market',
      },
    })),
    { at: '+20m', order: { account: 'first', side: 'buy', asset: 'BTC', quantity: 0.25, price: 41_234.5 } },
    { at: '+21m', order: { account: 'second', side: 'sell', asset: 'ETH', quantity: 3.5, price: 4567.25 } },
  ],
}

let browser: Browser
let venue: VenueFixture
let world: World
beforeAll(async () => {
  browser = await launchBrowser()
  venue = await startFixture()
  const loaded = loadScenarioValue(scenario)
  const made = loaded.ok ? venue.worlds.create(loaded.value, { id: 'sixty' }) : null
  if (made?.ok !== true) throw new Error(JSON.stringify(loaded))
  world = made.world
  await venue.admin('POST', '/worlds/sixty/clock/advance', { byMs: 7_200_000 })
  // The past is worked out a little with each request.
  for (let isWhole = false; !isWhole; )
    isWhole = Object((await venue.admin('GET', '/worlds/sixty/history?from=0')).body).isWhole
})
afterAll(async () => {
  await browser.close()
  await venue.server.close()
})

/** Replays the journal to an instant, in a world of its own. */
function replayTo(atMillis: number): World {
  const text = [...(venue.worlds.journalOf(world)?.text() ?? [])].join('')
  const replayed = replayJournal(linesOfBytes(Buffer.from(text)), { ...noReplayLimit, atMillis })
  if (replayed.kind !== 'done') throw new Error(replayed.kind)
  if (replayed.world.now < atMillis) replayed.world.time.passTimeTo(millis(atMillis))
  return replayed.world
}

/** Whether a number, rounded to as many decimals as the page shows, is what it shows. */
function isShown({ shown, known }: Reading): boolean {
  const digits = shown.replace(/[,+ ]|[A-Z]{3}$/g, '').replace('−', '-')
  const decimals = /\.(\d+)$/.exec(digits)?.[1]?.length ?? 0
  return digits !== '' && Number(digits) === Number(known.toFixed(decimals))
}

async function readTable(page: Page, label: string): Promise<readonly (readonly string[])[]> {
  const rows = page.locator(`section[aria-label="${label}"] tbody tr`)
  await rows.first().waitFor()
  return await Promise.all((await rows.all()).map((row) => row.locator('td').allTextContents()))
}

async function readFigures(page: Page, part: string): Promise<ReadonlyMap<string, string>> {
  const names = await page.locator(`${part} dl.figures dt`).allTextContents()
  const values = await page.locator(`${part} dl.figures dd`).allTextContents()
  return new Map(names.map((name, place) => [name, values[place] ?? '']))
}

const field = (body: unknown, name: string): number => Number(jsonField(Object(body), name))
const listed = (body: unknown, name: string): readonly object[] => {
  const items = jsonField(Object(body), name)
  return Array.isArray(items) ? items : []
}

/** Reads every number of the market, the book, the portfolio and the fills at one moment. */
async function readConsole(at: string, account: string, asset: string): Promise<readonly Reading[]> {
  const there = replayTo(isoToMillis(at) ?? Number.NaN)
  const ask = (path: string): unknown => there.request(account, 'GET', `/api/sdk${path}`).body
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } })
  const words = new URLSearchParams({ world: 'sixty', seq: String(there.sequence), at, account, asset })
  await page.goto(`${venue.server.url}/__admin/console/#${words}`)
  await page.locator('.clock .time', { hasText: at.slice(11, 19) }).waitFor()
  await page.locator('.present').waitFor()
  const readings: Reading[] = []
  const where = `${asset} of ${account} at ${at}`

  const price = ask(`/market-data/prices/${asset}`)
  const present = await readFigures(page, '.present')
  for (const [name, key] of Object.entries({ Bid: 'bid', Ask: 'ask', Last: 'last', Volume: 'volume24h' }))
    readings.push({ what: `${name}, ${where}`, shown: present.get(name) ?? '', known: field(price, key) })

  const book = ask(`/market-data/orderbook/${asset}?depth=11`)
  const levels = [...listed(book, 'asks').toReversed(), ...listed(book, 'bids')]
  const rows = (await readTable(page, 'Levels of the book')).filter((row) => row.length === 4)
  expect(rows).toHaveLength(levels.length)
  for (const [place, [, quantity = '', of = '']] of rows.entries()) {
    readings.push({ what: `price ${place}, ${where}`, shown: of, known: field(levels[place], 'price') })
    readings.push({
      what: `quantity ${place}, ${where}`,
      shown: quantity,
      known: field(levels[place], 'quantity'),
    })
  }

  const balances = listed(ask('/portfolio/balances'), 'balances')
  for (const [name = '', available = '', locked = '', , usd = ''] of await readTable(page, 'Balances')) {
    const balance = balances.find((each) => jsonField(each, 'asset') === name)
    const cells = { available, locked, usdValue: usd }
    for (const [key, shown] of Object.entries(cells))
      readings.push({ what: `${key} of ${name}, ${where}`, shown, known: field(balance, key) })
  }

  const trades = listed(ask('/portfolio/trades?limit=100'), 'trades')
  if (trades.length > 0) {
    await page.getByRole('tab', { name: /^Fills/ }).click()
    for (const [place, row] of (await readTable(page, 'Fills')).entries()) {
      const [, , , quantity = '', of = '', value = '', fee = ''] = row
      for (const [key, shown] of Object.entries({ quantity, price: of, value, fee }))
        readings.push({ what: `${key} of fill ${place}, ${where}`, shown, known: field(trades[place], key) })
    }
  }
  await page.close()
  return readings
}

/** Draws some readings without putting any back. */
function draw(readings: readonly Reading[], count: number): readonly Reading[] {
  const left = [...readings]
  expect(left.length).toBeGreaterThan(count)
  return Array.from({ length: count }, () => {
    const [drawn] = left.splice(Math.floor(stream.uniform() * left.length), 1)
    if (drawn === undefined) throw new Error('there are enough')
    return drawn
  })
}

it('forty numbers of the console at drawn moments are those of the journal', {
  timeout: 120_000,
}, async () => {
  const readings: Reading[] = []
  for (const account of ['first', 'second'])
    for (const asset of ['BTC', 'ETH']) {
      const second = Math.floor(stream.uniform() * 7200)
      const at = new Date(Date.parse(scenario.clock.start) + second * 1000).toISOString()
      readings.push(...(await readConsole(at, account, asset)))
    }
  const drawn = draw(readings, 40)
  expect(drawn.filter((reading) => !isShown(reading))).toEqual([])
})

it('twenty numbers of a run’s report are those of the journal', { timeout: 120_000 }, async () => {
  const cwd = folderWith({
    'sixty.json': JSON.stringify({ ...scenario, clock: { ...scenario.clock, mode: undefined } }),
  })
  await otcsim(['run', 'sixty.json', '--allow-no-expectations', '--html', 'sixty.html'], { cwd })
  const file = join(cwd, 'sixty.html')
  expect(readFileSync(file, 'utf8')).toContain('sixty')
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } })
  await page.goto(pathToFileURL(file).href)
  const there = replayTo(world.now)
  const begun = replayTo(Date.parse(scenario.clock.start))
  const readings: Reading[] = []
  const add = (what: string, shown: string | undefined, known: number): void => {
    readings.push({ what, shown: shown ?? '', known })
  }

  const ask = (of: World, account: string, path: string): unknown =>
    of.request(account, 'GET', `/api/sdk${path}`).body
  const fills =
    (await page
      .locator('details', { hasText: /^Fills/ })
      .locator('code')
      .textContent()) ?? ''
  const lines = fills.split('\n')
  for (const account of ['first', 'second']) {
    const own = lines.filter((line) => line.includes(`  ${account}  `)).toReversed()
    const trades = listed(ask(there, account, '/portfolio/trades?limit=100'), 'trades')
    expect(own).toHaveLength(trades.length)
    for (const [place, line] of own.entries()) {
      const [, quantity, price, fee] = /([\d.]+) [A-Z]+ @ ([\d.]+) {2}fee ([\d.]+)/.exec(line) ?? []
      add(`quantity: ${line}`, quantity, field(trades[place], 'quantity'))
      add(`price: ${line}`, price, field(trades[place], 'price'))
      add(`fee: ${line}`, fee, field(trades[place], 'fee'))
    }
    const [balance = ''] = (
      (await page
        .locator('details', { hasText: /^Balances/ })
        .locator('code')
        .textContent()) ?? ''
    )
      .split('\n')
      .filter((line) => line.startsWith(account))
    const balances = listed(ask(there, account, '/portfolio/balances'), 'balances')
    for (const asset of ['USD', 'BTC', 'ETH']) {
      const [, total, locked] =
        new RegExp(`([\\d.]+) ${asset}(?: \\(([\\d.]+) locked\\))?`).exec(balance) ?? []
      const row = balances.find((each) => jsonField(each, 'asset') === asset)
      add(`${asset} of ${account}`, total, field(row, 'available') + field(row, 'locked'))
      if (locked !== undefined) add(`${asset} of ${account} locked`, locked, field(row, 'locked'))
    }
    const [, worth] = /worth ([\d.]+) USD/.exec(balance) ?? []
    add(`worth of ${account}`, worth, field(ask(there, account, '/portfolio/summary'), 'totalValue'))
  }
  const captions = (await page.locator('figcaption').allTextContents()).join('\n')
  for (const asset of ['BTC', 'ETH']) {
    const [, from, to] =
      new RegExp(`mark of ${asset} goes from ([\\d,]+) to ([\\d,]+) USD`).exec(captions) ?? []
    const mark = (of: World): number => markOf(of, asset)
    add(`first mark of ${asset}`, from, mark(begun))
    add(`last mark of ${asset}`, to, mark(there))
  }
  const drawn = draw(readings, 20)
  expect(drawn.filter((reading) => !isShown(reading))).toEqual([])
  await page.close()
})

function markOf({ venue: { state } }: World, symbol: string): number {
  const asset = state.assets.rowOf(symbol)
  return state.markTicks.get(asset) * state.assets.tradedAsset(asset).tickUsd
}
