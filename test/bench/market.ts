import { listCandles } from '../../src/market/recordings/candle-table.ts'
import { readTable } from '../../src/market/recordings/recording.ts'
import { millis } from '../../src/numeric/units.ts'
import { measureBareStep } from './market/bare-step.ts'
import { candleText, replayAll, splitRows } from './market/candles.ts'
import { advanceBy, defaultVenue, lookFar, pathOf, symbolsOf } from './market/markets.ts'
import { yearBacktest } from './market/year-backtest.ts'
import { heldBytes, median, timed } from './stopwatch.ts'

/*
 * What a moving market costs, in processor time of one thread, against a bare step of geometric Brownian motion in the
 * same run: one draw, its inverse normal, one exponential. `npm run bench market`; exit code 1 when a promise is
 * broken.
 */

const rounds = 3
const stepsAllowed = 25
let broken = 0

function best(work: () => void): number {
  return median(Array.from({ length: rounds }, () => timed(work).cpuMillis))
}

function line(text: string, isKept = true): void {
  if (!isKept) broken += 1
  process.stdout.write(`${text}${isKept ? '' : '   BROKEN'}\n`)
}

const bareNanos = measureBareStep(best)
line(`a bare step                        ${bareNanos.toFixed(0).padStart(8)} ns`)

for (const count of [1, 5, 20]) {
  const seconds = Math.round(400_000 / count)
  const pathNanos = (best(() => pathOf(symbolsOf(count), 1_000, seconds)) * 1e6) / (seconds * count)
  const venueMillis = best(() => advanceBy(defaultVenue(symbolsOf(count)), millis(seconds * 1_000)))
  const venueNanos = (venueMillis * 1e6) / (seconds * count)
  const perSecond = Math.round(1e9 / venueNanos / 1_000)
  const ratio = venueNanos / bareNanos
  line(
    `${String(count).padStart(2)} assets, an asset-second:  path ${pathNanos.toFixed(0).padStart(5)} ns (${(pathNanos / bareNanos).toFixed(1)} steps)` +
      `   whole market ${venueNanos.toFixed(0).padStart(5)} ns (${ratio.toFixed(1)} steps, ${perSecond} thousand a second)`,
    ratio <= stepsAllowed,
  )
}

const yearMinutes = 525_600
const far = lookFar(yearMinutes)
const walkNanos = ((far.firstMillis - far.secondMillis) * 1e6) / (2 * yearMinutes)
line(
  `a minute of one asset a year ahead: ${far.firstMillis.toFixed(0)} ms at first, for the walk there (${walkNanos.toFixed(0)} ns a minute and factor); ${far.secondMillis.toFixed(2)} ms in another market, with its takers ${far.takersMillis.toFixed(1)} ms; any minute before it ${far.anyMillis.toFixed(2)} ms`,
  far.anyMillis < 1,
)
const yearPath = best(() => pathOf(symbolsOf(3), 60_000, yearMinutes)) / 1_000
line(`a year of three assets by the minute: path ${yearPath.toFixed(2)} s`, yearPath < 10)
let before = 0
let after = 0
const yearVenue = timed(() => {
  const venue = defaultVenue(symbolsOf(3), '1m')
  advanceBy(venue, millis(30 * 86_400_000))
  before = heldBytes()
  advanceBy(venue, millis(335 * 86_400_000))
  after = heldBytes()
}).cpuMillis
const grownMebibytes = (after - before) / 1_048_576
line(`the same in a venue, with ladders and takers: ${(yearVenue / 1_000).toFixed(1)} s`, yearVenue < 120_000)
line(
  `its memory from the first month's end to the year's: ${grownMebibytes.toFixed(1)} MiB more`,
  grownMebibytes < 16,
)

for (const [name, market] of [
  ['the default market', ''],
  ['the same without takers', '  flow: {kind: none}\n'],
] as const) {
  const seconds: string[] = []
  let fills = 0
  for (let run = 0; run < 2; run += 1) {
    const before = process.cpuUsage()
    fills = await yearBacktest(market)
    const { system, user } = process.cpuUsage(before)
    seconds.push(((system + user) / 1e6).toFixed(1))
  }
  line(`a backtest of it on hourly bars, ${name}: ${seconds.join(' s, and again ')} s (${fills} fills)`)
}

const text = candleText(yearMinutes)
const read = () => readTable({ rows: splitRows(text), hasSemicolons: false, firstRowNumber: 1 })
const parse = best(read)
const candles = read()
if (candles.kind === 'trades' || candles.problem !== null) throw new Error(candles.problem?.message)
const list = listCandles(candles.candles)
const replay = best(() => replayAll(list))
line(
  `a year of minute candles: parsed in ${parse.toFixed(0)} ms, replayed in ${replay.toFixed(0)} ms (${(replay / parse).toFixed(2)} of it)`,
  replay <= 3 * parse,
)
process.exitCode = broken === 0 ? 0 : 1
