import { expect, it } from 'vitest'
import { ForeseenMarks } from '../../../src/engine/series/foreseen-marks.ts'
import { noImpact } from '../../../src/market/liquidity/impact.ts'

it('foreseen marks hold only under the impact and overrides that they were computed with', () => {
  const marks = new ForeseenMarks()
  const [impact, overrides] = [{ ...noImpact }, []]
  const known = (gridIndex: number) => marks.ticksAt(gridIndex, impact, overrides)
  expect(known(5)).toBe(0)
  marks.remember(5, 100, impact, overrides)
  marks.remember(6, 101, impact, overrides)
  expect([known(5), known(6), known(7), known(5 + 1024)]).toEqual([100, 101, 0, 0])
  expect([marks.ticksAt(5, { ...impact }, overrides), marks.ticksAt(5, impact, [])]).toEqual([0, 0])
  marks.remember(5 + 1024, 200, impact, overrides)
  expect([known(5), known(5 + 1024)]).toEqual([0, 200])
  const later = { ...impact }
  marks.remember(7, 300, later, overrides)
  expect([known(6), marks.ticksAt(6, later, overrides), marks.ticksAt(7, later, overrides)]).toEqual([
    0, 0, 300,
  ])
  marks.remember(7, 400, later, [])
  expect(marks.ticksAt(7, later, overrides)).toBe(0)
})
