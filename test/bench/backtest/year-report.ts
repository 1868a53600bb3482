import { readFileSync } from 'node:fs'
import trend from '../../../scenarios/strategies/trend.ts'
import { backtest } from '../../../src/backtest/backtest.ts'
import { checkRealism } from '../../../src/backtest/report/realism-check.ts'
import { createRunReport } from '../../../src/backtest/report/run-report.ts'
import type { World } from '../../../src/world/world.ts'

export interface YearReport {
  readonly fills: number
  readonly runMillis: number
  readonly reportMillis: number
  readonly bytes: number
}

/**
 * A year of the default market by the minute, and its whole report as `otcsim backtest --html` writes it, with the
 * self-check of the path. `clock` returns milliseconds.
 */
export async function yearReport(clock: () => Promise<number>): Promise<YearReport> {
  const worlds: World[] = []
  const begun = await clock()
  const result = await backtest(trend, {
    model: 'market',
    market: { grid: '1m', type: 'margin', cash: 10_000_000 },
    seed: '7',
    to: '365d',
    tick: '1m',
    parameters: { bar: '10m', quantity: '0.1' },
    onWorld: (world) => void worlds.push(world),
  })
  const ran = await clock()
  const { fills, fromMillis, toMillis } = result
  const [realism = null] = worlds.map(({ scenario, venue }) => {
    const { market } = venue.state
    return checkRealism({ market, spec: scenario.venue.market, fromMillis, toMillis, assets: ['BTC'] })
  })
  const context = {
    version: '0',
    command: 'otcsim backtest',
    parameters: [],
    journalDigest: null,
    assertions: [],
  }
  const page = createRunReport(
    result,
    { ...context, limits: null, realism, seeds: null, beside: null },
    assets(),
  )
  const made = await clock()
  const bytes = Buffer.byteLength(page)
  return { fills: fills.length, runMillis: ran - begun, reportMillis: made - ran, bytes }
}

/** What the build has prepared: uPlot, and the script that zooms. */
function assets() {
  const read = (name: string): string => readFileSync(`dist/report/${name}`, 'utf8')
  return {
    plotStyle: read('uPlot.min.css'),
    pageScript: read('report.js'),
  }
}
