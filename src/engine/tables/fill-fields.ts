/* Offsets of a fill's fields in the views of its table's store (see order-fields). */
export const priceTicks = 0
export const quantitySteps = 1
export const notionalAtoms = 2
export const feeAtoms = 3
export const realizedAtoms = 4
export const atMillis = 5
export const order = 12
export const previousOfOrder = 13
export const account = 14
export const asset = 15
export const feeAsset = 16
export const previousActivity = 17
export const side = 72
export const isMaker = 73
