import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { createMarket } from '../../src/market/create-market.ts'
import { readTable } from '../../src/market/recordings/recording.ts'
import { bands, isWithinBand } from '../../src/metrics/realism/bands.ts'
import { loadScenario } from '../../src/scenario/load.ts'
import type { TakerOrders } from './flow-figures.ts'
import { flowFigures } from './flow-figures.ts'
import { makerCases, measureMakerEdge } from './maker-edge.ts'
import { Sample } from './sample.ts'
import type { Row, Section } from './table.ts'
import { bandText, figureText, spreadText } from './table.ts'

const days = 15

/** Fact 14: the takers of the default market, beside eleven minutes of recorded trades. */
export function flowSection(seeds: readonly string[], folder: string | undefined): Section {
  const bitcoin = new Sample()
  for (const seed of seeds) bitcoin.add(flowFigures(defaultTakers(seed)))
  const real = ['BTC', 'ETH'].flatMap((symbol) =>
    folder === undefined ? [] : [flowFigures(recordedTakers(folder, symbol))],
  )
  const rows = bitcoin.names.map(
    (name): Row => ({
      fact: bands[name]?.fact ?? 0,
      name,
      band: bandText(name),
      values: [spreadText(bitcoin, name), ...real.map((figures) => figureText(figures[name] ?? Number.NaN))],
      isOk: isWithinBand(name, bitcoin.median(name)),
    }),
  )
  const columns = ['BTC', ...(real.length === 0 ? [] : ['real BTC', 'real ETH'])]
  return { title: 'The takers of the default market', columns, rows }
}

/** Fact 15: the profit of a passive maker, a day and a half per figure, with the signs of market.md. */
export function edgeSection(): Section {
  const rows = makerCases.map((of): Row => {
    const { halfSpreadBps, horizonSeconds, informedShare, notedBps } = of
    const { edgeBps } = measureMakerEdge(of, 2160)
    return {
      fact: 15,
      name: `maker at ${halfSpreadBps} bp, ${informedShare} know ${horizonSeconds} s ahead`,
      band: `${notedBps} noted`,
      values: [`${edgeBps.toFixed(2)} bp`],
      isOk: Math.abs(notedBps) <= 0.5 || Math.sign(edgeBps) === Math.sign(notedBps),
    }
  })
  return { title: 'The edge of a passive maker', columns: ['edge'], rows }
}

function defaultTakers(seed: string): TakerOrders {
  const loaded = loadScenario(
    'version: 1\nname: takers\nmarket: {assets: {BTC: {price: 95000}}}\n',
    'takers.yaml',
    {
      seed,
    },
  )
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.problems))
  const market = createMarket(loaded.value.venue.market)
  const [atMillis, signs, valuesUsd]: [number[], number[], number[]] = [[], [], []]
  for (let minute = 0; minute < days * 1440; minute += 1) {
    for (const { offsetMillis, side, valueUsd } of market.arrivalsInMinute(0, minute)) {
      atMillis.push(minute * 60_000 + offsetMillis)
      signs.push(side === 'buy' ? 1 : -1)
      valuesUsd.push(valueUsd)
    }
  }
  return { atMillis, signs, valuesUsd }
}

/** Treats trades of one side at one millisecond as one order. */
function recordedTakers(folder: string, symbol: string): TakerOrders {
  const file = join(folder, 'trades', `${symbol}USDT_trades_2024-08-08T2354_0005.csv.gz`)
  const text = gunzipSync(readFileSync(file)).toString('utf8')
  const rows = text
    .trimEnd()
    .split('\n')
    .map((line) => line.split(','))
  const table = readTable({ rows, hasSemicolons: false, firstRowNumber: 1 })
  if (table.kind === 'candles' || table.problem !== null)
    throw new Error(`${file}, row ${table.problem?.row}: ${table.problem?.message}`)
  const [atMillis, signs, valuesUsd]: [number[], number[], number[]] = [[], [], []]
  for (const { atMillis: at, price, quantity, side } of table.trades) {
    const sign = side === 'sell' ? -1 : 1
    const last = signs.length - 1
    if (atMillis[last] === at && signs[last] === sign)
      valuesUsd[last] = (valuesUsd[last] ?? 0) + price * quantity
    else {
      atMillis.push(at)
      signs.push(sign)
      valuesUsd.push(price * quantity)
    }
  }
  return { atMillis, signs, valuesUsd }
}
