import { describe, expect, it } from 'vitest'
import { createStream } from '../../../src/numeric/random.ts'
import { loadScenarioValue } from '../../../src/scenario/load-tree.ts'
import { History } from '../../../src/world/history/history.ts'
import { startMemoryJournal } from '../../../src/world/journals/journal.ts'
import { runToEnd } from '../../../src/world/work-queue.ts'
import { createWorld, type World } from '../../../src/world/world.ts'
import { runBusily } from '../journals/busy.ts'
import { ManualWallClock } from '../manual-wall-clock.ts'
import { liquidScenario } from '../scenarios.ts'

function start(clock: object = {}, linesPerPart = 50_000) {
  const loaded = loadScenarioValue({ ...liquidScenario, clock: { ...liquidScenario.clock, ...clock } })
  if (!loaded.ok) throw new Error(loaded.problems[0]?.reason)
  const wall = new ManualWallClock()
  const world = createWorld(loaded.value, { wall })
  const journal = startMemoryJournal(world, { otcsim: '1.0.0', start: null }, linesPerPart)
  return { world, wall, history: new History(world, journal) }
}

const digestAt = (history: History, sequence: number, atMillis: number) =>
  runToEnd(history.travelTo({ sequence, atMillis }))?.digest()

/** Follows until it is up to date. */
function followWhole(history: History): void {
  for (let turn = 0; !history.follow(5); turn += 1) if (turn > 10_000) throw new Error('it never ends')
}

interface Seen {
  readonly sequence: number
  readonly atMillis: number
  readonly digest: string
}

/** Runs the world, and records its state after each part. */
function liveOn(world: World, seed: string, parts: number): Seen[] {
  return Array.from({ length: parts }, (_, part) => {
    runBusily(world, `${seed}-${part}`, 8)
    return { sequence: world.sequence, atMillis: world.now, digest: world.digest() }
  })
}

