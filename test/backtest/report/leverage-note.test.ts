import { expect, it } from 'vitest'
import { readPageAssets } from '../../../src/backtest/report/page-assets.ts'
import { createRunReport } from '../../../src/backtest/report/run-report.ts'
import { context, sampleResult } from './sample-result.ts'

/** A run over four hours whose account has so much of everything, and its page's section about exposure. */
function sectionOf(equity: readonly number[], position: readonly number[]): string {
  const sample = sampleResult({ steps: equity.length - 1, fills: 1 })
  const assets = [{ asset: 'BTC', price: equity.map(() => 100), position }]
  const result = { ...sample, equity: { ...sample.equity, equity, cash: equity, assets } }
  const limits = { maxExposure: 1e6, maxExposurePerAsset: {}, maxLeverage: 3 }
  const page = createRunReport(result, { ...context, limits }, readPageAssets())
  return page.slice(page.indexOf('Exposure and limits</h2>'), page.indexOf('Distribution of returns</h2>'))
}

it('says when an account was beyond its leverage and when nothing was left, and draws no leverage then', () => {
  const section = sectionOf([1000, 500, 200, -100, 50], [10, 10, 10, 10, 0])
  expect(section).toMatch(
    /Leverage was above its limit of 3 at 1 of 5 points of the grid, first at \S+ 02:00:00 UTC\. No equity was left at 1 of 5 points of the grid, first at \S+ 03:00:00 UTC\. The venue refuses orders that would add to such an exposure, and closes no position by itself\./,
  )
  // The scale of the chart once went to 100 trillion.
  expect(section).not.toMatch(/\d[TB]</)
})

it('says nothing of an account within its leverage', () => {
  const section = sectionOf([1000, 1000, 1000, 1000, 1000], [10, 20, 30, 30, 0])
  expect(section).not.toContain('closes no position')
  expect(section).toContain('Leverage')
})
