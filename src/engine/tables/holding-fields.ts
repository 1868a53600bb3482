/*
 * Offsets of a holding's numbers from `row << 4` in the doubles of its table's store (see order-fields);
 * `openOrders` is an integer, from `row << 5`.
 */
export const basisCostAtoms = 0
export const basisQuantityAtoms = 1
export const realizedAtoms = 2
export const totalAtoms = 6
export const lockedAtoms = 7
export const openBuyAtoms = 8
export const openSellAtoms = 9
export const openBuySteps = 10
export const openSellSteps = 11
export const valueAtoms = 12
export const openOrders = 26