describe('the past of a world', () => {
  it('has the state that the world had at every moment, in whatever order it is read', () => {
    const { world, history } = start()
    const seen = liveOn(world, 'first', 14)
    followWhole(history)
    seen.push(...liveOn(world, 'second', 14))
    followWhole(history)
    const stream = createStream('7', 'order', '', 0)
    for (let turn = 0; turn < 30; turn += 1) {
      const { sequence, atMillis, digest } = seen[stream.integer(seen.length)] ?? { sequence: 0, atMillis: 0 }
      expect([sequence, digestAt(history, sequence, atMillis)]).toEqual([sequence, digest])
    }
  })

  it('is the same when it is worked out in pieces, also after a search that was left off half way', () => {
    const { world, history } = start()
    const seen: Seen[] = []
    for (let part = 0; part < 6; part += 1) {
      world.advance('3m')
      seen.push(...liveOn(world, `far ${part}`, 8))
    }
    followWhole(history)
    for (const { sequence, atMillis, digest } of seen.toReversed()) {
      const left = history.travelTo({ sequence: Math.floor(sequence / 2), atMillis: 0 })
      left.next()
      const pieces = history.travelTo({ sequence, atMillis })
      let last = pieces.next()
      while (last.done !== true) last = pieces.next()
      expect(last.value?.digest()).toBe(digest)
    }
  })

  it('does not change the world', () => {
    const { world, history } = start()
    liveOn(world, 'alone', 10)
    const before = [world.digest(), world.sequence, world.events.lastSequence]
    followWhole(history)
    runToEnd(history.travelTo({ sequence: 3, atMillis: 0 }))?.advance('1h')
    expect([world.digest(), world.sequence, world.events.lastSequence]).toEqual(before)
  })

  it('has the instants between two lines, and none after the next one', () => {
    const { world, wall, history } = start({ mode: 'realtime' })
    const digests = new Map<number, string>()
    const begin = world.now
    for (let second = 1; second <= 30; second += 1) {
      wall.advance(1000)
      world.time.catchUp()
      digests.set(world.now, world.digest())
    }
    world.request('trader', 'POST', '/api/sdk/orders', { side: 'buy', asset: 'BTC', quantity: 1, price: 1 })
    followWhole(history)
    for (const second of [20, 5, 29, 6]) {
      const atMillis = begin + second * 1000
      expect(digestAt(history, 0, atMillis)).toBe(digests.get(atMillis))
    }
    expect(runToEnd(history.travelTo({ sequence: 0, atMillis: begin + 60_000 }))?.now).toBe(begin + 30_000)
    expect(runToEnd(history.travelTo({ sequence: 2, atMillis: begin }))).toBeNull()
  })

  it('goes through resets and restores', () => {
    const { world, history } = start()
    const [first] = liveOn(world, 'a', 1)
    const kept = world.snapshot()
    const [second] = liveOn(world, 'b', 1)
    world.restore(kept)
    const [third] = liveOn(world, 'c', 1)
    world.reset('other')
    const [fourth] = liveOn(world, 'd', 1)
    followWhole(history)
    for (const seen of [fourth, second, third, first]) {
      if (seen === undefined) throw new Error('each part has been seen')
      expect(digestAt(history, seen.sequence, seen.atMillis)).toBe(seen.digest)
    }
    expect(history.index.since(0, 9999).map(({ type }) => type)).toEqual(
      expect.arrayContaining(['restored', 'reset', 'order.accepted', 'trade']),
    )
  })

  it('begins where the journal begins, and again when the journal has dropped lines not yet read', () => {
    const { world, history } = start({}, 20)
    liveOn(world, 'a', 30)
    followWhole(history)
    const generation = history.generation
    const begins = history.firstMoment.sequence
    expect(begins).toBeGreaterThan(20)
    expect(digestAt(history, begins - 1, 0)).toBeUndefined()
    const seen = liveOn(world, 'b', 90).at(-1)
    followWhole(history)
    expect(history.generation).toBe(generation + 1)
    expect(history.lastMoment.sequence).toBe(world.sequence)
    expect(digestAt(history, seen?.sequence ?? 0, seen?.atMillis ?? 0)).toBe(seen?.digest)
  })

  it('is listed as lines, their events, the events of time, and prices', () => {
    const { world, history } = start()
    const order = { side: 'buy', asset: 'BTC', quantity: 0.01, price: 40_000 }
    world.request('trader', 'POST', '/api/sdk/orders', order)
    world.request('trader', 'POST', '/api/sdk/orders', { ...order, quantity: 500 })
    world.request('desk', 'POST', '/api/sdk/quotes', {
      asset: 'BTC',
      bidPrice: 30_000,
      askPrice: 80_000,
      bidSize: 0.1,
      askSize: 0.1,
      validForSeconds: 30,
    })
    world.advance('1m')
    followWhole(history)
    const items = history.index.since(0, 100)
    expect(
      items.map(({ index, sequence, at, type, account, refusal }) => [
        index,
        sequence,
        at.slice(17, 22),
        type,
        account,
        refusal,
      ]),
    ).toEqual([
      [0, 1, '00.00', 'place-order', 'trader', null],
      [1, 1, '00.00', 'order.accepted', 'trader', null],
      [2, 2, '00.00', 'place-order', 'trader', 'risk'],
      [3, 3, '00.00', 'submit-quote', 'desk', null],
      [4, 3, '00.00', 'quote.accepted', 'desk', null],
      // Time has advanced because of line 4, which is not carried out yet.
      [5, 3, '30.00', 'quote.expired', 'desk', null],
      [6, 4, '00.00', 'advance', null, null],
    ])
    expect([0, 2, 3, 6].map((place) => items[place]?.fields)).toEqual([
      { side: 'buy', quantity: 0.01, price: 40_000 },
      { side: 'buy', quantity: 500, price: 40_000 },
      { bidSize: 0.1, bidPrice: 30_000, askSize: 0.1, askPrice: 80_000 },
      {},
    ])
  })
})
