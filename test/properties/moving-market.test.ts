import { expect, test } from 'vitest'
import type { Command } from '../../src/engine/command.ts'
import type { AssetConfig, VenueConfig } from '../../src/engine/config.ts'
import type { ModelSpec } from '../../src/market/models/price-models.ts'
import { millis, partsPerMillion, priceTicks } from '../../src/numeric/units.ts'
import { startMillis } from '../arbitraries/configs.ts'
import type { EngineSubject } from '../model/engine-subject.ts'
import { lineOf } from '../model/recorded-event.ts'
import { caseBudget } from '../support/full-run.ts'
import { movingConfig } from './moving-config.ts'
import { brokenReports } from './report-invariants.ts'
import { copyOf, opened, recordedCommands } from './whole-run.ts'

/*
 * The twin's prices move by commands only. What must hold of a moving market is that nobody moves it (I34), and I50 to I52
 * with models, a ladder with dynamics and synthetic takers.
 */

/** Volatile enough for ticks of one per cent. */
const models: readonly (readonly [name: string, model: ModelSpec])[] = [
  ['gbm', { kind: 'gbm', vol: 60, drift: 0.1 }],
  ['ou', { kind: 'ou', mean: 50, halfLifeMillis: 10_000, stationarySd: 0.03 }],
  [
    'waypoints',
    {
      kind: 'waypoints',
      points: [
        { offsetMillis: 0, price: 50 },
        { offsetMillis: 90_000, price: 45 },
      ],
      noiseVol: 40,
    },
  ],
]

test.each(models)(
  '%s: a price path is the same without orders, with orders, and with another asset',
  (_name, model) => {
    const config = movingConfig(model)
    const recorded = recordedCommands({}, 71, caseBudget(200)).commands
    const commands = recorded.filter(({ kind }) => kind !== 'move-price')
    const still = pricesOf(stepped(config, []))
    expect(still.length).toBeGreaterThan(20)
    expect(pricesOf(stepped(config, commands))).toEqual(still)
    expect(pricesOf(stepped(withAsset(config), []))).toEqual(still)
  },
)

test.each(models)('%s: a run replays, continues from a snapshot, and advances in parts', (_name, model) => {
  const config = movingConfig(model)
  const { commands } = recordedCommands({ hasLadder: true }, 72, caseBudget(150))
  const whole = opened(config)
  const parted = opened(config)
  let restored = opened(config)
  commands.forEach((command, position) => {
    const at = millis(startMillis + position * 700)
    const timed = { ...command, at }
    whole.execute(timed)
    parted.execute({ kind: 'advance', at: millis(Math.max(at - 333, parted.venue.now)) })
    parted.execute(timed)
    if (position % 20 === 10) restored = copyOf(config, restored)
    restored.execute(timed)
    expect(brokenReports(whole.venue.state)).toEqual([])
  })
  expect(parted.venue.digest()).toBe(whole.venue.digest())
  expect(restored.venue.digest()).toBe(whole.venue.digest())
  expect(parted.events.map(lineOf)).toEqual(whole.events.map(lineOf))
})

test('a price jump takes effect at once, and replays', () => {
  const config = movingConfig({ kind: 'constant' })
  const jump: Command = {
    kind: 'move-price',
    at: millis(startMillis + 1500),
    asset: 1,
    points: [{ offsetMillis: millis(0), priceTicks: priceTicks(120) }],
    noiseVol: partsPerMillion(0),
  }
  const venue = opened(config)
  venue.execute(jump)
  expect(venue.venue.state.markTicks.get(1)).toBe(120)
  const again = opened(config)
  again.execute(jump)
  expect(again.venue.digest()).toBe(venue.venue.digest())
})

/** One more asset, behind the others. */
function withAsset(config: VenueConfig): VenueConfig {
  const last = config.assets.at(-1)
  if (last === undefined) return config
  const more: AssetConfig = { ...last, symbol: 'MORE' }
  const market = config.market.assets.at(-1)
  return {
    ...config,
    assets: [...config.assets, more],
    market: {
      ...config.market,
      assets: [...config.market.assets, ...(market === undefined ? [] : [{ ...market, symbol: 'MORE' }])],
    },
  }
}

function stepped(config: VenueConfig, commands: readonly Command[]): EngineSubject {
  const venue = opened(config)
  for (let second = 1; second <= 120; second += 1) {
    for (const command of commands.slice(second * 2 - 2, second * 2))
      venue.execute({ ...command, at: venue.venue.now })
    venue.execute({ kind: 'advance', at: millis(startMillis + second * 1000) })
  }
  return venue
}

/** The path of bitcoin's mark, from the events. */
function pricesOf(venue: EngineSubject): readonly string[] {
  return venue.events
    .filter(({ name, asset }) => name === 'price' && asset === 1)
    .map((event) => `${event.at} ${lineOf(event)}`)
}
