import { expect, it } from 'vitest'
import { formatMatrix, type MatrixReport } from '../../../src/cli/matrix/matrix.ts'

const plain = (_style: string, text: string): string => text

it('says how to run one of the failing combinations again', () => {
  const cell = {
    name: 'envelope=wrapped with nulls=omit',
    settings: [
      { key: 'envelope', value: 'wrapped' },
      { key: 'nulls', value: 'omit' },
    ],
    fault: null,
  } as const
  const combinations = [{ cell, code: 1, isTimeout: false, tests: ['reads an order'] }]
  const report: MatrixReport = { tests: 8, tried: 2, rows: 1, singles: [], combinations }
  expect(formatMatrix(report, plain).split('\n').slice(2)).toEqual([
    '✗ envelope=wrapped with nulls=omit',
    '    breaks: reads an order',
    '',
    '1 break it; pin in readings.json what the venue is known to do',
    'one again: otcsim exec --readings envelope=wrapped,nulls=omit -- ...',
    '',
  ])
})
