import { describe, expect, it } from 'vitest'
import { Float64Column, Int32Column, Uint8Column } from '../../src/numeric/columns.ts'

describe.each([
  ['Float64Column', () => new Float64Column(1), -1.5e300],
  ['Int32Column', () => new Int32Column(1), -2_147_483_648],
  ['Uint8Column', () => new Uint8Column(1), 255],
] as const)('%s', (_name, create, value) => {
  it('grows on reserve, keeps its rows, and starts at 0', () => {
    const column = create()
    column.set(0, value)
    column.reserve(1_000)
    column.set(999, value)
    expect(column.get(0)).toBe(value)
    expect(column.get(999)).toBe(value)
    expect(column.get(500)).toBe(0)
  })

  it('loads a copy', () => {
    const column = create()
    column.load([value, 1])
    column.reserve(3)
    expect([column.get(0), column.get(1), column.get(2)]).toEqual([value, 1, 0])
  })

  it('gives a copy of its rows', () => {
    const column = create()
    column.reserve(2)
    const copy = column.slice(2)
    column.set(1, value)
    expect([...copy]).toEqual([0, 0])
  })
})

it('a loaded column is independent of what it was loaded from', () => {
  const rows = Float64Array.of(1, 2)
  const column = new Float64Column()
  column.load(rows)
  rows[0] = 9
  column.reserve(3)
  column.add(1, 5)
  expect([column.get(0), column.get(1), column.get(2)]).toEqual([1, 7, 0])
})
