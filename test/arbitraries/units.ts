import fc from 'fast-check'

/* The small numbers of a crowded world: few accounts, few assets, prices within five ticks, sizes of a few steps. */

export const accountIndex = fc.nat(3)
export const assetIndex = fc.integer({ min: 1, max: 3 })
export const side = fc.constantFrom<0 | 1>(0, 1)
export const steps = fc.integer({ min: 1, max: 9 })
export const ticks = fc.integer({ min: 96, max: 104 })
export const stepsOrNull = fc.option(fc.integer({ min: 1, max: 12 }), { freq: 2 })
export const ticksOrNull = fc.option(ticks, { freq: 2 })

/** True with this probability, in percent. */
export function percentChance(percent: number): fc.Arbitrary<boolean> {
  return fc.nat(99).map((drawn) => drawn < percent)
}
