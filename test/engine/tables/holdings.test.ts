import { expect, it } from 'vitest'
import { HoldingTable } from '../../../src/engine/tables/holdings.ts'

it.each([
  { held: 'a long position', before: 300, basis: 6_007, realized: 0 },
  { held: 'nothing', before: 0, basis: 0, realized: -7 },
  { held: 'a short position', before: -300, basis: 6_000, realized: -7 },
])('a purchase of which a fee in kind leaves nothing is a cost to $held', ({ before, basis, realized }) => {
  const holdings = new HoldingTable(2)
  holdings.appendAccount()
  const row = holdings.rowOf(0, 1)
  if (before !== 0) holdings.moveBasis(row, 0, before, 6_000)
  expect(holdings.moveBasis(row, before, 0, 7)).toBe(realized)
  expect(holdings.costBasisAtoms(row, Math.abs(before))).toBe(basis)
  expect(holdings.realizedAtoms.get(row)).toBe(realized)
})
