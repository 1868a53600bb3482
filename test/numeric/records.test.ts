import { afterEach, describe, expect, it, vi } from 'vitest'
import { Float64Field, Int32Field, RecordStore, recordBytes, Uint8Field } from '../../src/numeric/columns.ts'

function table() {
  const store = new RecordStore()
  return {
    store,
    amount: new Float64Field(store, 0),
    next: new Int32Field(store, 8),
    code: new Uint8Field(store, 12),
    other: new Uint8Field(store, 13),
  }
}

describe('records', () => {
  it('keep the fields of a row apart', () => {
    const { store, amount, next, code, other } = table()
    store.reserve(3)
    for (let row = 0; row < 3; row++) {
      amount.set(row, row + 0.5)
      next.set(row, row - 1)
      code.set(row, 250 + row)
      other.set(row, row)
    }
    for (let row = 0; row < 3; row++) {
      expect([amount.get(row), next.get(row), code.get(row), other.get(row)]).toEqual([
        row + 0.5,
        row - 1,
        250 + row,
        row,
      ])
    }
  })

  it('keep their rows when they grow, and initialise new ones to 0', () => {
    const { store, amount, next } = table()
    store.reserve(1)
    amount.set(0, Number.MAX_SAFE_INTEGER)
    next.set(0, -2_147_483_648)
    store.reserve(100_000)
    expect([amount.get(0), next.get(0)]).toEqual([Number.MAX_SAFE_INTEGER, -2_147_483_648])
    expect([amount.get(99_999), next.get(99_999)]).toEqual([0, 0])
  })

  afterEach(() => {
    vi.unstubAllGlobals()
  })

  it.each(['grow where they are', 'are copied where there are no shared buffers'])(
    'keep their rows through every size while they %s, also after a load',
    (way) => {
      if (way.includes('no shared')) vi.stubGlobal('SharedArrayBuffer', undefined)
      const first = table()
      const many = 60_000
      for (let row = 0; row < many; row++) {
        first.store.reserve(row + 1)
        first.amount.set(row, row * 1.5)
        first.code.set(row, row & 255)
      }
      const second = table()
      second.store.load(first.store.slice(many))
      second.store.reserve(8 * many)
      const [rows, values] = [new Set<number>(), new Set<number>()]
      for (let row = 0; row < many; row++) {
        for (const { amount, code } of [first, second]) {
          values.add(amount.get(row) - row * 1.5)
          values.add(code.get(row) - (row & 255))
        }
      }
      for (let row = many; row < 8 * many; row++) rows.add(second.amount.get(row))
      expect([[...values], [...rows]]).toEqual([[0], [0]])
    },
  )

  it('never share bytes between fields, nor leave the record', () => {
    const { store } = table()
    for (const offsetBytes of [4, 12, recordBytes - 7])
      expect(() => new Float64Field(store, offsetBytes)).toThrow('bytes of a record to itself')
  })

  it('never hold -0, so that equal rows are equal bytes', () => {
    const { store, amount } = table()
    store.reserve(1)
    amount.set(0, -0)
    expect(store.slice(1)).toEqual(new Uint8Array(recordBytes))
  })

  it('slice and load copies that are independent of their source', () => {
    const { store, amount } = table()
    store.reserve(2)
    amount.set(1, 5)
    const copy = store.slice(2)
    amount.set(1, 6)
    const twin = table()
    twin.store.load(copy)
    copy.fill(255)
    expect([twin.amount.get(0), twin.amount.get(1)]).toEqual([0, 5])
    twin.store.reserve(10)
    expect([twin.amount.get(1), twin.amount.get(9)]).toEqual([5, 0])
  })
})
