import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { usd } from '../../../src/backtest/report/figures.ts'
import { readPageAssets } from '../../../src/backtest/report/page-assets.ts'
import { createRunReport } from '../../../src/backtest/report/run-report.ts'
import { context, sampleResult } from './sample-result.ts'

/* The pages' script and uPlot come from the build, which `npm ci` and `npm test` make first. */

const assets = readPageAssets()
const page = createRunReport(sampleResult(), context, assets)

/** The visible markup, without the scripts. */
const markupOf = (text: string): string => text.slice(text.indexOf('<body>'), text.indexOf('<script'))

/** Texts that must not be visible. */
const slips = /NaN|Infinity|undefined|\[object/

describe('the report of a run', () => {
  it('is the same bytes for the same run', () => {
    expect(createRunReport(sampleResult(), context, assets) === page).toBe(true)
  })

  it('has its sections in reading order', () => {
    const titles = [...page.matchAll(/<h2 [^>]*>([^<]+)<\/h2>/g)].map((match) => match[1])
    expect(titles).toEqual([
      'At a glance',
      'Assertions',
      'Key figures',
      'Equity and drawdown',
      'Price, fills and own quotes',
      'Inventory',
      'Markouts and making',
      'Costs and attribution',
      'Exposure and limits',
      'Distribution of returns',
      'Hours of the day',
      'Other seeds',
      'Realism of the path',
      'Fills',
      'Event log',
    ])
  })

  it('begins with the outcome, whether luck could explain it, and what failed', () => {
    const lead = page.slice(page.indexOf('<h1>'), page.indexOf('</header>'))
    expect(lead).toMatch(
      /sample &lt;maker&gt; &amp; &quot;friends&quot;: trading (made|lost) [0-9,.]+ USD, holding (made|lost) [0-9,.]+ USD<\/h1>/,
    )
    const luck = 'The mean return is 1.35 standard errors from 0: at most what chance gives'
    expect(lead.includes(luck)).toBe(true)
    expect(lead.includes('1 of the assertions failed.')).toBe(true)
    expect(lead.includes('0123456789abcdef0123456789abcdef')).toBe(true)
    expect(lead.includes('otcsim backtest maker.ts --seed &#39;7&#39;')).toBe(true)
  })

  it('has no figure of a year on the cards of a run of days, and has it there of a run of months', () => {
    const cardOf = (markup: string): string =>
      /<div><dt>Sharpe<\/dt><dd>(.*?)<\/dd>/.exec(markup.slice(markup.indexOf('class="cards"')))?.[1] ?? ''
    expect(cardOf(page)).toBe('n/a <span class="why">(the run is shorter than 30 days)</span>')
    const sample = sampleResult()
    const sampling = { ...sample.metrics.sampling, days: 90 }
    const yearly = { sharpe: { value: 1.5, reason: null }, sharpeError: { value: 1.1, reason: null } }
    const returns = { ...sample.metrics.returns, ...yearly }
    const long = createRunReport(
      { ...sample, metrics: { ...sample.metrics, returns, sampling } },
      context,
      assets,
    )
    expect(cardOf(long)).toBe('1.50')
    expect(long).toContain('The Sharpe ratio is 1.50 ± 1.10 a year: at most what chance gives')
  })

  it('tells what holding made apart from what trading made, unless nothing was held', () => {
    const sample = sampleResult()
    const withHeld = (heldProfit: number, tradingProfit: number): string => {
      const benchmark = { ...sample.metrics.benchmark, heldProfit, tradingProfit }
      const returns = { ...sample.metrics.returns, profit: heldProfit + tradingProfit }
      const text = createRunReport(
        { ...sample, metrics: { ...sample.metrics, benchmark, returns } },
        context,
        assets,
      )
      return /<h1>.*?: (.*?)<\/h1>/.exec(text)?.[1] ?? ''
    }
    expect(withHeld(4049.7, 51.2)).toBe('trading made 51.20 USD, holding made 4,049.70 USD')
    expect(withHeld(-4049.7, 51.2)).toBe('trading made 51.20 USD, holding lost 4,049.70 USD')
    expect(withHeld(0, 51.2)).toBe('earned 51.20 USD')
    expect(withHeld(0.001, -3)).toBe('lost 3.00 USD')
  })

  it('gives a reason for each undefined figure', () => {
    const text = markupOf(page)
    expect(text.includes('n/a <span class="why">(the run is shorter than 30 days)</span>')).toBe(true)
    expect(text.match(slips)).toBeNull()
  })

  it('states how far apart its points are, and how its ratios are computed', () => {
    const sample = sampleResult()
    const { sampling } = sample.metrics
    const metrics = { ...sample.metrics, sampling: { ...sampling, returns: 40, ratioMillis: 86_400_000 } }
    const lead = createRunReport({ ...sample, metrics }, context, assets)
    expect(lead).toContain('of 40 returns, of 1 d each')
  })

  it('draws the series that the strategy recorded, with their gaps, up to a limit', () => {
    const atMillis = [sampleResult().fromMillis, sampleResult().fromMillis + 1000, sampleResult().toMillis]
    const series = Object.fromEntries(
      Array.from({ length: 14 }, (_, place) => [`z <${place}>`, { atMillis, values: [1, null, place] }]),
    )
    const text = createRunReport({ ...sampleResult(), series }, context, assets)
    const section = text.slice(text.indexOf('id="recorded"'), text.indexOf('id="making"'))
    expect(section).toContain('z &lt;11&gt;')
    expect(section).toContain('Not drawn, but in the result: 2 more, such as z &lt;12&gt;.')
    expect(markupOf(text).match(slips)).toBeNull()
  })

  it('compares the equity with buying and holding', () => {
    expect(page).toContain('buying and holding')
    expect(page).toContain('<th scope="row">Profit of trading</th>')
  })

  it('has the figures and the equity of another run beside its own, and what the two do not share', () => {
    const other = sampleResult({ steps: 20 })
    const beside = { ...other, seed: '8', parameters: { ...other.parameters, spreadBps: 9 } }
    const page = createRunReport(sampleResult(), { ...context, beside }, assets)
    const text = markupOf(page).replaceAll(/<[^>]+>/g, '|')
    const tables = text.slice(text.indexOf('How the two runs differ'))
    expect(tables).toMatch(/\|Seed\|+7\|+8\|/)
    expect(tables).not.toMatch(/\|Strategy\|/)
    expect(tables).toMatch(/\|Figure\|+This run\|+The other\|/)
    const profit = (run: typeof other) => run.metrics.benchmark.tradingProfit
    expect(profit(beside)).not.toBe(profit(sampleResult()))
    const [, own, others] = /Profit of trading\|+\n?\|*([^|]+ USD)\|+([^|]+ USD)\|/.exec(tables) ?? []
    expect([own, others]).toEqual([profit(sampleResult()), profit(beside)].map(usd))
    expect(page).toContain('the other run, from the same money')
    expect(markupOf(page).match(slips)).toBeNull()
  })

  it('escapes all texts of a run, and allows its own scripts only', () => {
    expect(page.match(/<maker>|<script>alert|<i>|<b>/)).toBeNull()
    const policy = /http-equiv="Content-Security-Policy" content="([^"]+)"/.exec(page)?.[1] ?? ''
    const allowed = [...policy.matchAll(/sha256-([A-Za-z0-9+/=]+)/g)].map((match) => match[1])
    const inlined = [...page.matchAll(/<(script|style)>([\s\S]*?)<\/\1>/g)].map((match) =>
      createHash('sha256')
        .update(match[2] ?? '')
        .digest('base64'),
    )
    expect(policy).toMatch(/^default-src &#39;none&#39;; /)
    expect(new Set(inlined)).toEqual(new Set(allowed))
    expect(inlined).toHaveLength(2)
    expect(markupOf(page).match(/ (?:style|on[a-z]+)="/)).toBeNull()
  })

  it('has unique element ids, and refers to existing ones only', () => {
    const markup = markupOf(page)
    const ids = [...markup.matchAll(/ id="([^"]+)"/g)].map((match) => match[1])
    expect(new Set(ids).size).toBe(ids.length)
    const targets = [...markup.matchAll(/ (?:href="#|aria-labelledby=")([^"]+)"/g)].flatMap((match) =>
      (match[1] ?? '').split(' '),
    )
    expect(targets.filter((target) => !ids.includes(target))).toEqual([])
    expect(markup.match(/(?:src|href)="(?!#)/)).toBeNull()
  })

  it('stays below 2 MB for a year of hours with 20,000 fills', () => {
    const year = sampleResult({ steps: 8_760, fills: 20_000 })
    const started = performance.now()
    const large = createRunReport(year, context, assets)
    expect(Buffer.byteLength(large)).toBeLessThan(2_000_000)
    // The target is 2 s on an idle core; other tests run at the same time.
    expect(performance.now() - started).toBeLessThan(20_000)
  })
})

it('shows a run in which nothing happened', () => {
  const result = {
    ...sampleResult({ steps: 1, fills: 0 }),
    fills: [],
    quotes: [],
    orders: [],
    rejects: [],
    notes: [],
  }
  const bare = createRunReport(
    result,
    { ...context, assertions: [], limits: null, realism: null, seeds: null },
    assets,
  )
  expect(bare.includes('Nothing was traded.')).toBe(true)
  expect(bare.includes('The limits of the account are not known here.')).toBe(true)
  expect(bare.includes('This is one path of many.')).toBe(true)
  expect(markupOf(bare).match(slips)).toBeNull()
})
