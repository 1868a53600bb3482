/** FNV-1a over integers; every contender's final state is hashed by the same few lines. */
class Checksum {
  private hash = 0x811c9dc5

  add(value: number): void {
    for (let shift = 0; shift < 32; shift += 8) {
      this.hash = Math.imul(this.hash ^ ((value >>> shift) & 0xff), 0x01000193)
    }
  }

  get value(): number {
    return this.hash >>> 0
  }
}

/** Price and quantity of one level. */
export type Level = readonly [priceTicks: number, quantitySteps: number]
/** One maker that a sweep met. */
export type Met = readonly [order: number, quantitySteps: number]

/** Levels of every asset, bids then asks, best first. */
export function depthChecksum(
  assets: number,
  levels: (asset: number, side: number) => readonly Level[],
): number {
  const checksum = new Checksum()
  for (let asset = 0; asset < assets; asset += 1) {
    for (const side of [0, 1]) {
      for (const [priceTicks, quantitySteps] of levels(asset, side)) {
        checksum.add(priceTicks)
        checksum.add(quantitySteps)
      }
      checksum.add(side)
    }
  }
  return checksum.value
}

/** Market orders of `steps` into every side of every asset: who is met first, and by how much. */
export function sweepChecksum(
  assets: number,
  steps: number,
  sweep: (asset: number, side: number, steps: number) => readonly Met[],
): number {
  const checksum = new Checksum()
  for (let asset = 0; asset < assets; asset += 1) {
    for (const side of [0, 1]) {
      for (const [order, quantitySteps] of sweep(asset, side, steps)) {
        checksum.add(order)
        checksum.add(quantitySteps)
      }
      checksum.add(side)
    }
  }
  return checksum.value
}
