import { expect, test } from 'vitest'
import type { Command } from '../../src/engine/command.ts'
import type { VenueConfig } from '../../src/engine/config.ts'
import { Venue } from '../../src/engine/venue.ts'
import { millis } from '../../src/numeric/units.ts'
import { startMillis } from '../arbitraries/configs.ts'
import { dynamics } from '../engine/fixtures/lively-venue.ts'
import { EngineSubject } from '../model/engine-subject.ts'
import { caseBudget } from '../support/full-run.ts'
import { movingConfig } from './moving-config.ts'
import { opened, recordedCommands } from './whole-run.ts'

/*
 * Under a coarse grid most of what happens lies between two steps of the market, where commands refresh ladders and
 * what was taken comes back. Wherever such a run is restored or cut, it goes on alike.
 */

test.each([
  [100, 90],
  [7000, 1900],
  [3_600_000, 47_000],
])('a run under a grid of %d ms is cut anywhere', (gridMillis, paceMillis) => {
  const config = onGrid(gridMillis)
  const { commands } = recordedCommands({ hasLadder: true }, 83, caseBudget(220))
  const whole = opened(config)
  let restored = opened(config)
  commands.forEach((command, position) => {
    const at = millis(startMillis + position * paceMillis)
    const half = millis(Math.max(at - Math.floor(paceMillis / 2), restored.venue.now))
    if (position % 3 === 0) restored.execute({ kind: 'advance', at: half })
    const given = position % 9 === 4 ? refreshed(position) : command
    whole.execute({ ...given, at })
    restored.execute({ ...given, at })
    if (position % 4 === 0) restored = copyOf(config, restored)
    expect(restored.venue.digest()).toBe(whole.venue.digest())
  })
})

/** A market that moves and has a ladder which recovers, stepped at such intervals. */
function onGrid(milliseconds: number): VenueConfig {
  const config = movingConfig({ kind: 'gbm', vol: 2, drift: 0 })
  const impact = { y: 0.7, permanent: 0, halfLifeMillis: 20_000, dailyVol: 0.04, advUsd: 100_000 }
  return {
    ...config,
    gridMillis: millis(milliseconds),
    assets: config.assets.map((asset) =>
      asset.liquidity.kind === 'power'
        ? {
            ...asset,
            impact,
            liquidity: {
              ...asset.liquidity,
              depth10bpUsd: 2000,
              dynamics: { ...dynamics, spreadExponent: 1, inventoryUsd: 1000 },
            },
          }
        : asset,
    ),
    market: { ...config.market, gridMillis: milliseconds },
  }
}

/** Makes the ladder anew between two steps of the market; every other time it then refills at another pace. */
function refreshed(position: number): Command {
  const conditions = { spreadMultiplier: 1, depthMultiplier: 1, sides: 'both' } as const
  return {
    kind: 'set-liquidity',
    at: millis(startMillis),
    asset: 1,
    conditions: position % 2 === 0 ? conditions : { ...conditions, refreshMultiplier: 3 },
    isStale: false,
    forMillis: millis(0),
  }
}

function copyOf(config: VenueConfig, from: EngineSubject): EngineSubject {
  const snapshot = from.venue.snapshot()
  return new EngineSubject(config, (sink) => Venue.restore(config, snapshot, sink))
}
