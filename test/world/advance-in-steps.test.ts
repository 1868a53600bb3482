import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readFaultRule } from '../../src/api/faults/read-fault-rule.ts'
import { millis } from '../../src/numeric/units.ts'
import { type AdvanceTarget, advanceWorld } from '../../src/world/advance-world.ts'
import { installFault } from '../../src/world/change-world.ts'
import { knownNames } from '../../src/world/faults/fire-faults.ts'
import { startMemoryJournal } from '../../src/world/journals/journal.ts'
import { runToEnd } from '../../src/world/work-queue.ts'
import { createWorld, type World } from '../../src/world/world.ts'
import { compiledScenario } from '../support/compiled-scenario.ts'
import { runBusily } from './journals/busy.ts'
import { livelyScenario } from './scenarios.ts'

const scenario = compiledScenario(livelyScenario)

function recordedWorld() {
  const world = createWorld(scenario)
  const journal = startMemoryJournal(world, { otcsim: 'test', start: null })
  return { world, textOf: () => [...journal.text()].join('') }
}

/** Adds a fault rule with matches that have not been journaled yet. */
function poll(world: World): void {
  world.request('desk', 'GET', '/api/sdk/orders')
}

/** Carries out the pieces one by one, and returns how often they paused. */
function countPauses(pieces: Iterator<undefined>): number {
  let pauses = 0
  while (pieces.next().done !== true) pauses += 1
  return pauses
}

describe('an advance in pieces', () => {
  it('gives the same journal, events and digest as an advance in one piece', () => {
    let pauses = 0
    const spans = fc.array(fc.integer({ min: 0, max: 900_000 }), { minLength: 1, maxLength: 4 })
    fc.assert(
      fc.property(spans, fc.integer({ min: 1, max: 1000 }), (given, seed) => {
        const whole = recordedWorld()
        const cut = recordedWorld()
        for (const { world } of [whole, cut]) addLatency(world)
        for (const [step, span] of given.entries()) {
          for (const { world } of [whole, cut]) runBusily(world, `${seed}/${step}`, 8)
          for (const { world } of [whole, cut]) poll(world)
          whole.world.advance(span)
          pauses += countPauses(cut.world.advanceInSteps(millis(cut.world.now + span)))
          expect(cut.world.digest()).toBe(whole.world.digest())
        }
        expect(cut.world.eventsSince(0)).toEqual(whole.world.eventsSince(0))
        expect(cut.textOf()).toBe(whole.textOf())
      }),
      { seed: 7, numRuns: 5 },
    )
    expect(pauses).toBeGreaterThan(10)
  })

  it.each<[string, (world: World) => AdvanceTarget]>([
    ['an instant', (world) => ({ kind: 'instant', atMillis: millis(world.now + 1_000_000) })],
    ['what is due next', () => ({ kind: 'next' })],
    [
      'an event',
      (world) => ({
        kind: 'event',
        event: 'scenario.action',
        match: {},
        deadlineMillis: millis(world.now + 900_000),
      }),
    ],
  ])('ends at %s as one step at a time does', (_name, goalOf) => {
    const whole = recordedWorld()
    const cut = recordedWorld()
    const expected = runToEnd(advanceWorld(whole.world, goalOf(whole.world)))
    const pieces = advanceWorld(cut.world, goalOf(cut.world))
    let last = pieces.next()
    while (last.done !== true) last = pieces.next()
    expect(last.value).toEqual(expected)
    expect([cut.world.sequence, whole.world.sequence]).toEqual([1, 1])
    expect(cut.textOf()).toBe(whole.textOf())
  })

  it('that has not begun has changed and written nothing', () => {
    const { world, textOf } = recordedWorld()
    const before = { now: world.now, digest: world.digest(), text: textOf() }
    const pieces = world.advanceInSteps(millis(world.now + 3_600_000))
    expect(pieces.next().done).toBe(false)
    expect({ now: world.now, digest: world.digest(), text: textOf() }).toEqual(before)
    pieces.next()
    pieces.next()
    expect(world.now).toBeGreaterThan(before.now)
    expect(textOf()).toBe(before.text)
  })

  it('is finished first by a direct call of the world', async () => {
    for (const call of [
      (world: World) => world.request('desk', 'POST', '/api/sdk/orders', order).status === 201,
      (world: World) => world.advance('1s'),
      (world: World) => world.snapshot(),
      (world: World) => addLatency(world),
    ]) {
      const { world } = recordedWorld()
      const atMillis = millis(world.now + 3_600_000)
      const advancing = world.workQueue.begin(world.advanceInSteps(atMillis))
      expect(world.workQueue.isPaused).toBe(true)
      call(world)
      expect(world.now).toBeGreaterThanOrEqual(atMillis)
      await advancing
    }
  })
})

describe('an advance of the library that does not block', () => {
  it('comes to the same world, while timers of the process go on', async () => {
    const whole = recordedWorld()
    const sliced = recordedWorld()
    whole.world.advance('2h')
    whole.world.advance('1s')
    let turns = 0
    const count = (): void => {
      turns += 1
      if (sliced.world.workQueue.isTaken) setImmediate(count)
    }
    const both = [sliced.world.advanceAsync('2h'), sliced.world.advanceAsync(1000)]
    count()
    await Promise.all(both)
    expect(turns).toBeGreaterThan(1)
    expect(sliced.world.digest()).toBe(whole.world.digest())
    expect(sliced.textOf()).toBe(whole.textOf())
  })

  it('is finished first by who uses the world meanwhile, and rejects what advance throws for', async () => {
    const { world } = recordedWorld()
    const { now } = world
    const advancing = world.advanceAsync('1h')
    expect(world.request('desk', 'POST', '/api/sdk/orders', order).status).toBe(201)
    expect(world.now).toBe(now + 3_600_000)
    await advancing
    await expect(world.advanceAsync('soon')).rejects.toThrow(RangeError)
    await expect(world.advanceAsync(-1)).rejects.toThrow(RangeError)
    expect(world.now).toBe(now + 3_600_000)
  })
})

const order = { side: 'buy', asset: 'BTC', quantity: 0.5, price: 40_000 }

function addLatency(world: World): void {
  const read = readFaultRule({ id: 'slow', type: 'latency', attributes: { latencyMs: 5 } }, knownNames(world))
  if (!read.ok) throw new Error(read.problem.reason)
  installFault(world, read.value)
}
