/*
 * Offsets of an account's fields in the views of its table's store (see order-fields): doubles from `row << 4`, integers
 * from `row << 5`.
 */
export const dayVolumeAtoms = 8
export const volumeDay = 9
export const worstAtoms = 12
export const positionsAtoms = 13
export const lastActivity = 12
export const feeSchedule = 20
export const lastOrder = 21
export const openOrders = 22
