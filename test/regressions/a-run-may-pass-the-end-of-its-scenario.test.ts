// Room: backtest

import { expect, it } from 'vitest'
import { resolveRunSpan } from '../../src/backtest/run-span.ts'
import { resolveSource } from '../../src/backtest/source.ts'
import { millis } from '../../src/numeric/units.ts'

// A scenario may end before its recording does. A run to a later time was refused, and told that the recording ended
// where the scenario does.
it('the end of a run is held to the recording, not to the end that the scenario states', () => {
  const hour = 3_600_000
  const startMillis = Date.UTC(2026, 0, 5)
  const { scenario } = resolveSource({
    candles: [0, 1, 2].map((place) => ({
      atMillis: startMillis + place * hour,
      spanMillis: hour,
      open: 100,
      high: 104,
      low: 99,
      close: 103,
      volume: 1,
    })),
  })
  const shorter = { ...scenario, clock: { ...scenario.clock, endMillis: millis(startMillis + hour) } }
  expect(resolveRunSpan(shorter, {}).toMillis).toBe(startMillis + hour)
  expect(resolveRunSpan(shorter, { to: '3h' }).toMillis).toBe(startMillis + 3 * hour)
  expect(() => resolveRunSpan(shorter, { to: '4h' })).toThrow(
    'the recording ends at 2026-01-05T03:00:00.000Z',
  )
})
