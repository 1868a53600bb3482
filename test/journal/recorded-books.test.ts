import { describe, expect, it } from 'vitest'
import { compileInitialWorld, decodeHeader, encodeHeader, makeHeader } from '../../src/journal/header.ts'
import { makeSnapshotDocument, readSnapshotDocument } from '../../src/journal/snapshot-document.ts'
import { createWorld, forkWorld } from '../../src/world/world.ts'
import { readBook } from '../nets/scenario-pieces.ts'
import { load } from '../scenario/fixtures.ts'

/* Journals and snapshots hold the hash of a recorded book, never its rows, and need the book to be read. */

const { book, ...steps } = readBook()
const scenario = load(
  `version: 1
name: recorded
market: {assets: {BTC: {liquidity: {kind: recorded, data: book.csv, queue: {law: power, exponent: 2}}}}}
accounts: [{id: alice, balances: {USD: 1000000, BTC: 10}, keys: [{key: k, secret: s, scopes: [READ, TRADE]}]}]
`,
  { readBook: () => ({ book, ...steps }) },
)

function busyWorld() {
  const world = createWorld(scenario)
  const order = { side: 'buy', asset: 'BTC', quantity: 0.002, price: 49_999.9 }
  expect(world.request('alice', 'POST', '/api/sdk/orders', order).status).toBe(201)
  world.advance('25s')
  return world
}

describe('of a world with a recorded book', () => {
  it('a snapshot goes through its document, and goes on as its world does', () => {
    const world = busyWorld()
    const text = JSON.stringify(makeSnapshotDocument(world.snapshot()))
    expect(text).toContain(book.hash)
    expect(text.length).toBeLessThan(40_000)
    const read = readSnapshotDocument(JSON.parse(text))
    if (!read.ok) throw new Error(`${read.field} ${read.reason}`)
    const fork = forkWorld(read.snapshot, { id: 'elsewhere' })
    expect(fork.digest()).toBe(world.digest())
    world.advance('10m')
    fork.advance('10m')
    expect(fork.digest()).toBe(world.digest())
  })

  it('the header of a journal compiles to the same scenario', () => {
    const world = busyWorld()
    const { clock, readings, seed } = world.snapshot()
    const header = makeHeader(
      { world: 'w', scenario, seed, clock, readings, start: null, parent: null },
      '0.1.0',
      null,
    )
    const decoded = decodeHeader(JSON.parse(encodeHeader(header)))
    expect(compileInitialWorld(decoded).scenario.venue.market).toEqual(scenario.venue.market)
  })

  it('neither is read where the book is not at hand', () => {
    const snapshot = busyWorld().snapshot()
    const { clock, readings, seed } = snapshot
    const books = [...(scenario.source.books ?? [])].map(
      ([key, one]) => [key, { ...one, hash: 'f00' }] as const,
    )
    const elsewhere = { ...scenario, source: { ...scenario.source, books: new Map(books) } }
    const header = makeHeader(
      { world: 'w', scenario: elsewhere, seed, clock, readings, start: null, parent: null },
      '0.1.0',
      null,
    )
    const document = makeSnapshotDocument({ ...snapshot, scenario: elsewhere })
    expect(readSnapshotDocument(document)).toMatchObject({
      ok: false,
      reason: expect.stringContaining('the recorded book of hash f00, which is not at hand'),
    })
    expect(() => compileInitialWorld(header)).toThrow('the recorded book of hash f00')
  })

  it('a document that says something else than a book is refused', () => {
    const document = makeSnapshotDocument(busyWorld().snapshot())
    const text = JSON.stringify(document).replace(`"hash":"${book.hash}"`, '"hash":7')
    expect(readSnapshotDocument(JSON.parse(text))).toMatchObject({ ok: false, field: 'source' })
  })
})
