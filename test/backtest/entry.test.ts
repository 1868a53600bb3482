import { expect, it } from 'vitest'
import * as entry from '../../src/backtest/entry.ts'

it('exports what users need to write and run strategies', () => {
  expect(Object.keys(entry).toSorted()).toEqual([
    'StrategyError',
    'StrategyFileError',
    'VenueError',
    'backtest',
    'defineStrategy',
    'flattenMetrics',
    'loadStrategy',
    'outOfSampleOf',
    'runLive',
    'skillOf',
    'sweep',
    'toStep',
  ])
})
