import { describe, expect, it } from 'vitest'
import { makeSnapshotDocument, readSnapshotDocument } from '../../src/journal/snapshot-document.ts'
import { digestSource } from '../../src/scenario/file/source.ts'
import { loadScenarioValue } from '../../src/scenario/load-tree.ts'
import { scheduleActions } from '../../src/world/change-world.ts'
import { startMemoryJournal } from '../../src/world/journals/journal.ts'
import { createWorld, forkWorld, type World } from '../../src/world/world.ts'
import { replayText } from './journals/recorded.ts'

const second = 1000
const start = Date.UTC(2026, 0, 5)
const candles = Array.from({ length: 40 }, (_, minute) => ({
  atMillis: start - 90 * 86_400_000 + minute * 60_000,
  spanMillis: 60_000,
  open: 300 + ((minute * 7) % 11),
  high: 315,
  low: 295,
  close: 300 + (((minute + 1) * 7) % 11),
  volume: 4,
}))

/** Five minutes, a gap of an hour, and five more minutes. */
const withGap = [
  ...candles.slice(0, 5),
  ...candles.slice(0, 5).map((it) => ({ ...it, atMillis: it.atMillis + 3_900_000 })),
]

const models = {
  constant: { kind: 'constant' },
  gbm: { kind: 'gbm', vol: 2 },
  ou: { kind: 'ou', halfLife: '2m', stationarySd: 0.001 },
  merton: { kind: 'merton', jumpsPerYear: 200_000 },
  heston: { kind: 'heston' },
  garch: { kind: 'garch', bar: '1m' },
  regimes: { kind: 'regimes' },
  hawkes: { kind: 'hawkes' },
  market: { kind: 'market', vol: 0.9 },
  bootstrap: { kind: 'bootstrap', data: 'a.csv' },
  replay: { kind: 'replay', data: 'a.csv', gaps: 'halt' },
  waypoints: {
    kind: 'waypoints',
    points: [
      ['+20s', '-1%'],
      ['+45s', '+2%'],
    ],
    noiseVol: 0.5,
  },
}

function scenarioWith(
  timeline: readonly object[],
  flow: object,
  own: object = { kind: 'market' },
  end = '3h',
) {
  const loaded = loadScenarioValue(
    {
      version: 1,
      name: 'switched',
      clock: { start: '2026-01-05T00:00:00Z', end, mode: 'manual' },
      market: {
        flow,
        assets: {
          BTC: { price: 50_000, model: own, liquidity: { kind: 'power' } },
          ETH: {
            price: 2500,
            model: { kind: 'constant' },
            liquidity: { kind: 'none' },
            flow: { kind: 'none' },
          },
        },
      },
      timeline,
    },
    { readCandles: ({ name }) => ({ ok: true, candles: name === 'a.csv' ? candles : withGap }) },
  )
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.problems))
  return loaded.value
}

const busy = { kind: 'hawkes', ratePerMinute: { BTC: 30 }, informed: { share: 0.3, horizon: '30s' } }
const nobody = { kind: 'none' }
const sweep = { side: 'buy', asset: 'BTC', quantity: 8, orderType: 'market' }

/** Takes much of the ladder just before the switch, so that it recovers on both sides of the switch. */
function runInSteps(world: World, steps: readonly number[]): string {
  for (const step of steps) {
    world.advance(step * second)
    if (world.now === start + 30 * second) world.request('trader', 'POST', '/api/sdk/orders', sweep)
  }
  return world.digest()
}

