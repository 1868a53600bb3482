const modulus = 9007199254740992 // 2^53

/** An exact running sum of safe integers that are not negative; the sum may pass 2^53. */
export class WideSum {
  private high = 0
  private low = 0

  add(value: number): void {
    if (this.low < modulus - value) {
      this.low += value
    } else {
      this.low -= modulus - value
      this.high += 1
    }
  }

  /** Subtracts what was added before. */
  subtract(value: number): void {
    if (this.low >= value) {
      this.low -= value
    } else {
      this.low += modulus - value
      this.high -= 1
    }
  }

  toBigInt(): bigint {
    return BigInt(this.high) * BigInt(modulus) + BigInt(this.low)
  }
}
