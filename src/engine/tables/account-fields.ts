/* Places of an account's numbers among the doubles of its table's store, from `row << 4` on (see order-fields). */
export const dayVolumeAtoms = 8
export const volumeDay = 9
export const worstAtoms = 12
export const positionsAtoms = 13