describe.each(Object.entries(models))('a world whose price is switched to %s', (kind, model) => {
  const timeline = [
    { at: '+33s', path: { asset: 'BTC', model } },
    { at: '+70s', path: { asset: 'BTC', shock: '-2%' } },
  ]

  const flow = ['market', 'heston', 'replay', 'waypoints'].includes(kind) ? busy : nobody

  it('is the same however time is split, and when it is restored, forked or imported', () => {
    const scenario = scenarioWith(timeline, flow)
    const whole = runInSteps(createWorld(scenario), [30, 150])
    const world = createWorld(scenario)
    runInSteps(world, [5, 20, 5, 4])
    const halfway = world.snapshot()
    const parts = [1, 2, 33, 27, 0.25, 82.75]
    expect(runInSteps(world, parts)).toBe(whole)
    world.restore(halfway)
    expect(runInSteps(world, [146])).toBe(whole)
    const fork = forkWorld(halfway)
    expect(runInSteps(fork, [100, 46])).toBe(whole)
    const read = readSnapshotDocument(JSON.parse(JSON.stringify(makeSnapshotDocument(halfway))))
    if (!read.ok) throw new Error(read.reason)
    expect(runInSteps(forkWorld(read.snapshot), [146])).toBe(whole)
  })

  it('replays from its journal, and differs from a world without the switch', () => {
    const scenario = scenarioWith(timeline, flow)
    const world = createWorld(scenario)
    const journal = startMemoryJournal(world, { otcsim: 'test', start: null })
    runInSteps(world, [30, 60])
    const replay = replayText([...journal.text()].join(''))
    if (replay.kind !== 'done') throw new Error(JSON.stringify(replay).slice(0, 300))
    expect(replay.world.digest()).toBe(world.digest())
    expect(runInSteps(createWorld(scenarioWith(timeline.slice(1), flow)), [30, 60])).not.toBe(world.digest())
    expect(digestSource(scenario.source)).toMatch(/^[0-9a-f]{32}$/)
  })

  it('can be switched while it runs, which the journal records; recordings must be in its scenario', () => {
    const isRecorded = kind === 'bootstrap' || kind === 'replay'
    const world = createWorld(scenarioWith([], nobody))
    const journal = startMemoryJournal(world, { otcsim: 'test', start: null })
    runInSteps(world, [30, 3])
    const problems = scheduleActions(world, [{ path: { asset: 'BTC', model } }])
    expect(problems.map(({ path }) => path)).toEqual(isRecorded ? ['actions[0].path.model.data'] : [])
    const digest = runInSteps(world, [57])
    const replay = replayText([...journal.text()].join(''))
    if (replay.kind !== 'done') throw new Error(JSON.stringify(replay).slice(0, 300))
    expect(replay.world.digest()).toBe(digest)
    const known = createWorld(scenarioWith([{ at: '+1h', path: { asset: 'BTC', model } }], nobody))
    runInSteps(known, [30, 3])
    expect(scheduleActions(known, [{ path: { asset: 'BTC', model } }])).toEqual([])
    const state = (one: World) => one.venue.state.byAsset[1]?.overrides
    if (!isRecorded) return
    known.advance(20 * second)
    expect(state(known)?.at(-1)).toMatchObject({ kind: 'switch', model: { kind: 'recorded', place: 0 } })
  })
})

it('refuses a recording with other settings than those in its timeline', () => {
  const world = createWorld(
    scenarioWith([{ at: '+1h', path: { asset: 'BTC', model: models.replay } }], nobody),
  )
  const [problem] = scheduleActions(world, [
    { path: { asset: 'BTC', model: { ...models.replay, speed: 2 } } },
  ])
  expect(problem).toMatchObject({
    path: 'actions[0].path.model',
    reason: expect.stringContaining('does not switch to'),
  })
  expect(scheduleActions(world, [{ path: { asset: 'BTC', model: models.replay } }])).toEqual([])
})

it('ends the gap of one recording, and begins those of another', () => {
  const own = { kind: 'replay', data: 'gap.csv', gaps: 'halt', timeShift: '+90d' }
  const timeline = [
    { at: '+10m', path: { asset: 'BTC', model: models.constant } },
    { at: '+20m', path: { asset: 'BTC', model: models.replay } },
  ]
  const world = createWorld(scenarioWith(timeline, nobody, own, '1h'))
  const haltedAt = [4, 6, 9, 10, 15, 20, 59, 61].filter((minute) => {
    world.advance(start + minute * 60_000 - world.now)
    return world.venue.state.byAsset[1]?.isHaltedByRecording === true
  })
  expect(haltedAt).toEqual([6, 9, 61])
})
