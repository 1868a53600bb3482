import { describe, expect, it } from 'vitest'
import { atoms, millis } from '../../../src/numeric/units.ts'
import { setClock } from '../../../src/world/change-world.ts'
import { startMemoryJournal } from '../../../src/world/journals/journal.ts'
import { createWorld, type World } from '../../../src/world/world.ts'
import { isFullRun } from '../../support/full-run.ts'
import { recordRun, replayText, scenarioOf } from './recorded.ts'

const order = { side: 'buy', asset: 'BTC', quantity: 0.5, price: 50_000 }

function deposit(world: World): void {
  world.execute({
    kind: 'deposit',
    at: world.now,
    account: world.venue.state.accounts.rowOf('desk'),
    asset: 0,
    atoms: atoms(1),
    pendingMillis: millis(0),
  })
}

describe('a journal', () => {
  it('has a line for each change and for each refusal for risk, and none for other requests', () => {
    const world = createWorld(scenarioOf())
    const journal = startMemoryJournal(world, { otcsim: 'test', start: null })
    const sequences = [
      ['POST', '/api/sdk/orders', order, 201],
      ['GET', '/api/sdk/orders', undefined, 200],
      ['POST', '/api/sdk/orders', { ...order, quantity: 0.00000001 }, 400],
      ['POST', '/api/sdk/orders', { ...order, quantity: 9, price: 500_000 }, 422],
      ['DELETE', '/api/sdk/orders/ord_77', undefined, 404],
      ['POST', '/api/sdk/risk/pre-trade-check', order, 200],
    ].map(([method, path, body, status]) => {
      expect(world.request('desk', String(method), String(path), body).status).toBe(status)
      return world.sequence
    })
    expect(sequences).toEqual([1, 1, 1, 2, 2, 2])
    setClock(world, { mode: 'auto' })
    world.reset('8')
    const lines = [...journal.text()].map((line) => JSON.parse(line))
    expect(lines.map(({ sequence }) => sequence)).toEqual([undefined, 1, 2, 3, 4])
    expect(lines[0]).toMatchObject({
      format: 'otcsim-journal',
      version: 1,
      seed: '7',
      world: 'default',
      scenario: { name: 'liquid' },
    })
    expect(lines[1]).toMatchObject({
      at: '2026-01-05T00:00:00.000Z',
      command: { kind: 'place-order' },
      outcome: { ok: true, status: 'open', filledSteps: 0 },
    })
    expect(lines[2]).toMatchObject({ outcome: { ok: false, code: 'risk' } })
    expect(lines[3]).toMatchObject({ change: { kind: 'clock' } })
    expect(lines[4]).toMatchObject({ change: { kind: 'reset', seed: '8' } })
  })

  it.each(['1', '2', '3', '4'])('replays to the same state, with seed %s', (seed) => {
    const { world, text, lines } = recordRun(seed, 700)
    const replay = replayText(text)
    if (replay.kind !== 'done') throw new Error(JSON.stringify(replay))
    expect(replay.world.digest()).toBe(world.digest())
    expect(replay.world.sequence).toBe(world.sequence)
    expect(replay.end).toMatchObject({
      sequence: lines.length - 1,
      torn: null,
      offset: Buffer.byteLength(text),
    })
  })

  it('has a digest of the whole state on every thousandth line', () => {
    const { lines } = recordRun('5', 2600)
    const digests = lines.map((line) => JSON.parse(line)).filter(({ digest }) => digest !== undefined)
    expect(digests.map(({ sequence }) => Math.floor(sequence / 1000))).toEqual([1, 2])
  })

  it('has a digest on every thousandth line however large the state is, and after a reset', () => {
    const world = createWorld(scenarioOf())
    const journal = startMemoryJournal(world, { otcsim: 'test', start: null })
    for (let line = 0; line < 12_100; line += 1) deposit(world)
    world.reset(null)
    for (let line = 0; line < 1000; line += 1) deposit(world)
    const digests = [...journal.text()]
      .map((line) => JSON.parse(line))
      .filter(({ digest }) => digest !== undefined)
    const thousands = digests.map(({ sequence }) => sequence / 1000)
    expect(thousands).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13])
  })

  it('in memory drops lines, but keeps more of them the larger the state is', () => {
    const world = createWorld(scenarioOf())
    const journal = startMemoryJournal(world, { otcsim: 'test', start: null }, 10)
    const kept: number[] = []
    for (let line = 1; line <= 400; line += 1) {
      deposit(world)
      kept.push(line - journal.readHistory().afterSequence)
    }
    const all = kept.findIndex((lines, at) => lines !== at + 1)
    expect(all).toBeGreaterThanOrEqual(20)
    expect(all).toBeLessThan(30)
    for (const [at, lines] of kept.entries()) {
      expect(lines).toBeGreaterThanOrEqual(Math.min(at + 1, (at + 1) / 3))
      expect(lines).toBeLessThanOrEqual(20 + (3 * (at + 1)) / 4)
    }
    const replay = replayText([...journal.text()].join(''))
    if (replay.kind !== 'done') throw new Error(JSON.stringify(replay))
    expect(replay.world.digest()).toBe(world.digest())
  })

  it('in memory drops lines sooner where each goes back to a snapshot of its own', () => {
    const world = createWorld(scenarioOf())
    const journal = startMemoryJournal(world, { otcsim: 'test', start: null }, 10_000)
    const restored = (lines: number) => {
      for (let line = 1; line <= lines; line += 1) {
        deposit(world)
        world.restore(world.snapshot())
      }
      return [...journal.text()].filter((line) => line.includes('"restored"')).length
    }
    expect(restored(9)).toBe(9)
    expect(restored(91)).toBeLessThanOrEqual(20)
    const replay = replayText([...journal.text()].join(''))
    if (replay.kind !== 'done') throw new Error(JSON.stringify(replay))
    expect([replay.world.digest(), replay.world.sequence]).toEqual([world.digest(), 200])

    const { sequence } = world
    const same = world.snapshot()
    for (let line = 1; line <= 1000; line += 1) world.restore(same)
    expect(journal.readHistory().afterSequence).toBeLessThan(sequence)
  })

  it('stops where asked', () => {
    const { text } = recordRun('6', 300)
    const at = (until: { sequence: number; atMillis: number }) => {
      const replay = replayText(text, until)
      return replay.kind === 'done' ? replay : null
    }
    const tenth = at({ sequence: 10, atMillis: Number.POSITIVE_INFINITY })
    expect(tenth?.end.sequence).toBe(10)
    const early = at({ sequence: Number.POSITIVE_INFINITY, atMillis: (tenth?.world.now ?? 0) - 1 })
    expect(early?.end.sequence).toBeLessThan(10)
  })
})

