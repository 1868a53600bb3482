import { expect, it } from 'vitest'
import * as entry from '../../src/backtest/entry.ts'

it('gives a user what it takes to write strategies and to run them', () => {
  expect(Object.keys(entry).toSorted()).toEqual([
    'StrategyError',
    'StrategyFileError',
    'VenueError',
    'backtest',
    'captureDocument',
    'defineStrategy',
    'flattenMetrics',
    'loadStrategy',
    'readCaptureDocument',
    'resumeBacktest',
    'runLive',
  ])
})
