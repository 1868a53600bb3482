import { describe, expect, it } from 'vitest'
import { readPageAssets } from '../../../src/backtest/report/page-assets.ts'
import { createRunReport } from '../../../src/backtest/report/run-report.ts'
import type { BacktestResult } from '../../../src/backtest/result.ts'
import {
  formatBacktest,
  judgeConditions,
  parseConditions,
} from '../../../src/cli/backtest/backtest-outputs.ts'
import { jsonLine } from '../../../src/cli/terminal.ts'
import { type Figure, isFigure } from '../../../src/metrics/figure.ts'
import { figureRow, flattenMetrics, titledFigures } from '../../../src/metrics/metrics.ts'
import { kindsOfRuns } from './kinds-of-runs.ts'
import { context } from './sample-result.ts'

/*
 * One figure has one value: what the JSON says is what the terminal, the report, the row of a sweep and an assertion say, and
 * what one of them withholds is withheld by all, for one reason. The texts are read back as a reader would read them.
 */

/** What a text shows: a number and half of its last digit, or the reason why there is none. */
type Shown = { readonly value: number; readonly half: number } | { readonly reason: string }

const pattern = /n\/a(?: \(([^)]*)\))?|[-−]?(\d[\d,]*)(?:\.(\d+))?(?: ?(%|USD|bp))?/g

function readShown(text: string): readonly Shown[] {
  return [...text.matchAll(pattern)].map(([whole, reason, integer, decimals = '', unit]): Shown => {
    if (integer === undefined) return { reason: reason ?? '' }
    const scale = unit === '%' ? 0.01 : 1
    const size = Number(`${integer.replaceAll(',', '')}.${decimals}`)
    const sign = /^[-−]/.test(whole) ? -1 : 1
    return { value: sign * size * scale, half: 0.5 * 10 ** -decimals.length * scale }
  })
}

/** The figure of a name as the JSON output has it, read back from its text. */
function readJson(result: BacktestResult): (name: string) => Figure {
  const { metrics } = JSON.parse(jsonLine(result))
  return (name) => {
    let value: unknown = metrics
    for (const word of name.split('.')) {
      const entries = Object.entries(typeof value === 'object' && value !== null ? value : {})
      value = Array.isArray(value)
        ? value.find((one) => Object.values(one).map(String).includes(word))
        : entries.find(([key]) => key === word)?.[1]
    }
    if (isFigure(value)) return value
    if (typeof value !== 'number') throw new Error(`the JSON has no figure ${name}`)
    return { value, reason: null }
  }
}

function expectShown(shown: Shown | undefined, figure: Figure, where: string): void {
  const found = { where, shown }
  if (shown === undefined) expect(found).toEqual({ where, shown: figure })
  else if ('reason' in shown) expect(found).toEqual({ where, shown: { reason: figure.reason } })
  else {
    expect([where, figure.value]).toEqual([where, expect.any(Number)])
    const gap = Math.abs(shown.value - Number(figure.value))
    expect([
      where,
      gap <= shown.half * 1.000001 + Math.abs(shown.value) * 1e-12,
      shown.value,
      figure.value,
    ]).toEqual([where, true, shown.value, figure.value])
  }
}

/** The lines of the terminal, and the figures that each shows, in their order. */
const terminalLines: readonly (readonly [label: string, names: readonly string[]])[] = [
  ['profit', ['returns.profit', 'returns.total']],
  ['  came from', ['attribution.spread', 'attribution.inventory', 'attribution.fees']],
  ['CAGR', ['returns.cagr']],
  ['volatility', ['returns.volatility']],
  ['Sharpe', ['returns.sharpe', 'returns.sharpeError']],
  ['Sortino', ['returns.sortino']],
  ['chance of skill', ['returns.probabilisticSharpe']],
  ['max drawdown', ['drawdown.maximum']],
  ['trades', ['activity.orders', 'activity.fills', 'activity.volume']],
  ['costs', ['costs.fees', 'costs.slippageBps']],
]

