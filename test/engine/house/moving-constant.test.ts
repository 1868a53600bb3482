import { expect, it } from 'vitest'
import type { Command } from '../../../src/engine/command.ts'
import { millis, partsPerMillion, priceTicks } from '../../../src/numeric/units.ts'
import { LivelyVenue } from '../fixtures/lively-venue.ts'
import { btc, startMillis } from '../fixtures/small-venue.ts'

/* A market that stands still is passed over in one go, but not while a script moves its price. */

const at = millis(startMillis)
const none = partsPerMillion(0)
const path = [0, 10_000].map((offset, place) => ({
  offsetMillis: millis(offset),
  priceTicks: priceTicks(5_000_000 + 50_000 * place),
}))

it.each<[what: string, command: Command]>([
  ['a path', { kind: 'move-price', at, asset: btc, points: path, noiseVol: none }],
  [
    'a drift',
    { kind: 'bend-price', at, asset: btc, volMultiplier: none, drift: partsPerMillion(1_000_000_000) },
  ],
])('%s moves a constant price at each step of one long advance', (_what, command) => {
  const [hurried, stepped] = [new LivelyVenue({ impact: null }), new LivelyVenue({ impact: null })]
  for (const { venue } of [hurried, stepped]) expect(venue.execute(command).ok).toBe(true)
  hurried.advance(9000)
  for (let second = 0; second < 9; second += 1) stepped.advance(1000)
  expect(hurried.markTicks).toBe(stepped.markTicks)
  expect(hurried.markTicks).toBeGreaterThan(5_000_000)
  expect(hurried.venue.digest()).toBe(stepped.venue.digest())
})
