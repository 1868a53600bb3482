import { describe, expect, it } from 'vitest'
import { metricText } from '../../../src/backtest/report/figures.ts'
import { readPageAssets } from '../../../src/backtest/report/page-assets.ts'
import { createSweepReport } from '../../../src/backtest/report/sweep-report.ts'
import { describeOnePath, listCases } from '../../../src/backtest/sweep/plan.ts'
import { formatSweep } from '../../../src/cli/sweep/sweep-outputs.ts'
import { sampleContext, samplePlan, sampleRows } from './sample-sweep.ts'

const assets = readPageAssets()
const page = createSweepReport(samplePlan, sampleRows, sampleContext, assets)
/** What a page shows, without its script. */
const markupOf = (text: string): string => text.slice(text.indexOf('<body>')).split('<script type=')[0] ?? ''
const markup = markupOf(page)

describe('the report of a sweep', () => {
  it('is the same bytes for the same rows in any order', () => {
    expect(createSweepReport(samplePlan, sampleRows, sampleContext, assets) === page).toBe(true)
  })

  it('has its sections', () => {
    const titles = [...page.matchAll(/<h2 [^>]*>([^<]+)<\/h2>/g)].map((match) => match[1])
    expect(titles).toEqual([
      'Cells',
      'Two parameters at a time',
      'Distributions over seeds',
      'Equity over seeds',
      'Paired comparison',
      'Convergence of the median',
      'Worst and best seeds',
      'Failed cases',
    ])
  })

  it('names the best cell by its median, and corrects for the number of tries', () => {
    expect(markup).toMatch(
      /The best of 6 cells, spreadBps=9 informed=0\.2, has a median of [0-9,.]+ USD for returns\.profit/,
    )
    expect(markup).toMatch(
      /The best of 6 cells without skill would have had [0-9.]+; the deflated Sharpe ratio/,
    )
  })

  it('draws for each cell a thin bar of 90 % of its seeds, and inside it a wide one of half of them', () => {
    const picture = markup.slice(markup.indexOf('id="figure-cell-spreads"')).split('</figure>')[0] ?? ''
    const [thin = [], wide = []] = ['f8', 'f1'].map((colour) => {
      const paths = [...picture.matchAll(new RegExp(`<path class="bar ${colour}" d="([^"]+)"`, 'g'))]
      const bars = (paths.at(-1)?.[1] ?? '').matchAll(/M([0-9.]+) ([0-9.]+)h([0-9.]+)v([0-9.]+)/g)
      return [...bars].map(([, ...numbers]) => numbers.map(Number))
    })
    expect([thin.length, wide.length]).toEqual([6, 6])
    for (const [place, [left = 0, top = 0, width = 0, height = 0]] of wide.entries()) {
      const [outerLeft = 0, outerTop = 0, outerWidth = 0, outerHeight = 0] = thin[place] ?? []
      expect([outerLeft > left, outerWidth < width]).toEqual([true, true])
      expect([outerTop < top, outerTop + outerHeight > top + height]).toEqual([true, true])
    }
  })

  it('shows the commands that rerun the worst seeds', () => {
    const commands = [...markup.matchAll(/npx otcsim backtest [^<]+/g)].map((match) => match[0])
    expect(commands[0]).toMatch(
      /^npx otcsim backtest &#39;[^;]*maker &lt;b&gt;\.ts&#39; --scenario calm --to 30d --set spreadBps=2 --param informed=0\.6 --seed \d+ --html seed-\d+\.html$/,
    )
    expect(commands).toHaveLength(12)
  })

  it('escapes all texts, runs no script but its own, and shows no undefined values', () => {
    expect([...page.matchAll(/<script[^>]*>/g)].map(([tag]) => tag)).toEqual([
      '<script type="application/json" id="zoom-data">',
      '<script>',
    ])
    expect(markup.match(/NaN|Infinity|undefined|\[object/)).toBeNull()
    const ids = [...markup.matchAll(/ id="([^"]+)"/g)].map((match) => match[1])
    expect(new Set(ids).size).toBe(ids.length)
  })

  it('says that all seeds of a recording have one path, and lists flags without values', () => {
    expect(createSweepReport(samplePlan, sampleRows, sampleContext, assets)).not.toContain(
      'one sample of the price',
    )
    const scenario = { ...samplePlan.work.scenario, isRecorded: true as const }
    const work = { ...samplePlan.work, scenario, options: { data: 'btc.csv', margin: '' } }
    const plan = { ...samplePlan, work }
    const warning = `All ${plan.seeds.length} seeds have the price path of btc.csv: they vary the book around it alone`
    const page = createSweepReport(plan, sampleRows, sampleContext, assets)
    expect(page).toContain(warning)
    expect(page).toMatch(/margin<\/dt><dd>yes|margin<\/[a-z]+>\s*<[a-z]+[^>]*>yes/)
    expect(formatSweep(plan, sampleRows, 'returns.profit')).toContain(warning)
    expect(describeOnePath({ ...plan, seeds: ['1'] })).toBeNull()
  })

  it('says of each list and picture what it leaves out', () => {
    const axis = (name: string, count: number) => ({
      ...{ name, of: 'strategy' as const },
      values: Array.from({ length: count }, (_, place) => String(place)),
    })
    const grid = [axis('a', 3), axis('b', 4), axis('c', 5), axis('d', 2)]
    const plan = { ...samplePlan, grid, seeds: ['1', '2'] }
    const [row] = sampleRows
    if (row === undefined) throw new Error('no row')
    const rows = listCases(plan).map((each) => ({ ...row, ...each }))
    const wide = createSweepReport(plan, rows, sampleContext, assets)
    expect(wide).toContain('A picture has room for 60 cells; these 120 are in the table.')
    expect(wide).toContain('There are maps of the first 3 of 4 parameters.')
    expect(wide).toContain('the first 100 of 119 cells')
    for (const text of [page, wide]) expect(text).not.toContain('does not speak for the whole')
    const part = createSweepReport(plan, rows.slice(0, 31), sampleContext, assets)
    expect(part).toContain('These are 31 of the 240 cases of the plan: a part')
    const failed = rows.map((one) => ({ ...one, digest: null, metrics: {}, failure: 'too large' }))
    expect(createSweepReport(plan, failed, sampleContext, assets)).toContain(
      '240 cases failed; the first 50 of them',
    )
    expect(formatSweep(plan, failed, 'returns.profit')).toContain('failed, the first 3 of 240\n')
    const others = { unread: ['/a/old.ndjson', '/a/torn.ndjson'] }
    const unread = 'Cells of 2 stores that cannot be read (/a/old.ndjson, ...) are not counted as tried'
    expect(createSweepReport(plan, rows, { ...sampleContext, others }, assets)).toContain(unread)
    expect(formatSweep(plan, rows, 'returns.profit', others)).toContain(unread)
    expect(formatSweep(plan, rows, 'returns.profit', { ...others, trials: 500 })).not.toContain(unread)
  })

  it('shows a sweep of one cell, and one without finished cases', () => {
    const single = { ...samplePlan, grid: [], seeds: ['1'] }
    const row = sampleRows[0]
    if (row === undefined) throw new Error('no row')
    const one = createSweepReport(single, [{ ...row, parameters: {} }], sampleContext, assets)
    expect(one).toContain('There is a median of')
    const none = createSweepReport(samplePlan, [], sampleContext, assets)
    expect(none).toContain('No case has the figure that was asked for.')
    for (const text of [one, none]) expect(markupOf(text).match(/NaN|undefined/)).toBeNull()
  })
})

it.each([
  ['returns.profit', 1_234.5, '1,234.50 USD'],
  ['returns.total', 0.0123, '1.23 %'],
  ['returns.sharpe', 1.5, '1.50'],
  ['drawdown.longestMillis', 3_600_000, '1 h'],
  ['maker.markouts.5000.bps', -1.234, '−1.23 bp'],
  ['costs.fees', 12, '12.00 USD'],
  ['activity.fills', 1_200, '1,200'],
  ['costs.shortfall.total', 3, '3.00 USD'],
  ['benchmark.heldProfit', -3, '−3.00 USD'],
  ['benchmark.alpha', 0.1, '10.00 %'],
  ['drawdown.maximum', -0.1, '−10.00 %'],
  ['maker.inventory.BTC.maximum', 1.5, '1.50'],
  ['maker.inventory.BTC.timeAtLimit', 0.5, '50.0 %'],
])('writes %s as %s', (name, value, text) => {
  expect(metricText(name, value)).toBe(text)
})
