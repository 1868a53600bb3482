import { expect, it } from 'vitest'
import { openMatrix } from '../../src/cli/scenario/scenario-files.ts'
import { millis } from '../../src/numeric/units.ts'
import { runScenario } from '../../src/scenario/run/run-scenario.ts'
import { loadShipped } from '../../src/world/shipped/shipped-scenarios.ts'
import { createWorld } from '../../src/world/world.ts'

const examples = ['flash-crash-resting-bid', 'mm-quote-lifecycle', 'outage-during-vol']

it.each(examples)('the example %s meets its expectations, run by run', (name) => {
  const { variants, compile } = openMatrix({ scenario: name, cwd: '.', params: new Map(), seed: null })
  for (const variant of variants) {
    const { failures, refusals } = runScenario(compile(variant))
    expect(failures.map(({ expected, got }) => `${variant.name} ${expected} | ${got}`)).toEqual([])
    expect(refusals.map(({ entry, problem }) => `${entry.action.kind} ${problem}`)).toEqual([])
  }
})

it('a world has the faults, limits and clocks of its scenario, each for its period', () => {
  const loaded = loadShipped('outage-during-vol', { params: new Map([['grid', '1m']]) })
  if (loaded === null || !loaded.ok) throw new Error('outage-during-vol compiles')
  const world = createWorld(loaded.value, { clock: { mode: 'manual' } })
  const news = loaded.value.venue.startMillis + 50 * 60_000
  const at = (minutes: number, seconds = 0) => {
    world.advanceTo(millis(news + minutes * 60_000 + seconds * 1000))
    return [
      world.faults.list(world.now).map(({ rule }) => rule.type),
      world.limiter.limits.other,
      world.keys.list().filter(({ isRevoked }) => isRevoked).length,
    ]
  }
  expect(at(1)).toEqual([[], 10, 0])
  expect(at(3)).toEqual([['latency'], 10, 0])
  expect(at(5)).toEqual([['latency', 'CONNECTION_RESET_BY_PEER'], 2, 0])
  expect(at(9)).toEqual([['latency', 'CONNECTION_RESET_BY_PEER', 'http_error'], 10, 0])
  expect(at(13)).toEqual([['CONNECTION_RESET_BY_PEER'], 10, 0])
  // The event's own fault from the twentieth minute on: answers are slow during the fall.
  expect(at(20, 30)).toEqual([['CONNECTION_RESET_BY_PEER', 'latency'], 10, 1])
  expect(at(22)).toEqual([['CONNECTION_RESET_BY_PEER', 'latency'], 10, 0])
})
