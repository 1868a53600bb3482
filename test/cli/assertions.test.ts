import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { judgeConditions, parseConditions } from '../../src/cli/backtest/backtest-outputs.ts'
import { flattenMetrics, listFigureNames } from '../../src/metrics/metrics.ts'
import { sampleResult } from '../backtest/report/sample-result.ts'
import { project } from './built-command.ts'
import { otcsim } from './harness.ts'

const { metrics: sample } = sampleResult()
const metrics = {
  ...sample,
  returns: { ...sample.returns, profit: -5 },
  activity: { ...sample.activity, fills: 1 },
}

describe('conditions', () => {
  it.each([
    ['returns.profit < 0', true],
    ['returns.profit<-5', false],
    ['returns.profit <= -5', true],
    ['returns.profit > -1e2', true],
    ['returns.profit >= -4.9', false],
    ['activity.fills == 1', true],
    ['activity.fills != 1', false],
    ['returns.cagr > 0', false],
    ['returns.cagr < 0', false],
  ])('%s: %s', (text, isMet) => {
    expect(judgeConditions(parseConditions([text]), metrics)).toMatchObject([{ isMet }])
  })

  it('tell why a figure is undefined', () => {
    const [met] = judgeConditions(parseConditions(['returns.cagr > 0']), metrics)
    expect(met?.got).toBe('n/a: the run is shorter than 30 days')
  })

  it.each([
    'returns.profit',
    'returns.profit > x',
    '> 1',
    'returns.profit => 1',
    'returns.profit > 1 or 2',
    '',
  ])('refuses %j', (text) => {
    expect(() => parseConditions([text])).toThrow('--assert: expected a figure, a comparison and a number')
  })

  it.each([
    ['returns.profit < 1e999', '1e999 is too large'],
    ['returns.profit > -1e400', '-1e400 is too large'],
    ['activity.orders >= 0', 'nothing can break "activity.orders >= 0": every count meets it'],
    ['activity.fills > -1', 'nothing can break'],
    ['trips.count != -2', 'nothing can break'],
    ['trips.count != 0.5', 'nothing can break'],
  ])('refuses %j, which nothing can break', (text, reason) => {
    expect(() => parseConditions([text])).toThrow(`--assert: ${reason}`)
  })

  it('takes what a count may break', () => {
    for (const text of [
      'activity.orders > 0',
      'activity.fills != 3',
      'trips.count <= 5',
      'returns.profit >= 0',
    ])
      expect(parseConditions([text])).toHaveLength(1)
  })

  it.each([
    ['returns.profits', 'returns.profit'],
    ['maker.markouts.5000.bsp', 'maker.markouts.5000.bps'],
    ['trip.count', 'trips.count'],
  ])('refuses %j, which no run has, before there is a run', (name, nearest) => {
    expect(() => parseConditions([`${name} < 9`])).toThrow(
      `--assert: there is no figure "${name}"; did you mean "${nearest}"?`,
    )
  })

  it('knows each figure of a run', () => {
    for (const name of Object.keys(flattenMetrics(metrics))) {
      expect(parseConditions([`${name} < -1`])).toHaveLength(1)
      expect(listFigureNames(name)).toContain(name)
    }
  })

  it('refuses an entry that the run has not', () => {
    expect(() => judgeConditions(parseConditions(['maker.markouts.7.bps < 9']), metrics)).toThrow(
      '--assert: there is no figure "maker.markouts.7.bps"',
    )
  })
})

it('fail a backtest that does not meet them, after its report, which lists them', async () => {
  const cwd = project()
  const words = ['backtest', 'holder.mjs', '--scenario', 'walk.yaml', '--seed', '7', '--html', 'report.html']
  const conditions = ['--assert', 'activity.fills > 0', '--assert', 'drawdown.maximum > 0.5']
  const ended = await otcsim([...words, ...conditions], { cwd })
  expect(ended.code).toBe(1)
  expect(ended.out).toContain('digest')
  expect(ended.err).toMatch(/^not met: drawdown\.maximum > 0\.5 \(is -0\.\d+\)$/m)
  const report = readFileSync(join(cwd, 'report.html'), 'utf8')
  expect(report).toContain('<li class="pass">activity.fills &gt; 0 (is ')
  expect(report).toContain('<li class="fail">drawdown.maximum &gt; 0.5 (is -0.')
  expect(report).toContain('--assert &#39;activity.fills &gt; 0&#39;')
  expect(await otcsim([...words, '--assert', 'activity.fills > 0'], { cwd })).toMatchObject({ code: 0 })
  expect(await otcsim([...words, '--assert', 'fills > 0'], { cwd })).toMatchObject({ code: 2 })
})
