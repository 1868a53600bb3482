import { describe, expect, it } from 'vitest'
import {
  formatMatrix,
  type JudgedCell,
  judgeMatrix,
  type MatrixReport,
} from '../../../src/cli/matrix/matrix-report.ts'

const plain = (_style: string, text: string): string => text

const report: MatrixReport = {
  tests: 8,
  tried: 2,
  rows: 1,
  singles: [],
  combinations: [],
  lookedAt: { requests: 20, tests: 8, readings: 2, faults: 0 },
  leftOut: { readings: 5, faults: 0 },
}

it('says how to run one of the failing combinations again', () => {
  const cell = {
    name: 'envelope=wrapped with nulls=omit',
    settings: [
      { key: 'envelope', value: 'wrapped' },
      { key: 'nulls', value: 'omit' },
    ],
    fault: null,
  } as const
  const seen = { code: 1, isTimeout: false, reason: null, tests: ['reads an order'] }
  const combinations = [{ cell, kind: 'broken', isMet: true, requests: 3, seen } as const]
  expect(formatMatrix({ ...report, combinations }, plain).split('\n')).toEqual([
    '8 tests under 2 readings and faults one by one, and 1 combinations of readings',
    'looked at: 20 requests, 8 tests, 2 readings, 0 faults',
    'left out, so nothing is known of them: 5 readings',
    '',
    '✗ envelope=wrapped with nulls=omit',
    '    breaks: reads an order',
    '',
    '1 break it; pin in readings.json what the venue is known to do',
    'one again: otcsim exec --readings envelope=wrapped,nulls=omit -- ...',
    '',
  ])
})

describe('the verdict of a matrix', () => {
  const single = (key: 'nulls' | 'envelope', kind: JudgedCell['kind'], isMet = true): JudgedCell => ({
    cell: { name: `${key}=x`, settings: [{ key, value: 'x' }], fault: null },
    kind,
    isMet,
    requests: 2,
    seen: kind === 'passed' ? null : { code: 1, isTimeout: false, reason: null, tests: null },
  })

  it.each([
    ['nothing breaks it', [single('nulls', 'passed')], [], null],
    ['one breaks it', [single('nulls', 'broken')], [], /^1 of the required .* breaks the suite$/],
    [
      'another one than what is required breaks it',
      [single('nulls', 'passed'), single('envelope', 'broken')],
      ['nulls'],
      null,
    ],
    ['one is flaky', [single('nulls', 'flaky')], [], /^1 of the required .* makes the suite flaky$/],
    ['what is required is flaky', [single('nulls', 'flaky')], ['nulls'], /flaky/],
    ['another one is flaky', [single('nulls', 'passed'), single('envelope', 'flaky')], ['nulls'], null],
    ['one was never met', [single('nulls', 'passed', false)], [], null],
    [
      'what is required was never met',
      [single('nulls', 'passed', false)],
      ['nulls'],
      /^required, but met by no request: nulls=x$/,
    ],
  ])('when %s', (_what, singles, required, said) => {
    const verdict = judgeMatrix({ ...report, singles }, required)
    if (said === null) expect(verdict).toBe(null)
    else expect(verdict).toMatch(said)
  })

  it('is none when no request has met anything', () => {
    const lookedAt = { requests: 20, readings: 0, faults: 0 }
    expect(judgeMatrix({ ...report, lookedAt }, [])).toMatch(/^nothing was judged: no request has met/)
  })

  it('lists what is flaky, and what was never met', () => {
    const singles = [single('nulls', 'flaky'), single('envelope', 'passed', false)]
    const text = formatMatrix({ ...report, singles }, plain)
    expect(text).toMatch(/^~ nulls=x {2}flaky: passes when repeated$/m)
    expect(text).toMatch(/^- never met by a request: envelope=x$/m)
    expect(text).not.toContain('✓')
  })
})
