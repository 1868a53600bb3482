/*
 * Places of a holding's numbers among the doubles of its table's store, from `row << 4` on (see order-fields). Of what is
 * open the sells lie behind the buys.
 */
export const basisCostAtoms = 0
export const basisQuantityAtoms = 1
export const realizedAtoms = 2
export const totalAtoms = 6
export const lockedAtoms = 7
export const openAtoms = 8
export const openSteps = 10
export const valueAtoms = 12