describe('bytes', () => {
  /** A short run looks at every fourth byte, and at those where a line ends. */
  const stride = isFullRun ? 1 : 4
  const { text, lines } = recordRun('11', 14)
  const bytes = Buffer.from(text)
  const starts = lines.map((_, index) =>
    Buffer.byteLength(
      lines
        .slice(0, index)
        .map((line) => `${line}\n`)
        .join(''),
    ),
  )

  it('yield all whole lines, wherever the last three are cut', () => {
    const from = starts[lines.length - 3] ?? 0
    const ends = [...starts, bytes.length]
    for (let length = from; length <= bytes.length; length += 1) {
      const isNearEnd = ends.some((end) => Math.abs(end - length) <= 2)
      if (!isNearEnd && length % stride !== 0) continue
      const replay = replayText(bytes.subarray(0, length))
      if (replay.kind !== 'done') throw new Error(`cut at ${length}: ${JSON.stringify(replay)}`)
      // A line that lacks only its line end is whole.
      const whole = starts.filter((_, index) => length >= (starts[index + 1] ?? bytes.length) - 1).length
      expect(replay.end.sequence).toBe(whole - 1)
      const start = starts[whole] ?? bytes.length
      expect(replay.end.torn?.length ?? 0).toBe(length > start ? length - start : 0)
    }
  })

  it('are an empty journal when shorter than a header, and no journal when they are something else', () => {
    const header = starts[1] ?? 0
    for (let length = 0; length < header - 1; length += 1) {
      expect(replayText(bytes.subarray(0, length)).kind).toBe('empty')
    }
    expect(replayText('hello').kind).toBe('damaged')
    expect(replayText('{"some":"json"}\n').kind).toBe('damaged')
    expect(replayText(`${text}\0\0\0\0\0`)).toMatchObject({
      kind: 'done',
      end: { sequence: lines.length - 1 },
    })
  })

  it('reveal any flipped bit, in line ends too', () => {
    const from = starts[lines.length - 2] ?? 0
    for (let at = bytes.length - 1; at >= from; at -= stride) {
      const flipped = Buffer.from(bytes)
      flipped[at] = (flipped[at] ?? 0) ^ (1 << (at % 8))
      expect(replayText(flipped).kind).toBe('damaged')
    }
    for (let at = 0; at < from; at += 97) {
      const flipped = Buffer.from(bytes)
      flipped[at] = (flipped[at] ?? 0) ^ 4
      expect(replayText(flipped).kind).toBe('damaged')
    }
  })

  it('reveal lines that were lost, repeated or exchanged', () => {
    const swapped = [...lines]
    const [fifth = '', sixth = ''] = [lines[5], lines[6]]
    swapped[5] = sixth
    swapped[6] = fifth
    for (const wrong of [lines.toSpliced(5, 1), lines.toSpliced(5, 0, fifth), swapped]) {
      expect(replayText(`${wrong.join('\n')}\n`)).toMatchObject({
        kind: 'damaged',
        damage: { offset: expect.any(Number) },
      })
    }
  })
})
