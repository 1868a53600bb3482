import fc from 'fast-check'
import type { Span } from './plans.ts'

/* The small numbers of a crowded world: few accounts, few assets, prices within five ticks, sizes of a few steps. */

export const accountIndex = fc.nat(3)
export const assetIndex = fc.integer({ min: 1, max: 3 })
export const side = fc.constantFrom<0 | 1>(0, 1)
export const steps = fc.integer({ min: 1, max: 9 })
export const ticks = fc.integer({ min: 96, max: 104 })

/** Until something else happens, or next to it. */
export const momentous = fc.constantFrom<Span>('due-1', 'due', 'due+1', 'grid', 'midnight-1', 'midnight')

/** True with this probability, in percent. */
export function percentChance(percent: number): fc.Arbitrary<boolean> {
  return fc.nat(99).map((drawn) => drawn < percent)
}
