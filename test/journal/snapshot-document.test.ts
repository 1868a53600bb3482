import { describe, expect, it } from 'vitest'
import { makeSnapshotDocument, readSnapshotDocument } from '../../src/journal/snapshot-document.ts'
import { createWorld, forkWorld, type World } from '../../src/world/world.ts'
import { addFault, busy, keepTrading, order } from '../world/fixtures.ts'

describe('the document of a snapshot', () => {
  const document = (world: World): unknown =>
    JSON.parse(JSON.stringify(makeSnapshotDocument(world.snapshot())))
  const busyWorld = () => {
    const world = createWorld(busy)
    const metadata = { $map: 1, $$: { $bytes: 'x' }, n: null }
    world.request('trader', 'POST', '/api/sdk/orders', { ...order, clientOrderId: 'mine', metadata })
    addFault(world, { type: 'latency', attributes: { latencyMs: 1 }, toxicity: 0.5 })
    world.advance('25s')
    return world
  }

  it('is accepted as written, and continues as if the world had never stopped', () => {
    const world = busyWorld()
    const read = readSnapshotDocument(document(world))
    if (!read.ok) throw new Error(`${read.field} ${read.reason}`)
    const fork = forkWorld(read.snapshot, { id: 'elsewhere' })
    expect(fork.digest()).toBe(world.digest())
    expect(fork.request('trader', 'GET', '/api/sdk/orders/ord_1')).toEqual(
      world.request('trader', 'GET', '/api/sdk/orders/ord_1'),
    )
    expect(keepTrading(fork)).toEqual(keepTrading(world))
  })

  it('may lack readings that have come since, but has none that are unknown', () => {
    const snapshot = busyWorld().snapshot()
    const readings = { ...snapshot.readings }
    Reflect.deleteProperty(readings, 'orders.cancelTerminal')
    const older = readSnapshotDocument(makeSnapshotDocument({ ...snapshot, readings }))
    expect(older).toMatchObject({ ok: true, snapshot: { readings: { 'orders.cancelTerminal': '409' } } })
    Reflect.set(readings, 'envelope', 'torn')
    const odd = readSnapshotDocument(makeSnapshotDocument({ ...snapshot, readings }))
    expect(odd).toMatchObject({ ok: false, field: 'state.readings.envelope' })
  })

  it('is the same text for equal worlds', () => {
    expect(JSON.stringify(document(busyWorld()))).toBe(JSON.stringify(document(busyWorld())))
  })

  it.each<[string, (text: string) => unknown, RegExp]>([
    ['another thing', () => ({ hello: 1 }), /^format must be/],
    ['a list', () => [], /^format must be/],
    ['another version', (text) => ({ ...JSON.parse(text), version: 99 }), /^version must be 1/],
    ['no state', (text) => ({ ...JSON.parse(text), state: {} }), /^state does not have/],
    ['a changed seed', (text) => ({ ...JSON.parse(text), seed: 'x' }), /^check does not fit/],
    ['a changed digest', (text) => ({ ...JSON.parse(text), digest: '0' }), /^check does not fit/],
    [
      'another instant',
      (text) => ({ ...JSON.parse(text), now: '2026-01-06T00:00:00.000Z' }),
      /^now does not/,
    ],
    ['a changed name', (text) => ({ ...JSON.parse(text), scenario: 'x' }), /^scenario does not fit/],
    ['another clock', (text) => JSON.parse(text.replace('"manual"', '"auto"')), /^check does not fit/],
    [
      'bytes cut off',
      (text) => JSON.parse(text.replace('"$doubles":"AAAA', '"$doubles":"')),
      /damaged|check/,
    ],
    ['invalid bytes', (text) => JSON.parse(text.replace('"$bytes":"', '"$bytes":"!')), /^state is damaged/],
    [
      'another scenario',
      (text) => JSON.parse(text.replace('"price":50000', '"price":-5')),
      /^source\.document/,
    ],
  ])('is refused as %s', (_name, change, reason) => {
    const read = readSnapshotDocument(change(JSON.stringify(document(busyWorld()))))
    expect(read.ok ? 'was taken' : `${read.field} ${read.reason}`).toMatch(reason)
  })
})
