/* Offsets of an account's numbers from `row << 4` in the doubles of its table's store (see order-fields). */
export const dayVolumeAtoms = 8
export const volumeDay = 9
export const worstAtoms = 12
export const positionsAtoms = 13