const entities: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&#39;': "'",
  '&quot;': '"',
}
const toText = (markup: string): string =>
  markup.replace(/<[^>]*>/g, '').replace(/&(?:amp|lt|gt|#39|quot);/g, (entity) => entities[entity] ?? entity)

/** The rows of a report's tables by caption: the title of each, and the texts of its cells. */
function readTables(page: string): ReadonlyMap<string, ReadonlyMap<string, readonly string[]>> {
  const tables = [...page.matchAll(/<table[^>]*>.*?<\/table>/gs)].map(([table]) => {
    const rows = [...table.matchAll(/<tr>(.*?)<\/tr>/gs)].map(([, row = '']) =>
      [...row.matchAll(/<t[hd][^>]*>(.*?)<\/t[hd]>/gs)].map(([, cell = '']) => toText(cell)),
    )
    const caption = toText(/<caption>(.*?)<\/caption>/s.exec(table)?.[1] ?? '')
    return [caption, new Map(rows.map(([title = '', ...cells]) => [title, cells]))] as const
  })
  return new Map(tables)
}

/** The table of a report in which the titled figures of a group are. */
const tablesOfGroups: readonly (readonly [group: string, caption: string])[] = [
  ['returns', 'Returns'],
  ['benchmark', 'Against the market'],
  ['drawdown', 'Falls and tails'],
  ['tail.grid', 'Falls and tails'],
  ['activity', 'Trading'],
  ['costs', 'Trading'],
  ['trips', 'Round trips, before fees but where it says net'],
]

const paint = (_style: string, text: string): string => text

describe.each(kindsOfRuns)('a run of the kind %s', (_name, run) => {
  it('has one value of each figure everywhere', async () => {
    const result = await run()
    const figureOf = readJson(result)
    const flat = flattenMetrics(result.metrics)
    const row: typeof flat = JSON.parse(JSON.stringify(flat))
    const page = createRunReport(
      result,
      { ...context, assertions: [], beside: null, seeds: null },
      readPageAssets(),
    )
    const tables = readTables(page)
    const lines = formatBacktest(result, [], paint).split('\n')

    for (const [name, value] of Object.entries(row)) {
      if (
        figureRow(name)?.unit === 'text' ||
        name.startsWith('drawdown.deepest') ||
        name === 'drawdown.isLongestOpen'
      )
        continue
      const figure = figureOf(name)
      expect([name, figure.value]).toEqual([name, value])
      expect([name, typeof figure.reason]).toEqual([name, value === null ? 'string' : 'object'])
      const condition = parseConditions([`${name} == ${value ?? 0}`.replace('e+', 'e')])
      const [judged] = judgeConditions(condition, result.metrics)
      // Of a run that never traded only counts can be asserted.
      const isJudged = result.metrics.activity.fills > 0 || /^(?:activity|sampling)\./.test(name)
      expect([name, judged?.isMet]).toEqual([name, value !== null && isJudged])
      if (value === null) expect([name, judged?.got]).toEqual([name, `n/a: ${figure.reason}`])
    }

    for (const [label, names] of terminalLines) {
      const line = lines.find((text) => text.startsWith(`  ${label.padEnd(20)}`)) ?? ''
      const shown = readShown(line.slice(22))
      const known = figureOf(names[0] ?? '').value === null ? names.slice(0, 1) : names
      for (const [place, name] of known.entries())
        expectShown(shown[place], figureOf(name), `${label} of the terminal: ${line}`)
    }

    for (const [group, caption] of tablesOfGroups) {
      for (const [name, { title, unit }] of titledFigures(group)) {
        if (unit === 'span' || unit === 'instant') continue
        const cell = tables.get(caption)?.get(title)?.[0] ?? ''
        expectShown(readShown(cell)[0], figureOf(`${group}.${name}`), `${caption}, ${title}: ${cell}`)
      }
    }
  })

  it('says in its sentences, on its cards and in its other tables what its figures say', async () => {
    const result = await run()
    const figureOf = readJson(result)
    const page = createRunReport(
      result,
      { ...context, assertions: [], beside: null, seeds: null },
      readPageAssets(),
    )
    const tables = readTables(page)
    const lead = toText(/<p class="verdict">(.*?)<\/p>/s.exec(page)?.[1] ?? '')
    const [sharpe, tStatistic] = [figureOf('returns.sharpe'), figureOf('returns.tStatistic')]
    if (tStatistic.value === null)
      expect(lead).toContain(`Skill cannot be told from luck: ${tStatistic.reason}.`)
    else {
      const [, told = ''] = /(?:Sharpe ratio is|mean return is) (\S+)/.exec(lead) ?? []
      expectShown(readShown(told)[0], sharpe.value === null ? tStatistic : sharpe, lead)
      expect(lead.includes('Sharpe ratio')).toBe(sharpe.value !== null)
    }
    const cards = new Map(
      [...page.slice(page.indexOf('class="cards"')).matchAll(/<dt>(.*?)<\/dt><dd>(.*?)<\/dd>/gs)].map(
        ([, title = '', value = '']) => [toText(title), toText(value)] as const,
      ),
    )
    const named = [
      Math.abs(result.metrics.benchmark.heldProfit) < 0.005
        ? ['Profit', 'returns.profit']
        : ['Profit of trading', 'benchmark.tradingProfit'],
      ['Return', 'returns.total'],
      ['A year', 'returns.cagr'],
      ['Sharpe', 'returns.sharpe'],
      ['Chance that it is above 0', 'returns.probabilisticSharpe'],
      ['Volatility a year', 'returns.volatility'],
      ['Deepest fall', 'drawdown.maximum'],
      ['The market', 'benchmark.marketReturn'],
      ['Fees', 'costs.fees'],
      ['Hit rate, net of fees', 'trips.netHitRate'],
    ] as const
    for (const [title, name] of named)
      expectShown(readShown(cards.get(title) ?? '')[0], figureOf(name), title)
    const pairs = [
      ['Exposure', 'Gross, mean and largest', ['activity.grossMean', 'activity.grossMaximum']],
      ['Exposure', 'Net, mean and furthest from 0', ['activity.netMean', 'activity.netMaximum']],
      ['Exposure', 'Leverage, mean and largest', ['activity.leverageMean', 'activity.leverageMaximum']],
      ...['delay', 'spread', 'impact', 'opportunity', 'fees', 'total'].map(
        (part) =>
          ['Implementation shortfall: positive is a cost', part, [`costs.shortfall.${part}`]] as const,
      ),
      ...(result.metrics.maker.fills === 0
        ? []
        : ([
            ...titledFigures('maker').map(
              ([name, { title }]) => ['Making', title, [`maker.${name}`]] as const,
            ),
            ...['bps', 'lowBps', 'highBps', 'adverseBps'].map(
              (name, place) =>
                [
                  'Markouts, with 95 % intervals',
                  '1 min',
                  [`maker.markouts.60000.${name}`],
                  place + 1,
                ] as const,
            ),
          ] as const)),
    ] as const
    for (const [caption, title, names, from = 0] of pairs) {
      const cells = tables.get(caption)?.get(title) ?? []
      for (const [place, name] of names.entries()) {
        const cell = cells[place + from] ?? ''
        expectShown(readShown(cell)[0], figureOf(name), `${caption}, ${title}: ${cell}`)
      }
    }
    const open = [...(tables.get('Round trips, before fees but where it says net') ?? [])].filter(([title]) =>
      title.startsWith('Open at the end: '),
    )
    expect(open).toHaveLength(result.metrics.trips.openLots)
    for (const [title, [cell = '']] of open) {
      const asset = title.slice('Open at the end: '.length)
      const shown = readShown(cell)
      for (const [place, name] of ['quantity', 'averageCost', 'unrealized', 'netUnrealized'].entries())
        expectShown(shown[place], figureOf(`trips.open.${asset}.${name}`), cell)
    }
  })
})
