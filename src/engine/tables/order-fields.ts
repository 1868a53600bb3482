/*
 * Offsets of an order's fields in the views of its table's store, for the few functions that every order passes
 * through: doubles from `row << 4`, integers from `row << 5`, bytes from `row << 7`. All others use the table's fields.
 * An offset is joined to its row by `|`: a sum would be checked for what is beyond 32 bits.
 */
export const priceTicks = 0
export const quantitySteps = 1
export const filledSteps = 2
export const reservedAtoms = 3
export const updatedAtMillis = 4
export const createdAtMillis = 8
export const priority = 9
export const account = 10
export const asset = 11
export const feeSchedule = 12
export const lastFill = 13
export const quote = 20
export const previousOfAccount = 21
export const kind = 56
export const side = 57
export const type = 58
export const timeInForce = 59
export const status = 60
